"""A stamp of a directory differs once a name came or went in it, and is empty where it could not tell."""

import os
from pathlib import Path

from memdir.disk.files import Folder
from memdir.memories.catalog.header_cache import name_stamp

SECOND = 10**9


def stamp(place: Path) -> tuple[int, ...]:
    with Folder(str(place)) as folder:
        return name_stamp(folder, ["sub", "sub/deep", "gone"])


def made(place: Path, *, index: int, sub: int) -> None:
    (place / "sub" / "deep").mkdir(parents=True, exist_ok=True)
    (place / "MEMORY.md").touch()
    for name, seconds in (("sub/deep", sub), ("sub", 1), ("MEMORY.md", index)):
        os.utime(place / name, ns=(seconds * SECOND, seconds * SECOND))


def test_a_time_of_a_folder_below_counts(tmp_path: Path) -> None:
    made(tmp_path, index=9, sub=2)
    before = stamp(tmp_path)
    assert before
    assert stamp(tmp_path) == before
    os.utime(tmp_path / "sub" / "deep", ns=(3 * SECOND, 3 * SECOND))
    assert stamp(tmp_path) != before


def test_a_folder_below_that_changed_just_now_leaves_it_in_doubt(tmp_path: Path) -> None:
    made(tmp_path, index=9, sub=9)
    assert stamp(tmp_path) == ()


def test_folders_below_without_an_index_leave_it_in_doubt(tmp_path: Path) -> None:
    made(tmp_path, index=9, sub=2)
    (tmp_path / "MEMORY.md").unlink()
    assert stamp(tmp_path) == ()
