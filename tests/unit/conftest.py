"""Adds `--update-golden`, which rewrites the files in tests/golden from what models are really told."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the option when this folder or one in it is named: `pytest tests/unit/prompt --update-golden`."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden")
