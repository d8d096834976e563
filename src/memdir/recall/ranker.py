"""Rank the memories of one directory for a query, or those of the team beside them as one list.

A host waits for this module: it does without `typing`.
"""

import os
from collections import Counter
from contextlib import suppress
from datetime import date, timedelta

from memdir.memories.catalog.header_cache import pause_collector, read_head
from memdir.memories.names import TEAM_FOLDER, replacements
from memdir.recall.fusion import REPLACED, Documents, Ranked, by_probability, candidates
from memdir.recall.lexical.corpus import NO_TIME, Corpus
from memdir.text.frontmatter.header import parse
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memdir.memories.directory import MemoryDir
    from memdir.memories.topic import Header
    from memdir.recall.semantic.vectors import VectorStore

__all__ = ["LONGEST_QUERY", "TOGETHER", "Ranker", "Ranking", "ages", "occasions", "rank_together"]

LONGEST_QUERY = 8_000
"""Characters of a prompt that are looked at: a pasted log says what is wanted at its beginning."""

TOGETHER = timedelta(hours=3)
"""Two memories that were saved no further apart belong to one occasion."""

_MEANINGS = 0.75
"""Share of a prompt's time after which meanings are not asked for: that needs a model."""

_LOOKED_INTO = 20
"""So many of the best are asked which memories they replace."""


@value_class(frozen=True, slots=True)
class Ranking:
    """The memories that fit a query best, the best first, and how many there are in all."""

    ranked: "list[Ranked]"
    total: int
    without_vectors: int
    limitations: tuple[str, ...] = ()
    """What the ranking had to do without."""


def ages(headers: "Sequence[Header]") -> "Iterator[float]":
    """Yield for each, newest first, the share of all that are newer."""
    place, last = 0, None
    for number, header in enumerate(headers):
        if header.saved_at != last:
            place, last = number, header.saved_at
        yield place / len(headers)


def occasions(headers: "Sequence[Header]") -> list[int | None]:
    """Return the number of each one's occasion; one that holds most of the store tells nothing apart."""
    numbers, last = list[int](), None
    for header in headers:
        apart = last is not None and last - header.saved_at > TOGETHER
        numbers.append((numbers[-1] if numbers else 0) + apart)
        last = header.saved_at
    counts = Counter(numbers)
    return [number if 2 * counts[number] <= len(numbers) else None for number in numbers]


class Ranker:
    """Ranks the memories of one directory."""

    def __init__(
        self,
        memories: "MemoryDir",
        clock: "Callable[[], datetime]",
        vectors: "VectorStore",
        *,
        pins: bool = True,
    ) -> None:
        """Take the directory and its vectors; where these give nothing, words alone count.

        `pins` tells whether a memory that its header calls pinned comes before others.
        """
        self.vectors, self._memories, self._corpus = vectors, memories, Corpus(memories)
        self._clock, self._pins = clock, pins
        self.hurried = False
        """Whether the last ranking had no time to ask for meanings."""
        self._seen: Sequence[Header] | None = None
        self._day = date.min
        self.documents = Documents([], [], [])
        """The memories of the last ranking, on its day."""

    def rank(
        self,
        query: str,
        spent: "Callable[[], float]" = lambda: 0.0,
        most: int | None = None,
        recent: float = 0.0,
    ) -> Ranking:
        """Return the memories with their scores, best first, all or so many.

        `spent` tells which share of the time is gone; the limitations of the ranking say what there was no
        time for. A look at the files that is no older than `recent` seconds is not repeated.
        """
        query = query[:LONGEST_QUERY]
        with self._memories.threads, pause_collector():  # headers, scores and files have to be of one moment
            documents = self._refresh(spent, recent)
            self.hurried = spent() > _MEANINGS
            meaning = None if self.hurried else self.vectors.nearness_to(query, documents.headers)
            words, now = self._corpus.fit(query, expand=meaning is None), self._clock()
            enough = None if most is None else max(most, _LOOKED_INTO)
            found = candidates(documents, words, meaning, now=now, most=enough).rank()
            if old := self._replaced_places(documents.headers, found[:_LOOKED_INTO]):
                found = candidates(documents, words, meaning, now=now, most=enough, replaced=old).rank()
        total = len(documents.headers)
        without = meaning.cosines.count(None) if meaning else total
        limitations = self._corpus.limitations()
        if self.hurried and os.path.exists(os.path.join(self._memories.state, "vectors")):
            limitations.append(f"meanings: {NO_TIME}")
        return Ranking(found[:most], total, without, tuple(limitations))

    def _refresh(self, spent: "Callable[[], float]", recent: float) -> Documents:
        """Return the documents of now; those of before as long as neither a memory nor the day changed."""
        seen, today = self._corpus.refresh(spent, recent), self._clock().date()
        if self._seen is not seen or self._day != today:
            headers = seen if self._pins else [replace(one, pinned=False) for one in seen]
            expired = {at for at, header in enumerate(headers) if header.is_over(today)}
            self._seen, self._day = seen, today
            self.documents = Documents(headers, [*ages(headers)], occasions(headers), expired)
        return self.documents

    def _replaced_places(self, headers: "Sequence[Header]", best: "Iterable[Ranked]") -> dict[int, str]:
        """Return the places of memories that one of the best says it replaces, each with the file of that."""
        names: dict[str, str] = {}
        with self._memories.open_folder() as folder:
            if folder is None:
                return {}
            for file in [one.header.file for one in best]:
                with suppress(OSError):
                    head = read_head(folder, file)[0]
                    if b"supersedes" in head:
                        old = parse(head.decode("utf-8", "replace")).metadata.get("supersedes", "")
                        names |= {name: file for name, _ in replacements(old)}
        if not names:
            return {}
        named = {at: names[one.name] for at, one in enumerate(headers) if one.name in names}
        return {at: file for at, file in named.items() if file != headers[at].file}


def rank_together(
    rankers: "Sequence[Ranker]", query: str, spent: "Callable[[], float]", most: int | None, recent: float
) -> Ranking:
    """Rank private memories, and those of the team behind them, as one list; else as `Ranker.rank`.

    Where both are as probable, the private one comes first. What the team only repeats is marked as replaced.
    """
    found = [ranker.rank(query, spent, most, recent) for ranker in rankers]
    ranked, private = found[0].ranked, rankers[0]
    if len(found) > 1:
        said = {(one.name, one.description): one.file for one in private.documents.headers}
        ranked = by_probability([*ranked, *[_as_team_file(one, said) for one in found[1].ranked]])[:most]
    total, without = sum([one.total for one in found]), sum([one.without_vectors for one in found])
    limitations = [line for one in found for line in one.limitations]
    if not any(ranker.hurried for ranker in rankers):
        limitations += private.vectors.limitations(without, total)
    return Ranking(ranked, total, without, tuple(dict.fromkeys(limitations)))


def _as_team_file(one: Ranked, said: "Mapping[tuple[str, str], str]") -> Ranked:
    """Return a memory of the team as it is seen from private memory."""
    header, notes = one.header, [note.replace(REPLACED, f"{REPLACED}{TEAM_FOLDER}", 1) for note in one.notes]
    if twin := said.get((header.name, header.description)):
        notes.append(f"{REPLACED}{twin}")
    header = replace(header, file=f"{TEAM_FOLDER}{header.file}")
    return replace(one, header=header, notes=tuple(notes))
