"""The write primitive: whole or not at all, private, and never through a link."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memdir.disk import files
from memdir.disk.files import MAX_FILE_BYTES, TEMP_PREFIX, Folder, Unreadable, sweep, temp_name


def names(folder: Folder) -> list[str]:
    return sorted(os.listdir(folder.path))


def test_a_write_replaces_the_whole_file(folder: Folder) -> None:
    folder.write("a.md", b"one")
    folder.write("a.md", b"two")
    assert folder.read("a.md")[0] == b"two"
    assert names(folder) == ["a.md"]


def test_a_write_can_keep_the_time_of_the_text(folder: Folder) -> None:
    folder.write("a.md", b"one", saved_ns=1_000_000_000)
    assert folder.read("a.md")[1].st_mtime_ns == 1_000_000_000


def test_a_folder_is_made_where_a_relative_path_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with files.make_folder("a/b") as made:
        made.write("c.md", b"one")
    assert (tmp_path / "a" / "b" / "c.md").read_bytes() == b"one"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_nothing_is_seen_before_it_is_put_in_place(folder: Folder) -> None:
    staged = folder.stage("a.md", b"one")
    assert not folder.exists("a.md")
    staged.place()
    assert folder.read("a.md")[0] == b"one"


def test_a_staged_file_can_be_given_up(folder: Folder) -> None:
    folder.stage("a.md", b"one").drop()
    assert names(folder) == []


def test_a_failing_write_leaves_no_temporary_file(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_disk(step: str) -> None:
        if step.startswith("fsync"):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "on_step", full_disk)
    with pytest.raises(OSError, match="No space"):
        folder.write("a.md", b"one")
    assert names(folder) == []


def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(folder: Folder, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("precious")
    (Path(folder.path) / "a.md").symlink_to(outside)
    folder.write("a.md", b"mine")
    assert outside.read_text() == "precious"
    assert folder.read("a.md")[0] == b"mine"


def test_a_link_in_the_place_of_a_sub_folder_is_refused(folder: Folder, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (Path(folder.path) / "sub").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="sub"):
        folder.write("sub/a.md", b"mine")
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("kind", ["link", "fifo", "hard link", "folder"])
def test_only_plain_files_of_the_folder_are_read(folder: Folder, tmp_path: Path, kind: str) -> None:
    path, outside = Path(folder.path) / "a.md", tmp_path / "outside"
    outside.write_text("precious")
    if kind == "link":
        path.symlink_to(outside)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "hard link":
        os.link(outside, path)
    else:
        path.mkdir()
    with pytest.raises(OSError, match=r"a\.md") as caught:
        folder.read("a.md")
    assert isinstance(caught.value, Unreadable) or kind == "link"


def test_reading_is_bounded(folder: Folder) -> None:
    with open(Path(folder.path) / "big.md", "wb") as big:
        big.truncate(1 << 33)
    assert len(folder.read("big.md")[0]) == MAX_FILE_BYTES


def test_sub_folders_are_made_private_whatever_the_umask(folder: Folder) -> None:
    before = os.umask(0)
    try:
        folder.write("sub/a.md", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(Path(folder.path) / "sub").st_mode) == 0o700
    assert stat.S_IMODE(os.stat(Path(folder.path) / "sub" / "a.md").st_mode) == 0o600


def test_a_torn_last_line_of_a_log_is_closed_before_the_next(folder: Folder) -> None:
    folder.append("log", b"one\n")
    with open(Path(folder.path) / "log", "ab") as log:
        log.write(b"tor")
    folder.append("log", b"two\n")
    assert folder.read("log")[0].split(b"\n") == [b"one", b"tor", b"two", b""]


def test_a_cache_is_replaced_whole(folder: Folder) -> None:
    folder.replace_cache("cache", b"one")
    folder.replace_cache("cache", b"two")
    assert folder.read("cache")[0] == b"two"
    assert not [name for name in names(folder) if name.startswith(TEMP_PREFIX)]


@pytest.fixture
def dead() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not looked up there")
@pytest.mark.parametrize("below", ["", "inbox", "conversations", "work/extract", "work/ask"])
def test_only_what_is_left_over_goes(tmp_path: Path, dead: int, below: str) -> None:
    place = tmp_path / below
    place.mkdir(parents=True, exist_ok=True)
    left, mine, other = place / f"{TEMP_PREFIX}{dead:x}-0a", place / temp_name(), place / "kept.json"
    for path in (left, mine, other):
        path.write_text("x")
    sweep(str(tmp_path))
    assert [path.exists() for path in (left, mine, other)] == [False, True, True]


def test_a_folder_that_is_not_there_is_no_matter(tmp_path: Path) -> None:
    sweep(str(tmp_path / "nowhere"))
    assert os.listdir(tmp_path) == []
