"""A kept answer is given at once, and made anew when what it rests on changed."""

from threading import Event

import pytest

from memdir.errors import Rejected
from memdir.viewer.answer_cache import CachedAnswer


def test_an_answer_is_made_once_for_one_mark() -> None:
    numbers, mark = iter((1, 2, 3)), [1]
    kept = CachedAnswer(lambda: next(numbers), lambda: mark[0])
    assert [kept.certain(), kept.certain()] == [1, 1]
    mark[0] = 2
    assert [kept.certain(), kept.certain()] == [2, 2]
    kept.drop()
    assert kept.certain() == 3


def test_who_cannot_wait_gets_the_last_answer_or_none() -> None:
    go, mark, made = Event(), [1], [0]

    def slow() -> int:
        go.wait(30)
        made[0] += 1
        return made[0]

    kept = CachedAnswer(slow, lambda: mark[0])
    assert kept.now(0.01) is None
    go.set()
    assert kept.certain() == 1
    go.clear()
    mark[0] = 2
    assert (kept.now(0.01), kept.last) == (1, 1)
    go.set()
    assert kept.certain() == 2


def test_an_old_answer_is_given_while_a_new_one_is_made() -> None:
    made = [0]

    def count() -> int:
        made[0] += 1
        return made[0]

    kept = CachedAnswer(count, fresh=-1.0)
    first = kept.certain()
    assert kept.now(30) in (first, first + 1)
    while made[0] < 2:
        kept.now()
    assert kept.is_old in (True, False)


def test_what_goes_wrong_is_raised_where_somebody_waits_and_asked_again() -> None:
    answers = [Rejected("no")]

    def ask() -> str:
        if answers:
            raise answers.pop()
        return "yes"

    kept = CachedAnswer(ask)
    with pytest.raises(Rejected, match="no"):
        kept.certain()
    assert kept.certain() == "yes"
