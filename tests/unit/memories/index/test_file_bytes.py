"""The index on disk is read so that no byte of a person is lost, or it is said why it is left alone."""

import os
from pathlib import Path

import pytest

from memdir.disk.files import MAX_FILE_BYTES, Folder
from memdir.memories.index.file import IndexText, index_text, readable_text


def read(place: Path) -> IndexText:
    with Folder(str(place)) as folder:
        return index_text(folder)


def test_what_is_not_there_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path) == IndexText()
    (tmp_path / "MEMORY.md").symlink_to(tmp_path / "elsewhere")
    assert read(tmp_path) == IndexText()


def test_a_fifo_is_empty_too(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "MEMORY.md")
    assert read(tmp_path) == IndexText()


@pytest.mark.parametrize(
    "data", ["# Café\n".encode(), b"# Caf\xe9\r\n", b"\xff\xfe# prose\n", bytes(range(256))]
)
def test_bytes_come_back_as_they_were_and_are_shown_as_text(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "MEMORY.md").write_bytes(data)
    text = read(tmp_path)
    assert not text.held
    assert text.text.encode("utf-8", "surrogateescape") == data
    readable_text(text.text).encode("utf-8")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_in_another_encoding_is_shown_and_left_alone(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "MEMORY.md").write_bytes("\ufeff# Café\n".encode(encoding))
    text = read(tmp_path)
    assert text.text == "# Café\n"
    assert "Save it as UTF-8" in text.held


def test_only_what_can_be_read_whole_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"x" * MAX_FILE_BYTES)
    assert not read(tmp_path).held
    (tmp_path / "MEMORY.md").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    assert "is over 1,048,576 bytes" in read(tmp_path).held


def test_nothing_is_taken_from_a_file_with_a_second_name(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("from elsewhere")
    os.link(tmp_path / "other", tmp_path / "MEMORY.md")
    text = read(tmp_path)
    assert not text.text
    assert "hard link" in text.held
