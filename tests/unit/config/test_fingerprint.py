"""A project is recognised by what it shares with another, in words; records from outside are only data."""

import pytest

from memdir.config.fingerprint import (
    Fingerprint,
    evidence,
    fingerprint_from,
    normalised_remote,
    suggest_folder,
)

COMMIT, OTHER = "a" * 40, "b" * 40


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@github.com:Acme/App.git", "github.com/acme/app"),
        ("https://github.com/acme/app", "github.com/acme/app"),
        ("https://ada:hunter2@github.com/acme/app.git/", "github.com/acme/app"),
        ("ssh://git@github.com:22/acme/app.git", "github.com/acme/app"),
        ("ssh://git@git.example.com:2222/acme/app", "git.example.com:2222/acme/app"),
        ("https://github.com/acme/app?token=x#frag", "github.com/acme/app"),
        ("git.example.com:team/app.git", "git.example.com/team/app"),
        ("file:///srv/git/App.git", "/srv/git/App"),
        ("/srv/git/App.git/", "/srv/git/App"),
        ("https://github.com", "github.com/"),
        ("../beside", ""),
        ("", ""),
    ],
)
def test_a_remote_is_the_same_however_it_is_reached(url: str, expected: str) -> None:
    assert normalised_remote(url) == expected


def test_a_password_never_gets_into_a_fingerprint() -> None:
    for url in ("https://ada:hunter2@example.com/x", "ssh://ada:hunter2@example.com:9/x"):
        assert "hunter2" not in normalised_remote(url)


def test_evidence_is_in_words_and_the_strongest_comes_first() -> None:
    mine = Fingerprint("/new/app", (COMMIT,), ("example.com/app",), "app-id-0001")
    theirs = Fingerprint("/old/app", (OTHER, COMMIT), ("example.com/app",), "app-id-0001")
    assert [words for _, words in evidence(mine, theirs)] == [
        "the same .memdir-id",
        f"the same first commit {COMMIT[:10]}",
        "the same remote example.com/app",
        "a folder of the same name, app",
    ]
    assert evidence(mine, Fingerprint("/else", (OTHER,), ("example.com/other",), "other-id-1")) == []


def test_two_projects_without_anything_have_nothing_in_common() -> None:
    assert evidence(Fingerprint("/a"), Fingerprint("/b")) == []
    assert evidence(Fingerprint(), Fingerprint()) == []


def test_the_folder_with_most_evidence_is_suggested_first_and_a_name_alone_is_weak() -> None:
    mine = Fingerprint("/new/app", (COMMIT,), ("example.com/app",))
    known = {
        "by-name": Fingerprint("C:\\src\\app"),
        "by-remote": Fingerprint("/x", (), ("example.com/app",)),
        "by-commit": Fingerprint("/y", (COMMIT,)),
        "none": Fingerprint("/z", (OTHER,)),
    }
    suggested = suggest_folder(mine, known)
    assert [(one.folder, one.strong) for one in suggested] == [
        ("by-commit", True),
        ("by-remote", True),
        ("by-name", False),
    ]
    assert suggested[0].evidence == (f"the same first commit {COMMIT[:10]}",)


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "x",
        {"commits": "a" * 40, "remotes": {"x": 1}, "root": 7, "id": ["x"]},
        {"commits": [1, "no commit", "A" * 40], "remotes": [None], "id": "short"},
    ],
)
def test_a_record_that_is_not_as_it_should_be_says_nothing(content: object) -> None:
    assert fingerprint_from(content) == Fingerprint()


def test_a_record_is_read_as_it_was_written_and_bounded() -> None:
    mine = Fingerprint("/new/app", (COMMIT,), ("example.com/app",), "app-id-0001")
    assert fingerprint_from(mine.as_json()) == mine
    hostile = fingerprint_from(
        {"root": "/x\n# Title\x1b[2J", "remotes": ["e\nx"] * 99, "commits": [COMMIT] * 99}
    )
    assert hostile.root == "/x # Title [2J"
    assert (len(hostile.remotes), len(hostile.commits)) == (8, 8)
