"""A memory directory may hold anything: each trap costs at most itself, and nothing from outside is shown."""

import pytest

from tests.reliability.harness.figure import needs_root
from tests.reliability.harness.traps import traps
from tests.reliability.hostile_directory import visited

TRAPS = {trap.name: trap for trap in traps() if not trap.needs_root or not needs_root()}
ALONE = [
    "an index that is a link to outside",
    "an index that is a hard link to outside",
    "an index that is a FIFO",
    "an index that is a folder",
    "an index with links to outside",
    "hubs that are a link to outside",
    "a hub that is a link to outside",
]


@pytest.mark.parametrize("name", ALONE)
def test_everything_works_beside(name: str) -> None:
    assert visited([TRAPS[name]]).problems == []


def test_everything_works_beside_all_traps_at_once() -> None:
    together = [trap for name, trap in TRAPS.items() if "index" not in name and "hub" not in name]
    assert visited(together).problems == []
