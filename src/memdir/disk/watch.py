"""Changes below a folder, reported by inotify instead of a scan of every file; on Linux only."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from threading import Lock
from time import monotonic
from weakref import finalize

__all__ = ["FolderWatch"]

_EVENTS = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
"""Of inotify: a file was written, got other attributes, was closed after writing, came, went; so did the
folder itself."""

_LOCAL = {0xEF53, 0x58465342, 0x9123683E, 0x1021994, 0x794C7630, 0x2FC12FC1, 0xF2F52010, 0xCA451A4E}
"""What `statfs` calls ext4, XFS, Btrfs, tmpfs, overlayfs, ZFS, F2FS and bcachefs. Where a file may be changed
on another machine, as on NFS, this kernel does not hear of it."""

_MOST_FOLDERS = 1_000
"""The system lends a user some thousand watches; each folder takes one."""


class FolderWatch:
    """Tells whether anything below a folder changed; a hard link from elsewhere is not heard of."""

    def __init__(self, path: str) -> None:
        """Watch a folder, which need not be there yet."""
        self._path, self._lock = path, Lock()
        self._fd, self._root = _inotify(), tuple[int, ...]()
        self._changes, self._changed_at, self._is_sure = 0, monotonic(), False
        if self._fd >= 0:
            finalize(self, os.close, self._fd)

    def changes(self) -> int | None:
        """Return a number that grows with changes; None where nobody can tell."""
        if self._fd < 0:
            return None
        with self._lock:
            changed, root = False, tuple[int, ...]()
            with suppress(BlockingIOError):
                while os.read(self._fd, 1 << 16):
                    changed = True
            with suppress(OSError):
                status = os.stat(self._path)
                root = status.st_dev, status.st_ino
            if changed or root != self._root:
                self._root, self._is_sure = root, bool(root) and self._watch_folders()
                # Only now: what changed while the watches were set was perhaps not reported.
                self._changes, self._changed_at = self._changes + 1, monotonic()
            return self._changes if self._is_sure else None

    def quiet_seconds(self) -> float | None:
        """Return the seconds since a change was last noticed; None where nobody can tell."""
        return None if self.changes() is None else monotonic() - self._changed_at

    def _watch_folders(self) -> bool:
        """Watch every folder before it is listed, so that nothing is missed; tell whether all are watched."""
        watch = ctypes.CDLL(None).inotify_add_watch
        for number, folder in enumerate(_folders(self._path)):
            if number >= _MOST_FOLDERS or not _is_local(folder):
                return False
            if watch(self._fd, os.fsencode(folder), _EVENTS) < 0:
                return False
        return True


def _folders(path: str) -> Iterator[str]:
    """Yield a folder and then those below it; links are not followed."""
    yield path
    below: list[str] = []
    with suppress(OSError), os.scandir(path) as entries:
        below = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    for folder in below:
        yield from _folders(folder)


def _inotify() -> int:
    """Return a new inotify descriptor; -1 where the system has none."""
    if not sys.platform.startswith("linux"):
        return -1
    try:
        return int(ctypes.CDLL(None).inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
    except (OSError, AttributeError):
        return -1


def _is_local(folder: str) -> bool:
    """Tell whether only this machine can change what lies in a folder."""
    answer = (ctypes.c_long * 64)()  # more than any system needs; the type comes first
    has_answer = ctypes.CDLL(None).statfs(os.fsencode(folder), ctypes.byref(answer)) == 0
    return has_answer and answer[0] & 0xFFFFFFFF in _LOCAL
