"""What tests of hooks share: a host that starts them."""

from pathlib import Path

import pytest
from tests.processes import Commands
from tests.surfaces.test_hooks import Host


@pytest.fixture
def host(tmp_path: Path, commands: Commands) -> Host:
    return Host(tmp_path, commands)
