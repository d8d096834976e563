"""MEMORY.md as text: read, add, drop and heal its pointers while a person's own lines stay as they are.

A pointer that is lost with its memory gets its words and its place back when the memory comes back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from memdir.memories.index.pointer import Pointer, pointer_line, pointers_in, retarget, targets_in
from memdir.text.invisible_characters import UNSEEN, visible
from memdir.text.value import value_class

__all__ = [
    "HUB_FOLDER",
    "LostLine",
    "append_pointers",
    "is_reworded",
    "join_words",
    "lines_with_targets",
    "lost_lines",
    "pointer_lines",
    "pointers",
    "prune",
    "restore_words",
    "same_words",
    "targets",
    "with_lost_lines",
    "with_pointer",
    "without",
]

HUB_FOLDER = "hubs/"
"""Where the lists lie that take over pointers from a full index."""

_FRONTMATTER_LINES = 30
"""Lines in which frontmatter must end: as many as are read for a header anywhere else."""


@value_class(frozen=True, slots=True)
class Pruned:
    """An index without the lines that must not be in it."""

    text: str
    present: dict[str, None]
    """The files it points at, in its order."""
    dropped: tuple[str, ...]
    duplicates: tuple[str, ...]


def pointers(text: str, *, below: bool = False) -> list[tuple[int, Pointer]]:
    """Return what an index points at, each with the number of its line from 0, however it is written."""
    hidden, found = _hidden_lines(text), enumerate(pointers_in(text, below=below))
    return [(number, pointer) for number, pointer in found if pointer and number not in hidden]


@lru_cache(maxsize=4)  # one save asks several times about the same text
def targets(text: str, *, below: bool = False) -> tuple[str, ...]:
    """Return for each line of the text the file it points at, or an empty string."""
    files = targets_in(text, below=below)
    for number in _hidden_lines(text):
        files[number] = ""
    return tuple(files)


def lines_with_targets(text: str) -> list[tuple[str, str]]:
    """Return each line with the file it points at, or an empty string."""
    return list(zip(text.split("\n"), targets(text), strict=True))


def pointer_lines(text: str) -> dict[str, str]:
    """Return for each file that the text points at the line that does."""
    return {file: line for line, file in lines_with_targets(text) if file}


def with_pointer(text: str, pointer: Pointer, *, previous: Pointer | None = None) -> str:
    """Return the text with this pointer in it; a line that a person worded keeps its words.

    A line is replaced only if it is what we wrote for the previous pointer, which may name another file.
    """
    lines, files = text.split("\n"), targets(text)
    before = previous.file if previous and pointer.file not in files else pointer.file
    if before not in files:
        return append_pointers(text, [pointer])
    at = files.index(before)
    line = lines[at].rstrip("\r")
    end = lines[at][len(line) :]
    if previous and line == pointer_line(previous):
        lines[at] = pointer_line(pointer) + end
    elif before != pointer.file:
        lines[at] = retarget(line, pointer.file) + end
    return "\n".join(lines)


def without(text: str, files: Collection[str]) -> str:
    """Return the text without the lines that point at these files."""
    left = [line for line, file in lines_with_targets(text) if not (file and file in files)]
    return _without_false_frontmatter(_join_lines(left, text))


def append_pointers(text: str, new: Sequence[Pointer], *, below: bool = False) -> str:
    """Return the text with new pointer lines after the last one, in its own line ends; hubs stay the last."""
    if not new:
        return text
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    text = text.removesuffix("\r")
    block = end.join([pointer_line(pointer, below=below) for pointer in new])
    if not text.strip():
        return block + end
    files, hidden, lines = targets(text, below=below), _hidden_lines(text), text.split("\n")
    if placed := [number for number, file in enumerate(files) if file]:
        memories = (number for number in reversed(placed) if not files[number].startswith(HUB_FOLDER))
        at = (placed[-1] if new[0].file.startswith(HUB_FOLDER) else next(memories, placed[-1])) + 1
        while at < len(lines) and (at in hidden or _INDENTED.match(lines[at])):
            at += 1  # what a person wrote below a pointer stays with it
        if at < len(lines):
            return "\n".join([*lines[:at], block + end.removesuffix("\n"), *lines[at:]])
        return f"{text}{end}{block}"
    if text.endswith("\n"):
        return f"{text}{'' if text.endswith(_BLANK_LINE) else end}{block}{end}"
    return f"{text}{end}{end}{block}"


def prune(text: str, wanted: Callable[[str], bool], *, below: bool = False) -> Pruned:
    """Return the text with one pointer to each wanted file at most, none to others, and no damage."""
    text = _repair(text)
    files = targets(text, below=below)
    present = dict.fromkeys(filter(None, files))
    dropped = tuple([file for file in files if file and not wanted(file)])
    if not dropped and len(present) == len(files) - files.count(""):
        return Pruned(_without_false_frontmatter(text), present, (), ())
    present = dict.fromkeys(filter(wanted, present))
    first = set(present)
    duplicates: list[str] = []
    kept: list[str] = []
    for line, file in zip(text.split("\n"), files, strict=True):
        if not file or file in first:
            kept.append(line)
            first.discard(file)
        elif file in present:
            duplicates.append(file)
    return Pruned(_without_false_frontmatter(_join_lines(kept, text)), present, dropped, tuple(duplicates))


_BLANK_LINE = ("\n\n", "\n\r\n")
_INDENTED = re.compile(r"[ \t]+\S")
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}+(?!.*`)|~{3,}+)(.*)", re.DOTALL)
_CLOSING = re.compile(r"[ \t>]*(`{3,}+|~{3,}+)[ \t]*\r?\Z")
_MARKER = re.compile(r"(?:(?:<{7}|>{7}|\|{7})(?:[ \t].*)?|={7})\r?", re.DOTALL)
_YAML = re.compile(r"(?P<key>[A-Za-z_][\w-]*[ \t]*:)|[ \t]*(?:-[ \t]|#|\r?\Z)|[ \t]+\S")
_NOT_YAML = re.compile(r"```|~~~|<!--|\]\(")


def _join_lines(lines: list[str], before: str) -> str:
    """Join the lines that are left of a text; a CR at the end stays only if the text ended in one."""
    text = "\n".join(lines)
    return text if before.endswith("\r") else text.removesuffix("\r")


@lru_cache(maxsize=4)
def _hidden_lines(text: str) -> frozenset[int]:
    """Return the numbers of the lines in fenced code and HTML comments, if these are closed.

    An open one hides nothing: else a single stray fence would hide, and so double, every pointer after it.
    """
    if "```" not in text and "~~~" not in text and "<!--" not in text:
        return frozenset()
    lines = text.split("\n")
    hidden: set[int] = set()
    hopeless: dict[str, int] = {}
    number = 0
    while number < len(lines):
        end = _end_of_hidden(lines, number, hopeless)
        hidden.update(range(number, end))
        number = max(end, number + 1)
    return frozenset(hidden)


def _end_of_hidden(lines: list[str], number: int, hopeless: dict[str, int]) -> int:
    """Return the line after the fence or comment that opens here, or this line if none does."""
    sign, length = "-->", 0
    if fence := _FENCE.match(lines[number]):
        sign, length = fence[1][0], len(fence[1])
    elif not lines[number].lstrip().startswith("<!--"):
        return number
    elif sign in lines[number]:
        return number + 1
    if length >= hopeless.get(sign, length + 1):
        return number  # a longer search for the same end found nothing: this keeps the whole linear
    for later in range(number + 1, len(lines)):
        if _closes(lines[later], sign, length):
            return later + 1
    hopeless[sign] = length
    return number


def _closes(line: str, sign: str, length: int) -> bool:
    if not length:
        return sign in line
    run = _CLOSING.match(line)
    return bool(run and run[1][0] == sign and len(run[1]) >= length)


def _repair(text: str) -> str:
    """Return the text without NULs, byte order marks, conflict markers, frontmatter and hidden words."""
    text = text.replace("\0", "").replace("\ufeff", "")
    if UNSEEN.search(text):  # pointers hide no characters: hosts load them as they are
        lines = [(line.removesuffix("\r"), line) for line in text.split("\n")]
        text = "\n".join(visible(bare) + line[len(bare) :] if "](" in bare else line for bare, line in lines)
    if "<<<<<<<" in text or ">>>>>>>" in text:
        found = dict(enumerate(text.split("\n")))
        marks = {number for number, line in found.items() if _MARKER.fullmatch(line)} - _hidden_lines(text)
        if any(found[number][0] in "<>" for number in marks):  # else a row of = underlines a heading
            text = _join_lines([line for number, line in found.items() if number not in marks], text)
    return text[_body_start(text) :] if text.startswith("---") else text


def _without_false_frontmatter(text: str) -> str:
    """Return the text with a blank line on top, if its first lines would else be read as frontmatter."""
    return "\n" + text if text.startswith("---") and _body_start(text) else text


def _body_start(text: str) -> int:
    """Return where the text begins after frontmatter: 0 if it has none, or if it might be prose."""
    offset, keyed = 0, False
    for number, line in enumerate(text.split("\n", _FRONTMATTER_LINES)[:_FRONTMATTER_LINES]):
        offset += len(line) + 1
        if line.rstrip() in ("---", "...") and number:
            return min(offset, len(text)) if keyed else 0
        match = _YAML.match(line)
        if (number and not match) or (not number and line.rstrip() != "---") or _NOT_YAML.search(line):
            return 0
        keyed = keyed or bool(match and match["key"])
    return 0


def is_reworded(before: str, after: str, known: Callable[[str], bool]) -> bool:
    """Tell whether texts differ in more than pointers to new and gone memories, which are healed anyway."""
    old, new = _lines(before), _lines(after)
    lost = [line for line, file in old.items() if line not in new and (not file or known(file))]
    added = [line for line, file in new.items() if line not in old and not file]
    moved = [line for line in old if line in new] != [line for line in new if line in old]
    return bool(lost or added) or moved


def same_words(one: str, other: str) -> bool:
    """Tell whether two texts have the same prose and, where both point at a memory, the same order."""
    lines = [_lines(prune(text, bool).text) for text in (one, other)]
    common = {"", *(set(lines[0].values()) & set(lines[1].values()))}
    first, second = ([file or line for line, file in text.items() if file in common] for text in lines)
    return first == second


def restore_words(before: str, after: str, now: str) -> str:
    """Return the text before a change, its pointers worded as today where the change had left them alone."""
    changed, today = pointer_lines(after), pointer_lines(now)
    kept = (
        today.get(file, line) if file and changed.get(file) == line else line
        for line, file in lines_with_targets(before)
    )
    return "\n".join(kept)


def join_words(before: str, now: str) -> str:
    """Return the text before a change, followed by the prose of now that it does not have."""
    old = _lines(before)
    more = [line for line, file in _lines(now).items() if not file and line not in old]
    return "\n".join([before.rstrip("\n"), "", *more, ""]) if more else before


def _lines(text: str) -> dict[str, str]:
    """Return every line that says something once, with the file it points at; lists of ours are left out."""
    pairs = lines_with_targets(text)
    return {line.rstrip(): file for line, file in pairs if line.strip() and not file.startswith(HUB_FOLDER)}


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
    for line, file in lines_with_targets(text):
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
    """Tell whether a lost line has a person's words about this memory, not ours, nor those about another."""
    if was.about:
        return was.about == _about(pointer)
    return there.title != pointer.title or was.words.rstrip("\r") != pointer_line(there)
