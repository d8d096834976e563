"""Who can read a remote is told by its address: the host, or the permissions of a path."""

from pathlib import Path

import pytest

from memdir.team.remote import readers


@pytest.mark.parametrize(
    "url",
    ["git@github.com:us/app.git", "https://github.com/us/app", "ssh://git@github.com/us/app.git"],
)
def test_a_host_of_public_repositories_is_named_with_a_warning(url: str) -> None:
    assert readers(url) == (
        "Everyone who can read this repository on github.com can read it. "
        "If the repository is public, that is everyone."
    )


@pytest.mark.parametrize("url", ["git@git.example.org:us/app.git", "https://git.example.org:8443/us/app"])
def test_another_host_is_named(url: str) -> None:
    assert readers(url) == "Everyone who can read this repository on git.example.org can read it."


@pytest.mark.parametrize("url", ["git://example.org/app.git", "http://example.org/app.git"])
def test_what_is_sent_in_the_open_is_said_so(url: str) -> None:
    assert "unencrypted" in readers(url)


@pytest.mark.parametrize(
    ("mode", "said"), [(0o755, "Every user of this machine"), (0o750, "the group"), (0o700, "Only its owner")]
)
@pytest.mark.parametrize("form", ["{}", "file://{}"])
def test_a_path_is_judged_by_its_permissions(tmp_path: Path, mode: int, said: str, form: str) -> None:
    path = tmp_path / "server.git"
    path.mkdir()
    path.chmod(mode)
    told = readers(form.format(path))
    assert said in told
    assert str(path) in told


def test_a_path_that_is_not_there_is_not_known(tmp_path: Path) -> None:
    assert "is not known" in readers(str(tmp_path / "none"))


def test_a_password_in_a_url_is_not_shown() -> None:
    assert "secret" not in readers("https://me:secret@example.org/app.git")
