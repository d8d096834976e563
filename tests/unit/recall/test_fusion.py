"""Ranking puts what fits first, says why something was moved, and knows when nothing fits."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.topic import Header
from memdir.recall.fusion import JUDGED, LOOKED_AT, Documents, Ranked, candidates
from memdir.recall.lexical.bm25 import BM25, LexicalFit

NOW = datetime(2026, 11, 15, tzinfo=UTC)


class Near:
    """Nearness written down in a test: a cosine a document, its pieces as near as the whole."""

    def __init__(self, means: Sequence[float | None], alike: Sequence[Sequence[float]] = ()) -> None:
        self.cosines, self._alike = list(means), alike
        self.nothing = 0.0
        self.asked: list[int] = []

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        self.asked = list(numbers)
        return [(self.cosines[number] or 0.0, self.cosines[number] or 0.0) for number in numbers]

    def similarities(self, numbers: Sequence[int]) -> list[list[float]]:
        if not self._alike:
            return [[float(one == other) for other in numbers] for one in numbers]
        return [[self._alike[one][other] for other in numbers] for one in numbers]


class Memory(NamedTuple):
    """A memory as ranking sees it."""

    header: Header
    age: float | None = None
    occasion: int | None = None
    expired: bool = False
    by: str = ""
    """The file that replaces it."""


def memory(
    name: str,
    *,
    days: int = 0,
    pinned: bool = False,
    expired: bool = False,
    by: str = "",
    with_: int | None = None,
    age: float | None = None,
) -> Memory:
    expires = "2026-01-01" if expired else ""
    header = Header(f"{name}.md", name, "", None, NOW - timedelta(days=days), pinned=pinned, expires=expires)
    return Memory(header, age, with_, expired, by)


class Terms(BM25):
    """The terms of each document, written down in a test."""

    def __init__(self, *given: str) -> None:
        super().__init__()
        self.given = given
        self.asked: list[int] = []

    def document_terms(self, number: int) -> set[str]:
        self.asked.append(number)
        return set(self.given[number].split()) if self.given else {str(number)}


def words(*scores: float, index: BM25 | None = None) -> LexicalFit:
    idf, places = dict.fromkeys("abcd", 1.0), range(len(scores))
    return LexicalFit(index or Terms(), places, "a b c d", idf, list(scores), list(scores))


def rank(
    memories: Sequence[Memory],
    fit: LexicalFit,
    meaning: Near | None = None,
    looked_at: int = LOOKED_AT,
    most: int | None = None,
) -> list[Ranked]:
    documents = Documents(
        [one.header for one in memories],
        [one.age for one in memories],
        [one.occasion for one in memories],
        {at for at, one in enumerate(memories) if one.expired},
    )
    replaced = {at: one.by for at, one in enumerate(memories) if one.by}
    return candidates(documents, fit, meaning, replaced=replaced, looked_at=looked_at, most=most).rank()


def order(found: Sequence[Ranked]) -> str:
    return "".join(one.header.name for one in found)


ABC = [memory("a"), memory("b"), memory("c")]


def test_without_vectors_words_decide() -> None:
    found = rank(ABC, words(1, 3, 2))
    assert order(found) == "bca"
    assert [one.lexical for one in found] == [3, 2, 1]
    assert {one.semantic for one in found} == {None}


def test_without_vectors_the_older_of_two_with_nearly_the_same_words_steps_back() -> None:
    documents = [memory("a", days=9), memory("b", days=1), memory("c", days=5), memory("d")]
    index = Terms("p q r s t u v w x y", "p q r s t u v w x", "p q r s t u v", "z")
    found = rank(documents, words(3, 2.9, 2.8, 0, index=index))
    assert order(found) == "bcad"
    assert [one.notes for one in found] == [(), (), ("near duplicate of b.md",), ()]


def test_only_the_best_are_compared_by_their_words() -> None:
    index = Terms()
    documents = [memory(f"n{number}", days=number) for number in range(400)]
    rank(documents, words(*[1.0] * 400, index=index))
    assert len(set(index.asked)) == 20


def test_with_vectors_meaning_outweighs_words() -> None:
    found = rank(ABC, words(0, 1, 0), Near([0.9, 0.1, 0.2]))
    assert order(found)[0] == "a"
    assert found[0].semantic == 0.9


def test_a_document_without_vectors_is_ranked_by_its_words() -> None:
    assert order(rank(ABC, words(0, 5, 1), Near([0.4, None, 0.3])))[0] == "b"
    assert order(rank(ABC, words(5, 0, 1), Near([0.4, None, 0.3])))[-1] == "b"


def test_only_the_best_get_the_closer_look() -> None:
    near = Near([number / 50 for number in range(50)])
    documents = [memory(f"{number:02}") for number in range(50)]
    found = rank(documents, words(*[0.0] * 50), near, looked_at=10)
    assert sorted(near.asked) == list(range(40, 50))
    assert [one.header.name for one in found[:2]] == ["49", "48"]
    assert len(found) == 50


def test_of_two_that_fit_alike_the_newer_comes_first() -> None:
    old, new = memory("o", days=90), memory("n")
    documents = [new._replace(age=0.0), old._replace(age=0.5)]
    assert order(rank(documents, words(1, 1))) == "no"
    assert order(rank(documents, words(0, 1))) == "on"


def test_what_was_saved_together_with_the_best_moves_up() -> None:
    documents = [memory("a", with_=1), memory("b", with_=1), memory("c", with_=2)]
    assert order(rank(documents, words(9, 1, 2))) == "abc"


def test_expired_and_superseded_ones_step_back_and_pinned_ones_forward() -> None:
    documents = [
        memory("a", expired=True),
        memory("b", by="c.md"),
        memory("c"),
        memory("d", pinned=True),
    ]
    found = rank(documents, words(5, 5, 5, 5.0))
    assert order(found) == "dcab"
    notes = {one.header.name: one.notes for one in found}
    assert notes == {"a": ("expired 2026-01-01",), "b": ("superseded by c.md",), "c": (), "d": ("pinned",)}


def test_pinned_does_not_undo_expired() -> None:
    both = memory("a", pinned=True, expired=True)
    found = rank([both, memory("b")], words(5, 5))
    assert order(found) == "ba"
    assert found[1].notes == ("pinned", "expired 2026-01-01")


def test_the_older_of_two_that_say_the_same_steps_back() -> None:
    documents = [memory("a", days=9), memory("b"), memory("c")]
    alike = [[1, 0.97, 0.2], [0.97, 1, 0.2], [0.2, 0.2, 1]]
    found = rank(documents, words(3, 2.9, 1), Near([0.8, 0.79, 0.6], alike))
    assert order(found)[0] == "b"
    assert next(one.notes for one in found if one.header.name == "a") == ("near duplicate of b.md",)


def test_only_the_best_are_judged() -> None:
    documents = [memory(f"{number:02}") for number in range(20)]
    found = rank(documents, words(*range(20, 0, -1)))
    assert all(one.score > 0 for one in found[:JUDGED])
    assert {one.score for one in found[JUDGED:]} == {0.0}


def test_a_memory_steps_back_in_its_probability_too() -> None:
    plain, twin = (rank([memory("a", by=by)], words(5.0))[0].score for by in ("", "b.md"))
    assert twin == pytest.approx(0.6 * plain)


def test_nothing_known_is_ranked_without_an_error() -> None:
    assert rank([], words()) == []
    assert rank([], words(), Near([])) == []
    assert [one.score for one in rank(ABC, words(0, 0, 0))] == [0, 0, 0]
    assert len(rank(ABC, words(0, 0, 0), Near([None, None, None]))) == 3


SCORES = st.sampled_from((0.0, 0.5, 1.0, 2.5, 9.0))
"""Few values, so that many documents fit equally well."""

STORES = st.lists(
    st.tuples(
        SCORES,
        st.none() | SCORES.map(lambda score: score / 9),
        st.integers(0, 400),
        st.booleans(),
        st.booleans(),
        st.none() | st.integers(0, 3),
    ),
    max_size=60,
)


@given(STORES, st.integers(0, 70), st.booleans())
def test_the_best_few_are_the_beginning_of_all(
    rows: list[tuple[float, float | None, int, bool, bool, int | None]], most: int, meaning: bool
) -> None:
    documents = [
        memory(f"n{at}", days=days, pinned=pinned, expired=expired, with_=with_, age=days / 400)
        for at, (_, _, days, pinned, expired, with_) in enumerate(rows)
    ]
    near = Near([row[1] for row in rows]) if meaning else None
    asked = words(*[row[0] for row in rows])
    assert rank(documents, asked, near, most=most) == rank(documents, asked, near)[:most]
