"""Headers of all memories, each revalidated by stat: derived, disposable, rebuilt without a word."""

import errno
import heapq
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from operator import itemgetter

from memdir.core.kinds import kind_named
from memdir.core.topic import Header, header_from
from memdir.store.files import Folder, Unreadable, folder_made
from memdir.store.scan import Findings, topic_files

__all__ = ["Catalog", "saved_time"]

_FILE = "catalog"
_VERSION = "memdir catalog 1"
_FIELD = "\x1f"

_FIRST_READ, _LONGEST_HEADER = 4096, 1 << 16
"""One read holds nearly every header; a header that has not ended after 64 KB is not one."""

_REWRITE_SHARE = 20
"""The file on disk is rewritten when one entry in this many changed: before that, rereading is cheaper."""

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE}

_Entry = tuple[int, int, Header]
"""Time of saving in nanoseconds, signature of the stat, header."""


class Catalog:
    """The headers of one memory directory, in memory and in a file of the state folder."""

    def __init__(self, state: str) -> None:
        """Remember where the cached headers lie; nothing is read yet."""
        self._state = state
        self._entries: dict[str, _Entry] = {}
        self._names: dict[str, set[str]] | None = None
        self._folded: set[str] | None = None
        self._loaded = False
        self._changed = 0
        self.findings = Findings()

    def headers(self) -> list[Header]:
        """Return what the last refresh found, newest first."""
        entries = self._entries
        rows = [entries[file] for file in sorted(entries)]
        rows.sort(key=itemgetter(0), reverse=True)  # two plain sorts cost half of one with a key of two parts
        return [row[2] for row in rows]

    def __contains__(self, file: object) -> bool:
        return file in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def header(self, file: str) -> Header | None:
        """Return the header of one file as last seen."""
        entry = self._entries.get(file)
        return entry[2] if entry else None

    def file_named(self, name: str) -> str | None:
        """Return the newest file whose header has exactly this name."""
        if self._names is None:
            self._names = {}
            for file, entry in self._entries.items():
                self._names.setdefault(entry[2].name, set()).add(file)
        found = [self._entries[file] for file in self._names.get(name, ()) if file in self._entries]
        found = [entry for entry in found if entry[2].name == name]
        return min(found, key=_newest_first)[2].file if found else None

    def folded(self) -> set[str]:
        """Return every file name case-folded, as a case-insensitive disk would compare them."""
        if self._folded is None:
            self._folded = {file.casefold() for file in self._entries}
        return self._folded

    def refresh(self, folder: Folder) -> None:
        """Look at the stat of every file and read again those that changed."""
        self._load()
        findings, entries, old = Findings(), {}, self._entries
        for file, entry in topic_files(folder, findings):
            known = old.get(file)
            if known is None or not _is_same(entry, known[1]):
                known = _read_entry(folder, file, findings)
                self._changed += 1
            if known is not None:
                entries[file] = known
        self._changed += abs(len(old) - len(entries))
        self._entries, self.findings = entries, findings
        self._names = self._folded = None
        self._store()

    def refresh_names(self, folder: Folder) -> list[str]:
        """Take in files that came and went without a stat of the others; return stale temporary files."""
        if not self._loaded:
            self.refresh(folder)
            return self.findings.litter
        findings = Findings()
        names = {file for file, _ in topic_files(folder, findings)}
        for file in self._entries.keys() - names:
            self.drop(file)
        for file in names - self._entries.keys():
            self.put(folder, file)
        return findings.litter

    def put(self, folder: Folder, file: str) -> Header | None:
        """Take in one file as it now stands; return its header, None when it is gone or not readable."""
        entry = _read_entry(folder, file, self.findings)
        if entry is None:
            self.drop(file)
            return None
        self._changed += 1
        self._entries[file] = entry
        if self._names is not None:
            self._names.setdefault(entry[2].name, set()).add(file)
        if self._folded is not None:
            self._folded.add(file.casefold())
        return entry[2]

    def drop(self, file: str) -> None:
        """Forget one file."""
        self._changed += 1
        self._entries.pop(file, None)
        self._folded = None

    def newest(self, folder: Folder, count: int) -> list[Header]:
        """Return the newest few without holding the headers of all the others."""
        findings = Findings()
        top = heapq.nsmallest(count, _newest_times(folder, findings))
        entries = (_read_entry(folder, file, findings) for _, file in top)
        self.findings = findings
        return [entry[2] for entry in entries if entry is not None]

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        path = os.path.join(self._state, _FILE)
        with (
            suppress(OSError, ValueError),
            open(path, encoding="utf-8", errors="surrogatepass", newline="\n") as lines,
        ):
            if next(lines, "") != _VERSION + "\n":
                return
            for line in lines:
                entry = _from_row(line)
                self._entries[entry[2].file] = entry

    def _store(self) -> None:
        if self._changed * _REWRITE_SHARE <= len(self._entries):
            return
        rows = "\n".join([_VERSION, *map(_row, self._entries.values()), ""])
        data = rows.encode("utf-8", "surrogatepass")
        with suppress(OSError), folder_made(self._state) as state:
            state.replace_cache(_FILE, data)
            self._changed = 0


def saved_time(saved_ns: int) -> datetime:
    """Return a file's time of saving; times outside the calendar are moved to its ends."""
    try:
        return datetime.fromtimestamp(saved_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC) if saved_ns > 0 else datetime.min.replace(tzinfo=UTC)


def _newest_first(entry: _Entry) -> tuple[int, str]:
    return -entry[0], entry[2].file


def _newest_times(folder: Folder, findings: Findings) -> Iterator[tuple[int, str]]:
    for file, entry in topic_files(folder, findings):
        try:
            saved_ns = entry.stat(follow_symlinks=False).st_mtime_ns
        except OSError:
            continue
        yield -saved_ns, file


def _is_same(entry: "os.DirEntry[str]", signature: int) -> bool:
    try:
        return _signature(entry.stat(follow_symlinks=False)) == signature
    except OSError:
        return False


def _signature(status: os.stat_result) -> int:
    # One number instead of four: a hundred thousand entries have to fit beside their headers.
    return hash((status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino))


def _read_entry(folder: Folder, file: str, findings: Findings) -> _Entry | None:
    try:
        data, status = folder.read(file, _FIRST_READ)
        if len(data) == _FIRST_READ and b"\n---" not in data:
            data, status = folder.read(file, _LONGEST_HEADER)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in _OUT_OF_FILES:
            raise  # the file is fine: leaving it out would hide a memory
        findings.skip(
            file, str(error) if isinstance(error, Unreadable) else f"cannot be read: {error.strerror}"
        )
        return None
    text = data.decode("utf-8", "replace")
    return status.st_mtime_ns, _signature(status), header_from(file, text, saved_time(status.st_mtime_ns))


def _row(entry: _Entry) -> str:
    """Write an entry on one line: no field of a header holds a line end or a separator."""
    saved_ns, signature, h = entry
    texts = (h.file, h.name, h.description, h.kind or "", h.title, "1" if h.pinned else "", h.expires)
    return f"{saved_ns}{_FIELD}{signature}{_FIELD}{_FIELD.join(texts)}"


def _from_row(line: str) -> _Entry:
    saved, signature, file, name, description, kind, title, pinned, expires = line[:-1].split(_FIELD)
    saved_ns = int(saved)
    header = Header(
        file, name, description, kind_named(kind), saved_time(saved_ns), title, pinned == "1", expires
    )
    return saved_ns, int(signature), header
