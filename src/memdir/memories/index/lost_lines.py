"""Pointers that left an index because their memories did: kept with their place, for when these come back."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from memdir.memories.index.pointer import Pointer, pointer_line, pointers_in
from memdir.memories.index.text import appended, targets

__all__ = ["LostLine", "lost_lines", "with_lost_lines"]


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
        return appended(text, [there])
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
