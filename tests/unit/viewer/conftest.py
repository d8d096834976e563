"""What tests of the viewer share: a small project with memories, and somebody who asks for pages."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.viewer.visitor import Visitor

from memdir.memory import Memory


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[], Memory]:
    """Open one more handle on the memory of a project, with the clock of the machine."""
    project, home = tmp_path / "shop", str(tmp_path / "home")
    env = {"HOME": home, "PATH": os.environ["PATH"], "MEMDIR_WEIGHTS": os.environ["MEMDIR_WEIGHTS"]}
    project.mkdir()
    (tmp_path / "home").mkdir()
    return lambda: Memory.open(project, env)


@pytest.fixture
def visitor(opened: Callable[[], Memory]) -> Visitor:
    return Visitor(opened)
