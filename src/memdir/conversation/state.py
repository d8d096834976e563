"""What one conversation was already shown, kept under its session id: hooks are separate processes.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from _thread import allocate_lock  # the Lock of threading, without the rest of it
from contextlib import contextmanager, suppress
from zlib import crc32

from memdir.disk.lock import LOCK_SECONDS, DirectoryLock
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeVar

    _Read = TypeVar("_Read")

__all__ = ["ALREADY_NAMED", "ALREADY_SHOWN", "Conversation", "Share", "session_hash", "session_name"]

ALREADY_SHOWN = "this conversation was already shown it"
"""Why a memory is not shown again."""

ALREADY_NAMED = "this conversation was already shown a line about it"
"""Why a memory that is only likely to help is not named again."""

_FOLDER = "conversations"

_TIDYING = 8
"""One new conversation in so many removes expired records: not each, because a prompt waits for it."""


@value_class(frozen=True, slots=True)
class Share:
    """One memory that a conversation is shown, and what it takes of the conversation's budget."""

    file: str
    mark: str
    """Changes with the content: a memory that changed may be shown again."""
    bytes: int


class Conversation:
    """The records of one session; without an id they live in this handle alone."""

    def __init__(self, state: str, session: str) -> None:
        """Remember where the records lie; nothing is read yet."""
        self._folder = os.path.join(state, _FOLDER) if session else ""
        self.session = session
        self._stem = os.path.join(self._folder, session_name(session)) if session else ""
        self._own: dict[str, str] = {}
        self._kept: dict[object, Any] = {}
        self._threads = allocate_lock()

    def instructions_seen(self, under: str) -> frozenset[str] | None:
        """Return the real paths of the instruction files that were loaded so far.

        None when they were loaded under other settings or approvals: then all of it is to be read again.
        """
        known, paths = self._instructions()
        return frozenset(paths) if known == under or not paths else None

    def add_instructions(self, paths: "Iterable[str]", under: str) -> None:
        """Remember that these files were loaded under these settings and approvals."""
        import json

        with self._hold_lock():
            known, seen = self._instructions()
            all_of_them = sorted({*paths, *(seen if under == known else ())})
            self._write("json", json.dumps({"instructions": all_of_them, "under": under}))

    def read_once(self, key: object, read: "Callable[[], _Read]") -> "_Read":
        """Return what was read under this key before, or read it now."""
        if key not in self._kept:
            self._kept[key] = read()
        found: _Read = self._kept[key]
        return found

    @property
    def has_read(self) -> bool:
        """Tell whether instructions were read here since the last compaction."""
        return bool(self._kept)

    def forget_instructions(self) -> None:
        """Let everything load again: after a compaction the model no longer sees it."""
        self._kept = {}
        self._remove("json")

    def shown_marks(self) -> dict[str, str]:
        """Return the memories that were shown since the last compaction, each with its mark."""
        return {share.file: share.mark for share in self._shares()}

    def take(
        self, wanted: "Sequence[Share]", budget: int, *, seconds: float = LOCK_SECONDS
    ) -> dict[str, str]:
        """Charge what may be shown and remember it; return the files that may not, each with the reason.

        Several processes may ask at once: each memory is given to one of them.
        """
        if not wanted:
            return {}
        with self._hold_lock(seconds):
            known = self._shares()
            refused = _refusals(wanted, known, budget)
            self._put_shares([*known, *(share for share in wanted if share.file not in refused)])
        return refused

    def give_back(self, files: "Iterable[str]") -> None:
        """Forget that these were shown: the turn was called off before anybody saw them."""
        if gone := set(files):
            with self._hold_lock():
                self._put_shares([share for share in self._shares() if share.file not in gone])

    def forget_shown(self) -> None:
        """Let every memory be shown again, with the whole budget: after a compaction the model sees none."""
        with self._hold_lock():
            self._remove("shown")

    def begin_turn(self) -> None:
        """Count from nothing what this turn is shown."""
        with suppress(OSError):
            self._write("turn", "0")

    def shown_in_turn(self) -> int:
        """Return how many memories the present turn was shown, at all its events."""
        with suppress(ValueError):
            return int(self._read("turn")[:9])
        return 0

    def add_to_turn(self, count: int) -> None:
        """Count so many more."""
        if count:
            with self._hold_lock(), suppress(OSError):
                self._write("turn", str(self.shown_in_turn() + count))

    def _instructions(self) -> "tuple[str, Iterable[str]]":
        """Return under which settings and approvals files were loaded, and their paths."""
        if said := self._read("json"):
            import json

            with suppress(ValueError, TypeError, KeyError, AttributeError):
                record = json.loads(said)
                return str(record.get("under", "")), [str(path) for path in record["instructions"]]
        return "", ()

    def _shares(self) -> list[Share]:
        rows = [line.split(" ", 2) for line in self._read("shown").split("\n")]
        ours = [row for row in rows if len(row) == 3 and row[1].isdecimal() and len(row[1]) < 12 and row[2]]
        return [Share(file, mark, int(size)) for mark, size, file in ours]

    def _put_shares(self, shares: list[Share]) -> None:
        is_new = self._folder and not os.path.lexists(f"{self._stem}.shown")
        self._write("shown", "".join([f"{share.mark} {share.bytes} {share.file}\n" for share in shares]))
        name = os.path.basename(self._stem)
        if is_new and crc32(name.encode()) % _TIDYING == 0:
            from memdir.disk.files import drop_expired

            drop_expired(self._folder, f"{name}.shown", lambda other: other.endswith(_ENDINGS))

    def _read(self, ending: str) -> str:
        """Return one of the records; empty when there is none that can be read."""
        if not self._folder:
            return self._own.get(ending, "")
        with suppress(OSError), open(f"{self._stem}.{ending}", "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
        return ""

    def _write(self, ending: str, text: str) -> None:
        if not self._folder:
            self._own[ending] = text
            return
        from memdir.disk.files import make_folder

        with make_folder(self._folder) as folder:
            name = f"{os.path.basename(self._stem)}.{ending}"
            folder.replace_cache(name, text.encode("utf-8", "surrogateescape"))

    def _remove(self, ending: str) -> None:
        self._own.pop(ending, None)
        if self._folder:
            from memdir.disk.files import Folder

            with suppress(FileNotFoundError), Folder(self._folder) as folder:
                folder.remove(f"{os.path.basename(self._stem)}.{ending}")

    @contextmanager
    def _hold_lock(self, seconds: float = LOCK_SECONDS) -> "Iterator[None]":
        """Hold the records against other threads and, where they are files, other processes."""
        with self._threads:
            if not self._folder:
                yield
                return
            from memdir.disk.files import make_folder

            make_folder(self._folder).close()
            with DirectoryLock(self._folder, os.path.join(self._folder, "lock"), seconds=seconds):
                yield


_ENDINGS = (".json", ".shown", ".turn")


def _refusals(wanted: "Sequence[Share]", known: "Sequence[Share]", budget: int) -> dict[str, str]:
    marks = {share.file: share.mark for share in known}
    left, refused = budget - sum(share.bytes for share in known), dict[str, str]()
    for share in wanted:
        if marks.get(share.file) == share.mark:
            refused[share.file] = ALREADY_SHOWN
        elif share.bytes > left:
            refused[share.file] = (
                f"it takes {share.bytes:,} bytes and this conversation has {max(left, 0):,} left"
            )
        else:
            left -= share.bytes
    return refused


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
"""Without capitals: where a file system does not tell them apart, two conversations would share a file."""

_LONGEST = 100


def session_name(session: str) -> str:
    """Return the id itself where it is plain, as those of most hosts are, else its hash."""
    plain = session and session[0] != "-" and len(session) <= _LONGEST and _PLAIN.issuperset(session)
    return session if plain else f"_{session_hash(session)}"


def session_hash(session: str) -> str:
    """Return a name for any id; no two have the same."""
    import hashlib  # a prompt of a plain id does not wait for it

    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
