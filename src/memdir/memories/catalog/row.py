"""One entry of the catalog: read from a memory file, written as a row, read from a row."""

import errno
import os
from collections.abc import Iterable
from datetime import UTC, datetime

from memdir.disk.files import Folder, Unreadable
from memdir.memories.kinds import kind_named
from memdir.memories.scan import ScanReport
from memdir.memories.topic import Header, header_from_bytes
from memdir.text.frontmatter.header import HEADER_LINES, LONGEST_HEADER

__all__ = [
    "CatalogEntry",
    "entry_from_row",
    "read_entry",
    "read_head",
    "row_bytes",
    "saved_time",
    "signature_of",
]

CatalogEntry = tuple[int, int, Header]
"""Time of saving in nanoseconds, signature of the stat, header."""

_FIELD = "\x1f"

_FIRST_READ = 4096
"""What holds nearly every header, and is one read."""

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE}


def read_entry(folder: Folder, file: str, findings: ScanReport) -> CatalogEntry | None:
    """Return what a file says about itself now; None when it is gone, or not readable, which is noted."""
    try:
        data, status = read_head(folder, file)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in _OUT_OF_FILES:
            raise  # the file is fine: leaving it out would hide a memory
        if isinstance(error, Unreadable):
            findings.skip(file, str(error))
        else:
            findings.skip(file, f"cannot be read: {error.strerror}")
            findings.unread.add(file)
        return None
    try:
        return _entry(file, data, status)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
        findings.skip(file, f"its header cannot be read: {type(error).__name__}: {error}")
        return None


def read_head(folder: Folder, file: str) -> tuple[bytes, os.stat_result]:
    """Return the beginning of a file with its whole header in it, and its stat."""
    data, status = folder.read(file, _FIRST_READ)
    if len(data) == _FIRST_READ and not _has_header(data):
        data, status = folder.read(file, LONGEST_HEADER)
    return data, status


def _has_header(data: bytes) -> bool:
    """Tell whether the first bytes of a file hold all that counts for its header."""
    is_opened = data.startswith((b"---", b"\xef\xbb\xbf---"))
    return not is_opened or b"\n---\n" in data or data.count(b"\n") >= HEADER_LINES


def row_bytes(entries: Iterable[CatalogEntry]) -> bytes:
    """Return the rows of entries as they stand in the file."""
    return b"".join([_row(entry).encode("utf-8", "surrogatepass") for entry in entries])


def entry_from_row(line: str) -> CatalogEntry:
    """Return the entry of a row without its line end; ValueError when it is none."""
    saved, signature, file, name, description, kind, title, pinned, expires = line.split(_FIELD)
    saved_ns = int(saved)
    header = Header(
        file, name, description, kind_named(kind), saved_time(saved_ns), title, pinned == "1", expires
    )
    return saved_ns, int(signature), header


def saved_time(saved_ns: int) -> datetime:
    """Return a file's time of saving; times outside the calendar are moved to its ends."""
    try:
        return datetime.fromtimestamp(saved_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC) if saved_ns > 0 else datetime.min.replace(tzinfo=UTC)


def signature_of(status: os.stat_result) -> int:
    """Return the number that changes whenever the file does."""
    # One number instead of four: a hundred thousand entries have to fit beside their headers.
    return hash((status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino))


def _entry(file: str, data: bytes, status: os.stat_result) -> CatalogEntry:
    saved_ns = status.st_mtime_ns
    return saved_ns, signature_of(status), header_from_bytes(file, data, saved_time(saved_ns))


def _row(entry: CatalogEntry) -> str:
    """Return an entry as one line with its end: no field of a header holds a line end or a separator."""
    saved_ns, signature, h = entry
    texts = (h.file, h.name, h.description, h.kind or "", h.title, "1" if h.pinned else "", h.expires)
    return f"{saved_ns}{_FIELD}{signature}{_FIELD}{_FIELD.join(texts)}\n"
