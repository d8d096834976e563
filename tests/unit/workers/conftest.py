"""What tests of workers share: directories that workers may look at."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def tmp_path(outside_dev: Callable[[], Path]) -> Path:
    return outside_dev()
