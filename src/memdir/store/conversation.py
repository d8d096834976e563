"""What one conversation was already shown, kept under its session id: hooks are separate processes."""

import os
from _thread import allocate_lock  # the Lock of threading, without the rest of it
from zlib import crc32

from memdir.core.suppress import suppress
from memdir.core.value import value_class
from memdir.store.lock import LOCK_SECONDS, locked
from memdir.store.session_name import session_name

TYPE_CHECKING = False  # as in typing, which a process that answers one prompt does not wait for
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

__all__ = ["ALREADY_SHOWN", "Conversation", "Share"]

ALREADY_SHOWN = "this conversation was already shown it"
"""Why a memory is not shown again."""

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
        self._shown: list[Share] = []
        self._threads = allocate_lock()

    def instructions_seen(self) -> frozenset[str]:
        """Return the real paths of the instruction files that were loaded so far."""
        if self._folder:
            self._seen |= self._read()
        return frozenset(self._seen)

    def add_instructions(self, paths: "Iterable[str]") -> None:
        """Remember that these files were loaded."""
        self._seen |= set(paths)
        if not self._folder:
            return
        import json

        from memdir.store.files import folder_made

        with folder_made(self._folder) as folder, self._locked():
            self._seen |= self._read()
            data = json.dumps({"instructions": sorted(self._seen)}).encode()
            folder.replace_cache(self._name("json"), data)

    def forget_instructions(self) -> None:
        """Let everything load again: after a compaction the model no longer sees it."""
        self._seen = set()
        if self._folder:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self._folder, self._name("json")))

    def shown(self) -> dict[str, str]:
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
        with self._threads, self._alone(seconds):
            known = self._shares()
            refused = _refused(wanted, known, budget)
            taken = [share for share in wanted if share.file not in refused]
            self._write([*known, *taken])
        return refused

    def give_back(self, files: "Iterable[str]") -> None:
        """Forget that these were shown: the turn was called off before anybody saw them."""
        gone = set(files)
        if gone:
            with self._threads, self._alone(LOCK_SECONDS):
                self._write([share for share in self._shares() if share.file not in gone])

    def forget_shown(self) -> None:
        """Let every memory be shown again, with the whole budget: after a compaction the model sees none."""
        with self._threads, self._alone(LOCK_SECONDS):
            self._shown = []
            if self._folder:
                with suppress(FileNotFoundError):
                    os.unlink(os.path.join(self._folder, self._name("shown")))

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
        from memdir.store.files import folder_made

        rows = "".join([f"{share.mark} {share.bytes} {share.file}\n" for share in shares])
        with folder_made(self._folder) as folder:
            is_new = not folder.exists(self._name("shown"))
            folder.replace_cache(self._name("shown"), rows.encode("utf-8", "surrogateescape"))
        if is_new and crc32(self._session.encode("utf-8", "surrogatepass")) % _TIDYING == 0:
            from memdir.store.expired import drop_expired

            drop_expired(self._folder, self._name("shown"), lambda name: name.endswith(_ENDINGS))

    def _alone(self, seconds: float) -> "AbstractContextManager[object]":
        if not self._folder:
            return suppress()
        from memdir.store.files import folder_made

        folder_made(self._folder).close()
        return self._locked(seconds)

    def _locked(self, seconds: float = LOCK_SECONDS) -> "AbstractContextManager[object]":
        return locked(self._folder, os.path.join(self._folder, "lock"), seconds=seconds)

    def _name(self, ending: str) -> str:
        return f"{session_name(self._session)}.{ending}"

    def _read(self) -> set[str]:
        import json

        path = os.path.join(self._folder, self._name("json"))
        with suppress(OSError, ValueError, TypeError, KeyError), open(path, "rb") as file:
            return {str(path) for path in json.loads(file.read())["instructions"]}
        return set()


_ENDINGS = (".json", ".shown")


def _refused(wanted: "Sequence[Share]", known: "Sequence[Share]", budget: int) -> dict[str, str]:
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
