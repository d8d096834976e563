"""Reading a small regular file never waits, whatever stands in its place."""

import os
import socket
from pathlib import Path

import pytest

from memdir.disk.regular_file import Unread, regular_bytes


def test_a_file_is_read_whole_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text\0\xff")
    (tmp_path / "link").symlink_to("file")
    assert regular_bytes(str(tmp_path / "file"), 100) == b"text\0\xff"
    assert regular_bytes(str(tmp_path / "link"), 100) == b"text\0\xff"


@pytest.mark.parametrize(("size", "fits"), [(0, True), (99, True), (100, True), (101, False), (9999, False)])
def test_the_limit_is_exact(tmp_path: Path, size: int, *, fits: bool) -> None:
    (tmp_path / "file").write_bytes(b"x" * size)
    result = regular_bytes(str(tmp_path / "file"), 100)
    assert result == (b"x" * size if fits else Unread("it is larger than 100 bytes"))


def test_a_huge_sparse_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(8 << 30)
    assert regular_bytes(str(tmp_path / "file"), 100) == Unread("it is larger than 100 bytes")


def test_a_pipe_a_socket_a_device_and_a_directory_are_named_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)  # the path of a socket has room for about 100 bytes only
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        places = [str(tmp_path / name) for name in ("pipe", "folder", "socket")]
        results = [regular_bytes(place, 100) for place in [*places, "/dev/zero"]]
    assert results == [Unread("it is not a regular file")] * 4


@pytest.mark.parametrize("name", ["nothing", "file/below", "nul\0", "\ud800"])
def test_what_cannot_exist_is_missing(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("x")
    result = regular_bytes(f"{tmp_path}/{name}", 100)
    assert isinstance(result, Unread)
    assert result.missing


def test_a_link_loop_is_an_error_and_not_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    result = regular_bytes(str(tmp_path / "a"), 100)
    assert isinstance(result, Unread)
    assert not result.missing
