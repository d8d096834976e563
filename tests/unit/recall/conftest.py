"""What tests of recall share: a memory directory with a recaller."""

from pathlib import Path

import pytest
from tests.unit.recall.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)
