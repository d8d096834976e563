"""The person chooses the remote of a directory, and the choice lies outside every project."""

import os
from pathlib import Path

import pytest
from tests.conformance.remotes import Shared
from tests.conftest import Clock

from memdir.config.world import World
from memdir.errors import Rejected, RemoteError, StorageError
from memdir.sync.remotes import Remotes, RemoteSettings, open_remote, person, remote_settings


def world(folder: Path) -> World:
    return World({}, str(folder), f"{folder}/home")


CHOSEN = RemoteSettings("git", "https://east:pw@example.org/m.git", "shop", "main", "East")


def test_each_directory_and_audience_has_a_remote_of_its_own(tmp_path: Path) -> None:
    remotes = Remotes(str(tmp_path / "home"))
    remotes.choose(str(tmp_path / "one"), CHOSEN)
    remotes.choose(str(tmp_path / "one"), HUB, audience="team")
    again = Remotes(str(tmp_path / "home"))
    assert again.of(str(tmp_path / "one")) == CHOSEN
    assert again.of(str(tmp_path / "one"), "team") == HUB
    assert again.of(str(tmp_path / "two"), "team") is None
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
        assert remote_settings(url, world(tmp_path), who="East").kind == kind


def test_a_folder_inside_the_memory_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "memory" / "share").mkdir(parents=True)
    with pytest.raises(Rejected, match="memory directory itself"):
        remote_settings("memory/share", world(tmp_path), kept_out=str(tmp_path / "memory"))
    (tmp_path / "memory-share").mkdir()
    beside = remote_settings("memory-share", world(tmp_path), kept_out=str(tmp_path / "memory"))
    assert beside.kind == "folder"


def test_a_person_is_known_by_the_name_in_git_else_by_the_account(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "USER": "east", "GIT_CONFIG_NOSYSTEM": "1"}
    assert person(World(env, str(tmp_path), str(tmp_path))) == "east"
    (tmp_path / ".gitconfig").write_text("[user]\nname = East Example\nemail = east@example.org\n")
    assert person(World(env, str(tmp_path), str(tmp_path))) == "East Example <east@example.org>"


HUB = RemoteSettings("hub", "https://hub.example.org/shop", "", "", "East")
TOKEN = "memdir_" + "a1B2c3D4e5" * 4 + "xyz"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://hub.example.org/shop", "hub"),
        ("https://hub.example.org/shop/", "hub"),
        ("https://example.org/below/v1/spaces/shop", "hub"),
        ("http://127.0.0.1:8080/shop", "hub"),
        ("http://localhost:8080/shop", "hub"),
        ("https://example.org/shop.git", "git"),
        ("https://example.org/me/shop", "git"),
        ("https://me@example.org/shop", "git"),
    ],
)
def test_one_name_after_the_host_is_a_space_of_a_hub_and_more_is_a_repository(
    tmp_path: Path, url: str, kind: str
) -> None:
    assert remote_settings(url, world(tmp_path)).kind == kind
    assert remote_settings(url, world(tmp_path), is_git=True).kind == "git"


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("http://hub.example.org/shop", ""),
        ("http://127.0.0.1.example.org/shop", ""),
        ("https://hub.example.org/shop?x=1", ""),
        ("https://hub.example.org/..", ""),
        ("https://hub.example.org/shop", "folder"),
        ("https:///shop", ""),
    ],
)
def test_a_space_is_named_plainly_and_its_token_never_travels_in_the_clear(
    tmp_path: Path, url: str, folder: str
) -> None:
    with pytest.raises(Rejected):
        remote_settings(url, world(tmp_path), folder=folder)


def test_plain_http_to_another_machine_is_taken_only_when_a_person_says_so(tmp_path: Path) -> None:
    chosen = remote_settings("http://hub.example.org/shop", world(tmp_path), plain_http=True)
    assert chosen.kind == "hub"


def test_a_token_lies_in_a_file_of_its_own_that_others_cannot_read(tmp_path: Path) -> None:
    remotes, one = Remotes(str(tmp_path)), str(tmp_path / "one")
    with remotes.with_token(HUB, TOKEN) as usable:
        remotes.choose(one, usable)
    kept = remotes.of(one)
    assert kept == usable
    place = Path(usable.token_file)
    assert place.read_text() == TOKEN
    assert (place.stat().st_mode & 0o777, place.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert TOKEN not in (tmp_path / "memdir" / "remotes.json").read_text() + usable.title + repr(usable)


def test_a_token_that_was_tried_in_vain_is_not_kept(tmp_path: Path) -> None:
    remotes = Remotes(str(tmp_path))
    for _ in range(2):
        with pytest.raises(RemoteError), remotes.with_token(HUB, "wrong") as usable:
            raise RemoteError
        assert not Path(usable.token_file).exists()
    with remotes.with_token(HUB, TOKEN):
        pass
    with pytest.raises(RemoteError), remotes.with_token(HUB, "wrong"):
        raise RemoteError
    assert Path(usable.token_file).read_text() == TOKEN
    with remotes.with_token(HUB, "") as again:  # nobody gave another one
        assert again == usable


def test_without_a_token_a_hub_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(Rejected, match="MEMDIR_HUB_TOKEN"), Remotes(str(tmp_path)).with_token(HUB, ""):
        raise AssertionError
    with pytest.raises(Rejected, match="one word"), Remotes(str(tmp_path)).with_token(HUB, "two words"):
        raise AssertionError
    with pytest.raises(
        RemoteError, match=r"memdir sync init https://hub\.example\.org/shop.*memdir team init"
    ):
        open_remote(HUB, str(tmp_path), {})
