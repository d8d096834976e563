"""Only what a person typed as prose is read: code, quotations, tags and pasted output are not."""

import pytest

from memdir.extract.heuristics.own_words import MAX_MESSAGE, own_words, sentences


def texts(message: str) -> list[str]:
    return [sentence.text for sentence in sentences(message)]


@pytest.mark.parametrize(
    "message",
    [
        "```\nalways use tabs\n```",
        "```py\nalways use tabs",
        "> always use tabs",
        "<system-reminder>always use tabs</system-reminder>",
        "$ always use tabs",
        "2026-11-12 10:00:00 always use tabs",
        "warning: always use tabs",
        "    always use tabs",
    ],
)
def test_what_others_wrote_is_left_out(message: str) -> None:
    assert "tabs" not in own_words(message)


def test_a_paste_ends_with_its_paragraph() -> None:
    message = "here is the log:\nalways use tabs\nnever spaces\n\nWhat does it mean?"
    assert texts(message) == ["What does it mean?"]


def test_sentences_end_where_people_end_them() -> None:
    assert texts("First one. Second e.g. this; third!\nfourth\n- fifth") == [
        "First one.",
        "Second e.g. this",
        "third!",
        "fourth",
        "fifth",
    ]
    assert texts("第一句。第二句！") == ["第一句。", "第二句！"]


def test_wrapped_lines_are_one_sentence() -> None:
    wrapped = "this line is long enough that the editor wrapped it somewhere in\nthe middle of a sentence"
    assert texts(wrapped) == [wrapped.replace("\n", " ")]


def test_quoted_words_are_blotted_out_but_kept() -> None:
    (sentence,) = sentences('they call it "always on" here')
    assert sentence.text == 'they call it "always on" here'
    assert "always" not in sentence.bare
    assert len(sentence.bare) == len(sentence.text)


def test_each_sentence_knows_its_neighbours() -> None:
    first, second = sentences("Two rules:\n- no tabs")
    assert (first.after, second.before) == (second.text, first.text)


def test_a_dump_is_cut_and_costs_little() -> None:
    assert sum(map(len, texts("no. " * MAX_MESSAGE))) <= MAX_MESSAGE
    assert texts("word " * 1_000) == []
