"""Suppressed errors end their block and nothing else; all others are raised."""

import pytest

from memdir.text.suppress import suppress


def test_a_named_error_ends_the_block_alone() -> None:
    reached = []
    with suppress(KeyError, OSError):
        reached.append("before")
        raise FileNotFoundError("gone")
    reached.append("after")
    assert reached == ["before", "after"]


def test_another_error_is_raised() -> None:
    with pytest.raises(ValueError, match="odd"), suppress(OSError):
        raise ValueError("odd")


def test_a_block_without_an_error_ends_as_usual() -> None:
    ended = False
    with suppress(OSError):
        ended = True
    assert ended
