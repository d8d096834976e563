"""What tests of hosts share: one user whose hosts are set up."""

from pathlib import Path

import pytest

from memdir.config.world import World
from memdir.hosts.setup import HostSetup


@pytest.fixture
def setup(tmp_path: Path) -> HostSetup:
    return HostSetup(
        World({}, "/", str(tmp_path)),
        root=str(tmp_path / "project"),
        config_home=str(tmp_path / ".claude"),
        launcher="/opt/my tools/memdir",
    )
