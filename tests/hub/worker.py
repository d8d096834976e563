"""A worker of the hub as a real process."""

from tests.hub.node import START, HubProcess

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


class Worker(HubProcess):
    """`memdir serve --worker`."""

    def __init__(self, url: str, *options: str, start: str = START, **env: str) -> None:
        super().__init__(url, "--worker", *options, code=start, env=env)
