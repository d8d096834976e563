"""The process behind a hook: does what waits, within its time, and leaves nothing running.

python -m memdir.surfaces.hooks.work JOB CWD SESSION
"""

import os
import signal
import sys
from contextlib import suppress

__all__ = ["main"]

_ASK_SECONDS = 10.0
"""A pick that comes later than this belongs to a prompt that is long answered."""

_GRACE = 5
"""Seconds between the end of a worker's time, when it is asked to stop, and the end of the process."""


def main(arguments: list[str]) -> int:
    """Do one job for one conversation."""
    job, cwd, session = arguments
    with suppress(OSError):
        os.setsid()  # what ends the host's terminal does not end its memory
    try:
        _do(job, cwd, session)
    except Exception as error:  # noqa: BLE001 - nobody is there to see it: it goes to the log
        from memdir.surfaces.hooks.serve import report

        report(f"worker {job}", error, os.environ)
    return 0


def _do(job: str, cwd: str, session: str) -> None:
    from memdir.llm.protocol import Cancel
    from memdir.memory import Memory

    memory = Memory.open(cwd, os.environ, session=session)
    seconds = (
        _ASK_SECONDS if job == "ask" else float(memory.attendant.setup.settings.number("worker.maxSeconds"))
    )
    cancel = Cancel()
    _end_after(seconds, cancel)
    if job == "ask":
        memory.attendant.ask_model(seconds, cancel)
    elif job == "compact":
        memory.update_notes(now=True, cancel=cancel)
    else:
        memory.work(seconds, cancel, ended=job == "end")


def _end_after(seconds: float, cancel: object) -> None:
    """Ask the work to stop when its time is up, and end the process soon after, whatever it does."""

    def stop(number: int, frame: object) -> None:
        del number, frame
        cancel.set()  # type: ignore[attr-defined]
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_GRACE)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
