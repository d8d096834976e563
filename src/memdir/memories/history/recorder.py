"""Write every acknowledged operation into the journal, and commit it to history, at once or together.

The journal holds one durable line an operation, with the texts before and after, until history has it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import datetime, timedelta
from typing import TypeVar

from memdir.disk.files import Folder, make_folder, temp_name
from memdir.disk.lock import LOCK_SECONDS, DirectoryLock
from memdir.disk.trees import move, remove_tree
from memdir.errors import HistoryError, LockTimeout
from memdir.memories.change import Operation, Version, change_between, version_on_disk
from memdir.memories.history.commits import History
from memdir.memories.history.git import GitFailed, GitMissing
from memdir.memories.topic import Provenance
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["NOTICES", "Recorder"]

T = TypeVar("T")

_OPEN, _CLOSED = "journal", "journal.closed"

_BURST = timedelta(seconds=1)
_READ_TOGETHER = 256
"""Operations that are read together while history is rewritten: their texts are held in memory."""
_BURST_SIZE = 128
"""Saves that follow each other within a second are committed together, this many at the most: starting git
costs as much as five saves."""

NOTICES = "notices"
"""In the state folder, a line each: what a person should know, shown by `memdir status`."""


class Recorder:
    """The journal and the history of one directory, and the way from one to the other."""

    def __init__(self, directory: str, state: str, program: str | None) -> None:
        """Remember the places; open nothing yet."""
        self.history = History(state, program)
        self._directory, self._state = directory, state
        self._committed_at: datetime | None = None
        self._waiting = 0
        self._unwritten = False

    def note(self, operation: Operation) -> str | None:
        """Write an operation down, under the directory's lock; return a warning when that failed."""
        self._waiting += 1
        try:
            with make_folder(self._state) as folder:
                folder.append(_OPEN, _journal_line(operation))
        except OSError as error:
            self._unwritten = True
            return (
                f"Saved, but history could not record it ({error.strerror}); undo will not know this change."
            )
        return None

    def pending(self) -> list[Operation]:
        """Return what the journal holds and history does not have yet, oldest first."""
        return [*self._read(_CLOSED), *self._read(_OPEN)]

    def version_now(self, file: str) -> Version | None:
        """Return what a file of the directory holds at present; None when it is not there."""
        with suppress(FileNotFoundError, NotADirectoryError), Folder(self._directory) as folder:
            return version_on_disk(folder, file)
        return None

    @property
    def undo_works(self) -> bool:
        """Tell whether history can take back what this handle did: git is here, and all was written down."""
        return self.history.git.program is not None and not self._unwritten

    def follow(self, now: datetime) -> None:
        """Commit what waits unless a burst is going on; trouble stays in the journal for the next call."""
        burst = self._committed_at is not None and now - self._committed_at < _BURST
        if burst and self._waiting < _BURST_SIZE:
            return
        self._committed_at = now
        with suppress(HistoryError, LockTimeout, OSError):
            self.catch_up(now, seconds=0)

    def catch_up(self, now: datetime, *, seconds: float = LOCK_SECONDS) -> None:
        """Bring everything that was acknowledged into history."""
        make_folder(self._state).close()
        git, closed = self.history.git, os.path.join(self._state, _CLOSED)
        with DirectoryLock(self._state, os.path.join(self._state, "history.lock"), seconds=seconds) as held:
            git.holds = () if held is None else (held,)
            try:
                if not git.has_commits():
                    self.replace_if_damaged(now)
                if os.path.exists(closed):
                    self._commit(now, recovering=True)  # a crash left it
                # Nobody can be writing where there is no directory.
                lock = DirectoryLock(self._directory, os.path.join(self._state, "directory.lock"))
                alone = lock if os.path.isdir(self._directory) else nullcontext()
                with alone, suppress(FileNotFoundError), Folder(self._state) as folder:
                    folder.rename(_OPEN, _CLOSED)  # durably, or a power cut brings it back as new
                if os.path.exists(closed):
                    self._commit(now)
            finally:
                git.holds = ()
        self._waiting = 0

    def rewrite(self, now: datetime, kept: Callable[[Operation], Operation | None]) -> list[str]:
        """Begin history anew with what `kept` leaves of each operation; return what is left of the old one.

        Nothing is, unless files could not be removed.
        """
        git = self.history.git
        if git.program is None and git.exists():
            raise GitMissing("git is not installed, so the history cannot be rewritten. Install git first.")
        if git.program is None:
            with DirectoryLock(self._directory, os.path.join(self._state, "directory.lock")):
                self._rewrite_journal(kept)
            return []
        self.catch_up(now)
        with DirectoryLock(self._state, os.path.join(self._state, "history.lock")):
            temp = os.path.join(self._state, temp_name())
            try:
                self._rebuild(temp, kept)
            finally:
                left = remove_tree(temp)
        self._rewrite_journal(kept)
        return left

    def _rebuild(self, temp: str, kept: Callable[[Operation], Operation | None]) -> None:
        """Write the kept operations into a new repository, and put it in place of the old one."""
        new, entries = History(temp, self.history.git.program), self.history.entries()[::-1]
        make_folder(temp).close()
        for start in range(0, len(entries), _READ_TOGETHER):
            done = map(kept, self.history.operations(entries[start : start + _READ_TOGETHER]))
            new.commit([operation for operation in done if operation])
        if self.history.git.exists():
            move(self.history.git.repository, os.path.join(temp, "old"))
        if new.git.exists():
            move(new.git.repository, self.history.git.repository)
            self.history.git.settle()

    def notices(self) -> list[str]:
        """Return what a person should know about the history: set aside, begun anew."""
        with suppress(FileNotFoundError), open(os.path.join(self._state, NOTICES), "rb") as file:
            return file.read().decode("utf-8", "replace").splitlines()
        return []

    def replace_if_damaged(self, now: datetime) -> bool:
        """Set a damaged history aside so that a new one can begin; tell whether that was needed."""
        git = self.history.git
        if not os.path.lexists(git.repository) or (git.exists() and git.sound()):
            return False
        if git.exists() and git.bring_branch_back() and git.sound():
            return False
        name = f"{os.path.basename(git.repository)}.damaged-{now:%Y%m%dT%H%M%S%f}"
        notice = f"{now:%Y-%m-%d}: the history was damaged; it was set aside as {name} and begun anew.\n"
        with make_folder(self._state) as folder:
            folder.rename(os.path.basename(git.repository), name)
            folder.append(NOTICES, notice.encode())
        return True

    def ask_history(self, now: datetime, question: Callable[[], T]) -> T:
        """Ask history something; a damaged one is set aside first, and the new one answers."""
        try:
            return question()
        except GitFailed:
            if not self.replace_if_damaged(now):
                raise
            return question()

    def _commit(self, now: datetime, *, recovering: bool = False) -> None:
        """Commit the closed journal, and remove it then."""
        operations = self._read(_CLOSED)
        try:
            self.history.commit(operations, recovering=recovering)
        except GitFailed:
            self.history.git.clear_stale_locks()
            self.replace_if_damaged(now)
            self.history.commit(operations, recovering=True)
        with make_folder(self._state) as folder:
            folder.remove(_CLOSED)

    def _rewrite_journal(self, kept: Callable[[Operation], Operation | None]) -> None:
        """Replace the waiting operations by what `kept` leaves of them."""
        lines = [_journal_line(operation) for operation in map(kept, self.pending()) if operation]
        with make_folder(self._state) as folder:
            if folder.exists(_OPEN) or lines:
                folder.write(_OPEN, b"".join(lines))
            if folder.exists(_CLOSED):
                folder.remove(_CLOSED)
                folder.sync()

    def _read(self, name: str) -> list[Operation]:
        try:
            with open(os.path.join(self._state, name), "rb") as file:
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            return []
        found = list[Operation]()
        for line in lines:
            with suppress(ValueError, KeyError, TypeError):  # a torn line was never acknowledged
                row = json.loads(line)
                texts = [
                    (file, old and Version(*old), new and Version(*new)) for file, old, new in row["changes"]
                ]
                changes, by = tuple([change_between(*one) for one in texts]), Provenance(*row["by"])
                found.append(Operation(row["id"], row["at"], row["verb"], by, changes, row["undoes"]))
        return found


def _journal_line(operation: Operation) -> bytes:
    """Return an operation as it is kept, with every secret masked: all of it comes from callers."""

    def masked_row(version: Version | None) -> tuple[str, int, str] | None:
        return None if version is None else (without_secrets(version.text), version.saved_ns, version.sha)

    by = operation.by
    row = {
        "id": operation.id,
        "at": operation.at,
        "verb": operation.verb,
        "by": [without_secrets(word) for word in (by.actor, by.source, by.method, by.session, by.reason)],
        "undoes": operation.undoes,
        "changes": [(one.file, masked_row(one.old), masked_row(one.new)) for one in operation.changes],
    }
    return f"{json.dumps(row)}\n".encode()
