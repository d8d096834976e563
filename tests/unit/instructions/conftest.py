"""What tests of instructions share: a home and a project with instruction files."""

from pathlib import Path

import pytest
from tests.unit.instructions.folders import Folders


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path.resolve())
