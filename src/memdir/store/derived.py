"""What was computed from each memory, kept beside the catalog: derived, disposable, rebuilt without a word.

Ask `row` with the signature that the catalog has of the file; None means unknown, or changed since. Then take
`content_key` of the file's bytes: the same text under an older stat or another name is `adopted`, anything
else is computed and `put`. `store` drops the files that are gone and writes when it pays. A cache file that
is missing, torn, of another version or not ours counts as empty; one that cannot be written is left alone.

Few new rows beside many old ones go into a file of their own, so that a save does not write them all again.
"""

import os
import zlib
from collections.abc import Container
from contextlib import suppress

from memdir.store.files import folder_made

__all__ = ["Derived", "content_key"]

_FIELD = "\x1f"

_REWRITE_SHARE, _SMALL = 20, 1 << 20
"""Over a megabyte the whole is rewritten when one row in so many changed; before, changes are kept apart."""

_MORE = ".more"
"""Ending of the file that holds what changed since the whole was written."""

_Row = tuple[int, str, bytes]
"""Signature of the file it was computed from, key of that file's content, and the row itself."""


class Derived:
    """Rows of bytes, one a memory, in memory and in a file of the state folder."""

    def __init__(self, state: str, name: str, version: str) -> None:
        """Remember where the rows lie; rows of another version are not read."""
        self._state, self._name = state, name
        self._title = f"memdir {name} {version}\n".encode()
        self._changed: set[str] = set()
        self._read: dict[str, _Row] | None = None
        self._unsaved, self._seen = False, tuple[object, ...]()
        self._by_content: dict[str, bytes] | None = None

    def refresh(self) -> bool:
        """Take in what another process has stored since, and tell whether there was anything.

        What this one has not stored yet is not given up for it.
        """
        stale = self._read is not None and not self._unsaved and self._seen != self._stamp()
        if stale:
            self._read = self._by_content = None
        return stale

    def row(self, file: str, signature: int | None) -> bytes | None:
        """Return what was computed from the file as it now stands."""
        known = self._rows.get(file)
        return known[2] if known and known[0] == signature else None

    def adopted(self, file: str, signature: int, key: str) -> bytes | None:
        """Return what was computed from the same content before, and keep it for this file."""
        if self._by_content is None:
            self._by_content = {row[1]: row[2] for row in self._rows.values()}
        row = self._by_content.get(key)
        if row is not None:
            self.put(file, signature, key, row)
        return row

    def put(self, file: str, signature: int, key: str, row: bytes) -> None:
        """Keep what was computed from a file."""
        self._rows[file] = (signature, key, row)
        if self._by_content is not None:
            self._by_content[key] = row
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
        size = sum(len(row[2]) for row in rows.values())
        apart = size > _SMALL and (len(changed) + len(gone)) * _REWRITE_SHARE <= len(rows)
        with suppress(OSError), folder_made(self._state) as state:
            if apart:
                state.replace_cache(self._name + _MORE, _written(self._title, changed))
            else:
                state.replace_cache(self._name, _written(self._title, rows))
                self._changed.clear()
                with suppress(FileNotFoundError):
                    state.remove(self._name + _MORE)
            self._unsaved, self._seen = False, self._stamp()

    @property
    def _rows(self) -> dict[str, _Row]:
        if self._read is None:
            self._seen = self._stamp()
            more = self._loaded(self._name + _MORE)
            self._read, self._changed = {**self._loaded(self._name), **more}, set(more)
        return self._read

    def _loaded(self, name: str) -> dict[str, _Row]:
        with suppress(OSError, ValueError), open(os.path.join(self._state, name), "rb") as file:
            return _parsed(self._title, file.read())
        return {}

    def _stamp(self) -> tuple[object, ...]:
        stamp: list[object] = []
        for name in (self._name, self._name + _MORE):
            try:
                status = os.stat(os.path.join(self._state, name))
                stamp += [status.st_mtime_ns, status.st_ino, status.st_size]
            except OSError:
                stamp.append(None)
        return tuple(stamp)


def content_key(data: bytes) -> str:
    """Return what equal contents share and others do not."""
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()


def _written(title: bytes, rows: dict[str, _Row]) -> bytes:
    """Return a file: title, checksum of the rest, size of the table, table, rows."""
    lines = [
        f"{len(row)}{_FIELD}{signature}{_FIELD}{key}{_FIELD}{file}\n"
        for file, (signature, key, row) in rows.items()
    ]
    table = "".join(lines).encode("utf-8", "surrogatepass")
    rest = b"%d\n%b%b" % (len(table), table, b"".join(row for _, _, row in rows.values()))
    return b"%b%08x\n%b" % (title, zlib.crc32(rest), rest)


def _parsed(title: bytes, data: bytes) -> dict[str, _Row]:
    """Return the rows of a file; a ValueError when it is not one that we wrote whole."""
    start = len(title) + 9
    if data[: len(title)] != title or data[len(title) : start] != b"%08x\n" % zlib.crc32(data[start:]):
        raise ValueError("not our file, or not all of it")
    head = data.index(b"\n", start) + 1
    place = head + int(data[start : head - 1])
    rows: dict[str, _Row] = {}
    for line in data[head:place].decode("utf-8", "surrogatepass").split("\n")[:-1]:
        length, signature, key, file = line.split(_FIELD)
        end = place + int(length)
        rows[file] = (int(signature), key, data[place:end])
        place = end
    return rows
