"""The person chooses the remote of a directory, and the choice lies outside every project."""

import os
from pathlib import Path

import pytest
from tests.conformance.remotes import Shared
from tests.conftest import Clock

from memdir.errors import Rejected, StorageError
from memdir.sync.remotes import Remotes, RemoteSettings, person, remote_settings

CHOSEN = RemoteSettings("git", "https://east:pw@example.org/m.git", "shop", "main", "East")


def test_each_directory_and_audience_has_a_remote_of_its_own(tmp_path: Path) -> None:
    remotes = Remotes(str(tmp_path / "home"))
    remotes.choose(str(tmp_path / "one"), CHOSEN)
    remotes.choose(str(tmp_path / "one"), CHOSEN, audience="team")
    remotes.choose(str(tmp_path / "one"), None, audience="team")
    again = Remotes(str(tmp_path / "home"))
    assert again.of(str(tmp_path / "one")) == CHOSEN
    assert again.of(str(tmp_path / "one"), "team") is None
    assert again.of(str(tmp_path / "two")) is None


def test_the_record_is_closed_to_others_and_its_title_has_no_password(tmp_path: Path) -> None:
    Remotes(str(tmp_path)).choose(str(tmp_path / "one"), CHOSEN)
    assert (tmp_path / "memdir" / "remotes.json").stat().st_mode & 0o777 == 0o600
    assert CHOSEN.title == "https://example.org/m.git (shop)"


@pytest.mark.parametrize("text", ["{", "[]", '{"x": 1}', '{"%s": {"private": {"kind": "git"}}}'])
def test_a_damaged_record_is_told_and_never_written_over(tmp_path: Path, text: str) -> None:
    place = tmp_path / "memdir" / "remotes.json"
    place.parent.mkdir()
    place.write_text(text.replace("%s", str(tmp_path / "one")))
    with pytest.raises(StorageError, match="damaged"):
        Remotes(str(tmp_path)).of(str(tmp_path / "one"))


def test_a_path_is_a_repository_or_a_folder_and_a_url_is_git(tmp_path: Path, clock: Clock) -> None:
    shared = Shared("git", tmp_path, clock)
    (tmp_path / "share").mkdir()
    kinds = {
        str(shared.path): "git",
        "share": "folder",
        "git@example.org:me/m.git": "git",
        "ssh://example.org/m.git": "git",
    }
    for url, kind in kinds.items():
        assert remote_settings(url, str(tmp_path), who="East").kind == kind


def test_a_folder_inside_the_memory_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "memory" / "share").mkdir(parents=True)
    with pytest.raises(Rejected, match="memory directory itself"):
        remote_settings("memory/share", str(tmp_path), kept_out=str(tmp_path / "memory"))
    (tmp_path / "memory-share").mkdir()
    beside = remote_settings("memory-share", str(tmp_path), kept_out=str(tmp_path / "memory"))
    assert beside.kind == "folder"


def test_a_person_is_known_by_the_name_in_git_else_by_the_account(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "USER": "east", "GIT_CONFIG_NOSYSTEM": "1"}
    assert person(env, str(tmp_path)) == "east"
    (tmp_path / ".gitconfig").write_text("[user]\nname = East Example\nemail = east@example.org\n")
    assert person(env, str(tmp_path)) == "East Example <east@example.org>"
