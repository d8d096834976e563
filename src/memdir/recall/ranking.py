"""All memories of a directory, the one that fits a query best first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta

from memdir.core.frontmatter import parse
from memdir.core.names import slug
from memdir.core.topic import Header
from memdir.recall.corpus import Corpus
from memdir.recall.rank import Document, Words, ranked
from memdir.recall.ranked import Ranked
from memdir.store.catalog import uncollected
from memdir.store.memory_dir import MemoryDir

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.recall.rank import Near

__all__ = ["Ranking"]

_LONGEST_QUERY = 8_000
"""Characters of a prompt that are looked at: a pasted log says what is wanted at its beginning."""

_TOGETHER = timedelta(hours=3)
"""Two memories that were saved no further apart belong to one occasion."""

_LOOKED_INTO = 20
"""Of the best so many it is read which memories they replace."""

_HEAD = 4_096
"""Bytes of a file that hold nearly every header."""


class Ranking:
    """The memories of one directory, ready for queries."""

    def __init__(
        self,
        memories: MemoryDir,
        clock: Callable[[], datetime],
        nearness: "Callable[[str, Sequence[Header]], Near | None]" = lambda _, __: None,
    ) -> None:
        """Take what says how near memories lie to a query in meaning; without it words alone count."""
        self._memories, self._clock, self._nearness = memories, clock, nearness
        self._corpus = Corpus(memories)

    def ranked(self, query: str) -> list[Ranked]:
        """Return every memory with its score, best first."""
        with self._memories.threads, uncollected():  # headers, scores and files have to be of one moment
            return self._ranked(query[:_LONGEST_QUERY])

    def _ranked(self, query: str) -> list[Ranked]:
        headers = self._corpus.refreshed()
        near = self._nearness(query, headers)
        fit = self._corpus.fit(query, widen=near is None)
        words = Words(fit.scores, fit.best, fit.terms, self._corpus.alike)
        found = ranked(self._documents(headers, {}), words, near)
        replaced = self._replaced(found[:_LOOKED_INTO])
        return ranked(self._documents(headers, replaced), words, near) if replaced else found

    def _documents(self, headers: Sequence[Header], replaced: dict[str, str]) -> list[Document]:
        today = self._clock().date()
        return [
            Document(
                header, age, occasion, _is_expired(header, today), _other(replaced.get(header.name), header)
            )
            for header, age, occasion in zip(headers, _ages(headers), _occasions(headers), strict=True)
        ]

    def _replaced(self, best: Iterable[Ranked]) -> dict[str, str]:
        """Return the names of memories that one of the best says it replaces, each with its file."""
        replaced: dict[str, str] = {}
        with self._memories.opened() as folder:
            for file in [one.header.file for one in best] if folder else ():
                with suppress(OSError):
                    head = folder.read(file, _HEAD)[0] if folder else b""
                    if b"supersedes" in head:
                        old = parse(head.decode("utf-8", "replace")).metadata.get("supersedes", "")
                        replaced |= {slug(name): file for name in old.split(",") if name.strip()}
        return replaced


def _ages(headers: Sequence[Header]) -> Iterator[float]:
    """Yield for each, newest first, the share of all that are newer."""
    place, last = 0, None
    for number, header in enumerate(headers):
        if header.saved_at != last:
            place, last = number, header.saved_at
        yield place / len(headers)


def _occasions(headers: Sequence[Header]) -> list[int | None]:
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


def _is_expired(header: Header, today: date) -> bool:
    if header.expires:
        with suppress(ValueError):
            return date.fromisoformat(header.expires.strip()[:10]) < today
    return False


def _other(file: str | None, header: Header) -> str:
    return file if file and file != header.file else ""
