"""Adds `--update`, which rewrites the transcripts in this folder from what is really printed."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the option when this folder is named on the command line: `pytest tests/cli --update`."""
    parser.addoption("--update", action="store_true", help="rewrite the transcripts in tests/cli")
