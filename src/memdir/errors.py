"""Every error memdir raises, as a tree; each message says what happened and then what to do.

MemdirError
├── Rejected            a draft, a name or an argument cannot be taken (also a ValueError)
│   └── SecretFound     the text holds a credential; names the rule, never the value
├── NoSuchMemory        nothing is saved under that name, file or version (also a KeyError)
├── MemoryOff           memory is switched off; says by what
├── Conflict            the file is no longer what the caller thinks it is
├── LockTimeout         another process kept the directory locked for too long
├── StorageError        the disk said no: full, read-only, no permission (also an OSError)
└── HistoryError        history cannot answer; saves never depend on it
"""

__all__ = [
    "Conflict",
    "HistoryError",
    "LockTimeout",
    "MemdirError",
    "MemoryOff",
    "NoSuchMemory",
    "Rejected",
    "SecretFound",
    "StorageError",
]


class MemdirError(Exception):
    """The root of the tree above: catch this to catch everything memdir raises on purpose."""


class Rejected(MemdirError, ValueError):
    """What was handed in cannot be taken as it is."""


class SecretFound(Rejected):
    """The text holds a credential, so nothing was written."""


class NoSuchMemory(MemdirError, KeyError):
    """Nothing is saved under that name, file or version."""

    def __str__(self) -> str:
        """Read as a sentence: KeyError alone would show a quoted repr."""
        return str(self.args[0]) if self.args else ""


class MemoryOff(MemdirError):
    """Memory is switched off."""


class Conflict(MemdirError):
    """The file on disk is no longer what the caller thinks it is."""


class LockTimeout(MemdirError):
    """Another process kept the directory locked for too long."""


class StorageError(MemdirError, OSError):
    """The disk refused a read or a write; what was there before is still there."""


class HistoryError(MemdirError):
    """History cannot answer; the memories themselves are not affected."""
