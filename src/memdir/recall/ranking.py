"""All memories of a directory, the one that fits a query best first.

A host waits for this module: it does without `typing`.
"""

import os
from contextlib import suppress
from datetime import date, timedelta
from functools import cached_property

from memdir.memories.catalog.catalog import pause_collector, read_head
from memdir.memories.directory import MemoryDir
from memdir.memories.names import TEAM_FOLDER, replacements
from memdir.memories.topic import Header
from memdir.recall.lexical.corpus import NO_TIME, Corpus
from memdir.recall.rank import (
    LONGEST_QUERY,
    REPLACED,
    Best,
    Document,
    Documents,
    Ranked,
    Words,
    by_probability,
    ranked_after_replacing,
)
from memdir.text.frontmatter.header import parse
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memdir.recall.rank import Near

__all__ = ["CombinedRanking", "Ranking", "ages", "occasions"]

_TOGETHER = timedelta(hours=3)
"""Two memories that were saved no further apart belong to one occasion."""


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
        apart = last is not None and last - header.saved_at > _TOGETHER
        numbers.append((numbers[-1] if numbers else 0) + apart)
        last = header.saved_at
    counts = dict[int, int]()
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1
    return [number if 2 * counts[number] <= len(numbers) else None for number in numbers]


def last_day(header: Header) -> date | None:
    """Return the day after which a memory no longer holds, if it names one."""
    if header.expires:
        with suppress(ValueError):
            return date.fromisoformat(header.expires.strip()[:10])
    return None


def names_replaced(head: bytes) -> list[str]:
    """Return the names of the memories that a file says it replaces, from the beginning of the file."""
    if b"supersedes" not in head:
        return []
    old = parse(head.decode("utf-8", "replace")).metadata.get("supersedes", "")
    return [name for name, _ in replacements(old)]


_MEANINGS = 0.75
"""Share of a prompt's time after which meanings are not asked for: that needs a model."""


class Ranking:
    """The memories of one directory, ready for queries."""

    def __init__(
        self,
        memories: MemoryDir,
        clock: "Callable[[], datetime]",
        nearness: "Callable[[str, Sequence[Header]], Near | None]" = lambda _, __: None,
        *,
        pins: bool = True,
    ) -> None:
        """Take what says how near memories lie to a query in meaning; without it words alone count.

        `pins` tells whether a memory that its header calls pinned comes before others.
        """
        self._memories, self._clock, self._nearness, self._pins = memories, clock, nearness, pins
        self._kept: _Kept | None = None
        self.hurried = False
        """Whether the last ranking had no time to ask for meanings."""

    @cached_property
    def _corpus(self) -> Corpus:
        return Corpus(self._memories)

    def best(
        self,
        query: str,
        spent: "Callable[[], float]" = lambda: 0.0,
        most: int | None = None,
        recent: float = 0.0,
    ) -> Best:
        """Return the memories with their scores, best first, all or so many.

        Told which share of a time is gone, it leaves out what it has no time for; `limitations` tells what.
        A look at the files that is no older than `recent` seconds is not repeated.
        """
        with self._memories.threads, pause_collector():  # headers, scores and files have to be of one moment
            return self._best(query[:LONGEST_QUERY], spent, most, recent)

    @property
    def headers(self) -> "Sequence[Header]":
        """The memories of the last ranking, newest first."""
        return self._kept.headers if self._kept else ()

    def limitations(self) -> list[str]:
        """Say what the last ranking had to do without."""
        vectors = self.hurried and os.path.exists(os.path.join(self._memories.state, "vectors"))
        return [*self._corpus.limitations(), *([f"meanings: {NO_TIME}"] if vectors else [])]

    def _best(self, query: str, spent: "Callable[[], float]", most: int | None, recent: float) -> Best:
        kept = self._kept = self._refresh(spent, recent)
        self.hurried = spent() > _MEANINGS
        near = None if self.hurried else self._nearness(query, kept.headers)
        fit = self._corpus.score(query, widen=near is None)
        words = Words(query, fit, self._corpus.overlaps, self._corpus.similarities)
        now = self._clock()
        return ranked_after_replacing(
            lambda replaced: kept.documents.at(now, _numbers(kept.headers, replaced)),
            self._replaced_names,
            words,
            near,
            most,
        )

    def _refresh(self, spent: "Callable[[], float]", recent: float) -> "_Kept":
        """Return the documents of now; the ones before as long as neither a memory nor the day changed."""
        seen, today = self._corpus.refresh(spent, recent), self._clock().date()
        if self._kept and self._kept.seen is seen and self._kept.day == today:
            return self._kept
        headers = seen if self._pins else [replace(one, pinned=False) for one in seen]
        rows = zip(headers, ages(headers), occasions(headers), strict=True)
        documents = Documents([Document(*row, _is_over(row[0], today)) for row in rows])
        return _Kept(seen, today, headers, documents)

    def _replaced_names(self, best: "Iterable[Ranked]") -> dict[str, str]:
        """Return the names of memories that one of the best says it replaces, each with its file."""
        replaced: dict[str, str] = {}
        with self._memories.open_folder() as folder:
            for file in [one.header.file for one in best] if folder else ():
                with suppress(OSError):
                    head = read_head(folder, file)[0] if folder else b""
                    replaced |= dict.fromkeys(names_replaced(head), file)
        return replaced


@value_class(frozen=True, slots=True)
class _Kept:
    """What is known of all memories whatever is asked, and what it rests on."""

    seen: "Sequence[Header]"
    day: date
    headers: "Sequence[Header]"
    documents: Documents


def _numbers(headers: "Sequence[Header]", replaced: "Mapping[str, str]") -> dict[int, str]:
    """Return the files that replace memories, by the numbers of these, from their names."""
    if not replaced:
        return {}
    named = ((number, one, replaced.get(one.name, "")) for number, one in enumerate(headers))
    return {number: file for number, one, file in named if file and file != one.file}


class CombinedRanking:
    """Private and team memories ready for queries as one list; at equal use the private one comes first."""

    def __init__(self, private: Ranking, team: Ranking) -> None:
        """Take the rankings of both directories."""
        self._private, self._team = private, team

    @property
    def hurried(self) -> bool:
        """Whether the last ranking had no time to ask for meanings."""
        return self._private.hurried or self._team.hurried

    def best(
        self,
        query: str,
        spent: "Callable[[], float]" = lambda: 0.0,
        most: int | None = None,
        recent: float = 0.0,
    ) -> Best:
        """Return the memories with their scores, best first; what the team only repeats is marked."""
        own, team = (one.best(query, spent, most, recent) for one in (self._private, self._team))
        said = {(one.name, one.description): one.file for one in self._private.headers}
        shared = [_as_team_file(one, said) for one in team.ranked]
        found = by_probability([*own.ranked, *shared])[:most]
        return Best(found, own.total + team.total, own.without_vectors + team.without_vectors)

    def limitations(self) -> list[str]:
        """Say what the last ranking had to do without."""
        return [*dict.fromkeys([*self._private.limitations(), *self._team.limitations()])]


def _as_team_file(one: Ranked, said: "Mapping[tuple[str, str], str]") -> Ranked:
    """Return a memory of the team as it is seen from private memory."""
    header, notes = one.header, [note.replace(REPLACED, f"{REPLACED}{TEAM_FOLDER}", 1) for note in one.notes]
    if twin := said.get((header.name, header.description)):
        notes.append(f"{REPLACED}{twin}")
    header = replace(header, file=f"{TEAM_FOLDER}{header.file}")
    return replace(one, header=header, notes=tuple(notes))


def _is_over(header: Header, today: "date") -> bool:
    day = last_day(header)
    return day is not None and day < today
