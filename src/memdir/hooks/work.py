"""The process behind a hook: does what waits, within its time, and leaves nothing running.

python -m memdir.hooks.work JOB PROJECT SESSION TRANSCRIPT
"""

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from memdir.conversation.outcomes import Outcome, Outcomes
from memdir.handles.jobs import notes_reports
from memdir.hooks.full_answer import log, report
from memdir.hosts.session import ASK_SECONDS
from memdir.memory import Memory
from memdir.models.protocol import Cancel
from memdir.workers.queue import FAILED, WROTE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.workers.queue import Report

__all__ = ["end_within", "main"]

SYNC_SECONDS = 60.0
"""How long a sync may take at the start of a conversation: later it would change what was recalled."""

_GRACE, _GRACE_SHARE = 5.0, 0.2
"""Seconds of a worker's time, and the most of it, that are left for stopping when it is asked to."""


def main(arguments: list[str]) -> int:
    """Do one job for one conversation."""
    job, project, session, transcript = arguments
    with suppress(OSError):
        os.setsid()  # what ends the host's terminal does not end its memory
    try:
        _run_job(job, project, session, transcript)
    except Exception as error:  # noqa: BLE001 - nobody is there to see it: it goes to the log
        report(f"worker {job}", error, os.environ)
    return 0


def end_within(seconds: float, cancel: "Cancel") -> float:
    """End this process after so many seconds, whatever it does; return how many of them are for work.

    After those it is asked to stop.
    """
    grace = min(_GRACE, _GRACE_SHARE * seconds)

    def stop(number: int, frame: object) -> None:
        del number, frame
        cancel.set()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, grace)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds - grace)
    return seconds - grace


def _run_job(job: str, project: str, session: str, transcript: str) -> None:
    memory, cancel = Memory.open(project, os.environ, session=session), Cancel()
    most = float(memory.hosts.session.setup.settings.number("worker.maxSeconds"))
    seconds = end_within({"ask": ASK_SECONDS, "sync": min(SYNC_SECONDS, most)}.get(job, most), cancel)
    if job == "ask":
        memory.hosts.session.ask_model(seconds, cancel)
    elif job == "prepare":
        memory.hosts.session.prepare()
    elif job == "sync":
        _tell(memory, memory.jobs.sync())
    elif job == "compact":
        noted = memory.jobs.notes.update(transcript, now=True, cancel=cancel)
        _tell(memory, [*notes_reports(noted, session)])
    else:
        _tell(memory, memory.jobs.work(seconds, cancel, ended=job == "end"))


def _tell(memory: "Memory", reports: "Sequence[Report]") -> None:
    """Leave what came of the work to the next conversation, and what went wrong to the log too."""
    told = [one for one in reports if one.outcome]
    for one in told:
        if one.outcome == FAILED:
            log(f"worker {one.job}", one.said, os.environ)
    Outcomes(memory.state).leave(Outcome(o.job, o.outcome == WROTE, o.said, o.operation) for o in told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
