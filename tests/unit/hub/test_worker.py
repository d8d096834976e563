"""A worker that cannot have PostgreSQL ends with an error that says what to do."""

from pathlib import Path

import pytest

from memdir.errors import RemoteError
from memdir.hub.cache import Caches
from memdir.hub.database import Database
from memdir.hub.worker import HubWorker, WorkerTimes


def test_a_worker_without_postgresql_says_to_look_whether_it_runs(tmp_path: Path) -> None:
    nowhere = Database("postgresql://nobody@127.0.0.1:1/none")
    worker = HubWorker(nowhere, Caches({}, folder=str(tmp_path)), times=WorkerTimes(start=0.05))
    with pytest.raises(RemoteError, match=r"^PostgreSQL cannot be used now\. Look whether it runs"):
        worker.serve()
    assert list(tmp_path.iterdir()) == []
