"""What an import brings, what it would write, and how it is written: one step that can be undone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from itertools import count

from memdir.disk.files import MAX_FILE_BYTES, Folder, Unreadable, make_folder
from memdir.memories.change import Change, file_bytes, shown_text, version_on_disk
from memdir.memories.names import INDEX_NAME, key_problem
from memdir.memories.plans import free_name, proposal_plan, used_names
from memdir.memories.refusals import MAX_BODY_BYTES, text_problem
from memdir.memories.scan import ScanReport, Skipped, topic_files
from memdir.memories.topic import Header, Provenance, header_from
from memdir.memories.writer import Writer
from memdir.progress import count_progress
from memdir.text.frontmatter.edits import with_value
from memdir.text.secrets.search import secret_names
from memdir.text.value import value_class

__all__ = [
    "MOST_FILES",
    "ImportPlan",
    "ImportSource",
    "Imported",
    "IncomingFile",
    "OnExisting",
    "PlannedFile",
    "apply_import",
    "memory_folder",
    "plan_import",
    "read_topics",
]

MOST_FILES = 20_000
"""Files of one import: ten times what a large memory has, and a bound for a hostile one."""

_LOGS, _DEPTH = "logs", 3
"""Daily logs lie in logs/YYYY/MM."""


@value_class(frozen=True, slots=True)
class IncomingFile:
    """One text on its way in: where it shall lie, and since when it is so."""

    file: str
    text: str
    saved_ns: int | None = None


@value_class(frozen=True, slots=True)
class ImportSource:
    """All that one import brings, as data: nothing in it is trusted yet."""

    form: str
    """What it was read as: bundle, claude-code, mcp, markdown."""
    place: str
    topics: tuple[IncomingFile, ...] = ()
    logs: tuple[IncomingFile, ...] = ()
    index: IncomingFile | None = None
    refused: tuple[Skipped, ...] = ()
    history: bytes = b""
    """A git bundle of what was done, where the sender added it; nobody's word, and never mixed with ours."""

    @property
    def every(self) -> list[IncomingFile]:
        """All files that it brings."""
        return [*self.topics, *self.logs, *([self.index] if self.index else [])]


class OnExisting(StrEnum):
    """What becomes of a memory whose name is used here by another text."""

    KEEP = "keep"
    RENAME = "rename"
    REPLACE = "replace"


@value_class(frozen=True, slots=True)
class PlannedFile:
    """What an import does with one text."""

    file: str
    verb: str
    """add, rename, replace; or same, keep, refuse, which write nothing."""
    because: str = ""
    edit: Change | None = None


@value_class(frozen=True, slots=True)
class ImportPlan:
    """Everything that an import would do, to be shown before it is done."""

    source: ImportSource
    files: tuple[PlannedFile, ...]
    logs: tuple[IncomingFile, ...] = ()
    """Daily logs that are not here yet."""
    reason: str = ""
    section: str = "private"
    """The section of a bundle that it comes from, and so the directory that it goes to."""
    orphan: str = ""
    """The directory that is adopted with it, if one is."""

    @property
    def edits(self) -> list[Change]:
        """Return what would be written."""
        return [one.edit for one in self.files if one.edit]


@value_class(frozen=True, slots=True)
class Imported:
    """An import that was done."""

    operation: str
    """The id under which it can be undone; empty when nothing was new."""
    files: tuple[str, ...]
    logs: tuple[str, ...] = ()
    history: str = ""
    """Where the history that came along lies, to be read with git; it counts for nothing here."""


def plan_import(
    writer: Writer,
    source: ImportSource,
    existing: OnExisting = OnExisting.KEEP,
    *,
    allow_secret: bool = False,
    reason: str = "",
) -> ImportPlan:
    """Return what an import would do; only reads."""
    with writer.memories.open_folder() as folder:
        if folder is not None:
            writer.catalog.refresh(folder)
        planner = _Planner(writer, folder, existing, allow_secret=allow_secret)
        files = [planner.plan_file(one) for one in count_progress(source.topics)]
        files += [PlannedFile(one.file, "refuse", one.because) for one in source.refused]
        index = source.index
        if index and writer.memories.indexed and not (folder and folder.exists(INDEX_NAME)):
            files += [] if _problem(index.text) else [_plan_addition(index)]
        logs = [one for one in source.logs if _is_log(one) and not (folder and folder.exists(one.file))]
    return ImportPlan(source, tuple(files), tuple(logs), reason)


def apply_import(writer: Writer, plan: ImportPlan, by: Provenance, now: datetime, verb: str) -> Imported:
    """Write what was shown in one step, or nothing if a file is not as it was; logs and history follow."""
    operation = ""
    if plan.edits:
        operation = writer.apply(verb, by, now, proposal_plan(plan.edits))[0].id
    with make_folder(writer.memories.path) as folder:
        for log in plan.logs:
            if not folder.exists(log.file):
                folder.write(log.file, file_bytes(log.text), saved_ns=log.saved_ns)
    kept = ""
    if plan.source.history:
        place, name = os.path.join(writer.memories.state, "imported"), f"{now:%Y%m%dT%H%M%S}.bundle"
        with make_folder(place) as folder:
            folder.write(name, plan.source.history)
        kept = os.path.join(place, name)
    files = tuple(edit.file for edit in plan.edits if edit.file != INDEX_NAME)
    return Imported(operation, files, tuple(log.file for log in plan.logs), kept)


class _Planner:
    """Decides about one text after the other, each in view of those before it."""

    def __init__(
        self, writer: Writer, folder: Folder | None, existing: OnExisting, *, allow_secret: bool
    ) -> None:
        self._catalog, self._folder, self._existing = writer.catalog, folder, existing
        self._allow_secret = allow_secret
        self._used, self._names = used_names(writer.catalog), set[str]()

    def plan_file(self, one: IncomingFile) -> PlannedFile:
        """Return what becomes of one text."""
        if because := key_problem(one.file) or _problem(one.text, allow_secret=self._allow_secret):
            return PlannedFile(one.file, "refuse", because)
        header = header_from(one.file, one.text)
        there = self._there(one.file, header.name)
        if there is None:
            self._used.add(one.file.casefold())
            return _plan_addition(one)
        file, present = there
        if present == one.text:
            return PlannedFile(one.file, "same", f"{file} holds this text")
        if self._existing is OnExisting.KEEP or present is None:
            return PlannedFile(one.file, "keep", f"{file} is here already, with another text")
        if self._existing is OnExisting.REPLACE:
            edit = Change(file, shown_text(present), one.text, one.saved_ns)
            return PlannedFile(one.file, "replace", f"takes the place of {file}", edit)
        return self._plan_rename(one, header)

    def _there(self, file: str, name: str) -> tuple[str, str | None] | None:
        """Return the file here that has this name, with its text, where it can be replaced; None for none."""
        known = file if file in self._catalog else self._catalog.file_named(name)
        if known is not None and self._folder is not None:
            version = version_on_disk(self._folder, known)
            return known, version.text if version else None
        if file.casefold() in self._used:
            return file, None
        return (file, None) if self._folder and self._folder.exists(file) else None

    def _plan_rename(self, one: IncomingFile, header: Header) -> PlannedFile:
        for number in count(2):
            wished = header.name if number == 2 else f"{header.name}-{number}"
            free, file = free_name(self._catalog, wished, header.kind)
            if free not in self._names and file.casefold() not in self._used:
                break
        self._names.add(free)
        self._used.add(file.casefold())
        edit = Change(file, None, with_value(one.text, "name", free), one.saved_ns)
        return PlannedFile(one.file, "rename", f"comes in as {file}", edit)


def _plan_addition(one: IncomingFile) -> PlannedFile:
    return PlannedFile(one.file, "add", "", Change(one.file, None, one.text, one.saved_ns))


def _problem(text: str, *, allow_secret: bool = False) -> str:
    """Return why a text cannot come in; empty if it can. A credential is named by its rule, never shown."""
    if problem := text_problem(text, MAX_BODY_BYTES, odd_bytes=True):
        return f"it {problem.partition('. ')[0].rstrip('.')}"
    with suppress(UnicodeEncodeError):
        file_bytes(text)
        rules = "" if allow_secret else secret_names(text)
        return f"it holds what looks like a credential ({rules})" if rules else ""
    return "it contains half of a surrogate pair"


def _is_log(one: IncomingFile) -> bool:
    """Tell whether a path is that of a daily log and its text may be kept."""
    day = one.file.removeprefix("logs/").removesuffix(".md").split("/")
    with suppress(ValueError):
        year, month, whole = day
        same = datetime.fromisoformat(whole).strftime("%Y/%m/%Y-%m-%d") == f"{year}/{month}/{whole}"
        return same and not _problem(one.text)
    return False


def memory_folder(path: str, form: str = "claude-code") -> ImportSource:
    """Read a memory directory byte for byte, its logs and index included; links are not followed."""
    refused: list[Skipped] = []
    with Folder(path) as folder:
        topics = tuple(read_topics(folder, refused))
        logs = tuple(_logs(folder, refused))
        index = _read(folder, INDEX_NAME, refused) if folder.exists(INDEX_NAME) else None
    return ImportSource(form, path, topics, logs, index, tuple(refused))


def read_topics(folder: Folder, refused: list[Skipped]) -> Iterator[IncomingFile]:
    """Yield every memory file below an open folder; what cannot be read is added to the refused."""
    report = ScanReport()
    files = sorted(file for file, _ in topic_files(folder, report))
    refused += report.skipped
    refused += [Skipped(file, f"an import has at most {MOST_FILES:,} files") for file in files[MOST_FILES:]]
    for file in count_progress(files[:MOST_FILES]):
        if read := _read(folder, file, refused):
            yield read


def _logs(folder: Folder, refused: list[Skipped]) -> Iterator[IncomingFile]:
    top = os.path.join(folder.path, _LOGS)
    for place, folders, names in os.walk(top):
        inside = os.path.relpath(place, folder.path)
        folders[:] = sorted(folders) if inside.count(os.sep) < _DEPTH else []
        for name in sorted(names):
            file = f"{inside}/{name}".replace(os.sep, "/")
            if name.endswith(".md") and name[0] != "." and (read := _read(folder, file, refused)):
                yield read


def _read(folder: Folder, file: str, refused: list[Skipped]) -> IncomingFile | None:
    try:
        data, status = folder.read(file, MAX_FILE_BYTES + 1)
        if len(data) <= MAX_FILE_BYTES:
            return IncomingFile(file, data.decode("utf-8", "surrogateescape"), status.st_mtime_ns)
        because = f"it is over {MAX_FILE_BYTES:,} bytes"
    except Unreadable as error:
        because = str(error).partition(": ")[2]
    except OSError as error:
        because = f"it cannot be read: {error.strerror}"
    refused.append(Skipped(file, because))
    return None
