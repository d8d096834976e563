"""The tagger that comes with the package reads any text, and what is missing is said."""

import os
import shutil
from pathlib import Path

import pytest

from memdir.extract.tagger import TAGGER, shipped_tagger, tagger_missing
from memdir.memories.topic import Kind
from memdir.recall.semantic.weights import ENCODER, PACKAGED


@pytest.mark.parametrize(
    "said", [[], ["yes"], ["\u200b"], ["x" * 5_000], ["word " * 2_000], ["ok.", "是的。", "…"]]
)
def test_every_sentence_gets_one_tag_of_shares(said: list[str]) -> None:
    tagger = shipped_tagger()
    assert tagger is not None
    tags = tagger.tags(said, "Did it work? " * 200)
    assert len(tags) == len(said)
    for tag in tags:
        assert 0 <= tag.keep <= 1
        assert 0 <= tag.follows <= 1
        assert abs(sum(tag.kinds.values()) - tag.keep) < 1e-5
        assert list(tag.kinds) == list(Kind)


def test_what_stands_around_a_sentence_counts() -> None:
    tagger = shipped_tagger()
    assert tagger is not None
    alone = tagger.tags(["Grafana, folder checkout-prod."])[0].keep
    answer = tagger.tags(["Grafana, folder checkout-prod."], "Where do I find the dashboards?")[0].keep
    assert alone != answer


def test_nothing_is_missing_in_the_package() -> None:
    assert tagger_missing() == ""


@pytest.mark.parametrize("name", [ENCODER, TAGGER])
def test_a_file_that_is_cut_off_or_gone_is_named(name: str, tmp_path: Path) -> None:
    for one in (ENCODER, TAGGER):
        shutil.copy(os.path.join(PACKAGED, one), tmp_path)
    assert tagger_missing(str(tmp_path)) == ""
    os.truncate(tmp_path / name, 1_000)
    assert str(tmp_path / name) in tagger_missing(str(tmp_path))
    assert shipped_tagger(str(tmp_path)) is None
    (tmp_path / name).unlink()
    assert str(tmp_path / name) in tagger_missing(str(tmp_path))
