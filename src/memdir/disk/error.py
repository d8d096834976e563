"""What the disk says, as a sentence that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from memdir.errors import StorageError

__all__ = ["storage_errors"]


@contextmanager
def storage_errors(doing: str, path: str = "") -> Iterator[None]:
    """Turn what the disk says into a sentence that says where and what to do."""
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        advice = _ADVICE.get(error.errno or 0, "Check the directory and try again.")
        said = f"{path}: " * bool(path) + (error.strerror or str(error))
        raise StorageError(
            error.errno or 0, f"{doing}: {said}. What was there before is still there. {advice}"
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
