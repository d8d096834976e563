"""What tests of instructions share: a home and a project with instruction files."""

from pathlib import Path

import pytest
from tests.unit.instructions.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path.resolve())
