"""Contradictions are seen in most words, and what only looks like one is left alone."""

import pytest
from bench.contradiction.pairs import TABLES
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.contradiction import contradicts_itself, may_contradict
from memdir.core.word_starts import word_starts

CONTRADICTING = [pair for table, _ in TABLES.values() for pair in table]
HARMLESS = [pair for _, table in TABLES.values() for pair in table]


def test_the_tables_are_large_enough_to_tell_something() -> None:
    assert len(CONTRADICTING) >= 120
    assert len(HARMLESS) >= 120


def test_nineteen_of_twenty_contradictions_are_seen() -> None:
    missed = [pair for pair in CONTRADICTING if not may_contradict(*pair)]
    assert len(missed) <= len(CONTRADICTING) // 20, "\n".join(map(str, missed))


def test_what_only_looks_like_a_contradiction_is_left_alone() -> None:
    wrong = [(pair, may_contradict(*pair)) for pair in HARMLESS if may_contradict(*pair)]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("pair", [*CONTRADICTING, *HARMLESS], ids=lambda pair: pair[0][:30])
def test_it_does_not_matter_which_comes_first(pair: tuple[str, str]) -> None:
    assert bool(may_contradict(*pair)) == bool(may_contradict(*pair[::-1]))


@pytest.mark.parametrize("pair", CONTRADICTING, ids=lambda pair: pair[0][:30])
def test_what_contradicts_shares_the_start_of_a_word(pair: tuple[str, str]) -> None:
    """By that alone pairs are picked that are looked at more closely."""
    assert word_starts(pair[0]) & word_starts(pair[1])


@pytest.mark.parametrize(
    "text", [*(one for pair in HARMLESS[:20] for one in pair), "", " ", "**Why:** x", "。。"]
)
def test_nothing_contradicts_itself(text: str) -> None:
    assert may_contradict(text, text) == ""


def test_the_reason_names_the_two_values() -> None:
    assert may_contradict("The timeout is 30 s.", "The timeout is 45 s.") == '"30 s" or "45 s"'
    assert may_contradict("Wir deployen dienstags.", "Wir deployen mittwochs, nicht mehr dienstags.") == (
        '"dienstags" is taken back'
    )


def test_amounts_that_are_the_same_in_another_unit_do_not_contradict() -> None:
    assert may_contradict("The cache lives for 1 hour.", "The cache lives for 60 minutes.") == ""


def test_reasons_and_later_details_are_not_compared() -> None:
    one = "Deploy on Tuesdays.\n\n**Why:** the timeout is 30 s."
    two = "Review on Mondays.\n\n**Why:** the timeout is 45 s."
    assert may_contradict(one, two) == ""


WORDS = sorted({word for pair in (*CONTRADICTING, *HARMLESS) for text in pair for word in text.split()})
TEXT = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=30).map(" ".join)


@given(TEXT, TEXT)
def test_no_text_breaks_it_and_none_comes_first(one: str, two: str) -> None:
    assert bool(may_contradict(one, two)) == bool(may_contradict(two, one))
    contradicts_itself(one)
