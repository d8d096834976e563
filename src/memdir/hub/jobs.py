"""Jobs of a space: put on the queue in the transaction that asks for them, done once by a worker.

The queue, procrastinate, knows the ids of a space and of a job; what a job is about lies in a table that is
confined to the space. One space has one job in work at a time. The more of its jobs wait, the later the next
one comes, so that no space keeps the others waiting.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from procrastinate import App, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from psycopg.types.json import Jsonb

from memdir.config.settings import Settings
from memdir.errors import Rejected
from memdir.hub.spaces import SpaceSession
from memdir.text.dates.calendar import utc_stamp

__all__ = [
    "DREAM",
    "EXTRACT",
    "QUEUE",
    "TASK",
    "VECTORS",
    "add_dream_if_due",
    "add_job",
    "add_only_job",
    "end_job",
    "found_job",
    "job_input",
    "repeat_job",
]

EXTRACT, DREAM, VECTORS = "extract", "dream", "vectors"

QUEUE, TASK = "memdir", "memdir_job"

_ADD = """
INSERT INTO memdir.job (space, id, task, input) VALUES (memdir.current_space(), %s, %s, %s)
ON CONFLICT DO NOTHING RETURNING id
"""

_END = """
UPDATE memdir.job SET status = %(status)s, answer = %(answer)s, ended_at = now(),
    input = CASE WHEN %(status)s = 'failed' THEN input END
WHERE id = %(job)s AND status = 'waiting'
"""

_DREAM_DUE = """
WITH last AS (SELECT coalesce(max(at), '-infinity') AS at FROM memdir.job WHERE task = 'dream')
SELECT count(*) >= %s AND (SELECT at FROM last) < now() - make_interval(hours => %s)
FROM memdir.job WHERE task = 'extract' AND status = 'done' AND at > (SELECT at FROM last)
"""

_queue = App(connector=SyncPsycopgConnector())
"""Puts jobs on the queue through the connection of whoever asks; it has none of its own."""


def add_job(session: SpaceSession, task: str, job: UUID, about: Any = None, *, alone: str = "") -> bool:
    """Put a job on the queue when the transaction ends; one that is there already is not put there twice.

    `alone` names what only one waiting job may be for. Tell whether the job is new.
    """
    connection, space = session.connection, str(session.space)
    if connection.execute(_ADD, [job, task, Jsonb(about)]).fetchone() is None:
        return False
    query = "SELECT count(*) FROM procrastinate_jobs WHERE lock = %s AND status = 'todo'"
    waiting = (connection.execute(query, [space]).fetchone() or (0,))[0]
    deferred = _queue.configure_task(
        TASK,
        queue=QUEUE,
        lock=space,
        queueing_lock=f"{alone} {space}" if alone else None,
        priority=-min(waiting, 30_000),
        connection=connection,
        allow_unknown=True,
    )
    deferred.defer(space=space, job=str(job))
    return True


def add_only_job(session: SpaceSession, task: str) -> None:
    """Put a job on the queue unless the same waits already."""
    try:
        with session.connection.transaction():
            add_job(session, task, uuid4(), alone=task)
    except AlreadyEnqueued:
        return


def found_job(session: SpaceSession, job: UUID) -> dict[str, Any] | None:
    """Return what became of a job; None where there is none."""
    query = "SELECT task, status, answer, at, ended_at FROM memdir.job WHERE id = %s"
    row = session.connection.execute(query, [job]).fetchone()
    if row is None:
        return None
    task, status, answer, at, ended_at = row
    times = {"at": utc_stamp(at), "ended": utc_stamp(ended_at) if ended_at else ""}
    return {"job": str(job), "task": task, "status": status, "answer": answer, **times}


def job_input(session: SpaceSession, job: UUID) -> tuple[str, Any] | None:
    """Return what a job has to do; None when it is done, or its space is gone."""
    query = "SELECT task, input FROM memdir.job WHERE id = %s AND status = 'waiting'"
    row = session.connection.execute(query, [job]).fetchone()
    return (row[0], row[1] or {}) if row else None


def end_job(session: SpaceSession, answer: Any, *, job: UUID, failed: bool = False) -> None:
    """Write down what a job ended in; one that failed keeps its input, to be done again."""
    status = "failed" if failed else "done"
    session.connection.execute(_END, {"status": status, "answer": Jsonb(answer), "job": job})


def repeat_job(session: SpaceSession, job: UUID, again: UUID) -> bool:
    """Put what a failed job was about on the queue as another job, once; tell whether there is such a job."""
    query = "SELECT task, status, input, input IS NULL FROM memdir.job WHERE id = %s FOR UPDATE"
    row = session.connection.execute(query, [job]).fetchone()
    if row is None:
        return False
    task, status, about, is_moved = row
    if status != "failed":
        raise Rejected(f"Only a job that failed can be put on the queue again; this one is {status}.")
    if is_moved and found_job(session, again) is None:
        raise Rejected("This job was put on the queue again already. Look what became of that one.")
    if not is_moved and add_job(session, task, again, about):
        session.connection.execute("UPDATE memdir.job SET input = NULL WHERE id = %s", [job])
    return True


def add_dream_if_due(session: SpaceSession, settings: Settings) -> None:
    """Ask for a dream after enough conversations, not before so many hours have passed since the last."""
    if not settings.flag("dream.enabled"):
        return
    often = [settings.number("dream.sessions"), settings.number("dream.hours")]
    row = session.connection.execute(_DREAM_DUE, often).fetchone()
    if row and row[0]:
        add_only_job(session, DREAM)
