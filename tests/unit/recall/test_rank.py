"""Ranking puts what fits first, says why something was moved, and knows when nothing fits."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.topic import Header
from memdir.recall.lexical.statistics import Fit, Overlap
from memdir.recall.rank import JUDGED, Document, Documents, Ranked, Words, rank_documents
from memdir.text.value import replace

NOW = datetime(2026, 11, 15, tzinfo=UTC)


class Near:
    """Nearness written down in a test: a cosine a document, its pieces as near as the whole."""

    def __init__(self, means: Sequence[float | None], alike: Sequence[Sequence[float]] = ()) -> None:
        self._means, self._alike = list(means), alike
        self.nothing = 0.0
        self.asked: list[int] = []

    def cosines(self) -> list[float | None]:
        return self._means

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        self.asked = list(numbers)
        return [(self._means[number] or 0.0, self._means[number] or 0.0) for number in numbers]

    def similarities(self, numbers: Sequence[int]) -> list[list[float]]:
        if not self._alike:
            return [[float(one == other) for other in numbers] for one in numbers]
        return [[self._alike[one][other] for other in numbers] for one in numbers]


def document(
    name: str,
    *,
    days: int = 0,
    pinned: bool = False,
    expired: bool = False,
    by: str = "",
    with_: int | None = None,
) -> Document:
    expires = "2026-01-01" if expired else ""
    header = Header(f"{name}.md", name, "", None, NOW - timedelta(days=days), pinned=pinned, expires=expires)
    return Document(header, None, with_, expired, by)


def no_overlap(_: str, numbers: Sequence[int]) -> list[Overlap]:
    return [Overlap() for _ in numbers]


def words(*scores: float, terms: int = 4) -> Words:
    return Words("a b c d", Fit(list(scores), list(scores), terms), no_overlap)


def order(found: Sequence[Ranked]) -> str:
    return "".join(one.header.name for one in found)


ABC = [document("a"), document("b"), document("c")]


def test_without_vectors_words_decide() -> None:
    found = rank_documents(ABC, words(1, 3, 2))
    assert order(found) == "bca"
    assert [one.lexical for one in found] == [3, 2, 1]
    assert {one.semantic for one in found} == {None}


def test_without_vectors_the_older_of_two_with_nearly_the_same_words_steps_back() -> None:
    documents = [document("a", days=9), document("b", days=1), document("c", days=5), document("d")]
    asked: list[int] = []

    def similarities(numbers: Sequence[int], least: float) -> list[list[float]]:
        assert least == 0.8
        asked.append(len(numbers))
        return [[0.9 if {one, other} <= {0, 1} else 0.7 for other in numbers] for one in numbers]

    found = rank_documents(documents, replace(words(3, 2.9, 2.8, 0), alike=similarities))
    assert order(found) == "bcad"
    assert [one.notes for one in found] == [(), (), ("near duplicate of b.md",), ()]
    rank_documents(documents * 100, replace(words(*[1.0] * 400), alike=similarities))
    assert asked == [4, 20]


def test_with_vectors_meaning_outweighs_words() -> None:
    found = rank_documents(ABC, words(0, 1, 0), Near([0.9, 0.1, 0.2]))
    assert order(found)[0] == "a"
    assert found[0].semantic == 0.9


def test_a_document_without_vectors_is_ranked_by_its_words() -> None:
    assert order(rank_documents(ABC, words(0, 5, 1), Near([0.4, None, 0.3])))[0] == "b"
    assert order(rank_documents(ABC, words(5, 0, 1), Near([0.4, None, 0.3])))[-1] == "b"


def test_only_the_best_get_the_closer_look() -> None:
    near = Near([number / 50 for number in range(50)])
    documents = [document(f"{number:02}") for number in range(50)]
    found = rank_documents(documents, words(*[0.0] * 50), near, looked_at=10)
    assert sorted(near.asked) == list(range(40, 50))
    assert [one.header.name for one in found[:2]] == ["49", "48"]
    assert len(found) == 50


def test_of_two_that_fit_alike_the_newer_comes_first() -> None:
    old, new = document("o", days=90), document("n")
    documents = [Document(new.header, 0.0), Document(old.header, 0.5)]
    assert order(rank_documents(documents, words(1, 1))) == "no"
    assert order(rank_documents(documents, words(0, 1))) == "on"


def test_what_was_saved_together_with_the_best_moves_up() -> None:
    documents = [document("a", with_=1), document("b", with_=1), document("c", with_=2)]
    assert order(rank_documents(documents, words(9, 1, 2))) == "abc"


def test_expired_and_superseded_ones_step_back_and_pinned_ones_forward() -> None:
    documents = [
        document("a", expired=True),
        document("b", by="c.md"),
        document("c"),
        document("d", pinned=True),
    ]
    found = rank_documents(documents, words(5, 5, 5, 5.0))
    assert order(found) == "dcab"
    notes = {one.header.name: one.notes for one in found}
    assert notes == {"a": ("expired 2026-01-01",), "b": ("superseded by c.md",), "c": (), "d": ("pinned",)}


def test_pinned_does_not_undo_expired() -> None:
    both = document("a", pinned=True, expired=True)
    found = rank_documents([both, document("b")], words(5, 5))
    assert order(found) == "ba"
    assert found[1].notes == ("pinned", "expired 2026-01-01")


def test_the_older_of_two_that_say_the_same_steps_back() -> None:
    documents = [document("a", days=9), document("b"), document("c")]
    alike = [[1, 0.97, 0.2], [0.97, 1, 0.2], [0.2, 0.2, 1]]
    found = rank_documents(documents, words(3, 2.9, 1), Near([0.8, 0.79, 0.6], alike))
    assert order(found)[0] == "b"
    assert next(one.notes for one in found if one.header.name == "a") == ("near duplicate of b.md",)


def test_only_the_best_are_judged() -> None:
    documents = [document(f"{number:02}") for number in range(20)]
    found = rank_documents(documents, words(*range(20, 0, -1)))
    assert all(one.score > 0 for one in found[:JUDGED])
    assert {one.score for one in found[JUDGED:]} == {0.0}


def test_a_memory_steps_back_in_its_probability_too() -> None:
    plain, twin = (rank_documents([document("a", by=by)], words(5.0))[0].score for by in ("", "b.md"))
    assert twin == pytest.approx(0.6 * plain)


def test_nothing_known_is_ranked_without_an_error() -> None:
    assert rank_documents([], words()) == []
    assert rank_documents([], words(), Near([])) == []
    assert [one.score for one in rank_documents(ABC, words(0, 0, 0))] == [0, 0, 0]
    assert len(rank_documents(ABC, words(0, 0, 0), Near([None, None, None]))) == 3


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
        replace(document(f"n{at}", days=days, pinned=pinned, expired=expired, with_=with_), age=days / 400)
        for at, (_, _, days, pinned, expired, with_) in enumerate(rows)
    ]
    near = Near([row[1] for row in rows]) if meaning else None
    asked = words(*[row[0] for row in rows])
    assert rank_documents(documents, asked, near, most=most) == rank_documents(documents, asked, near)[:most]


@given(STORES, st.sets(st.integers(0, 59)))
def test_columns_that_serve_many_queries_rank_as_documents_of_the_moment(
    rows: list[tuple[float, float | None, int, bool, bool, int | None]], old: set[int]
) -> None:
    kept = [document(f"n{at}", days=row[2], pinned=row[3], with_=row[5]) for at, row in enumerate(rows)]
    now = [
        replace(one, days=float(row[2] + 1), superseded_by="new.md" if at in old else "")
        for at, (one, row) in enumerate(zip(kept, rows, strict=True))
    ]
    columns = Documents(kept)
    replaced = {at: "new.md" for at in old if at < len(rows)}
    for scores in ([row[0] for row in rows], [row[0] for row in reversed(rows)]):
        asked = words(*scores)
        assert rank_documents(columns.at(NOW + timedelta(days=1), replaced), asked) == rank_documents(
            now, asked
        )
