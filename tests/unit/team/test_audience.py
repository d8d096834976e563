"""Team memory is on once `team init` was run; a project may only switch it off, and a link is never used."""

import json
import os
from pathlib import Path

import pytest

from memdir.config.location import REMOTES_FILE, Verdict
from memdir.config.settings import Setting, Settings
from memdir.memories.topic import Draft
from memdir.sync.remotes import Remotes, RemoteSettings
from memdir.team.audience import from_team, remote_audiences, team_enabled

ON, OFF = Verdict(on=True, because="b", rule="default"), Verdict(on=False, because="b", rule="variable")


def settings(value: bool | None) -> Settings:
    return Settings({} if value is None else {"team.enabled": (Setting(value, "/s.json", "user"),)})


@pytest.mark.parametrize(
    ("private", "value", "known", "on"),
    [
        (ON, None, False, False),
        (ON, None, True, True),
        (ON, True, False, True),
        (ON, False, True, False),
        (OFF, True, True, False),
    ],
)
def test_the_first_rule_that_applies_decides(
    private: Verdict, value: bool | None, known: bool, on: bool, tmp_path: Path
) -> None:
    assert team_enabled(private, settings(value), known=known, directory=str(tmp_path)).on is on


def test_a_link_in_its_place_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "team").symlink_to(tmp_path)
    verdict = team_enabled(ON, settings(True), known=True, directory=str(tmp_path))
    assert (verdict.on, verdict.rule) == (False, "link")


def test_it_reads_what_sync_records(tmp_path: Path) -> None:
    home, directory = tmp_path / "home", tmp_path / "memory"
    assert remote_audiences(str(home), str(directory)) == frozenset()
    Remotes(str(home)).choose(str(directory), RemoteSettings("git", "u", "", "b", "w"), "team")
    assert remote_audiences(str(home), str(directory)) == {"team"}
    assert remote_audiences(str(home), str(tmp_path)) == frozenset()


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"x": 3}', "[" * 100_000])
def test_a_damaged_record_is_none(tmp_path: Path, damage: str) -> None:
    path = tmp_path / REMOTES_FILE
    path.parent.mkdir()
    path.write_text(damage.replace("x", os.path.realpath("x")))
    assert remote_audiences(str(tmp_path), "x") == frozenset()


def test_what_is_damaged_for_another_directory_ends_no_team(tmp_path: Path) -> None:
    (tmp_path / REMOTES_FILE).parent.mkdir(exist_ok=True)
    (tmp_path / REMOTES_FILE).write_text(json.dumps({str(tmp_path): {"team": {}}, "/other": "junk"}))
    assert remote_audiences(str(tmp_path), str(tmp_path)) == {"team"}


@pytest.mark.parametrize(
    ("given", "meant"),
    [("team/tea", "tea"), ("tea, team/tabs", "tea,tabs"), ("team/", "team/"), ("", "")],
)
def test_what_a_draft_supersedes_is_named_as_in_team_memory(given: str, meant: str) -> None:
    assert from_team(Draft("The shop sells tea.", supersedes=given)).supersedes == meant
