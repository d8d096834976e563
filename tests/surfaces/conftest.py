"""What tests of hooks share: a host that starts them."""

from pathlib import Path

import pytest
from tests.surfaces.test_hooks import Host


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)
