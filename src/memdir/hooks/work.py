"""The process behind a hook: does what waits, within its time, and leaves nothing running.

python -m memdir.hooks.work JOB PROJECT SESSION TRANSCRIPT
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

from memdir.build import project_parts
from memdir.config.world import world_in
from memdir.conversation.outcomes import Outcome, Outcomes
from memdir.handles.jobs import JobsHandle, notes_reports
from memdir.hooks.full_answer import log, report
from memdir.hosts.session import ASK_SECONDS, HostSession
from memdir.models.protocol import Cancel
from memdir.workers.queue import FAILED, WROTE, Report

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


def end_within(seconds: float, cancel: Cancel) -> float:
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
    parts, cancel = project_parts(world_in(project, os.environ, session)), Cancel()
    jobs, host = JobsHandle(parts), HostSession(parts, parts.world.cwd)
    most = float(parts.effective_setup.settings.number("worker.maxSeconds"))
    seconds = end_within({"ask": ASK_SECONDS, "sync": min(SYNC_SECONDS, most)}.get(job, most), cancel)
    reports = list[Report]()
    if job == "ask":
        host.ask_model(seconds, cancel)
    elif job == "prepare":
        host.prepare()
    elif job == "sync":
        reports = jobs.sync()
    elif job == "compact":
        reports = [*notes_reports(parts.usable.notes.update(transcript, now=True, cancel=cancel), session)]
    else:
        reports = jobs.work(seconds, cancel, ended=job == "end")
    _tell(parts.state, [one for one in reports if one.outcome])


def _tell(state: str, reports: list[Report]) -> None:
    """Leave what came of the work to the next conversation, and what went wrong to the log too."""
    for one in reports:
        if one.outcome == FAILED:
            log(f"worker {one.job}", one.said, os.environ)
    Outcomes(state).leave(Outcome(o.job, o.outcome == WROTE, o.said, o.operation) for o in reports)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
