"""Tests here that start many processes are left to `make reliability` by the default run."""

from pathlib import Path

import pytest

_HERE = Path(__file__).parent
_MANY_PROCESSES = (
    "test_clones",
    "test_crowd",
    "test_extract_kills",
    "test_hostile_names",
    "test_hostile_tree",
    "test_kills",
    "test_power",
    "test_refusals",
    "test_rule_calls",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them as crowded."""
    for item in items:
        if item.path.parent == _HERE and item.path.stem in _MANY_PROCESSES:
            item.add_marker(pytest.mark.crowded)
