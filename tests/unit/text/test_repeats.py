"""A sentence that more than one text says is found, however it is marked."""

import pytest

from memdir.text.repeats import repeats

SENTENCE = "Always run the whole test suite before you push a commit."


def test_a_sentence_in_two_texts_is_found_whatever_its_marks_and_case() -> None:
    found = repeats(
        {
            "a": f"# Title\n\n- {SENTENCE} More.",
            "b": "Well. **always** run the whole\ntest suite before you `push` a commit!",
            "c": "x",
        }
    )
    assert [(one.sentence, one.places) for one in found] == [(SENTENCE, ("a", "b"))]


@pytest.mark.parametrize(
    "texts",
    [
        {"a": f"{SENTENCE} {SENTENCE}"},
        {"a": SENTENCE, "b": "Never run the whole test suite before you push a commit."},
        {"a": "Run the tests before a push.", "b": "Run the tests before a push."},
        {"a": f"```\n{SENTENCE}\n```", "b": f"```\n{SENTENCE}\n```"},
        {"a": "", "b": ""},
    ],
)
def test_repetition_within_a_text_short_sentences_and_code_do_not_count(texts: dict[str, str]) -> None:
    assert repeats(texts) == []
