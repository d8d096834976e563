"""Every error memdir raises, as a tree; each message says what happened and then what to do.

MemdirError
├── Rejected            a draft, a name or an argument cannot be taken (also a ValueError)
│   └── SecretFound     the text holds a credential; names the rule, never the value
├── NoSuchMemory        nothing is saved under that name, file or version (also a KeyError)
├── MemoryOff           memory is switched off; says by what
├── Conflict            the file is no longer what the caller thinks it is
├── LockTimeout         another process kept the directory locked for too long
├── StorageError        the disk said no: full, read-only, no permission (also an OSError)
├── HistoryError        history cannot answer; saves never depend on it
├── RemoteError         a remote cannot be reached, refuses, or is not what it should be
├── ModelError          a model gave no answer that can be used
│   ├── ModelTimeout    it took longer than the question allows
│   ├── ModelRejected   it will not take the question: key, name, address or request is wrong
│   ├── ModelBusy       it is overloaded, rate-limited or unreachable, also after retries
│   ├── ModelReplyError it answered something else than was asked for
│   └── Cancelled       the caller no longer wants the answer
├── CapReached          a limit on cost is used up; says which and until when
└── MissingExtra        an optional part is not installed; names the extra to add
"""

__all__ = [
    "Cancelled",
    "CapReached",
    "Conflict",
    "HistoryError",
    "LockTimeout",
    "MemdirError",
    "MemoryOff",
    "MissingExtra",
    "ModelBusy",
    "ModelError",
    "ModelRejected",
    "ModelReplyError",
    "ModelTimeout",
    "NoSuchMemory",
    "Rejected",
    "RemoteError",
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


class RemoteError(MemdirError):
    """A remote cannot be reached or refuses; what is on this machine is not affected."""


class ModelError(MemdirError):
    """A model gave no answer that can be used."""


class ModelTimeout(ModelError):
    """The answer did not come in time."""


class ModelRejected(ModelError):
    """The model will not take the question, now or later: something in the configuration is wrong."""


class ModelBusy(ModelError):
    """The model cannot answer now; later it may."""


class ModelReplyError(ModelError):
    """The model answered something else than was asked for."""


class Cancelled(ModelError):
    """The caller no longer wants the answer."""


class CapReached(MemdirError):
    """A limit on cost is used up."""


class MissingExtra(MemdirError):
    """An optional part of memdir is not installed."""
