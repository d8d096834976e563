"""A worker of the hub as a real process."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

from tests.hub.node import START

IMPATIENT = """
import os
from memdir.hub.cache import Caches
from memdir.hub.database import Database
from memdir.hub.worker import HubWorker, WorkerTimes
caches = Caches(os.environ, may_ask=True)
worker = HubWorker(Database(os.environ["MEMDIR_DATABASE"]), caches, times=WorkerTimes(retry=0.05, look=0.1))
print(worker.address, flush=True)
worker.serve()
"""
"""A worker that tries again at once."""


class Worker:
    """`memdir serve --worker`; its log is kept in a file."""

    def __init__(self, url: str, *options: str, start: str = START, **env: str) -> None:
        self._log = tempfile.NamedTemporaryFile(prefix="memdir-worker-", suffix=".log")  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-c", start, "serve", "--worker", *options],
            env={**os.environ, "MEMDIR_DATABASE": url, **env},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "worker\n", self.log

    @property
    def log(self) -> str:
        return Path(self._log.name).read_text()

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(sign)
        return self.process.wait(60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        assert self.process.stdout
        self.process.stdout.close()
        self._log.close()
