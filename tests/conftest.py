"""What every test may use: a memory directory with its own state and a clock that stands still."""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings

from memdir.memory import Memory
from tests import processes
from tests.environment import WORDS_ALONE
from tests.processes import Commands

# Machines are noisy: no test asserts a time. A failure prints what repeats it, so no examples are kept.
settings.register_profile("quick", deadline=None, database=None, print_blob=True, max_examples=20)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=100)  # `make reliability`
settings.load_profile("quick")

# Most tests are about words: those about meanings name the weights that they use.
os.environ.update(WORDS_ALONE)

# Where a test imports numpy before memdir does: two threads of it on a busy machine take ten times as long.
os.environ.update(dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"], "1"))

# A run that a shell started in the background ignores interrupts, and so would the commands of its tests.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Directories of tests lie in memory where there is room: most of a save is waiting for the disk.
_IN_MEMORY = "/dev/shm"  # noqa: S108 - pytest makes a folder of its own there
if os.access(_IN_MEMORY, os.W_OK) and shutil.disk_usage(_IN_MEMORY).free > 1 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _IN_MEMORY)

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)  # a Sunday


def pytest_collection_finish() -> None:
    """Take thousands of tests, which stay to the end, out of the garbage collector's sight."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(
        50_000, 20, 20
    )  # what the tests of a process leave behind would be looked at again and again


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture(scope="session")
def outside_dev() -> Iterator[Callable[[], Path]]:
    """Make directories that are not below /dev, where workers may look at nothing."""
    with tempfile.TemporaryDirectory() as folder:
        yield lambda: Path(tempfile.mkdtemp(dir=folder)).resolve()


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    """Run commands of memdir as children of a process that has imported it."""
    with processes.commands() as found:
        yield found


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Make an empty memory directory."""
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Callable[[], Memory]:
    """Open one more handle on the same directory, as another process would."""

    def another() -> Memory:
        return Memory.at(tmp_path / "memory", state=tmp_path / "state", session="session-1", clock=clock)

    return another


@pytest.fixture
def memory(opened: Callable[[], Memory]) -> Memory:
    return opened()
