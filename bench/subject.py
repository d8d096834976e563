"""The side of memdir in every comparison: a process of the clean environment that does what a line asks.

Run as `python -I subject.py DIRECTORY STATE`; every answer is one line of JSON with the seconds it took.
"""

import sys
from datetime import UTC, datetime
from time import perf_counter

_BEGUN = perf_counter()

from memdir.memory import Memory  # noqa: E402 - the import is part of what a fresh process pays

__all__ = ["Subject"]


class Subject:
    """One handle on one directory, each verb timed."""

    def __init__(self, directory: str, state: str) -> None:
        """Open the directory and note what import and opening took."""
        self._memory = Memory.at(directory, state)
        self._opening = perf_counter() - _BEGUN
        self._history, self._holding = 0.0, False
        # History follows the acknowledgement inside the same call: it is timed apart here.
        recorder = self._memory._memories.recorder  # noqa: SLF001
        self._recorder, self._follow = recorder, recorder.follow
        recorder.follow = self._followed  # type: ignore[method-assign]

    def open(self) -> dict[str, object]:
        """Tell what importing memdir and opening the directory took."""
        return {"seconds": self._opening}

    def list(self, limit: int | None = None) -> dict[str, object]:
        """List headers, and prove by a digest which ones in which order."""
        begun = perf_counter()
        headers = self._memory.list(limit=limit)
        seconds = perf_counter() - begun
        from hashlib import sha256  # noqa: PLC0415 - after the clock has stopped

        digest = sha256()
        for header in headers:
            digest.update(f"{header.file}\n".encode())
        return {"seconds": seconds, "count": len(headers), "digest": digest.hexdigest()}

    def index(self) -> dict[str, object]:
        """Heal the view of the index."""
        begun = perf_counter()
        view = self._memory.index()
        return {"seconds": perf_counter() - begun, "lines": view.lines, "bytes": view.bytes}

    def save(
        self, body: str, *, kind: str, name: str, description: str, why: str, how: str
    ) -> dict[str, object]:
        """Save one memory; the time up to the acknowledgement and that of history apart."""
        self._history = 0.0
        begun = perf_counter()
        saved = self._memory.remember(body, kind=kind, name=name, description=description, why=why, how=how)
        seconds = perf_counter() - begun
        return {"seconds": seconds - self._history, "history": self._history, "file": saved.file}

    def hold(self) -> dict[str, object]:
        """Leave everything to the journal from now on."""
        self._holding = True
        return {"seconds": 0.0}

    def commit(self) -> dict[str, object]:
        """Bring everything that waits into history."""
        begun = perf_counter()
        self._recorder.catch_up(datetime.now(UTC))
        return {"seconds": perf_counter() - begun}

    def adopt(self) -> dict[str, object]:
        """Mend the index on disk and have history know every file, as after years of use."""
        begun = perf_counter()
        self._memory._memories.heal(datetime.now(UTC))  # noqa: SLF001
        self._memory.history(limit=1)
        return {"seconds": perf_counter() - begun}

    def pack(self) -> dict[str, object]:
        """Pack the whole history, as a nightly tidying would."""
        self._recorder.history.git.run("repack", "--quiet", "-a", "-d")
        return {"seconds": 0.0}

    def peak(self) -> dict[str, object]:
        """Tell how many bytes were resident at most."""
        # Linux passes the peak of the starting process on in `ru_maxrss`; its own file knows better.
        try:
            with open("/proc/self/status", encoding="ascii") as status:
                return {
                    "bytes": next(int(row.split()[1]) for row in status if row.startswith("VmHWM")) * 1024
                }
        except FileNotFoundError:
            import resource  # noqa: PLC0415

            return {"bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}

    def _followed(self, now: object) -> None:
        if self._holding:
            return
        begun = perf_counter()
        self._follow(now)  # type: ignore[arg-type]
        self._history += perf_counter() - begun


def main() -> None:
    """Answer line by line until the input ends."""
    subject = Subject(sys.argv[1], sys.argv[2])
    import json  # noqa: PLC0415 - after the import was timed

    for line in sys.stdin:
        verb, _, argument = line.rstrip("\n").partition(" ")
        answer = getattr(subject, verb)(**(json.loads(argument) if argument else {}))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
