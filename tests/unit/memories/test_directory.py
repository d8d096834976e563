"""A directory that cannot be opened is a sentence that says what to do."""

from pathlib import Path

import pytest

from memdir.errors import StorageError
from memdir.memories.directory import MemoryDir


def test_a_directory_that_cannot_be_opened_is_named_with_advice(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(StorageError, match=r"loop could not be read: .*Check the directory and try again\."):
        MemoryDir(str(tmp_path / "loop"), str(tmp_path / "state")).scan()
