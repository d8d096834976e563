"""The loader reads each instruction file once, with its imports, and keeps why others were left out.

In one discovery it resolves each folder once, reads regular files only, and waits for nothing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection

from memdir.config.layout import Layout
from memdir.config.safe_path import error_reason, path_below
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.instructions.imports import imports_in, is_text_name, target
from memdir.instructions.records import (
    Cause,
    Discovery,
    Instruction,
    Layer,
    LeftOut,
    Obstacle,
    PathRule,
    Reason,
    conditions,
    is_misnamed,
)
from memdir.instructions.source import InstructionSource, changed_bytes, parse_source
from memdir.text.globs import PathGlobs
from memdir.text.value import field, replace, value_class

__all__ = [
    "DEEPEST",
    "MOST_BYTES",
    "FileTree",
    "InstructionPlace",
    "InstructionScope",
    "Loader",
    "ResolvedPath",
    "RuleFile",
    "chain",
]


@value_class(frozen=True, slots=True)
class ResolvedPath:
    """A resolved path: where it really leads, and what is there."""

    real: str
    obstacle: Obstacle | None = None
    """Why there is no regular file: nothing is there, a directory is, or it cannot be read."""
    linked: bool = False
    """Whether its last step is a link."""
    detail: str = ""


@value_class(frozen=True, slots=True)
class InstructionScope:
    """Where a conversation takes place, and the settings for it; every path is absolute."""

    layout: Layout
    cwd: str
    """The directory in which the conversation began."""
    home: str
    """What `~/` in an import stands for."""
    config_home: str
    managed: str
    """The organisation's folder."""
    excludes: tuple[str, ...] = ()
    """The globs of claudeMdExcludes."""
    approved: frozenset[str] = field(default_factory=frozenset)
    """Real paths outside the working directory that a person approved for this project."""
    added: tuple[str, ...] = ()
    """Directories the caller adds after the chain."""
    with_externals: bool = False
    """Load what awaits approval too, marked, in order to show it; this approves nothing."""


@value_class(frozen=True, slots=True)
class InstructionPlace:
    """Where an instruction file may stand, or a folder of rules."""

    path: str
    layer: Layer
    base: str = ""
    """For rules, the directory they belong to: no folder from there down to them should be a link."""
    anchor: str = ""
    """For rules, the folder that their globs are relative to."""
    fallback: bool = False
    """Whether it counts only where the chain has no instruction file."""


MOST_BYTES = 64 << 20
"""Bytes read in one discovery: a small repository can unpack to far more than a machine holds."""

DEEPEST = 4
"""Levels of imports below a file: enough in practice, and a limit to what one line can load."""


@value_class(frozen=True, slots=True)
class _LoadRequest:
    """A file that should be loaded, and on whose behalf."""

    place: str
    layer: Layer
    reason: Reason
    importer: str = ""
    spelled: str = ""
    """The import as it is written."""
    straight: str = ""
    """For a rule, the real path it has if no link leads to it."""
    globs: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    """Real paths of the files that lead here by importing each other."""


@value_class(frozen=True, slots=True)
class RuleFile:
    """A rule that was read and may be loaded."""

    rule: PathRule
    request: _LoadRequest
    spot: ResolvedPath
    read: InstructionSource


class Loader:
    """What one discovery has loaded so far; files that are loaded already are not read again."""

    def __init__(self, scope: InstructionScope, loaded: Collection[str] = ()) -> None:
        self.disk = FileTree(scope.cwd)
        self.root = self.disk.root
        self._scope = scope
        # A glob is for the path of a file, and that of a folder is not: as the host has it.
        self._excludes = PathGlobs(tuple([glob for glob in scope.excludes if not glob.endswith("/")]))
        self._done = set(loaded)
        self._read: dict[str, InstructionSource | None] = {}
        self._bytes = 0
        self._loaded: list[Instruction] = []
        self._left: dict[LeftOut, None] = {}
        self._rules: dict[str, list[RuleFile]] = {}

    def result(self) -> Discovery:
        """Return all that was loaded and left out, in order."""
        found = [one for several in self._rules.values() for one in several]
        for one in found:
            if one.rule.globs.conditional and one.rule.path not in self._done:
                self._leave(replace(one.request, globs=one.rule.globs.patterns), one.spot, Obstacle.WAITING)
        return Discovery(tuple(self._loaded), tuple(self._left), tuple([one.rule for one in found]))

    def file(self, place: InstructionPlace, reason: Reason) -> None:
        """Load the instruction file that stands there, if one does."""
        spot = self.disk.spot(place.path)
        if spot.obstacle is not Obstacle.MISSING or spot.linked:
            self._load(_LoadRequest(place.path, place.layer, reason), spot)

    def says_something(self, place: InstructionPlace) -> bool:
        """Tell whether the instruction file that stands there is or would be loaded."""
        spot = self.disk.spot(place.path)
        if spot.obstacle:
            return False
        request = _LoadRequest(place.path, place.layer, Reason(Cause.START))
        return spot.real in self._done or self._admit(request, spot) is not None

    def rules(self, place: InstructionPlace) -> list[RuleFile]:
        """Return the rules below a folder that may be loaded and are not yet, in order."""
        known = self._rules.get(place.path)
        if known is None:
            known = self._rules[place.path] = []
            for request in self._rule_requests(place):
                spot = self.disk.spot(request.place)
                read = self._admit(request, spot)
                if read is not None:
                    globs, misnamed = conditions(read.header), is_misnamed(read.header)
                    rule = PathRule(spot.real, place.layer, place.anchor, globs, misnamed)
                    known.append(RuleFile(rule, request, spot, read))
        return known

    def take(self, found: RuleFile, reason: Reason) -> None:
        """Load a rule, unless it is loaded already."""
        if found.rule.path not in self._done:
            globs = found.rule.globs.patterns if found.rule.globs.conditional else ()
            self._include(replace(found.request, reason=reason, globs=globs), found.spot, found.read)

    def _rule_requests(self, place: InstructionPlace) -> list[_LoadRequest]:
        """Return the rule files below a folder, if it may be entered, in the order they are loaded."""
        spot = self.disk.spot(place.path)
        if spot.obstacle is not Obstacle.DIRECTORY:
            return []
        base, skipped = self.disk.real(place.base), len(os.path.join(place.base, ""))
        first = _LoadRequest(place.path, place.layer, Reason(Cause.START))
        request = replace(first, straight=os.path.join(base, place.path[skipped:]))
        if self._awaits_approval(request, spot.real) and not self._scope.with_externals:
            self._leave(first, spot, Obstacle.EXTERNAL)
            return []
        files, refused, complete = self.disk.markdown_below(
            place.path,
            lambda real: self._scope.with_externals or not self._awaits_approval(request, real),
        )
        for folder in refused:
            self._leave(first, ResolvedPath(folder), Obstacle.EXTERNAL)
        if not complete:
            self._leave(first, spot, Obstacle.TOO_MANY)
        return [replace(first, place=file, straight=os.path.join(base, file[skipped:])) for file in files]

    def _load(self, request: _LoadRequest, spot: ResolvedPath) -> None:
        read = self._admit(request, spot)
        if read is not None:
            self._include(request, spot, read)

    def _admit(self, request: _LoadRequest, spot: ResolvedPath) -> InstructionSource | None:
        """Return what the file says if it may be loaded and is not yet; else note why not."""
        if spot.real in self._done:
            if spot.real in request.above:
                self._leave(request, spot, Obstacle.CYCLE)
            return None
        because = self._obstacle(request, spot)
        if because:
            self._leave(request, spot, because)
            return None
        if spot.real not in self._read:
            self._read[spot.real] = self._source(request, spot)
        return self._read[spot.real]

    def _obstacle(self, request: _LoadRequest, spot: ResolvedPath) -> Obstacle | None:
        """Return why a file may not be opened; None when it may."""
        if spot.obstacle:
            return spot.obstacle
        if len(request.above) > DEEPEST:
            return Obstacle.TOO_DEEP
        if self._awaits_approval(request, spot.real) and not self._scope.with_externals:
            return Obstacle.EXTERNAL
        if request.layer is not Layer.MANAGED and self._is_excluded(request.place, spot.real):
            return Obstacle.EXCLUDED
        if request.importer and not is_text_name(request.place):
            return Obstacle.NOT_TEXT
        return None

    def _source(self, request: _LoadRequest, spot: ResolvedPath) -> InstructionSource | None:
        full = Unread(f"{MOST_BYTES:,} bytes of instructions were read before it")
        raw = full if self._bytes > MOST_BYTES else regular_bytes(spot.real, LARGEST)
        self._bytes += 0 if isinstance(raw, Unread) else len(raw)
        if isinstance(raw, Unread):
            self._leave(request, replace(spot, detail=raw.because), Obstacle.UNREADABLE)
        elif request.importer and b"\0" in raw:
            self._leave(request, spot, Obstacle.NOT_TEXT)
        else:
            read = parse_source(raw)
            if read.text:
                return read
            self._leave(request, spot, Obstacle.EMPTY)
        return None

    def _include(self, request: _LoadRequest, spot: ResolvedPath, read: InstructionSource) -> None:
        """Add a file and, after it, what it imports."""
        self._done.add(spot.real)
        self._loaded.append(
            Instruction(
                path=spot.real,
                layer=request.layer,
                text=read.text,
                reason=request.reason,
                importer=request.importer,
                globs=request.globs,
                raw=changed_bytes(read.raw, read.text),
                external=self._awaits_approval(request, spot.real),
            )
        )
        for spelled in imports_in(read.body):
            path = target(spelled, spot.real, self._scope.home)
            imported = _LoadRequest(
                path,
                request.layer,
                Reason(Cause.IMPORT, spot.real),
                importer=spot.real,
                spelled=spelled,
                globs=request.globs,
                above=(*request.above, spot.real),
            )
            self._load(imported, self.disk.spot(path))

    def _awaits_approval(self, request: _LoadRequest, real: str) -> bool:
        """Tell whether it leaves the working directory by an import or a link, and nobody approved that."""
        if (
            request.layer is Layer.USER
            or not (request.importer or request.straight)
            or real == request.straight
        ):
            return False
        if real == self.root or path_below(self.root, real) or real in self._scope.approved:
            return False
        # Who approves a folder that rules are linked from approves the rules in it.
        folders = self._scope.approved if request.straight else ()
        return not any(path_below(folder, real) for folder in folders)

    def _is_excluded(self, place: str, real: str) -> bool:
        return self._excludes.matches(real) or (place != real and self._excludes.matches(place))

    def _leave(self, request: _LoadRequest, spot: ResolvedPath, because: Obstacle) -> None:
        left = LeftOut(spot.real, because, request.importer, request.spelled, spot.detail, request.globs)
        self._left[left] = None


def chain(folder: str) -> list[str]:
    """Return the directories from the root of the file system down to this one."""
    folders = [folder]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(parent)
    return folders[::-1]


LARGEST = 16 << 20
"""Bytes read of a file: more than any model can be shown, and a limit to the memory that it takes."""

MOST_ENTRIES = 10_000
"""Entries of a folder of rules, subfolders included: a link may lead to half the disk."""


class FileTree:
    """Answers about paths; what it learned about folders holds for as long as it lives."""

    def __init__(self, cwd: str) -> None:
        self._folders: dict[str, str] = {}
        self.root = self.real(cwd)
        self.chain = chain(self.root)
        """The directories down to the working directory; parts of a real path are real."""
        self._folders.update({folder: folder for folder in self.chain})

    def real(self, folder: str) -> str:
        """Return the real path of a folder, which need not exist."""
        known = self._folders.get(folder)
        if known is None:
            try:
                known = os.path.realpath(folder)
            except (OSError, ValueError):
                known = folder
            self._folders[folder] = known
        return known

    def spot(self, path: str) -> ResolvedPath:
        """Return what stands at a path, links followed."""
        folder, name = os.path.split(path)
        whole = self.real(path) if name in _STEPS else os.path.join(self.real(folder), name)
        linked = False
        try:
            mode = os.lstat(whole).st_mode
            linked = stat.S_ISLNK(mode)
            if linked:
                whole = os.path.realpath(whole)
                mode = os.stat(whole).st_mode
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return ResolvedPath(whole, Obstacle.MISSING, linked)
        except OSError as error:
            return ResolvedPath(whole, Obstacle.UNREADABLE, linked, error_reason(error))
        if stat.S_ISDIR(mode):
            self._folders[path] = whole
            return ResolvedPath(whole, Obstacle.DIRECTORY, linked)
        return ResolvedPath(whole, None if stat.S_ISREG(mode) else Obstacle.UNREADABLE, linked)

    def markdown_below(
        self, folder: str, may_enter: Callable[[str], bool]
    ) -> tuple[list[str], list[str], bool]:
        """Return the Markdown files below a folder, what was not entered, and whether these are all.

        Not entered are folders that a link leads to and the caller refuses, by their real paths. The listing
        ends early where there are too many entries.
        """
        files, refused, entries = list[str](), list[str](), 0
        pending = [(folder, frozenset({self.real(folder)}))]
        while pending and entries <= MOST_ENTRIES:
            place, above = pending.pop()
            for entry in _entries(place):
                entries += 1
                if entries > MOST_ENTRIES:
                    break
                spot = self._entry(entry)
                if spot.obstacle is not Obstacle.DIRECTORY:
                    files += [entry.path] if entry.name.endswith(".md") else []
                elif spot.linked and not may_enter(spot.real):
                    refused.append(spot.real)
                elif spot.real not in above:  # a link to a folder around it would never end
                    pending.append((entry.path, above | {spot.real}))
        return sorted(files), refused, entries <= MOST_ENTRIES

    def _entry(self, entry: os.DirEntry[str]) -> ResolvedPath:
        try:
            if not entry.is_symlink():
                real = os.path.join(self.real(os.path.dirname(entry.path)), entry.name)
                return ResolvedPath(real, Obstacle.DIRECTORY if entry.is_dir(follow_symlinks=False) else None)
        except OSError as error:
            return ResolvedPath(entry.path, Obstacle.UNREADABLE, detail=error_reason(error))
        return self.spot(entry.path)


_STEPS = frozenset({"", os.curdir, os.pardir})


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry, _ in zip(entries, range(MOST_ENTRIES + 1), strict=False)]
    except (OSError, ValueError):
        return []
