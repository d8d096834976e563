"""Tests here that start many processes are left to `make reliability` by the default run."""

from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_MANY_PROCESSES = (
    "test_disturbed_clones",
    "test_concurrent_writers",
    "test_killed_extraction",
    "test_hostile_names",
    "test_hostile_directory",
    "test_killed_writer",
    "test_power_cuts",
    "test_failing_disk",
    "test_broken_rules",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them as crowded."""
    for item in items:
        if item.path.parent == _HERE and item.path.stem in _MANY_PROCESSES:
            item.add_marker(pytest.mark.crowded)
