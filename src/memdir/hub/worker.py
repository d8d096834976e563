"""The process that does the jobs of all spaces: `memdir serve --worker`, as many of them as one likes.

A worker that dies leaves its job to the others; what it did not publish is lost with its copy, and what it
published is not done again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from psycopg import AsyncConnection
from psycopg_pool import PoolTimeout

from memdir.config.settings import Settings
from memdir.disk import files
from memdir.dream.dreamer import FAILED
from memdir.errors import CapReached, MemdirError, ModelError, ModelRejected, Rejected, RemoteError
from memdir.hub.cache import Caches, Work
from memdir.hub.database import Database, PruneRule
from memdir.hub.jobs import EXTRACT, QUEUE, TASK, add_dream_if_due, add_only_job, end_job, job_input
from memdir.hub.jobs import VECTORS as VECTORS_JOB
from memdir.hub.spaces import SpaceSession
from memdir.hub.telemetry import log_line
from memdir.memory import Memory
from memdir.text.value import value_class

__all__ = ["HubWorker", "JobRetry", "MessagesUnread", "WorkerTimes", "hub_worker"]

_TRIES = 5
"""How often a job is tried: trouble that lasts is not cured by more."""


_MOST_PRUNED = 50
"""Spaces that are pruned at one look: jobs of dead workers wait meanwhile."""


class MessagesUnread(MemdirError):
    """Messages of a conversation raised errors: nothing is saved, and the job is tried again."""


@value_class(frozen=True, slots=True)
class WorkerTimes:
    """How long a worker waits, in seconds."""

    retry: float = 10.0
    """Before the second try; then twice as long each time."""
    heartbeat: float = 5.0
    """Between two signs of life."""
    dead: float = 30.0
    """After the last sign of life of a worker, until others take its jobs."""
    start: float = 30.0
    """For PostgreSQL, when it begins."""
    look: float = 5.0
    """Between two looks for memories without vectors, and for jobs of dead workers."""


class JobRetry(BaseRetryStrategy):
    """Tries again what may work later: after some seconds, or on the next day when its tokens are used up."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when the job is tried again, behind all others of its space; None where it has failed."""
        if isinstance(exception, ModelRejected | Rejected) or _is_last(job):
            return None
        now, last = datetime.now(UTC), -(2**31) + 1
        if isinstance(exception, CapReached):
            midnight = (now + timedelta(days=1)).replace(hour=0, minute=1, second=0, microsecond=0)
            return RetryDecision(retry_at=midnight, priority=last)
        wait = timedelta(seconds=self._seconds * 2**job.attempts)
        return RetryDecision(retry_at=now + wait, priority=last)

    get_retry_decision = decision  # as the queue calls it


class HubWorker:
    """Does jobs, some at a time, until it is told to stop."""

    def __init__(
        self,
        database: Database,
        caches: Caches,
        *,
        at_once: int = 2,
        times: WorkerTimes | None = None,
        prunes: PruneRule | None = None,
    ) -> None:
        self._prunes = prunes or PruneRule()
        self._database, self._caches, self._at_once = database, caches, at_once
        self._times = times or WorkerTimes()
        self._retry = JobRetry(self._times.retry)
        connector = PsycopgConnector(
            conninfo=database.url, configure=_as_node, min_size=1, max_size=at_once + 3
        )
        self._app = App(connector=connector)
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL + 1)  # errors may quote memories
        self._app.task(name=TASK, queue=QUEUE, pass_context=True, retry=self._retry)(self._run_queued_job)

    address = "worker"
    """What a worker says when it has started, where a node says its address."""

    def serve(self) -> None:
        """Work until SIGTERM or Ctrl+C; jobs in work are finished first."""
        self._database.open()
        log_line("worker started")
        try:
            asyncio.run(self._run())
        except (TimeoutError, PoolTimeout, ConnectorException) as error:
            raise self._database.connection_error() from error
        finally:
            self._database.close()
            self._caches.close()
            log_line("worker stopped")

    async def _run(self) -> None:
        times = self._times
        async with asyncio.timeout(times.start):
            await self._app.open_async()
        look = asyncio.create_task(self._poll())
        try:
            await self._app.run_worker_async(
                queues=[QUEUE],
                concurrency=self._at_once,
                fetch_job_polling_interval=times.look,
                update_heartbeat_interval=times.heartbeat,
                stalled_worker_timeout=times.dead,
                delete_jobs="successful",
            )
        finally:
            look.cancel()
            await self._app.close_async()

    async def _poll(self) -> None:
        """Look now and then for what waits that nobody put on the queue."""
        while True:
            try:
                await self._rescue()
                await asyncio.to_thread(self._do_upkeep)
            except (ConnectorException, MemdirError) as error:
                because = str(error.__cause__ or error)
                log_line("worker looked in vain", error=type(error).__name__, because=because)
            await asyncio.sleep(self._times.look)

    async def _rescue(self) -> None:
        """Put the jobs of dead workers back; one that has killed several is given up."""
        manager = self._app.job_manager
        for job in await manager.get_stalled_jobs(seconds_since_heartbeat=self._times.dead):
            if job.attempts + 1 < _TRIES:
                await manager.retry_job(job)
            else:
                await manager.finish_job(job, Status.FAILED, delete_job=False)
                await asyncio.to_thread(self._give_up, job.task_kwargs, "The worker died several times.")

    def _do_upkeep(self) -> None:
        """Ask for the vectors that are missing, and prune."""
        for space in self._database.spaces_without_vectors():
            with self._database.space(space) as session:
                add_only_job(session, VECTORS_JOB)
        for _ in range(_MOST_PRUNED):
            if not self._database.prune_due(self._prunes):
                return

    def _run_queued_job(self, context: JobContext, space: str, job: str) -> None:
        """Do one job; the queue hears of an error and decides whether it is tried again."""
        opened = partial(self._database.space, UUID(space))
        with opened() as session:
            found = job_input(session, UUID(job))
        if found is None:
            return
        task, about = found
        tried = context.job
        try:
            answer = self._run_job(UUID(space), UUID(job), task, about, last=_is_last(tried))
        except Exception as error:
            log_line("job failed", job=job, space=space, task=task, error=type(error).__name__)
            if self._retry.decision(exception=error, job=tried) is None:
                self._give_up(tried.task_kwargs, str(error))
            raise
        log_line("job failed" if "error" in answer else "job done", job=job, space=space, task=task)

    def _run_job(
        self, space: UUID, job: UUID, task: str, about: Mapping[str, Any], *, last: bool
    ) -> Mapping[str, Any]:
        opened = partial(self._database.space, space)

        def then(session: SpaceSession, answer: Any) -> None:
            if (present := job_input(session, job)) and present[1] != about:
                raise RemoteError("Something of this job was removed for good meanwhile.")
            end_job(session, answer, job=job, failed="error" in answer)
            if task == EXTRACT:
                add_dream_if_due(session, Settings())

        with self._caches.of(space) as cache:
            if task == VECTORS_JOB:
                cache.learn(opened, partial(end_job, job=job))
                return {}
            verb = partial(_extract, messages=about["messages"], last=last) if task == EXTRACT else _dream
            work = Work(job, "", about.get("session", ""))
            answer: Mapping[str, Any] = cache.work(opened, verb, work, then)
            return answer

    def _give_up(self, arguments: Mapping[str, Any], because: str) -> None:
        with self._database.space(UUID(str(arguments["space"]))) as session:
            end_job(session, {"error": because}, job=UUID(str(arguments["job"])), failed=True)


def hub_worker(
    database: Database, env: Mapping[str, str], *, copies: int, at_once: int, prunes: PruneRule
) -> HubWorker:
    """Return a worker; this process writes nothing that has to last."""
    files.durable = False
    return HubWorker(database, Caches(env, most=copies, may_ask=True), at_once=at_once, prunes=prunes)


def _is_last(job: Job) -> bool:
    return job.attempts + 1 >= _TRIES


def _extract(memory: Memory, messages: list[Mapping[str, Any]], *, last: bool) -> Any:
    """Save what a conversation gives; where messages raise errors, the last try saves the rest and fails."""
    found = memory.extract(messages=messages)
    error = f"Some messages could not be read. {'; '.join(found.unreadable)}" if found.unreadable else ""
    if error and not last:
        raise MessagesUnread(error)
    answer = {
        "saved": [saved.file for saved in found.saved],
        "forgotten": list(found.forgotten),
        "inbox": list(found.inbox),
        "because": found.because,
        "method": found.method,
    }
    return answer | ({"error": error} if error else {})


def _dream(memory: Memory) -> Any:
    done = memory.jobs.dream(now=True)
    if done.ended == FAILED:
        raise ModelError(done.because)
    return {"ended": done.ended, "because": done.because, "operation": done.operation}


async def _as_node(connection: AsyncConnection[Any]) -> None:
    """Give up every right but those of a node."""
    await connection.execute("SET ROLE memdir_node")
    await connection.commit()
