"""What one conversation was already shown, kept under its session id: hooks are separate processes.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from _thread import allocate_lock  # the Lock of threading, without the rest of it
from contextlib import nullcontext, suppress
from zlib import crc32

from memdir.disk.lock import LOCK_SECONDS, DirectoryLock
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, TypeVar

    _Read = TypeVar("_Read")

__all__ = ["ALREADY_NAMED", "ALREADY_SHOWN", "Conversation", "Share", "session_hash", "session_name"]

ALREADY_SHOWN = "this conversation was already shown it"
"""Why a memory is not shown again."""

ALREADY_NAMED = "this conversation was already shown a line about it"
"""Why a memory that is only likely to help is not named again."""

_FOLDER = "conversations"

_TIDYING = 8
"""One new conversation in so many removes what those of last month left: a prompt waits for it."""


@value_class(frozen=True, slots=True)
class Share:
    """One memory that a conversation is shown, and what it takes of the conversation's budget."""

    file: str
    mark: str
    """Changes with the content: a memory that changed may be shown again."""
    bytes: int


class Conversation:
    """The state of one session; without an id it lives in this handle alone."""

    def __init__(self, state: str, session: str) -> None:
        """Remember where the state lies; nothing is read yet."""
        self._folder = os.path.join(state, _FOLDER) if session else ""
        self._session = session
        self._seen: set[str] = set()
        self._under = ""
        self._kept: dict[object, Any] = {}
        self._shown: list[Share] = []
        self._in_turn = 0
        self._threads = allocate_lock()

    def instructions_seen(self, under: str) -> frozenset[str] | None:
        """Return the real paths of the instruction files that were loaded so far.

        None when they were loaded under other settings or approvals: then all of it is to be read again.
        """
        known, paths = self._record()
        return frozenset(paths) if known == under or not paths else None

    def add_instructions(self, paths: "Iterable[str]", under: str) -> None:
        """Remember that these files were loaded under these settings and approvals."""
        if not self._folder:
            self._add(paths, under)
            return
        import json

        from memdir.disk.files import make_folder

        with make_folder(self._folder) as folder, self._lock():
            self._under, self._seen = self._record()
            self._add(paths, under)
            data = json.dumps({"instructions": sorted(self._seen), "under": under}).encode()
            folder.replace_cache(self._name("json"), data)

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
        self._seen, self._kept = set(), {}
        if self._folder:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self._folder, self._name("json")))

    def shown_marks(self) -> dict[str, str]:
        """Return the memories that were shown since the last compaction, each with its mark."""
        return {share.file: share.mark for share in self._shares()}

    def take(
        self, wanted: "Sequence[Share]", budget: int, *, seconds: float = LOCK_SECONDS
    ) -> dict[str, str]:
        """Charge what may be shown and remember it; return the files that may not, each with the reason.

        Several processes may ask at once: what one of them was given, another is not.
        """
        if not wanted:
            return {}
        with self._threads, self._hold_lock(seconds):
            known = self._shares()
            refused = _refusals(wanted, known, budget)
            taken = [share for share in wanted if share.file not in refused]
            self._write([*known, *taken])
        return refused

    def give_back(self, files: "Iterable[str]") -> None:
        """Forget that these were shown: the turn was called off before anybody saw them."""
        gone = set(files)
        if gone:
            with self._threads, self._hold_lock(LOCK_SECONDS):
                self._write([share for share in self._shares() if share.file not in gone])

    def forget_shown(self) -> None:
        """Let every memory be shown again, with the whole budget: after a compaction the model sees none."""
        with self._threads, self._hold_lock(LOCK_SECONDS):
            self._shown = []
            if self._folder:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self._folder, self._name("shown")))

    def begin_turn(self) -> None:
        """Count from nothing what this turn is shown."""
        self._write_turn(0)

    def shown_in_turn(self) -> int:
        """Return how many memories the present turn was shown, at all its events."""
        if self._folder:
            with (
                suppress(OSError, ValueError),
                open(os.path.join(self._folder, self._name("turn")), "rb") as file,
            ):
                self._in_turn = int(file.read(9))
        return self._in_turn

    def add_to_turn(self, count: int) -> None:
        """Count so many more."""
        if count:
            with self._threads, self._hold_lock(LOCK_SECONDS):
                self._write_turn(self.shown_in_turn() + count)

    def _write_turn(self, count: int) -> None:
        self._in_turn = count
        if self._folder:
            from memdir.disk.files import make_folder

            with suppress(OSError), make_folder(self._folder) as folder:
                folder.replace_cache(self._name("turn"), str(count).encode())

    def _shares(self) -> list[Share]:
        if self._folder:
            with suppress(OSError), open(os.path.join(self._folder, self._name("shown")), "rb") as file:
                lines = file.read().decode("utf-8", "surrogateescape").split("\n")
                self._shown = [share for share in map(_share, lines) if share]
                return self._shown
            self._shown = []
        return self._shown

    def _write(self, shares: list[Share]) -> None:
        self._shown = shares
        if not self._folder:
            return
        from memdir.disk.files import make_folder

        rows = "".join([f"{share.mark} {share.bytes} {share.file}\n" for share in shares])
        with make_folder(self._folder) as folder:
            is_new = not folder.exists(self._name("shown"))
            folder.replace_cache(self._name("shown"), rows.encode("utf-8", "surrogateescape"))
        if is_new and crc32(self._session.encode("utf-8", "surrogatepass")) % _TIDYING == 0:
            from memdir.disk.files import drop_expired

            drop_expired(self._folder, self._name("shown"), lambda name: name.endswith(_ENDINGS))

    def _hold_lock(self, seconds: float) -> "AbstractContextManager[object]":
        if not self._folder:
            return nullcontext()
        from memdir.disk.files import make_folder

        make_folder(self._folder).close()
        return self._lock(seconds)

    def _lock(self, seconds: float = LOCK_SECONDS) -> "AbstractContextManager[object]":
        return DirectoryLock(self._folder, os.path.join(self._folder, "lock"), seconds=seconds)

    def _name(self, ending: str) -> str:
        return f"{session_name(self._session)}.{ending}"

    def _add(self, paths: "Iterable[str]", under: str) -> None:
        self._seen = set(paths) | (self._seen if under == self._under else set())
        self._under = under

    def _record(self) -> tuple[str, set[str]]:
        """Return what was loaded and under which settings and approvals, as far as it can be read."""
        if not self._folder:
            return self._under, self._seen
        import json

        path = os.path.join(self._folder, self._name("json"))
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError), open(path, "rb") as file:
            said = json.loads(file.read())
            return str(said.get("under", "")), {str(path) for path in said["instructions"]}
        return "", set()


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


def _share(line: str) -> Share | None:
    """Read one line; None for one that is not ours."""
    mark, _, rest = line.partition(" ")
    size, _, file = rest.partition(" ")
    return Share(file, mark, int(size)) if file and size.isdecimal() and len(size) < 12 else None


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
