"""Jobs side by side, each of which writes one file: a run that was stopped does only what is missing."""

import time
from collections.abc import Callable, Container, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

__all__ = ["Job", "all_done", "written"]


@dataclass(frozen=True)
class Job:
    """What is done, for which file, and which files it is made of."""

    out: Path
    work: Callable[..., None]
    given: tuple[Any, ...]
    made_of: tuple[Path, ...] = ()

    def begins(self, late: bool, awaited: Container[Path] = ()) -> bool:
        """Whether it can begin: all it is made of is there; when it is late, some, and no more is awaited."""
        there = [path.exists() for path in self.made_of]
        if not late:
            return all(there)
        return any(there) and not any(path in awaited for path in self.made_of)


def all_done(
    jobs: Sequence[Job], workers: int, seconds: float, load: Callable[..., None], given: tuple[Any, ...]
) -> None:
    """Do the jobs whose file is missing, the first ones first.

    After so many seconds only those begin that put together what others left and that await nothing more.
    """
    begun = time.time()
    waiting = [job for job in jobs if not job.out.exists()]
    running: dict[Future[None], Job] = {}
    with ProcessPoolExecutor(workers, get_context("spawn"), load, given) as pool:
        while True:
            late = time.time() - begun > seconds
            awaited = {job.out for job in running.values()}
            for job in [one for one in waiting if one.begins(late, awaited)][: workers - len(running)]:
                waiting.remove(job)
                running[pool.submit(job.work, *job.given, job.out, job.made_of)] = job
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                job, fault = running.pop(done), done.exception()
                print(f"{time.time() - begun:5.0f} s: {job.out.stem} {fault or 'done'}", flush=True)


def written(out: Path, write: Callable[[Path], object]) -> None:
    """Write a file under another name first, so that half a file never counts as done."""
    part = out.with_name(f"part-{out.name}")
    write(part)
    part.rename(out)
