"""A watched folder tells of every change below it, and says so where it cannot tell."""

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from memdir.disk.watch import FolderWatch


@pytest.fixture(autouse=True)
def _reported(tmp_path_factory: pytest.TempPathFactory) -> None:
    if FolderWatch(str(tmp_path_factory.mktemp("tried"))).changes() is None:
        pytest.skip("this system does not report what changes in its folder for temporary files")


def _written_in_place(folder: Path) -> None:
    with open(folder / "inner" / "one.md", "r+") as file:
        file.write("x")


def _time_set(folder: Path) -> None:
    os.utime(folder / "inner" / "one.md", (1, 1))


def _added(folder: Path) -> None:
    (folder / "two.md").write_text("two")


def _removed(folder: Path) -> None:
    (folder / "inner" / "one.md").unlink()


def _renamed(folder: Path) -> None:
    (folder / "inner").rename(folder / "other")


def _swapped(folder: Path) -> None:
    folder.rename(folder.with_name("old"))
    folder.mkdir()


@pytest.mark.parametrize("change", [_written_in_place, _time_set, _added, _removed, _renamed, _swapped])
def test_a_change_is_told_once(tmp_path: Path, change: Callable[[Path], None]) -> None:
    (tmp_path / "memory" / "inner").mkdir(parents=True)
    (tmp_path / "memory" / "inner" / "one.md").write_text("one")
    watch = FolderWatch(str(tmp_path / "memory"))
    before = watch.changes()
    assert before is not None
    assert watch.changes() == before
    change(tmp_path / "memory")
    after = watch.changes()
    assert after is not None
    assert after > before
    assert watch.changes() == after


def test_a_folder_that_comes_later_is_watched_too(tmp_path: Path) -> None:
    watch = FolderWatch(str(tmp_path / "memory"))
    assert watch.changes() is None
    assert watch.quiet_seconds() is None
    (tmp_path / "memory" / "inner").mkdir(parents=True)
    first = watch.changes()
    assert first is not None
    (tmp_path / "memory" / "inner" / "one.md").write_text("one")
    second = watch.changes()
    assert second is not None
    assert second > first


def test_a_look_after_the_last_change_is_told_from_one_before(tmp_path: Path) -> None:
    watch, before = FolderWatch(str(tmp_path)), monotonic()
    (tmp_path / "one.md").write_text("one")
    quiet, after = watch.quiet_seconds(), monotonic()
    assert quiet is not None
    assert before <= after - quiet


def test_it_is_not_sure_of_a_file_system_that_others_may_write_to() -> None:
    assert FolderWatch("/proc/self").changes() is None
