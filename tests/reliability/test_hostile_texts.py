"""Whatever text a person, a model or a file gives, every function that takes one answers."""

from pathlib import Path

import pytest

from tests.reliability.hostile_texts import fed, text_functions


@pytest.mark.parametrize("seed", [1, 2])
def test_every_function_answers_whatever_text_it_is_given(tmp_path: Path, seed: int) -> None:
    functions = text_functions(tmp_path)
    found, _ = fed(functions, seed, 25)
    assert found == {}


def test_the_functions_that_texts_pass_through_are_all_fed(tmp_path: Path) -> None:
    wanted = {
        "recall.lexical.terms.terms",
        "recall.lexical.terms.stem", "recall.limits.skip_reason", "verify.check.verify",
        "verify.check.anchors", "verify.claims.parser.claims_in",
        "text.dates.relative_dates.with_absolute_dates", "memories.draft.complete",
        "memories.proposed_names.propose_kind",
        "text.secrets.search.find_secrets",
        "memories.topic.topic_from", "extract.heuristics.extraction.extract",
    }  # fmt: skip
    assert wanted <= text_functions(tmp_path).keys()
