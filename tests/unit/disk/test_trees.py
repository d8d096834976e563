"""Files and folders are moved and removed by their paths, and what stays is said."""

import os
import stat
from pathlib import Path

import pytest

from memdir.disk.trees import make_temporary_folder, move, remove_if_empty, remove_tree, set_mode


def test_a_file_that_is_moved_replaces_another(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("new")
    (tmp_path / "b").write_text("old")
    move(str(tmp_path / "a"), str(tmp_path / "b"))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("b", "new")]


def test_what_is_not_there_is_not_moved(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        move(str(tmp_path / "a"), str(tmp_path / "b"))


def test_a_temporary_folder_is_private_and_new(tmp_path: Path) -> None:
    made = {make_temporary_folder(str(tmp_path), "x-") for _ in range(2)}
    assert len(made) == 2
    assert {stat.S_IMODE(os.stat(one).st_mode) for one in made} == {0o700}


def test_a_mode_is_set(tmp_path: Path) -> None:
    set_mode(str(tmp_path), 0o750)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_folder_with_something_in_it_stays(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    (tmp_path / "empty").mkdir()
    for name in ("full", "empty", "missing"):
        remove_if_empty(str(tmp_path / name))
    assert os.listdir(tmp_path) == ["full"]


def test_a_tree_goes_whole_and_a_missing_one_is_gone(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x").touch()
    assert remove_tree(str(tmp_path / "a")) == []
    assert remove_tree(str(tmp_path / "a")) == []
    assert os.listdir(tmp_path) == []


def test_a_link_or_a_file_in_place_of_a_tree_stays_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "x").touch()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    for name in ("link", "there/x"):
        assert remove_tree(str(tmp_path / name)) == [str(tmp_path / name)]
    assert (tmp_path / "there" / "x").exists()
