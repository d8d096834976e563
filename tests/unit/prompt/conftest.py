"""Adds `--update-golden`, which rewrites the prompts in tests/golden/prompts from what is really built."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the option when this folder is named: `pytest tests/unit/prompt --update-golden`."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden/prompts")
