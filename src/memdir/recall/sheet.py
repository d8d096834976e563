"""All memories of a directory laid out for processes that answer one prompt: nothing is worked out again.

A sheet is a cache, one file in the state folder, made under a key: one line of text that names the state of
the directory and whatever else it was made from. Under another key it counts as none.

Its lines: title; checksum of the rest; numbers of memories and passages; key; terms that count less;
lengths of all passages; first passage of each memory; then one a memory, newest first, one a passage, and one
a term, in order, with how many places it has and which. The texts of memories are not on it.
"""

import os
from zlib import crc32

from memdir.recall.block import Piece
from memdir.recall.lexical import alike, fit, rooms_of
from memdir.recall.rank import LONGEST_QUERY, Document, Words, ranked_after_replacing

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.recall.ranked import Ranked

    Places = tuple[list[int], list[tuple[int, int]]]

__all__ = ["FIELD", "NAME", "START", "Line", "Sheet"]

NAME = "sheet"
START = b"memdir sheet 1\n%08x\n"
"""How a sheet begins: with the checksum of the rest."""

FIELD = "\x1f"
_HEAD = 4
"""Lines between the numbers and the first memory."""


class Line:
    """One memory on a sheet; to ranking it is a header."""

    __slots__ = (
        "_replaces", "age", "body", "claim", "expires", "file", "kind", "mark", "name", "occasion", "pinned",
        "place", "saved_at", "shown_name", "until",
    )  # fmt: skip

    def __init__(self, line: str) -> None:
        """Read a line as `memdir.recall.sheet_writing` writes it."""
        (
            self.file, self.name, saved, pinned, self.expires, self.until, self._replaces, age, occasion,
            self.mark, self.claim, self.place, self.kind, self.shown_name, body,
        ) = line.split(FIELD)  # fmt: skip
        self.saved_at, self.age, self.pinned = float(saved), float(age), pinned == "1"
        self.occasion = int(occasion) if occasion else None
        self.body = tuple(map(int, body.split()))
        """Which bytes of the file are shown as they are; empty where it takes a closer look to show it."""

    @property
    def replaces(self) -> list[str]:
        """The names of the memories that it replaces."""
        return self._replaces.split()

    def piece(self, data: bytes) -> Piece:
        """Return what is shown of the memory whose file holds these bytes."""
        start, end = self.body
        return Piece(self.place, self.kind, self.shown_name, "", data[start:end].decode())

    def document(self, today: str, replaced: dict[str, str]) -> Document:
        """Return it as ranking knows memories, on a day like 2030-12-31."""
        by = replaced.get(self.name, "")
        over = self.until != "" and self.until < today
        return Document(self, self.age, self.occasion, over, by if by != self.file else "")  # type: ignore[arg-type]


class Sheet:
    """A sheet that was read: the texts of a store, as the formula of recall asks for them."""

    def __init__(self, lines: "Sequence[str]", memories: int) -> None:
        """Take the lines from the key on; `Sheet.opened` finds and checks them."""
        _, everyday, lengths, starts, *rest = lines
        self.everyday = frozenset(everyday.split())
        self.rooms = rooms_of(list(map(int, lengths.split())))
        self.starts = list(map(int, starts.split()))
        self.owners: list[int] = []
        for place, start in enumerate(self.starts):
            self.owners += [place - 1] * (start - len(self.owners))
        self.owners += [len(self.starts) - 1] * (len(self.rooms) - len(self.owners))
        self.memories = list(map(Line, rest[:memories]))
        self.passages, self._terms = rest[memories:-1], rest[-1].split("\n")
        self._known: dict[str, Places] = {}

    @classmethod
    def opened(cls, state: str, key: str) -> "Sheet | None":
        """Return the sheet of a state folder; None when there is none that was made under this key."""
        try:
            with open(os.path.join(state, NAME), "rb", buffering=0) as file:
                start = file.read(len(START % 0))
                data = file.readall()
        except OSError:
            return None
        if start != START % crc32(data):
            return None
        numbers, _, text = data.decode("utf-8", "surrogatepass").partition("\n")
        memories, passages = map(int, numbers.split())
        lines = text.split("\n", _HEAD + memories + passages)
        return cls(lines, memories) if lines[0] == key else None

    def ranked(self, query: str, today: str) -> "list[Ranked]":
        """Return every memory with its score, best first, as `Ranking` does."""
        found = fit(self, query[:LONGEST_QUERY])
        words = Words(found.scores, found.best, found.terms, lambda *of: alike(self, *of))
        return ranked_after_replacing(
            lambda old: [line.document(today, old) for line in self.memories], _replaced, words
        )

    def among(self, term: str) -> int:
        """Return in how many passages a term stands."""
        return int(self._line_of(term).partition("\t")[0] or 0)

    def places(self, term: str) -> "Places":
        """Return the passages that have a term once, and those that have it more often with how often."""
        if term not in self._known:
            self._known[term] = _places(self._line_of(term))
        return self._known[term]

    def _line_of(self, term: str) -> str:
        """Return what the line of a term says, searched by halves; empty without one."""
        start = f"{term}\t"
        lines, low, high = self._terms, 0, len(self._terms)
        while low < high:
            middle = (low + high) // 2
            if lines[middle] < start:
                low = middle + 1
            else:
                high = middle
        found = lines[low] if low < len(lines) else ""
        return found[len(start) :] if found.startswith(start) else ""


def _replaced(best: "list[Ranked]") -> dict[str, str]:
    lines: list[Line] = [one.header for one in best]  # type: ignore[misc]
    return {name: line.file for line in lines for name in line.replaces}


def _places(row: str) -> "Places":
    if not row:
        return [], []
    _, once, more = row.split("\t")
    pairs = [pair.partition(":") for pair in more.split()]
    return list(map(int, once.split())), [(int(number), int(times)) for number, _, times in pairs]
