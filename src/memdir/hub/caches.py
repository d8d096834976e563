"""The copies of spaces that one process keeps: private, the least recently used go, none outlives it."""

import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from threading import Lock
from time import monotonic, time
from uuid import UUID

from memdir.disk.lock import DirectoryLock
from memdir.errors import LockTimeout
from memdir.hub.cache import SpaceCache
from memdir.models.protocol import Model

__all__ = ["Caches"]

_PREFIX = "memdir-node-"

_IN_MEMORY, _PLENTY = "/dev/shm", 2 << 30  # noqa: S108 - a folder of our own is made there
"""A file system in memory, and the bytes that must be free there: a copy takes some megabytes."""

_STARTING = 60.0
"""Seconds in which a process that made its folder has locked it."""

_IDLE = 900.0
"""Seconds after which a copy that nobody uses goes at the next request."""


class _Slot:
    """One copy, and how many requests use it now."""

    def __init__(self, cache: SpaceCache) -> None:
        self.cache, self.users, self.used = cache, 0, monotonic()


class Caches:
    """The copies of one process, in a temporary folder of its own."""

    def __init__(
        self,
        env: Mapping[str, str],
        *,
        most: int = 256,
        folder: str | None = None,
        asks: bool = False,
        model: Model | None = None,
    ) -> None:
        """Remove what dead processes left behind, and make a folder, below the one that is named.

        At most so many copies are kept; `asks` says that models may be asked.
        """
        base = folder or _quick_folder(env)
        _sweep(base)
        self._env, self._most, self._asks, self._model = env, most, asks, model
        self.folder = tempfile.mkdtemp(prefix=_PREFIX, dir=base)
        self._held = DirectoryLock(self.folder, os.path.join(self.folder, "lock"), seconds=0)
        self._held.__enter__()
        self._slots: OrderedDict[UUID, _Slot] = OrderedDict()
        self._numbers, self._mutex = count(), Lock()

    def __len__(self) -> int:
        return len(self._slots)

    @contextmanager
    def of(self, space: UUID) -> Iterator[SpaceCache]:
        """Give the copy of a space; it stays as long as somebody uses it."""
        with self._mutex:
            old = self._slots.get(space)
            if old and (old.users or old.used > monotonic() - _IDLE):
                slot, old = old, None
            else:
                slot = self._new_slot(space)
            slot.users += 1
            self._slots.move_to_end(space)
        if old:
            old.cache.drop()
        try:
            yield slot.cache
        finally:
            with self._mutex:
                slot.users -= 1
                slot.used = monotonic()
                gone = self._take_unused()
            for one in gone:
                one.cache.drop()

    def close(self) -> None:
        """Remove everything."""
        with self._mutex:
            self._slots.clear()
        self._held.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _new_slot(self, space: UUID) -> _Slot:
        folder = os.path.join(self.folder, f"{space}-{next(self._numbers)}")
        slot = self._slots[space] = _Slot(SpaceCache(folder, self._env, asks=self._asks, model=self._model))
        return slot

    def _take_unused(self) -> list[_Slot]:
        """Take out the oldest that are too many, and those that nobody used for long."""
        late = monotonic() - _IDLE
        free = [space for space, slot in self._slots.items() if not slot.users]
        old = [space for space in free if self._slots[space].used < late]
        over = free[: max(0, len(self._slots) - self._most)]
        return [self._slots.pop(space) for space in dict.fromkeys([*old, *over])]


def _quick_folder(env: Mapping[str, str]) -> str:
    """Return where copies lie: in memory where there is plenty, or else among temporary files."""
    if not env.get("TMPDIR"):
        with suppress(OSError, AttributeError):
            room = os.statvfs(_IN_MEMORY)
            if os.access(_IN_MEMORY, os.W_OK) and room.f_bavail * room.f_frsize >= _PLENTY:
                return _IN_MEMORY
    return tempfile.gettempdir()


def _sweep(base: str) -> None:
    """Remove the folders of processes that ended without a chance to do so: nobody holds them."""
    with os.scandir(base) as entries:
        found = [
            one.path for one in entries if one.name.startswith(_PREFIX) and one.is_dir(follow_symlinks=False)
        ]
    for path in found:
        with suppress(OSError, LockTimeout):
            status = os.stat(path)
            if status.st_uid == os.getuid() and status.st_mtime < time() - _STARTING:
                with DirectoryLock(path, os.path.join(path, "lock"), seconds=0):
                    shutil.rmtree(path, ignore_errors=True)
