"""Tokens are estimated as a quarter of the bytes, and never as none for a text that is there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.text.clip import BYTES_PER_TOKEN, tokens


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("記憶", 2),
        ("привет", 3),
        ("\U0001f600", 1),
        ("x" * 8_000, 2_000),
    ],
)
def test_a_token_is_four_bytes(text: str, count: int) -> None:
    assert tokens(text) == count


@given(st.text())
def test_the_estimate_is_rounded_up(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    assert 0 <= tokens(text) * BYTES_PER_TOKEN - size < BYTES_PER_TOKEN


@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(one: str, other: str) -> None:
    assert tokens(one) <= tokens(one + other) <= tokens(one) + tokens(other)
    assert bool(tokens(one)) == bool(one)


def test_broken_halves_of_a_character_are_counted_too() -> None:
    assert tokens("\ud800") == 1
