"""An open folder, and `--update-golden`, which rewrites tests/golden from what models are really told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memdir.disk.files import Folder, make_folder


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the option when this folder or one in it is named: `pytest tests/unit/prompt --update-golden`."""
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """Open the folder `m`, made for the test."""
    with make_folder(str(tmp_path / "m")) as opened:
        yield opened
