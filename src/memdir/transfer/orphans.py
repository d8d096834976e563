"""Memory directories that may belong to this project, each with the evidence; a person decides.

Looked through are the directories of all projects below the base, also those that only Claude Code wrote, and
the memories of Codex. One whose project is gone is an orphan; one that shares an identity is shown as well.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterator
from contextlib import suppress

from memdir.config.approvals import IDENTITIES, Approvals
from memdir.config.fingerprint import (
    Fingerprint,
    evidence,
    keep_fingerprint,
    kept_fingerprint,
    read_fingerprint,
)
from memdir.config.identity import canonical_root, slug, state_name
from memdir.config.location import Place
from memdir.config.safe_path import path_below
from memdir.config.world import World
from memdir.disk.files import Folder, make_folder
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import NoSuchMemory
from memdir.memories.history.git import git_path
from memdir.memories.scan import ScanReport, topic_files
from memdir.text.numbers import count
from memdir.text.value import replace, value_class
from memdir.verify.repository import GitCommand

__all__ = ["Orphan", "ProjectIdentity"]

_TOLD = "orphans.told"
_FIRST_BYTES = 200_000
"""Of a transcript, in which one of the first lines names the directory of the conversation."""
_STRONG = 2
_DAY = 86_400.0


@value_class(frozen=True, slots=True)
class Orphan:
    """One memory directory that may be brought in."""

    directory: str
    root: str
    """The project that it belonged to; empty when nothing says so."""
    memories: int
    evidence: tuple[str, ...] = ()
    gone: bool = False
    """Whether that project is no longer where it was."""
    likely: bool = False
    """Whether there is more evidence than a name."""
    host: str = "memdir"
    """Who wrote it: memdir, claude-code or codex."""


@value_class(frozen=True, slots=True)
class _Found:
    """A memory directory of another project, before anything is said about whose it is."""

    directory: str
    project: Fingerprint = Fingerprint()
    """What its project can be recognised by, as far as that is known."""
    recorded: bool = False
    """Whether memdir recorded that, and not only the host's conversations tell it."""


@value_class(frozen=True, slots=True)
class ProjectIdentity:
    """One project, what it is recognised by, and the memories elsewhere that may be its own."""

    place: Place
    world: World

    def fingerprint(self) -> Fingerprint:
        """Return what this project can be recognised by under another path."""
        program = git_path(self.world.env) or ""
        return read_fingerprint(self.place.root, GitCommand(program, self.place.root).answer)

    def orphans(self) -> list[Orphan]:
        """Return what may belong to this project, the likeliest first, without what was decided about."""
        decided, mine = self._decided_directories(), self.fingerprint()
        found = [_judge(self.place, mine, other) for other in _others(self.place)]
        shown = [one for one in found if one and (one.gone or one.evidence)]
        if count := _count(codex := self._codex()):
            words = ("Codex keeps the memories of all its projects here",)
            shown.append(Orphan(codex, "", count, words, host="codex"))
        left = [one for one in shown if one.directory not in decided]
        return sorted(left, key=lambda one: (not one.likely, not one.gone, one.host, one.directory))

    def likely_orphans(self) -> list[Orphan]:
        """Return the orphans whose recorded identity is that of this project; git is asked only then."""
        projects = [(other, other.project) for other in _others(self.place, with_talks=False)]
        gone = [(other, project) for other, project in projects if _is_gone(project)]
        known = [other for other, project in gone if project.commits or project.remotes or project.id]
        if not known:
            return []
        decided, mine = self._decided_directories(), self.fingerprint()
        found = [_judge(self.place, mine, other) for other in known]
        return [one for one in found if one and one.likely and one.directory not in decided]

    def orphan(self, old: str) -> Orphan:
        """Return the memory directory of a project that was at an old path, or one that is named itself."""
        path = os.path.normpath(os.path.join(self.world.cwd, old))
        directory, own = self._directory_of(path), os.path.realpath(self.place.directory)
        named = os.path.realpath(directory)
        known = [other for other in _others(self.place) if os.path.realpath(other.directory) == named]
        other = known[0] if known else _Found(directory)
        found = None if named == own else _judge(self.place, self.fingerprint(), other)
        if found is None:
            raise NoSuchMemory(
                f"There are no memories of {old}: {directory} holds none. `memdir adopt` lists what may."
            )
        return replace(found, host="codex") if named == os.path.realpath(self._codex()) else found

    def _directory_of(self, path: str) -> str:
        """Return the memory directory of a project at a path, or the path itself where it is one."""
        projects = os.path.join(self.place.base, "projects")
        if os.path.isdir(path):
            listed = path_below(os.path.realpath(projects), os.path.realpath(path))
            named = listed and os.path.basename(path) == "memory"
            if named or os.path.lexists(os.path.join(path, "MEMORY.md")):
                return path
            path = canonical_root(path)
        return os.path.join(projects, slug(unicodedata.normalize("NFC", path)), "memory")

    def decide(self, choice: str, directory: str) -> None:
        """Record what a person decided about a directory, outside the project."""
        Approvals(self.place.config_home, IDENTITIES).approve(self.place.root, f"{choice}:{directory}")

    def notice(self) -> str:
        """Return what to tell a person when the project opens: memories that may be its own; each once.

        A project that has memories is told nothing; its identity is recorded, so that it is recognised later.
        """
        with suppress(OSError):
            if _count(self.place.directory):
                self.sign()
                return ""
            return "\n".join(
                f"{count(one.memories, 'memory')} of {one.root}, which is gone, may belong to this project: "
                f"{', '.join(one.evidence)}. `memdir adopt` shows them and asks before it brings them in."
                for one in _new_orphans(self.place.state, self.likely_orphans())
            )
        return ""

    def sign(self) -> None:
        """Record what the project can be recognised by, in its state folder; git is asked once a day."""
        with suppress(OSError):
            path = os.path.join(self.place.state, "identity.json")
            if not os.path.exists(path) or self.world.clock().timestamp() - os.stat(path).st_mtime > _DAY:
                keep_fingerprint(self.place.state, self.fingerprint())

    def _decided_directories(self) -> frozenset[str]:
        """Return the directories that a person brought in, or does not want, for this project."""
        known = Approvals(self.place.config_home, IDENTITIES).of(self.place.root)
        choices = [one.partition(":") for one in known]
        return frozenset(directory for choice, _, directory in choices if choice in ("adopted", "declined"))

    def _codex(self) -> str:
        home = self.world.env.get("CODEX_HOME") or os.path.join(self.world.home, ".codex")
        return os.path.join(home, "memories")


def _new_orphans(state: str, found: list[Orphan]) -> list[Orphan]:
    """Return those that were not told here before, and write down that they are told now."""
    data = regular_bytes(os.path.join(state, _TOLD), 1_000_000)
    known = set() if isinstance(data, Unread) else set(os.fsdecode(data).split("\n"))
    new = [one for one in found if one.directory not in known]
    if new:
        lines = sorted({*known - {""}, *[one.directory for one in new]})
        with make_folder(state) as folder:
            folder.write(_TOLD, os.fsencode("\n".join(lines) + "\n"))
    return new


def _others(place: Place, *, with_talks: bool = True) -> Iterator[_Found]:
    """Yield every other memory directory below the base."""
    top, own = os.path.join(place.base, "projects"), os.path.realpath(place.directory)
    states = os.path.dirname(place.state)
    with suppress(OSError):
        for name in sorted(os.listdir(top)):
            directory = os.path.join(top, name, "memory")
            if os.path.isdir(directory) and os.path.realpath(directory) != own:
                state = os.path.join(states, state_name(directory))
                known, data = kept_fingerprint(state), regular_bytes(os.path.join(state, "root"), 1_000_000)
                recorded = "" if isinstance(data, Unread) else os.fsdecode(data).partition("\n")[0]
                root = known.root or recorded
                told = root or (_talked_in(os.path.join(top, name), name) if with_talks else "")
                yield _Found(directory, known if known.root else Fingerprint(told), bool(root))


def _is_gone(project: Fingerprint) -> bool:
    """Tell whether a project is known to have been where nothing is today."""
    return bool(project.root) and not os.path.isdir(project.root)


def _judge(place: Place, mine: Fingerprint, other: _Found) -> Orphan | None:
    """Return a directory with the evidence for it; None for one without memories."""
    count, root = _count(other.directory), other.project.root
    if not count:
        return None
    signs = evidence(mine, other.project)
    if os.path.isdir(root) and canonical_root(root) == place.root:
        signs.insert(0, (_STRONG, f"{root} is part of this project"))
    return Orphan(
        other.directory,
        root,
        memories=count,
        evidence=tuple(words for _, words in signs),
        gone=_is_gone(other.project),
        likely=sum(weight for weight, _ in signs) >= _STRONG,
        host="memdir" if other.recorded else "claude-code",
    )


def _talked_in(folder: str, name: str) -> str:
    """Return the directory that the conversations of a folder name, if it makes the name of that folder."""
    with suppress(OSError):
        talks = sorted(one for one in os.listdir(folder) if one.endswith(".jsonl"))
        for talk in talks[:1]:
            with open(os.path.join(folder, talk), "rb") as file:
                lines = file.read(_FIRST_BYTES).split(b"\n")
            for line in [line for line in lines if b'"cwd"' in line]:
                row: object = None
                with suppress(ValueError, RecursionError):
                    row = json.loads(line)
                path = row.get("cwd") if isinstance(row, dict) else None
                if isinstance(path, str) and os.path.isabs(path) and slug(path) == name:
                    return path
    return ""


def _count(directory: str) -> int:
    with suppress(OSError), Folder(directory) as folder:
        return sum(1 for _ in topic_files(folder, ScanReport())) or int(folder.exists("MEMORY.md"))
    return 0
