"""The queue of requests for background jobs: one worker per job at a time, none lost.

Hooks are separate processes, so a request is a file. A worker takes it by renaming it, and removes it when
the work is done. A worker that dies leaves it to the next one. A request that comes meanwhile has the old
name and waits for the same worker's next round. Whether a job runs at all is a decision with its reason.

A host waits for this module: it imports late.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

from memdir.conversation.state import session_name
from memdir.disk.files import Folder, make_folder
from memdir.disk.lock import DirectoryLock
from memdir.errors import LockTimeout
from memdir.text.value import value_class

__all__ = ["FAILED", "WROTE", "JobRequest", "NotNow", "Now", "Report", "RequestQueue"]

WROTE, FAILED = "wrote", "failed"
_WAITING, _TAKEN = ".waiting", ".taken"


@value_class(frozen=True, slots=True)
class NotNow:
    """A job does not run now, and why."""

    because: str
    failed: bool = False
    """Whether it should have run and something went wrong, which somebody should hear of."""


@value_class(frozen=True, slots=True)
class Now:
    """A job runs now, and why."""

    because: str


@value_class(frozen=True, slots=True)
class JobRequest:
    """What one conversation wants done; a newer one of the same conversation takes its place."""

    session: str
    details: Mapping[str, str]


@value_class(frozen=True, slots=True)
class Report:
    """What a worker did about one thing that waited."""

    job: str
    session: str
    said: str
    """In one line: what was written, why nothing was, or what went wrong."""
    done: bool = True
    """Whether it waits no longer."""
    outcome: str = ""
    """wrote (memories changed, or a proposal waits) or failed; empty when there is nothing to tell."""
    operation: str = ""
    """The change that can be undone, if memories changed."""


class RequestQueue:
    """The waiting requests of one job in one state folder."""

    def __init__(self, state: str, job: str) -> None:
        """Remember where they lie; the first request makes the folder."""
        self._path = os.path.join(state, "work", job)

    def ask(self, session: str, details: Mapping[str, str]) -> None:
        """Leave a request, in place of one of the same conversation that waits."""
        row = json.dumps({"session": session, "details": dict(details)})
        with make_folder(self._path) as folder:
            folder.replace_cache(f"{session_name(session)}{_WAITING}", row.encode())

    def waiting_requests(self) -> list[JobRequest]:
        """Return what is not done yet, each conversation once."""
        return [
            request
            for stem in self._stems()
            if (request := self._read(stem, _WAITING) or self._read(stem, _TAKEN))
        ]

    def is_busy(self) -> bool:
        """Tell whether a worker is at this job now."""
        if not os.path.isdir(self._path):
            return False
        with self._hold_job() as folder:
            return folder is None

    @contextmanager
    def hold_lock(self, seconds: float) -> Iterator[Folder]:
        """Hold the job for work without a request; `LockTimeout` when a worker holds it longer."""
        lock = DirectoryLock(self._path, os.path.join(self._path, "lock"), seconds=seconds)
        with make_folder(self._path) as folder, lock:
            yield folder

    def work(self, do: Callable[[JobRequest], bool]) -> int:
        """Do all that waits unless another worker is at it; return how many requests were done.

        `do` tells whether a request is done; one that is not stays for another time. After the lock is given
        back the worker looks once more: whoever asked meanwhile saw a busy worker and relies on it.
        """
        done, later = 0, set[str]()
        while True:
            with self._hold_job() as folder:
                if folder is None:
                    return done
                done += self._round(folder, do, later)
            if not set(self._stems()) - later:
                return done

    def _round(self, folder: Folder, do: Callable[[JobRequest], bool], later: set[str]) -> int:
        from memdir.disk.trees import move

        done = 0
        while stem := next((stem for stem in self._stems() if stem not in later), ""):
            with suppress(FileNotFoundError):
                move(self._file(stem, _WAITING), self._file(stem, _TAKEN))
            request = self._read(stem, _TAKEN)
            if request is not None and not do(request):
                later.add(stem)
                continue
            done += request is not None
            folder.remove(f"{stem}{_TAKEN}")
        return done

    @contextmanager
    def _hold_job(self) -> Iterator[Folder | None]:
        """Hold the job; None when another process does."""
        with ExitStack() as stack:
            folder = None
            with suppress(LockTimeout):
                folder = stack.enter_context(self.hold_lock(0))
            yield folder

    def _stems(self) -> list[str]:
        """Return the conversations with something to do, the one that waits longest first."""
        found: dict[str, int] = {}
        with suppress(FileNotFoundError), os.scandir(self._path) as entries:
            for entry in entries:
                stem, suffix = os.path.splitext(entry.name)
                if suffix in (_WAITING, _TAKEN):
                    with suppress(FileNotFoundError):
                        found[stem] = min(found.get(stem, 1 << 63), entry.stat().st_mtime_ns)
        return sorted(found, key=lambda stem: (found[stem], stem))

    def _read(self, stem: str, suffix: str) -> JobRequest | None:
        """Return a request; None when there is none, or when the file is not one."""
        try:
            with open(self._file(stem, suffix), "rb") as file:
                row = json.loads(file.read())
            details = {str(key): str(value) for key, value in row["details"].items()}
            return JobRequest(str(row["session"]), details)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _file(self, stem: str, suffix: str) -> str:
        return os.path.join(self._path, stem + suffix)
