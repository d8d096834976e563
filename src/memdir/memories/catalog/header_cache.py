"""A cache of the headers of all memories, checked by the stat of each file; it can be deleted at any time.

A host waits for this module: it imports late.
"""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from operator import itemgetter
from time import monotonic

from memdir.disk.files import Folder, Unreadable, make_folder
from memdir.memories.names import INDEX_NAME, slug
from memdir.memories.scan import ScanReport, topic_files
from memdir.memories.topic import Header, header_from_bytes, kind_named, saved_time
from memdir.progress import count_progress
from memdir.text.frontmatter.header import HEADER_LINES, LONGEST_HEADER
from memdir.text.value import replace

__all__ = ["Catalog", "name_stamp", "pause_collector", "read_head", "signature_of"]

CatalogEntry = tuple[int, int, Header]
"""Time of saving in nanoseconds, signature of the stat, header."""

_FIELD = "\x1f"

_FIRST_READ = 4096
"""Bytes that hold nearly every header and take one read."""

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE}

_FILE = "catalog"
_VERSION = "memdir catalog 4"

_REWRITE_SHARE = 20
"""The file on disk is rewritten when one entry in this many changed: before that, rereading is cheaper."""

_MANY = 10_000
"""With so many new headers, the garbage collector is told to treat them as old."""

_BETWEEN_LOOKS = 64
"""Files read before the next look at the clock."""

_IN_ANY_CASE = 256
"""The newest unknown files, so many of which are read even when it is late: that takes milliseconds."""


class Catalog:
    """The headers of one memory directory, in memory and in a file of the state folder."""

    def __init__(self, state: str) -> None:
        """Remember where the cached headers lie."""
        self._state = state
        self._entries: dict[str, CatalogEntry] = {}
        self._newest_first: tuple[int, list[Header]] = (-1, [])
        """What `headers` last returned, and of which generation that was."""
        self._names: dict[str, set[str]] | None = None
        self._folded: set[str] | None = None
        self._loaded = False
        self._stored = 0
        """The generation that the file on disk has."""
        self.refreshed_at = 0.0  # by a clock that only counts on
        self._stamp: tuple[int, ...] = ()
        self.findings = ScanReport()
        self.generation = 0
        """Grows by one for each memory that came, went or changed."""
        self.unread = 0
        """Files that the last refresh had no time to read."""

    def headers(self) -> list[Header]:
        """Return what the last refresh found, newest first."""
        if self._newest_first[0] != self.generation:
            entries = [*self._entries.values()]
            if len(set(map(itemgetter(0), entries))) < len(entries):
                # Those of one moment by name; two plain sorts cost half of one with a key of two parts.
                entries = [self._entries[file] for file in sorted(self._entries)]
            entries.sort(key=itemgetter(0), reverse=True)
            self._newest_first = self.generation, [entry[2] for entry in entries]
        return self._newest_first[1].copy()

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
        """Return the newest file of this name."""
        return next(iter(self.files_named(name)), None)

    def files_named(self, name: str) -> list[str]:
        """Return the files whose header has exactly this name; of a slug, else those whose name makes it."""
        if self._names is None:
            self._names = {}
            for file, entry in self._entries.items():
                self._names.setdefault(slug(entry[2].name), set()).add(file)
        wanted = slug(name)
        known = [self._entries[file] for file in self._names.get(wanted, ()) if file in self._entries]
        found = [entry for entry in known if slug(entry[2].name) == wanted]
        found.sort(key=lambda entry: (-entry[0], entry[2].file))
        exact = [entry[2].file for entry in found if entry[2].name == name]
        return exact or ([entry[2].file for entry in found] if wanted == name else [])

    def casefolded_names(self) -> set[str]:
        """Return every file name case-folded, as a case-insensitive disk would compare them."""
        if self._folded is None:
            self._folded = {file.casefold() for file in self._entries}
        return self._folded

    def refresh(self, folder: Folder, late: Callable[[], bool] | None = None) -> None:
        """Look at the stat of every file and read again those that changed; until late, the newest first.

        What is left out then is not in the catalog, and nothing is written down before a refresh has it all.
        """
        import gc

        held, self.refreshed_at = len(self._entries), monotonic()
        with pause_collector():
            if not self._loaded:
                self._load()
            findings, old = ScanReport(), self._entries
            entries, read = self._current_entries(folder, findings, late)
            self.findings = findings
            if read or len(entries) != len(old):
                self._entries = entries
                self.generation += read + abs(len(old) - len(entries))
                self._names = self._folded = None
            changed = self.generation - self._stored
            if not self.unread and changed * _REWRITE_SHARE > len(self._entries):
                self._store()
            # Makes all new values old: else the next collection would walk through them.
            if len(self._entries) - held >= _MANY and not gc.get_freeze_count():
                gc.freeze()  # not if somebody else has frozen values, which must stay frozen
                gc.unfreeze()

    def _load(self) -> None:
        """Take in the entries of the file; none of them when one is damaged."""
        self._loaded = True
        path = os.path.join(self._state, _FILE)
        with (
            suppress(OSError, ValueError),
            open(path, encoding="utf-8", errors="surrogatepass", newline="\n") as lines,
        ):
            if next(lines, "") == f"{_VERSION}\n":
                known = (entry_from_row(line[:-1]) for line in lines)
                self._entries = {entry[2].file: entry for entry in known}

    def _store(self) -> None:
        data = f"{_VERSION}\n".encode() + row_bytes(self._entries.values())
        with suppress(OSError), make_folder(self._state) as state:
            state.replace_cache(_FILE, data)
            self._stored = self.generation

    def is_fresh(self, folder: Folder, seconds: float) -> bool:
        """Tell whether every file was looked at no longer ago than that, and no name came or went since.

        A caller that gets False refreshes the catalog at once.
        """
        if not seconds:
            return False
        before, self._stamp = self._stamp, name_stamp(folder, self.findings.folders)
        looked = not self.unread and monotonic() - self.refreshed_at <= seconds
        return looked and bool(before) and before == self._stamp

    def refresh_names(self, folder: Folder) -> list[str]:
        """Take in files that came and went without a stat of the others; return stale temporary files."""
        if not self._loaded:
            self.refresh(folder)
            return self.findings.litter
        findings = ScanReport()
        names = {file for file, _ in topic_files(folder, findings)}
        for file in self._entries.keys() - names:
            self.drop(file)
        for file in names - self._entries.keys():
            self.put(folder, file)
        self.findings = replace(self.findings, folders=findings.folders)
        return findings.litter

    def put(self, folder: Folder, file: str, known: Header | None = None, written: str = "") -> Header | None:
        """Take in one file as it now stands; return its header, None when it is gone or not readable.

        `known` is the header of the text that was just written there.
        """
        entry = read_entry(folder, file, self.findings, known, written)
        if entry is None:
            self.drop(file)
            return None
        self._entries[file] = entry
        parent = file.rpartition("/")[0]
        while parent:
            self.findings.folders.add(parent)
            parent = parent.rpartition("/")[0]
        self.generation += 1
        if self._names is not None:
            self._names.setdefault(slug(entry[2].name), set()).add(file)
        if self._folded is not None:
            self._folded.add(file.casefold())
        return entry[2]

    def drop(self, file: str) -> None:
        """Forget one file."""
        self._entries.pop(file, None)
        self.generation += 1
        self._folded = None

    def newest(self, folder: Folder, count: int) -> list[Header]:
        """Return the newest few without holding the headers of all the others."""
        from heapq import nsmallest

        self.findings = findings = ScanReport()

        def times() -> Iterator[tuple[int, str]]:
            for file, entry in topic_files(folder, findings):
                with suppress(OSError):
                    yield -entry.stat(follow_symlinks=False).st_mtime_ns, file

        entries = [read_entry(folder, file, findings) for _, file in nsmallest(count, times())]
        return [entry[2] for entry in entries if entry is not None]

    def _current_entries(
        self, folder: Folder, findings: ScanReport, late: Callable[[], bool] | None
    ) -> tuple[dict[str, CatalogEntry], int]:
        """Return every entry as it is now, and how many had to be read; count those left unread."""
        entries: dict[str, CatalogEntry] = {}
        unknown: dict[str, int] = {}
        for file, entry in topic_files(folder, findings):
            known, saved_ns = self._entries.get(file), 0
            try:
                if known or late:
                    status = entry.stat(follow_symlinks=False)
                    saved_ns = status.st_mtime_ns
                    if known and signature_of(status) == known[1]:
                        entries[file] = known
                        continue
            except OSError:
                saved_ns = 0  # its time is not known: it counts as the oldest
            unknown[file] = saved_ns
        order = sorted(unknown, key=unknown.__getitem__, reverse=True) if late else [*unknown]
        read = _read_entries(folder, order, findings, late) if order else {}
        self.unread = sum(file not in read for file in order)
        entries.update((file, entry) for file, entry in read.items() if entry is not None)
        return entries, sum(entry is not None for entry in read.values())


@contextmanager
def pause_collector() -> Iterator[None]:
    """Keep the garbage collector from walking a growing heap of values of which none is garbage."""
    import gc

    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_entries(
    folder: Folder, files: list[str], findings: ScanReport, late: Callable[[], bool] | None
) -> dict[str, CatalogEntry | None]:
    """Read the headers of files in this order, until late; None stands for a file that cannot be read."""
    read: dict[str, CatalogEntry | None] = {}
    within = ""
    for number, file in enumerate(count_progress(files)):
        if late and number >= _IN_ANY_CASE and not number % _BETWEEN_LOOKS and late():
            break
        parent = file.rpartition("/")[0] if "/" in file else ""
        if parent != within:
            folder.let_go(within.partition("/")[0])
            within = parent
        read[file] = read_entry(folder, file, findings)
    return read


_COARSE_NS = 20_000_000
"""By how much the time of a folder may lag behind: the longest tick of a kernel is 10 ms."""


def name_stamp(folder: Folder, below: Iterable[str]) -> tuple[int, ...]:
    """Return a stamp that changes when a name comes or goes, also in folders below; empty if in doubt.

    The directory's own time may be too coarse to tell two saves apart; the index is new after each. A folder
    below that is hardly older than the index may change once more and show the same time.
    """
    status = os.stat(folder.fd if folder.fd >= 0 else folder.path)
    index = folder.identity(INDEX_NAME)
    stamp = [status.st_mtime_ns, status.st_ino, *index]
    for name in sorted(below):
        with suppress(OSError):
            status = folder.at(os.lstat, name)
            if not index or status.st_mtime_ns + _COARSE_NS > index[2]:
                return ()
            stamp += [status.st_mtime_ns, status.st_ino]
    return tuple(stamp)


def read_entry(
    folder: Folder, file: str, findings: ScanReport, known: Header | None = None, written: str = ""
) -> CatalogEntry | None:
    """Return what a file says about itself now; None when it is gone, or not readable, which is noted.

    `known` is the header of the text just written there: it is not parsed again while the text still stands.
    """
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
        saved_at = saved_time(status.st_mtime_ns)
        if known and written.encode("utf-8", "surrogateescape").startswith(data):
            header = replace(known, saved_at=saved_at)
        else:
            header = header_from_bytes(file, data, saved_at)
        return status.st_mtime_ns, signature_of(status), header
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
        findings.skip(file, f"its header cannot be read: {type(error).__name__}: {error}")
        return None


def read_head(folder: Folder, file: str) -> tuple[bytes, os.stat_result]:
    """Return the beginning of a file with its whole header in it, and its stat."""
    data, status = folder.read(file, _FIRST_READ)
    is_cut = len(data) == _FIRST_READ and data.startswith((b"---", b"\xef\xbb\xbf---"))
    if is_cut and b"\n---\n" not in data and data.count(b"\n") < HEADER_LINES:
        return folder.read(file, LONGEST_HEADER)
    return data, status


def row_bytes(entries: Iterable[CatalogEntry]) -> bytes:
    """Return entries as lines, in any order: no field of a header holds a line end or a separator."""
    rows = (
        f"{saved_ns}{_FIELD}{signature}{_FIELD}{h.file}{_FIELD}{h.name}{_FIELD}{h.description}{_FIELD}"
        f"{h.kind or ''}{_FIELD}{h.title}{_FIELD}{'1' if h.pinned else ''}{_FIELD}{h.expires}\n"
        for saved_ns, signature, h in entries
    )
    return b"".join([row.encode("utf-8", "surrogatepass") for row in rows])


def entry_from_row(line: str) -> CatalogEntry:
    """Return the entry of a row without its line end; ValueError when it is none."""
    saved, signature, file, name, description, kind, title, pinned, expires = line.split(_FIELD)
    saved_ns = int(saved)
    header = Header(
        file, name, description, kind_named(kind), saved_time(saved_ns), title, pinned == "1", expires
    )
    return saved_ns, int(signature), header


def signature_of(status: os.stat_result) -> int:
    """Return the number that changes whenever the file does."""
    # One number instead of four: a hundred thousand entries have to fit beside their headers.
    return hash((status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino))
