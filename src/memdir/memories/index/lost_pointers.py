"""Pointers of removed memories: one that comes back gets its old words and place in the index."""

import json
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import NamedTuple

from memdir.disk.files import make_folder
from memdir.memories.index.pointer import Pointer, pointer_line, pointer_of, pointers_in
from memdir.memories.index.text import HUB_FOLDER, append_pointers, targets
from memdir.memories.topic import Header

__all__ = [
    "LostLine",
    "LostPointers",
    "lost_lines",
    "with_lost_lines",
]


class LostLine(NamedTuple):
    """One pointer as it stood; a tuple, because it is kept as a row of a file."""

    before: str
    """The last line before it that says something and stayed; empty at the top."""
    gap: int
    """Blank lines between that one and this."""
    words: str
    """The line itself, where a person may have worded it."""
    about: str
    """What the memory was about, if that was known: another one may take its name."""


def lost_lines(text: str, gone: Collection[str], ours: Mapping[str, Pointer]) -> dict[str, LostLine]:
    """Return what an index says about files that are gone; `ours` are the pointers to those we know."""
    lost, before, gap = dict[str, LostLine](), "", 0
    for line, file in zip(text.split("\n"), targets(text), strict=True):
        if file and file in gone:
            known = ours.get(file)
            words = "" if known and pointer_line(known) == line.rstrip("\r") else line
            lost.setdefault(file, LostLine(before, gap, words, _about(known) if known else ""))
        elif line.strip():
            before, gap = line, 0
        else:
            gap += 1
    return lost


def with_lost_lines(text: str, lost: Mapping[str, LostLine], back: Mapping[str, Pointer]) -> str:
    """Return the index with pointers that are back in it: where they were, in a person's words."""
    for file in reversed([file for file in lost if file in back]):
        text = _with_line(text, lost[file], back[file])
    return text


def _with_line(text: str, was: LostLine, pointer: Pointer) -> str:
    lines, there = text.split("\n"), pointers_in(was.words)[0]
    if there is None or there.file != pointer.file or not _is_a_persons(was, there, pointer):
        line, there = pointer_line(pointer), pointer
    else:
        line = was.words
    if was.before and was.before not in lines:
        return append_pointers(text, [there])
    at = lines.index(was.before) + 1 if was.before else 0
    gap = was.gap
    while gap and at < len(lines) and not lines[at].strip():
        at, gap = at + 1, gap - 1
    return "\n".join([*lines[:at], line, *lines[at:]])


def _about(pointer: Pointer) -> str:
    return f"{pointer.title} {pointer.hook}".strip()


def _is_a_persons(was: LostLine, there: Pointer, pointer: Pointer) -> bool:
    """Tell a person's words about this memory from ours about an older text, and from those about another."""
    if was.about:
        return was.about == _about(pointer)
    return there.title != pointer.title or was.words.rstrip("\r") != pointer_line(there)


_FILE = "index.lost"

_MOST = 200
"""Lines that are kept, as many as an index may have: the oldest go first."""

_HeaderOf = Callable[[str], Header | None]


class LostPointers:
    """The lost lines of one index, in a file of the state folder that may itself be lost at any time."""

    def __init__(self, state: str) -> None:
        """Remember where they lie."""
        self._state = state

    def lines(self) -> dict[str, LostLine]:
        """Return what is kept, by file."""
        try:
            with open(os.path.join(self._state, _FILE), "rb") as file:
                rows = json.load(file)
            return {str(row[0]): LostLine(str(row[1]), int(row[2]), str(row[3]), str(row[4])) for row in rows}
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return {}

    def returned(self, text: str, elsewhere: Collection[str], header: _HeaderOf) -> str:
        """Return an index with the pointers of memories that are there again, unless a hub has them."""
        if not (lost := self.lines()):
            return text
        here = {*targets(text), *elsewhere}
        found = [found for file in lost if file not in here and (found := header(file))]
        return with_lost_lines(text, lost, {one.file: pointer_of(one) for one in found})

    def keep(self, before: str, after: str, hubs: Mapping[str, str], header: _HeaderOf) -> None:
        """Keep what an index said about memories that neither it nor a hub points at any more."""
        gone = {file for file in targets(before) if not file.startswith(HUB_FOLDER)} - {*targets(after)}
        gone -= {file for hub in hubs.values() for file in targets(hub, below=True)}
        if not gone:
            return
        ours = {one.file: pointer_of(one) for one in map(header, gone) if one}
        kept = {file: line for file, line in self.lines().items() if file not in gone}
        kept |= lost_lines(before, gone, ours)
        with suppress(OSError), make_folder(self._state) as state:
            rows = [(file, *line) for file, line in [*kept.items()][-_MOST:]]
            state.replace_cache(_FILE, json.dumps(rows).encode())
