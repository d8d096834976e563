"""The power may fail at any moment: what was acknowledged is on the disk, and nothing torn is shown."""

import pytest

from tests.reliability.harness.figure import Effort, needs_strace
from tests.reliability.harness.power_cut_disk import EVERYTHING, NOTHING, Disk
from tests.reliability.power_cuts import SERIES, power_figures

strace = pytest.mark.skipif(bool(needs_strace()), reason="needs strace")


@strace
def test_nothing_acknowledged_is_lost_in_a_power_cut() -> None:
    figures = power_figures(Effort.of(5, sample=True), SERIES[:5], luck=1)
    assert [figure.problems for figure in figures] == [[], []]


@strace
def test_the_model_notices_a_store_that_does_not_sync() -> None:
    careless = "import os; os.fsync = lambda descriptor: None"
    memories, _ = power_figures(Effort.of(5, sample=True), SERIES[:2], luck=1, sabotage=careless)
    assert any("is 'not there' instead of" in problem for problem in memories.problems)


def test_the_disk_keeps_what_was_synced_and_nothing_else() -> None:
    disk = Disk("/d")
    disk.opened("/d/a", create=True, cut=False, append=False)
    disk.written("/d/a", b"old")
    disk.synced("/d/a")
    assert dict(disk.left_over(NOTHING)) == {}
    disk.synced("/d")
    disk.written("/d/a", b" new")
    disk.linked("/d/a", "/d/b", moved=True)
    assert dict(disk.left_over(NOTHING)) == {"a": b"old"}
    assert dict(disk.left_over(EVERYTHING)) == {"b": b"old new"}
