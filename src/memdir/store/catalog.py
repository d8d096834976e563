"""Headers of all memories, each revalidated by stat: derived, disposable, rebuilt without a word."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from operator import itemgetter

from memdir.core.kinds import kind_named
from memdir.core.topic import Header, header_from
from memdir.store.files import Folder, Unreadable, folder_made
from memdir.store.scan import Findings, topic_files

__all__ = ["Catalog", "saved_time", "uncollected"]

_FILE = "catalog"
_VERSION = "memdir catalog 2"
_FIELD = "\x1f"

_FIRST_READ, _LONGEST_HEADER = 4096, 1 << 16
"""One read holds nearly every header; a header that has not ended after 64 KB is not one."""

_OPENED, _CLOSED = b"---\n", b"\n---\n"
"""Around a header as nearly all are: what follows it is not even decoded."""

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
        self._newest_first: list[Header] | None = None
        self._names: dict[str, set[str]] | None = None
        self._folded: set[str] | None = None
        self._loaded = False
        self._changed = 0
        self.findings = Findings()
        self.generation = 0
        """Differs from what it was before whenever a memory came, went or changed."""

    def headers(self) -> list[Header]:
        """Return what the last refresh found, newest first."""
        if self._newest_first is None:
            self._newest_first = [entry[2] for entry in self._sorted_entries()]
        return self._newest_first.copy()

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

    def signature(self, file: str) -> int | None:
        """Return the number that changes whenever the file does; what is derived from it is kept by it."""
        entry = self._entries.get(file)
        return entry[1] if entry else None

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
        findings, entries, old, read = Findings(), {}, self._entries, 0
        with uncollected():
            for file, entry in topic_files(folder, findings):
                known = old.get(file)
                if known is None or not _is_same(entry, known[1]):
                    known = _read_entry(folder, file, findings)
                    read += 1
                if known is not None:
                    entries[file] = known
        self.findings = findings
        if read or len(entries) != len(old):
            self._entries = entries
            self._note_change(read + abs(len(old) - len(entries)))
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
        self._entries[file] = entry
        self._note_change()
        if self._names is not None:
            self._names.setdefault(entry[2].name, set()).add(file)
        if self._folded is not None:
            self._folded.add(file.casefold())
        return entry[2]

    def drop(self, file: str) -> None:
        """Forget one file."""
        self._entries.pop(file, None)
        self._note_change()
        self._folded = None

    def newest(self, folder: Folder, count: int) -> list[Header]:
        """Return the newest few without holding the headers of all the others."""
        from heapq import nsmallest

        findings = Findings()
        top = nsmallest(count, _newest_times(folder, findings))
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
            uncollected(),
            open(path, encoding="utf-8", errors="surrogatepass", newline="\n") as lines,
        ):
            if next(lines, "") != _VERSION + "\n":
                return
            self._entries = {entry[2].file: entry for entry in map(_from_row, lines)}
            self._newest_first = [entry[2] for entry in self._entries.values()]

    def _store(self) -> None:
        if self._changed * _REWRITE_SHARE <= len(self._entries):
            return
        entries = self._sorted_entries()
        self._newest_first = [entry[2] for entry in entries]
        rows = "\n".join([_VERSION, *map(_row, entries), ""])
        data = rows.encode("utf-8", "surrogatepass")
        with suppress(OSError), folder_made(self._state) as state:
            state.replace_cache(_FILE, data)
            self._changed = 0

    def _note_change(self, count: int = 1) -> None:
        self._changed += count
        self.generation += 1
        self._newest_first = None

    def _sorted_entries(self) -> list[_Entry]:
        """Return the entries newest first, those of one moment by name; the file has them in this order."""
        entries = [self._entries[file] for file in sorted(self._entries)]
        # Two plain sorts cost half of one with a key of two parts.
        entries.sort(key=itemgetter(0), reverse=True)
        return entries


def saved_time(saved_ns: int) -> datetime:
    """Return a file's time of saving; times outside the calendar are moved to its ends."""
    try:
        return datetime.fromtimestamp(saved_ns / 1e9, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC) if saved_ns > 0 else datetime.min.replace(tzinfo=UTC)


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from walking a growing heap of values of which none is garbage."""
    import gc

    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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
    end = data.find(_CLOSED, 3) if data.startswith(_OPENED) else -1
    text = (data if end < 0 else data[: end + len(_CLOSED)]).decode("utf-8", "replace")
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
