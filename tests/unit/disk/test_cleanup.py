"""What a killed process left half-written is removed wherever it may lie; what a running one writes stays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memdir.disk.cleanup import sweep
from memdir.disk.files import TEMP_PREFIX, temp_name

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are not looked up there")


@pytest.fixture
def dead() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


@pytest.mark.parametrize("folder", ["", "inbox", "conversations", "work/extract", "work/ask"])
def test_only_what_is_left_over_goes(tmp_path: Path, dead: int, folder: str) -> None:
    place = tmp_path / folder
    place.mkdir(parents=True, exist_ok=True)
    left, mine, other = place / f"{TEMP_PREFIX}{dead:x}-0a", place / temp_name(), place / "kept.json"
    for path in (left, mine, other):
        path.write_text("x")
    sweep(str(tmp_path))
    assert [path.exists() for path in (left, mine, other)] == [False, True, True]


def test_a_folder_that_is_not_there_is_no_matter(tmp_path: Path) -> None:
    sweep(str(tmp_path / "nowhere"))
    assert os.listdir(tmp_path) == []
