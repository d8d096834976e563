"""The one way to touch a directory that others write to: no link followed, no torn file, no blocking open.

A write is staged (exclusive temporary file, full write, fsync) and then put in place (rename); the folder is
synced before anyone is told. Every step goes through the folder's own descriptor, so that a link swapped in
meanwhile leads nowhere.

A host waits for this module: it imports late and does without `typing`.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from memdir.errors import StorageError
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self, TypeVar

    T = TypeVar("T")

__all__ = [
    "MAX_FILE_BYTES",
    "NO_FILE",
    "TEMP_PREFIX",
    "Folder",
    "Staged",
    "Unreadable",
    "drop_expired",
    "make_folder",
    "read_once",
    "storage_errors",
    "sweep",
    "temp_name",
]

TEMP_PREFIX = ".memdir-tmp-"
"""In a memory directory only the holder of the lock makes such files, so the next holder may remove them."""

MAX_FILE_BYTES = 1 << 20
"""A memory is a page of text; a larger file is listed but never read whole."""

NO_FILE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENXIO}
"""Errors of opening a name that is no plain file: it is gone, a folder, a link or a socket."""

_DIR_FDS, _HAS_MODES = os.open in os.supports_dir_fd, hasattr(os, "fchmod")
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_READ = os.O_RDONLY | _NOFOLLOW | _CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | getattr(os, "O_BINARY", 0)
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | _NOFOLLOW | _CLOEXEC | getattr(os, "O_BINARY", 0)
_DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOEXEC

on_step: "Callable[[str], None] | None" = None
"""Called before each step that changes the disk; the crash tests set it on machines without strace."""

durable = True
"""Whether writes wait for the disk; a process that only writes copies need not wait."""

_HARD_LINK = "a hard link to another file; copy it to make it a file of its own"


class Unreadable(OSError):
    """Not a plain file of this directory's own: a link, a device, a second name of another file."""


class Folder:
    """An open directory; names are resolved below its descriptor, never through a path again.

    One is opened for one operation: a directory that was replaced meanwhile is seen by the next.
    """

    __slots__ = ("_inner", "fd", "path")

    def __init__(self, path: str, fd: int | None = None) -> None:
        """Open a directory, or take over its descriptor; -1 where the system has none for directories.

        The path itself may be a link: that is the user's own choice.
        """
        if fd is None:
            fd = os.open(path, _DIRECTORY) if _DIR_FDS else -1
        self.path, self.fd = path, fd
        self._inner: dict[str, Folder] = {}

    def close(self, *_: object) -> None:
        """Let go of the descriptors of this folder and those below it."""
        for inner in self._inner.values():
            inner.close()
        self._inner.clear()
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __enter__(self) -> "Self":
        return self

    __exit__ = close

    def below(self, name: str, *, make: bool = False) -> "Folder":
        """Return the sub-folder of that name, made private first if asked; a link is refused."""
        if name not in self._inner:
            if make:
                with suppress(FileExistsError):
                    self.step("mkdir", name)
                    self.at(os.mkdir, name, mode=0o700)
                    self.at(os.chmod, name, mode=0o700)
                    self.sync()
            fd = self.at(os.open, name, flags=_DIRECTORY | _NOFOLLOW) if _DIR_FDS else -1
            self._inner[name] = Folder(os.path.join(self.path, name), fd)
        return self._inner[name]

    def let_go(self, name: str) -> None:
        """Close one sub-folder: a wide tree must not run out of descriptors."""
        if inner := self._inner.pop(name, None):
            inner.close()

    def holder(self, relative: str, *, make: bool = False) -> tuple["Folder", str]:
        """Return the folder in which a relative path stands, and the last name of the path."""
        *parents, name = relative.split("/")
        folder: Folder = self
        for parent in parents:
            folder = folder.below(parent, make=make)
        return folder, name

    def read(
        self, relative: str, limit: int = MAX_FILE_BYTES, *, shared: bool = False
    ) -> tuple[bytes, os.stat_result]:
        """Return at most `limit` bytes of a plain file, and its stat; `shared` allows hard links."""
        folder, name = self.holder(relative) if "/" in relative else (self, relative)
        fd = os.open(name, _READ, dir_fd=folder.fd) if _DIR_FDS else folder.at(os.open, name, flags=_READ)
        try:
            status = os.fstat(fd)
            plain = stat.S_ISREG(status.st_mode)
            if not plain or (status.st_nlink > 1 and not shared):
                raise Unreadable(f"{relative}: {_HARD_LINK if plain else 'not a regular file'}")
            limit = min(limit, status.st_size)
            data = os.read(fd, limit)
            while 0 < len(data) < limit and (more := os.read(fd, limit - len(data))):
                data += more
            return data, status
        finally:
            os.close(fd)

    def read_if_there(
        self, relative: str, limit: int = MAX_FILE_BYTES
    ) -> tuple[bytes, os.stat_result] | None:
        """Return the same; None where there is no plain file."""
        try:
            return self.read(relative, limit)
        except OSError as error:
            if isinstance(error, Unreadable) or error.errno in NO_FILE:
                return None
            raise  # it is there and cannot be read now, which is not the same as gone

    def exists(self, relative: str) -> bool:
        """Tell whether anything at all stands under that name."""
        try:
            folder, name = self.holder(relative)
            folder.at(os.lstat, name)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def identity(self, relative: str) -> tuple[int, ...]:
        """Return inode, size and times of a file, which differ after any change; empty for no file."""
        try:
            folder, name = self.holder(relative)
            status = folder.at(os.lstat, name)
        except OSError:
            return ()
        return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns

    def stage(
        self, relative: str, data: bytes, *, saved_ns: int | None = None, durable: bool = True
    ) -> "Staged":
        """Write the bytes durably beside their place, ready to be put there by `Staged.place`.

        Of many files the caller may make all durable at once, by `sync_everything`, before any is placed.
        """
        folder, name = self.holder(relative, make=True)
        temp = temp_name()
        folder.step("create", temp)
        fd = folder.at(os.open, temp, flags=_WRITE, mode=0o600)
        try:
            folder.fill(fd, data)
            if saved_ns is not None:
                target = fd if os.utime in os.supports_fd else os.path.join(folder.path, temp)
                os.utime(target, ns=(saved_ns, saved_ns))
            if durable:
                folder.sync(fd, temp)
        except BaseException:
            with suppress(OSError):
                folder.at(os.unlink, temp)
            raise
        finally:
            os.close(fd)
        return Staged(folder, temp, name)

    def write(self, relative: str, data: bytes, *, saved_ns: int | None = None) -> None:
        """Replace one file durably, or leave the old one as it was."""
        self.stage(relative, data, saved_ns=saved_ns).place().sync()

    def replace_cache(self, name: str, data: bytes) -> None:
        """Replace a file that may be lost at any time: whole or not at all, but not waiting for the disk."""
        self.stage(name, data, durable=False).place()

    def append(self, name: str, data: bytes, *, durably: bool = True) -> None:
        """Add whole lines to the end of one of our own log files; a torn last line is closed first.

        With `durably` the call waits for the disk; without, a power cut may take the lines.
        """
        self.step("append", name)
        fd = self.at(os.open, name, flags=_APPEND, mode=0o600)
        try:
            size = os.fstat(fd).st_size
            torn = size and os.pread(fd, 1, size - 1) != b"\n"
            self.fill(fd, b"\n" + data if torn else data)
            if durably:
                self.sync(fd, name)
        finally:
            os.close(fd)
        if durably and not size:
            self.sync()

    def fill(self, fd: int, data: bytes) -> None:
        """Write all bytes to an open file, and make it readable and writable for its owner alone."""
        if _HAS_MODES:
            os.fchmod(fd, 0o600)
        view = memoryview(data)
        while view:
            self.step("write", "")
            view = view[os.write(fd, view) :]

    def remove(self, relative: str) -> None:
        """Remove one name; the folder still has to be synced."""
        folder, name = self.holder(relative)
        folder.step("unlink", name)
        folder.at(os.unlink, name)

    def rename(self, name: str, new: str) -> None:
        """Give what stands here another name, durably; nothing may have that name yet."""
        self.step("rename", name)
        if _DIR_FDS:
            os.rename(name, new, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        else:
            os.rename(os.path.join(self.path, name), os.path.join(self.path, new))
        self.sync()

    def make_private(self, name: str) -> None:
        """Let only its owner read and write one file or folder; leave links and hard links alone."""
        fd = self.at(os.open, name, flags=_READ)
        try:
            status = os.fstat(fd)
            if _HAS_MODES and (stat.S_ISDIR(status.st_mode) or status.st_nlink == 1):
                os.fchmod(fd, 0o700 if stat.S_ISDIR(status.st_mode) else 0o600)
        finally:
            os.close(fd)

    def sync(self, fd: int | None = None, name: str = ".") -> None:
        """Call fsync on this folder, so that renames and removals survive a power cut, or on a file in it."""
        fd = self.fd if fd is None else fd
        if fd >= 0:
            self.step("fsync", name)
            if durable:
                os.fsync(fd)

    def sync_everything(self) -> bool:
        """Call syncfs on the file system of this folder; return False where the system cannot, or it failed.

        Two thousand files take a third of a second this way, and six seconds one by one.
        """
        if self.fd < 0 or not sys.platform.startswith("linux"):
            return False
        self.step("syncfs", ".")
        if not durable:
            return True
        with suppress(ImportError, OSError, AttributeError):  # of Python, of the system, of its library
            import ctypes

            return bool(ctypes.CDLL(None).syncfs(self.fd) == 0)
        return False

    def step(self, what: str, name: str) -> None:
        """Announce a step that changes the disk."""
        if on_step is not None:
            on_step(f"{what} {name}")

    def at(self, function: "Callable[..., T]", name: str, **keywords: object) -> "T":
        """Call an `os` function on a name below this folder."""
        if _DIR_FDS:
            return function(name, dir_fd=self.fd, **keywords)
        return function(os.path.join(self.path, name), **keywords)


@value_class(frozen=True, slots=True)
class Staged:
    """Bytes that are durable under a temporary name and wait to be put in place."""

    folder: Folder
    temp: str
    name: str

    def place(self) -> Folder:
        """Rename the temporary file to its name, over what stood there, also a link; return the folder."""
        self.folder.step("rename", self.name)
        try:
            if _DIR_FDS:
                os.rename(self.temp, self.name, src_dir_fd=self.folder.fd, dst_dir_fd=self.folder.fd)
            else:
                path = self.folder.path
                os.replace(os.path.join(path, self.temp), os.path.join(path, self.name))
        except OSError:
            self.drop()
            raise
        return self.folder

    def set_mode(self, mode: int) -> None:
        """Say who may use the file, before anybody sees it."""
        try:
            self.folder.at(os.chmod, self.temp, mode=mode)
        except OSError:
            self.drop()
            raise

    def sync(self) -> None:
        """Call fsync on the temporary file, where `stage` left that for later."""
        fd = self.folder.at(os.open, self.temp, flags=_READ)
        try:
            self.folder.sync(fd, self.temp)
        finally:
            os.close(fd)

    def drop(self) -> None:
        """Remove the temporary file; nothing else has changed."""
        with suppress(OSError):
            self.folder.at(os.unlink, self.temp)


def temp_name() -> str:
    """Return a name nobody else uses, with the number of this process in it."""
    return f"{TEMP_PREFIX}{os.getpid():x}-{os.urandom(6).hex()}"


def make_folder(path: str) -> Folder:
    """Make a private directory with its parents, whatever the umask, and open it."""
    missing: list[str] = []
    parent = os.path.abspath(path)
    while not os.path.isdir(parent):
        missing.append(parent)
        parent = os.path.dirname(parent)
    for step in reversed(missing):
        with suppress(FileExistsError):
            os.mkdir(step, 0o700)
            os.chmod(step, 0o700)
            with Folder(os.path.dirname(step)) as above:
                above.sync()
    return Folder(path)


def read_once(folder: str, name: str) -> bytes:
    """Return the bytes of a file and remove it; nothing when there is none, or another process has it."""
    mine = os.path.join(folder, temp_name())
    with suppress(OSError):
        os.rename(os.path.join(folder, name), mine)
        with open(mine, "rb") as file:
            os.unlink(mine)
            return file.read()
    return b""


def sweep(state: str) -> None:
    """Remove temporary files of processes that have ended, from the state folder and our folders in it."""
    if os.name != "posix":
        return
    work, jobs = os.path.join(state, "work"), list[str]()
    with suppress(OSError):
        jobs = [os.path.join(work, job) for job in os.listdir(work)]  # a job has a folder of its own
    for folder in (state, os.path.join(state, "inbox"), os.path.join(state, "conversations"), *jobs):
        with suppress(OSError):
            for name in os.listdir(folder):
                if name.startswith(TEMP_PREFIX) and not _is_running(name):
                    import shutil  # few processes find anything to remove

                    shutil.rmtree(path := os.path.join(folder, name), ignore_errors=True)
                    with suppress(OSError):  # a folder is gone by now, a file is not
                        os.unlink(path)


def _is_running(name: str) -> bool:
    """Tell whether the process whose number is in a temporary name is still there."""
    try:
        os.kill(int(name.removeprefix(TEMP_PREFIX).partition("-")[0], 16), 0)
    except PermissionError:
        return True
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    return True


_KEPT_SECONDS = 30 * 86_400
"""How long an unused file is kept, such as that of a conversation."""


def drop_expired(folder: str, newest: str, is_ours: "Callable[[str], bool]") -> None:
    """Remove our files that are 30 days older than the file `newest`."""
    with suppress(OSError):
        limit = os.stat(os.path.join(folder, newest)).st_mtime - _KEPT_SECONDS
        with os.scandir(folder) as entries:
            old = [entry for entry in entries if entry.stat(follow_symlinks=False).st_mtime < limit]
        for entry in old:
            if is_ours(entry.name):
                os.unlink(entry.path)


@contextmanager
def storage_errors(doing: str, path: str = "") -> Iterator[None]:
    """Turn an OSError into a StorageError that says where it happened and what to do."""
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "Check the directory and try again.")
        where, reason = f"{doing}: {path}" if path else doing, error.strerror or str(error)
        raise StorageError(
            error.errno or 0, f"{where}: {reason}. What was there before is still there. {advice}"
        ) from error


_ADVICE = {
    1: "The file system refuses this operation; check attributes and mount options.",
    13: "Make the directory writable for this user, or choose another with MEMDIR_DIRECTORY.",
    28: "Free some space and try again.",
    30: "The file system is read-only; remount it or choose another directory with MEMDIR_DIRECTORY.",
    24: "Too many files are open; raise `ulimit -n` or close other programs.",
    21: "Move that folder away; a file has to stand there.",
    5: "The disk reported an error; check it before you go on.",
}
"""By errno: EPERM, EACCES, ENOSPC, EROFS, EMFILE, EISDIR, EIO."""
