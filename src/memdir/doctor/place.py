"""Checks of the place: settings, who else uses the directory, permissions, what the platform lacks."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress

from memdir.config.location import Setup, other_roots
from memdir.disk.files import Folder
from memdir.disk.lock import HAS_FLOCK
from memdir.doctor.finding import Finding, advice
from memdir.memories.directory import MemoryDir
from memdir.memories.names import INDEX_NAME
from memdir.transfer.orphans import Orphan

__all__ = ["mend_modes", "orphan_findings", "place_findings"]

_OTHERS = 0o077
"""Permission bits of everyone but the owner: memories are private."""


def place_findings(memories: MemoryDir, setup: Setup | None) -> Iterator[Finding]:
    """Report ignored settings, shared directories, open permissions and a weaker platform."""
    for warning in setup.warnings if setup else ():
        foreign = setup is not None and warning in setup.settings.declined
        severity, hint = ("advice", "") if foreign else ("problem", "Correct the setting that is named.")
        yield Finding("setting", warning, hint, severity=severity)
    yield from _out_of_reach(memories)
    for root in other_roots(memories.state, memories.root):
        message = f"{root} uses this directory too, because both paths make the same directory name."
        hint = "Set autoMemoryDirectory for one of them in your own settings, or rename one of the folders."
        yield Finding("slug-collision", message, hint)
    if not HAS_FLOCK:
        message = (
            "This system has no directory locks and no directory sync: a lock file stands in, and a power "
        )
        yield advice("platform", f"{message}cut may take the newest save.")
    for path in _open_to_others(memories):
        shown = os.path.relpath(path, memories.path)
        message, hint = f"{shown} can be read by other users.", "`memdir doctor --fix` closes it."
        yield Finding("permissions", message, hint, shown, fixable=True)


def orphan_findings(memories: MemoryDir, orphans: Callable[[], list[Orphan]] | None) -> Iterator[Finding]:
    """Report memories of a project that is gone and may be this one, while this one has none."""
    for one in orphans() if orphans and not memories.scan(1) else ():
        message = f"{one.root}, which is gone, left memories that may belong here: {', '.join(one.evidence)}."
        yield advice("orphan", message, "`memdir adopt` shows them and asks.")


def _out_of_reach(memories: MemoryDir) -> Iterator[Finding]:
    """Report folders that are no folders, or that this user cannot read or write."""
    for path, kept in ((memories.path, "memories"), (memories.state, "history, receipts and caches")):
        there = path
        while not os.path.lexists(there):
            there = os.path.dirname(there)
        if not os.path.isdir(there):
            why = f"is not a folder: there are no {kept}"
        elif not os.access(there, os.R_OK | os.X_OK):
            why = f"cannot be read by this user: there are no {kept}"
        elif not os.access(there, os.W_OK):
            why = f"cannot be written by this user, or its disk is read-only: no new {kept} can be kept"
        else:
            continue
        hint = "Make it a folder that you can read and write; `memdir status` shows all places."
        yield Finding("place", f"{there} {why}.", hint, there)


def mend_modes(memories: MemoryDir) -> None:
    """Close files and folders to everyone but their owner."""
    for path in _open_to_others(memories):
        with suppress(OSError), Folder(os.path.dirname(path)) as folder:
            folder.make_private(os.path.basename(path))


def _open_to_others(memories: MemoryDir) -> Iterator[str]:
    if os.name != "posix" or not memories.exists():
        return
    for folder, folders, names in os.walk(memories.path):
        folders[:] = [name for name in folders if not name.startswith(".") and name != INDEX_NAME]
        for path in (folder, *(os.path.join(folder, name) for name in names if name.endswith(".md"))):
            status = os.lstat(path)
            is_plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
            own = status.st_uid == os.getuid() and (stat.S_ISDIR(status.st_mode) or is_plain)
            if own and status.st_mode & _OTHERS:
                yield path
