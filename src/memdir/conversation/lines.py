"""Whole lines of a file that somebody else is still writing, each with where it ends."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from memdir.disk.files import storage_errors
from memdir.errors import Rejected
from memdir.text.value import value_class

__all__ = ["LONGEST_LINE", "Line", "open_transcript", "whole_lines"]

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
