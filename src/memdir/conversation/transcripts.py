"""Transcripts, the files in which hosts keep conversations: read once, from where the last reading ended."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from memdir.conversation.cursors import Cursor
from memdir.conversation.messages import LONGEST_TEXT, Spoken, TranscriptEntry, entry_in, moment, recent_tools
from memdir.disk.files import storage_errors
from memdir.errors import MemdirError, Rejected
from memdir.text.value import replace, value_class

__all__ = [
    "LONGEST_LINE",
    "Line",
    "Passage",
    "newest_first",
    "open_transcript",
    "read",
    "tools_in_use",
    "whole_lines",
]

LONGEST_LINE = 16 << 20
"""Bytes of one line: a picture of some megabytes stands in one; a longer line is skipped."""

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@value_class(frozen=True, slots=True)
class Line:
    """One line without its end."""

    data: bytes | None
    """None when the line is too long to be read."""
    end: int
    """The offset where the next line begins."""
    closed: bool
    """Whether the line end is written yet: a line without one may be unfinished."""


@contextmanager
def open_transcript(path: str) -> Iterator[BinaryIO]:
    """Open a transcript for reading; what is no regular file is refused, and never waited for."""
    with storage_errors(f"The transcript {path} could not be read"):
        file = os.fdopen(os.open(path, _READ), "rb")
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Rejected(f"{path} is not a regular file. Name a transcript: one JSON object a line.")
        with storage_errors(f"The transcript {path} could not be read"):
            yield file


def whole_lines(file: BinaryIO, start: int = 0) -> Iterator[Line]:
    """Go through the lines from an offset on, holding one at a time."""
    file.seek(start)
    end = start
    while data := file.readline(LONGEST_LINE):
        end += len(data)
        closed = data.endswith(b"\n")
        too_long = not closed and len(data) == LONGEST_LINE
        while too_long and not closed and (more := file.readline(1 << 20)):
            end += len(more)
            closed = more.endswith(b"\n")
        yield Line(None if too_long else data.rstrip(b"\r\n"), end, closed)


MOST_MESSAGES = 2_000
"""Messages of one reading that are kept, the last ones: a worker looks at far fewer."""

TAIL_BYTES = 1 << 18
"""Bytes looked at when only the end of a conversation matters."""

_MOST_SKIPPED = 100
"""Skipped lines that are listed: a file with more of them is no transcript."""

_CHECKED = 512
"""Bytes before a cursor that must still be the same for the file to count as the one that was read."""


@value_class(frozen=True, slots=True)
class Passage:
    """What was said since a cursor, and the cursor behind it."""

    messages: tuple[Spoken, ...]
    cursor: Cursor
    skipped: tuple[tuple[str, str], ...] = ()
    """Numbers of lines that could not be read, with the reason."""
    foreign: bool = False
    """Whether the file was read from its start, holds something, and no line of it is one of a transcript."""


def read(path: str, since: Cursor | None = None, *, whole: bool = False) -> Passage:
    """Return what was said since the cursor; an unfinished last line is left for later.

    A file that is not the one of the cursor is read from its start: `whole` returns all of it, otherwise
    what the old file had said is left out.
    """
    since, before = since or Cursor(), Cursor()
    with open_transcript(path) as file:
        if since.offset and _check(file, since.offset) != since.check:
            since, before = Cursor(), Cursor() if whole else since
        reader = _TranscriptReader(since)
        reader.read_to_end(file, until=before.last)
        passage = reader.passage(file)
    then = moment(before.at) if before.at and not reader.found else None
    new = (one for one in passage.messages if then is None or one.at is None or one.at > then)
    return replace(passage, messages=tuple(new))


def tools_in_use(path: str) -> tuple[str, ...]:
    """Return the tools that the end of a conversation used; none where its transcript cannot be read."""
    if not path:
        return ()
    try:
        with open_transcript(path) as file:
            start = max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES)
            if start:  # the first whole line from there on
                file.seek(start - 1)
                start += len(file.readline(TAIL_BYTES + 1)) - 1
            reader = _TranscriptReader(Cursor(offset=start))
            reader.read_to_end(file)
            return recent_tools(reader.passage(file).messages)
    except MemdirError:
        return ()


def newest_first(folder: str, suffix: str = ".jsonl") -> list[str]:
    """Return the files with this suffix that lie in a folder itself, such as its transcripts."""
    try:
        with os.scandir(folder) as entries:
            found = [
                (entry.stat().st_mtime_ns, entry.path)
                for entry in entries
                if entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


class _TranscriptReader:
    """Goes through the lines once and keeps the last messages, by their numbers."""

    def __init__(self, start: Cursor) -> None:
        self._offset, self._line, self._last, self._at = start.offset, start.line, start.last, start.at
        self._messages: dict[int, Spoken] = {}
        self._count = 0
        self._prompts: dict[str, int] = {}
        self._replies: dict[str, int] = {}
        self._skipped: list[tuple[str, str]] = []
        self._is_whole, self._written, self._foreign = not start.offset, 0, 0
        self.found = False

    def read_to_end(self, file: BinaryIO, until: str = "") -> None:
        """Read to the end; messages up to the one with the id `until` were read before and are dropped."""
        for line in whole_lines(file, self._offset):
            is_blank = line.data is not None and not line.data.strip()
            entry = entry_in(line.data, self._line + 1, closed=line.closed) if line.data else None
            self._written += not is_blank
            self._foreign += not is_blank and (entry is None or entry.foreign)
            if entry is None and not is_blank and not line.closed:
                return  # the rest of it is still being written
            self._offset, self._line = line.end, self._line + 1
            if entry is not None:
                self._add(entry)
                if until and entry.id == until:
                    self.found = True
                    self._messages.clear()
                    self._prompts.clear()
                    self._replies.clear()
            elif not is_blank and len(self._skipped) < _MOST_SKIPPED:
                self._skipped.append((str(self._line), _TOO_LONG if line.data is None else _NO_JSON))

    def passage(self, file: BinaryIO) -> Passage:
        """Return what was kept, with the cursor behind it."""
        cursor = Cursor(self._offset, self._line, self._last, self._at, _check(file, self._offset))
        kept = tuple(self._messages.values())[-MOST_MESSAGES:]
        foreign = self._is_whole and 0 < self._written == self._foreign
        return Passage(kept, cursor, tuple(self._skipped), foreign)

    def _add(self, entry: TranscriptEntry) -> None:
        before = self._prompts.setdefault(entry.parent, self._count) if entry.parent else self._count
        if before < self._count:
            # A person went back and typed something else: what followed the same message is dropped.
            self._messages = {at: one for at, one in self._messages.items() if at < before}
            self._prompts = {known: at for known, at in self._prompts.items() if at <= before}
        for one in entry.said:
            if one.role == "user":
                self._replies.clear()  # ids of replies are unique within a turn, and that is all we need
            at = self._replies.setdefault(entry.joins, self._count) if entry.joins else self._count
            self._messages[at] = _join(self._messages[at], one) if at in self._messages else one
            self._count += 1
        if entry.said:
            self._last, when = entry.id, entry.said[-1].at
            self._at = when.isoformat() if when else self._at
        if len(self._messages) > 2 * MOST_MESSAGES:
            self._messages = dict(list(self._messages.items())[MOST_MESSAGES:])


_TOO_LONG = f"the line is longer than {LONGEST_LINE >> 20} MB and was not read"
_NO_JSON = "the line is no JSON and was not read"


def _join(whole: Spoken, one: Spoken) -> Spoken:
    """Return a reply together with a further block of it."""
    text = "\n\n".join(text for text in (whole.text, one.text) if text)
    over = max(0, len(text) - LONGEST_TEXT) + whole.left_out + one.left_out
    return replace(whole, text=text[:LONGEST_TEXT], uses=(*whole.uses, *one.uses), left_out=over)


def _check(file: BinaryIO, offset: int) -> str:
    start = max(0, offset - _CHECKED)
    file.seek(start)
    data = file.read(offset - start)
    return f"{zlib.crc32(data):08x}" if len(data) == offset - start else "cut off"
