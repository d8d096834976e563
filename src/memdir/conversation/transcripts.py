"""Conversations as their hosts keep them: read from where the last reading ended, holding little of them."""

import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from memdir.config.identity import slug
from memdir.conversation.entries import TranscriptEntry, entry_in
from memdir.conversation.messages import LONGEST_TEXT, Spoken, moment, recent_tools
from memdir.disk.files import storage_errors
from memdir.errors import MemdirError, Rejected
from memdir.text.value import replace, value_class

__all__ = [
    "LONGEST_LINE",
    "Cursor",
    "Line",
    "Passage",
    "newest_first",
    "open_transcript",
    "read",
    "read_tail",
    "tools_in_use",
    "transcript_folder",
    "whole_lines",
]

LONGEST_LINE = 16 << 20
"""Bytes of one line: a picture of some megabytes stands in one; a longer line is passed over."""

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@value_class(frozen=True, slots=True)
class Line:
    """One line without its end; None stands for one that is too long to be read."""

    data: bytes | None
    end: int
    """The offset behind it, where the next one begins."""
    closed: bool
    """Whether its line end was written yet: without one it may be torn."""


@contextmanager
def open_transcript(path: str) -> Iterator[BinaryIO]:
    """Open a transcript for reading, and never wait for what only looks like a file."""
    with storage_errors(f"The transcript {path} could not be read"):
        file = os.fdopen(os.open(path, _READ), "rb")
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Rejected(f"{path} is not a regular file. Name a transcript: one JSON object a line.")
        with storage_errors(f"The transcript {path} could not be read"):
            yield file


def whole_lines(file: BinaryIO, start: int = 0, longest: int = LONGEST_LINE) -> Iterator[Line]:
    """Go through the lines from an offset on, holding one at a time."""
    file.seek(start)
    end = start
    while data := file.readline(longest):
        end += len(data)
        closed = data.endswith(b"\n")
        too_long = not closed and len(data) == longest
        while too_long and not closed and (more := file.readline(1 << 20)):
            end += len(more)
            closed = more.endswith(b"\n")
        yield Line(None if too_long else data.rstrip(b"\r\n"), end, closed)


MOST_MESSAGES = 2_000
"""Messages of one reading that are kept, the last ones: a worker looks at far fewer."""

TAIL_BYTES = 1 << 18
"""Bytes looked at when only the end of a conversation matters."""

_CHECKED = 512
"""Bytes before a cursor that must still be the same for the file to count as the one that was read."""


@value_class(frozen=True, slots=True)
class Cursor:
    """How far a transcript was read."""

    offset: int = 0
    """Bytes; always the end of a line."""
    line: int = 0
    """Lines before it."""
    last: str = ""
    """The id of the last message before it."""
    at: str = ""
    """The time of that message, or of one before it."""
    check: str = ""
    """A checksum of the last bytes before it: a file that was replaced or cut has others."""


@value_class(frozen=True, slots=True)
class Passage:
    """What was said since a cursor, and the cursor behind it."""

    messages: tuple[Spoken, ...]
    cursor: Cursor
    skipped: int = 0
    """Lines that are no JSON, or too long."""
    dropped: int = 0
    """Messages left out at the front because there were too many."""
    restarted: bool = False
    """Whether the file is no longer the one that the cursor was made for."""


def read(path: str, since: Cursor | None = None, *, most: int = MOST_MESSAGES) -> Passage:
    """Return what was said since the cursor; a last line that is still being written is left for later."""
    since = since or Cursor()
    with open_transcript(path) as file:
        fits = since.offset == 0 or _check(file, since.offset) == since.check
        reading = _Reading(most, since if fits else Cursor())
        reading.read_to_end(file, until="" if fits else since.last)
        passage = reading.passage(file)
    return passage if fits else _only_new(passage, since, found=reading.found)


def read_tail(path: str, *, size: int = TAIL_BYTES) -> Passage:
    """Return the end of a conversation, from the first whole line in its last bytes on."""
    with open_transcript(path) as file:
        start = max(0, os.fstat(file.fileno()).st_size - size)
        if start:
            file.seek(start - 1)
            start += len(file.readline(size + 1)) - 1
        reading = _Reading(MOST_MESSAGES, Cursor(offset=start))
        reading.read_to_end(file)
        return reading.passage(file)


def tools_in_use(path: str) -> tuple[str, ...]:
    """Return the tools that a conversation used last; none where its transcript cannot be read."""
    if not path:
        return ()
    try:
        return recent_tools(read_tail(path).messages)
    except MemdirError:
        return ()


def transcript_folder(config_home: str, cwd: str) -> str:
    """Return where a host keeps the conversations that began in a directory."""
    return os.path.join(config_home, "projects", slug(os.path.realpath(cwd)))


def newest_first(folder: str) -> list[str]:
    """Return the transcripts in a host's folder for one working directory, without those of sub-agents."""
    try:
        with os.scandir(folder) as entries:
            found = [
                (entry.stat().st_mtime_ns, entry.path)
                for entry in entries
                if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


class _Reading:
    """Goes through the lines once and keeps what was said last."""

    def __init__(self, most: int, start: Cursor) -> None:
        self._most = most
        self._offset, self._line, self._last, self._at = start.offset, start.line, start.last, start.at
        self._messages: list[Spoken] = []
        self._prompts: dict[str, int] = {}
        self._replies: dict[str, int] = {}
        self._dropped, self._skipped = 0, 0
        self.found = False

    def read_to_end(self, file: BinaryIO, until: str = "") -> None:
        """Read to the end; what stands before the message `until` was read before and is let go."""
        for line in whole_lines(file, self._offset):
            entry = _entry(line, self._line + 1)
            if entry is None and not line.closed:
                return  # torn: the rest of it is still being written
            self._offset, self._line = line.end, self._line + 1
            self._skipped += entry is None
            if entry is not None:
                self._add(entry)
                if until and entry.id == until:
                    self._forget_all()

    def passage(self, file: BinaryIO) -> Passage:
        """Return what was kept, with the cursor behind it."""
        cursor = Cursor(self._offset, self._line, self._last, self._at, _check(file, self._offset))
        kept = self._messages[-self._most :]
        dropped = self._dropped + len(self._messages) - len(kept)
        return Passage(tuple(kept), cursor, self._skipped, dropped)

    def _add(self, entry: TranscriptEntry) -> None:
        if entry.parent:
            self._take_back(entry.parent)
        for one in entry.said:
            if one.role == "user":
                self._replies.clear()  # ids of replies are unique within a turn, and that is all we need
            if not (entry.joins and self._join_reply(entry.joins, one)):
                self._messages.append(one)
        if entry.said:
            self._last, when = entry.id, entry.said[-1].at
            self._at = when.isoformat() if when else self._at
        if len(self._messages) > 2 * self._most:
            self._dropped += self._most
            del self._messages[: self._most]

    def _join_reply(self, reply: str, one: Spoken) -> bool:
        """Add a block to the reply it belongs to; tell whether there was one."""
        at = self._replies.get(reply, -1) - self._dropped
        if at < 0:
            self._replies[reply] = self._dropped + len(self._messages)
            return False
        whole = self._messages[at]
        text = "\n\n".join(text for text in (whole.text, one.text) if text)
        over = max(0, len(text) - LONGEST_TEXT) + whole.left_out + one.left_out
        uses = (*whole.uses, *one.uses)
        self._messages[at] = Spoken(whole.id, whole.role, text[:LONGEST_TEXT], whole.at, uses, left_out=over)
        return True

    def _take_back(self, parent: str) -> None:
        """Let go of what followed the same message before: a person went back and typed something else."""
        here = self._dropped + len(self._messages)
        before = self._prompts.setdefault(parent, here)
        del self._messages[max(0, before - self._dropped) :]
        self._prompts = {known: at for known, at in self._prompts.items() if at <= before}

    def _forget_all(self) -> None:
        self.found = True
        self._messages.clear()
        self._prompts.clear()
        self._replies.clear()
        self._dropped = 0


def _entry(line: Line, number: int) -> TranscriptEntry | None:
    """Return what a line adds: nothing if it is blank; None if it is garbage, torn or too long."""
    if line.data is None:
        return None
    return entry_in(line.data, number, closed=line.closed) if line.data.strip() else TranscriptEntry("")


def _only_new(passage: Passage, since: Cursor, *, found: bool) -> Passage:
    """Return the passage of another file without what the old one had said."""
    then = moment(since.at) if since.at else None
    messages: Iterable[Spoken] = passage.messages
    if not found and then is not None:
        messages = [one for one in messages if one.at is None or one.at > then]
    return replace(passage, messages=tuple(messages), restarted=True)


def _check(file: BinaryIO, offset: int) -> str:
    start = max(0, offset - _CHECKED)
    file.seek(start)
    data = file.read(offset - start)
    return f"{zlib.crc32(data):08x}" if len(data) == offset - start else "cut off"
