"""A memory directory with an inbox of its own."""

from pathlib import Path

import pytest

from memdir import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.at(tmp_path / "memory", state=tmp_path / "state")
