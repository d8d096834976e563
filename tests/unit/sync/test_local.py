"""A scan sees what may be synced, reads again only what changed, and says what it could not see."""

import os
from pathlib import Path

import pytest

from memdir.memories.directory import MemoryDir
from memdir.memories.history.git import blob_id
from memdir.memories.scan import Skipped
from memdir.sync.local import LocalFiles, scan_files
from memdir.sync.remote import FileState


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "place").mkdir()


def scan(tmp_path: Path) -> LocalFiles:
    memories = MemoryDir(str(tmp_path / "memory"), str(tmp_path / "state"))
    return scan_files(memories, str(tmp_path / "place"))


def test_each_file_has_the_hash_of_its_bytes_and_its_time(tmp_path: Path) -> None:
    (tmp_path / "memory" / "a.md").write_bytes(b"one")
    os.utime(tmp_path / "memory" / "a.md", ns=(5, 5))
    assert scan(tmp_path).files == {"a.md": FileState(blob_id(b"one"), "", 5)}


def test_a_change_of_the_same_size_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "memory" / "a.md"
    path.write_bytes(b"one")
    scan(tmp_path)
    beside = path.with_name("b")
    beside.write_bytes(b"two")
    os.utime(beside, ns=(path.stat().st_mtime_ns,) * 2)
    beside.rename(path)
    assert scan(tmp_path).files["a.md"].content == blob_id(b"two")


def test_a_directory_that_is_not_there_is_not_an_empty_one(tmp_path: Path) -> None:
    assert scan(tmp_path).exists
    (tmp_path / "memory").rmdir()
    assert not scan(tmp_path).exists


def test_a_name_that_others_cannot_take_is_refused(tmp_path: Path) -> None:
    (tmp_path / "memory" / "a:b.md").write_bytes(b"one")
    found = scan(tmp_path)
    assert found.files == {}
    assert [one.file for one in found.refused] == ["a:b.md"]


def test_what_lies_in_a_folder_that_cannot_be_opened_is_closed() -> None:
    found = LocalFiles({}, (Skipped("deep/", "cannot be opened"), Skipped("a.md", "a link")))
    assert found.is_closed("deep/er/x.md")
    assert found.is_closed("a.md")
    assert not found.is_closed("deeper/x.md")


def test_damaged_hashes_are_made_again(tmp_path: Path) -> None:
    (tmp_path / "memory" / "a.md").write_bytes(b"one")
    scan(tmp_path)
    (tmp_path / "place" / "seen.json").write_text('{"a.md": [1, 2]}')
    assert scan(tmp_path).files["a.md"].content == blob_id(b"one")
