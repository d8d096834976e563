"""Lines of memories that match a pattern, with the lines around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from memdir.errors import Rejected
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header
from memdir.text.value import value_class

__all__ = ["Hit", "search"]


_LONGEST = 1_000
"""Characters of a line that are shown."""

_CONTROLS = re.compile("[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f]")


@value_class(frozen=True, slots=True)
class Hit:
    """One line that matches, and where it stands."""

    header: Header
    number: int
    """Of the line in the file, from 1."""
    line: str
    """Without control characters; of a very long one the part around the match."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def search(
    memories: MemoryDir, pattern: str, *, plain: bool = False, exact_case: bool = False, context: int = 0
) -> Iterator[Hit]:
    """Yield matching lines of every memory file, header included, newest memory first."""
    wanted = _compile(pattern, plain=plain, exact_case=exact_case)
    headers = memories.scan()
    with memories.open_folder() as folder:
        if folder is None:
            return
        for header in headers:
            with suppress(OSError):  # gone since it was listed
                data, _ = folder.read(header.file)
                yield from _hits(header, data.decode("utf-8", "replace"), wanted, context)


def _compile(pattern: str, *, plain: bool, exact_case: bool) -> re.Pattern[str]:
    if not pattern:
        raise Rejected("The pattern is empty. Give what to look for.")
    try:
        return re.compile(re.escape(pattern) if plain else pattern, 0 if exact_case else re.IGNORECASE)
    except (re.error, RecursionError, OverflowError) as error:
        raise Rejected(
            f"{pattern!r} is no regular expression: {error}. Use --plain to look for the text itself."
        ) from error


def _hits(header: Header, text: str, wanted: re.Pattern[str], context: int) -> Iterator[Hit]:
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    for at, line in enumerate(lines):
        if match := wanted.search(line):
            before, after = lines[max(0, at - context) : at], lines[at + 1 : at + 1 + context]
            around = (tuple(map(_printable_line, before)), tuple(map(_printable_line, after)))
            yield Hit(header, at + 1, _printable_line(line, match.start()), *around)


def _printable_line(line: str, match: int = 0) -> str:
    """Return a line as it may be shown: no control characters but tabs, and of a long one what surrounds."""
    if len(line) > _LONGEST:
        first = max(0, min(match - _LONGEST // 2, len(line) - _LONGEST + 2))
        start, end = "…" if first else "", "…" if first + _LONGEST - 2 < len(line) else ""
        line = f"{start}{line[first : first + _LONGEST - 2]}{end}"
    return line if line.isprintable() else _CONTROLS.sub(" ", line)
