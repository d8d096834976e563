"""A cache of values that were computed from each memory, beside the catalog; it can be deleted at any time.

Ask `row` with the signature that the catalog has of the file; None means unknown, or changed since. Then take
`content_key` of the file's bytes: the same text under an older stat or another name is `adopted`, anything
else is computed and `put`. `store` drops the files that are gone and writes when it pays. A cache file that
is missing, torn, of another version or not ours counts as empty, and so does a row that is not as it was
written; a file that cannot be written is left alone. The file is mapped: only rows that are asked for are
read.

Few new rows beside many old ones go into a file of their own, so that a save does not write them all again.

A host waits for this module: it imports late.
"""

import mmap
import os
import zlib
from collections.abc import Container, Iterator
from contextlib import suppress

from memdir.disk.files import make_folder
from memdir.hook_paths import file_signature

__all__ = ["Derived", "content_key"]

_FIELD = "\x1f"

_REWRITE_SHARE, _SMALL = 20, 1 << 20
"""Over a megabyte the whole is rewritten when one row in so many changed; before, changes are kept apart."""

_MORE = ".more"
"""Ending of the file that holds what changed since the whole was written."""

_Row = tuple[int, str, int, bytes | memoryview]
"""Signature of the file it was computed from, key of its content, checksum of the row, and the row itself."""


class Derived:
    """Rows of bytes, one a memory, in memory and in a file of the state folder."""

    def __init__(self, state: str, name: str, version: str) -> None:
        """Remember where the rows lie; rows of another version are not read."""
        self._state, self._name = state, name
        self._paths = [os.path.join(state, name), os.path.join(state, name + _MORE)]
        self._title = f"memdir {name} {version}\n".encode()
        self._changed: set[str] = set()
        self._read: dict[str, _Row] | None = None
        self._unsaved, self._seen = False, list[str]()
        self._by_content: dict[str, _Row] | None = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def refresh(self) -> bool:
        """Drop the rows that were read if another process has stored newer ones, and tell whether it has.

        As long as this process has rows that it has not stored, it drops nothing.
        """
        stale = self._read is not None and not self._unsaved and self._seen != self._stamp()
        if stale:
            self._read = self._by_content = None
        return stale

    def row(self, file: str, signature: int | None) -> bytes | None:
        """Return what was computed from the file as it now stands."""
        view = self.view(file, signature)
        return None if view is None else bytes(view)

    def view(self, file: str, signature: int | None) -> bytes | memoryview | None:
        """Return the same without a copy: for large rows, most of the time is fresh memory."""
        known = self._rows.get(file)
        is_whole = known and known[0] == signature and zlib.crc32(known[3]) == known[2]
        return known[3] if known and is_whole else None

    def has(self, file: str, signature: int | None) -> bool:
        """Tell whether there is a row of the file as it now stands, without reading it."""
        known = self._rows.get(file)
        return known is not None and known[0] == signature

    def adopt(self, file: str, signature: int, key: str) -> bytes | None:
        """Return what was computed from the same content before, and keep it for this file."""
        if self._by_content is None:
            self._by_content = {row[1]: row for row in self._rows.values()}
        known = self._by_content.get(key)
        if known is None or zlib.crc32(known[3]) != known[2]:
            return None
        row = bytes(known[3])
        self.put(file, signature, key, row)
        return row

    def put(self, file: str, signature: int, key: str, row: bytes) -> None:
        """Keep what was computed from a file."""
        self._rows[file] = (signature, key, zlib.crc32(row), row)
        if self._by_content is not None:
            self._by_content[key] = self._rows[file]
        self._changed.add(file)
        self._unsaved = True

    def store(self, files: Container[str]) -> None:
        """Drop the rows of other files, and write what changed: all rows, or the new ones beside many old."""
        rows = self._rows
        gone = [file for file in rows if file not in files]
        for file in gone:
            del rows[file]
            self._changed.discard(file)
        if not (self._unsaved or gone):
            return
        changed = {file: rows[file] for file in self._changed}
        size = sum(len(row[3]) for row in rows.values())
        apart = size > _SMALL and (len(changed) + len(gone)) * _REWRITE_SHARE <= len(rows)
        with suppress(OSError), make_folder(self._state) as state:
            if apart:
                state.replace_cache(self._name + _MORE, _render_rows(self._title, changed))
            else:
                state.replace_cache(self._name, _render_rows(self._title, rows))
                self._changed.clear()
                with suppress(FileNotFoundError):
                    state.remove(self._name + _MORE)
            self._unsaved, self._seen = False, self._stamp()

    @property
    def _rows(self) -> dict[str, _Row]:
        if self._read is None:
            self._seen = self._stamp()
            whole, more = [_read_rows(path, self._title) for path in self._paths]
            self._read, self._changed = whole | more, set(more)
        return self._read

    def _stamp(self) -> list[str]:
        return list(map(file_signature, self._paths))


def content_key(data: bytes) -> str:
    """Return what equal contents share and others do not."""
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()


def _render_rows(title: bytes, rows: dict[str, _Row]) -> bytes:
    """Return a file: title, checksum of the table, size of the table, table, rows."""
    lines = [
        f"{len(row)}{_FIELD}{check}{_FIELD}{signature}{_FIELD}{key}{_FIELD}{file}\n"
        for file, (signature, key, check, row) in rows.items()
    ]
    table = "".join(lines).encode("utf-8", "surrogatepass")
    head = b"%d\n%b" % (len(table), table)
    return b"".join((title, b"%08x\n" % zlib.crc32(head), head, *[row for _, _, _, row in rows.values()]))


def _read_rows(path: str, title: bytes) -> dict[str, _Row]:
    """Return the rows of a file; none where it is not one that we wrote, or not all of it is there."""
    with suppress(OSError, ValueError), open(path, "rb") as opened:
        data = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        start = len(title) + 9
        head = data.find(b"\n", start) + 1
        place = head + int(data[start : head - 1])
        if data[:start] != title + b"%08x\n" % zlib.crc32(data[start:place]):
            return {}
        view, rows = memoryview(data), dict[str, _Row]()
        for line in data[head:place].decode("utf-8", "surrogatepass").split("\n")[:-1]:
            length, check, signature, key, file = line.split(_FIELD)
            end = place + int(length)
            rows[file] = (int(signature), key, int(check), view[place:end])
            place = end
        if place == len(data):
            return rows
    return {}
