"""The doctor calls fixable what it can fix, records what it did, and shows no credential."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

from memdir import Memory
from memdir.doctor import directory, full_check
from memdir.doctor.finding import Finding
from memdir.memories.catalog import header_cache
from memdir.memories.directory import MemoryDir
from memdir.memories.review import Remark, remarks
from memdir.memories.topic import Header, Topic, header_from_bytes

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
KEY = "-----BEGIN PRIVATE KEY-----\n" + "\n".join(["QUJDa1B2" * 8] * 8) + "\n-----END PRIVATE KEY-----"

TEA = "---\nname: tea\ndescription: tea\ntype: user\n---\nDrinks tea.\n"


def put(memory: Memory, file: str, data: bytes | str) -> Path:
    path = Path(memory.directory, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    path.chmod(0o644)
    return path


def about(memory: Memory, file: str, *, fix: bool = False) -> dict[str, Finding]:
    return {one.code: one for one in memory.doctor.examine(fix=fix).findings if one.file == file}


@pytest.mark.parametrize("fix", [False, True])
def test_no_finding_shows_a_credential_of_a_file_changed_outside(memory: Memory, fix: bool) -> None:
    memory.remember("one", kind="user", name="a")
    put(memory, "user_x.md", f"---\nname: x\ndescription: {TOKEN}\ntype: {TOKEN}\n---\nBody\n")
    index = Path(memory.directory, "MEMORY.md")
    padded = f"{'word ' * 9}{TOKEN} {'word ' * 40}"
    index.write_text(f"{index.read_text()}my token is {TOKEN}\n{'x ' * 40}{TOKEN}\n{padded}\n{KEY}\n")
    shown = repr(memory.doctor.examine(fix=fix))
    assert "[secret: github-token]" in shown
    assert TOKEN[:12] not in shown
    assert "QUJDa1B2" not in shown


def test_a_credential_in_the_index_is_a_problem(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    put(memory, "MEMORY.md", f"my token is {TOKEN}\n")
    found = about(memory, "MEMORY.md")["secret"]
    assert (found.severity, "github-token" in found.message) == ("problem", True)


def test_only_what_mending_takes_away_is_fixable(memory: Memory) -> None:
    put(memory, "feedback_x.md", "---\nname: x\ndescription: Use: it\ntype: feedback\n---\nIt is.\n")
    fixable = {code: one.fixable for code, one in about(memory, "feedback_x.md").items()}
    assert fixable == {
        "permissions": True,
        "index-drift": True,
        "changed-outside": False,
        "broken-header": True,
        "missing-why": False,
        "missing-how": False,
        "vague-description": False,
    }
    assert {one.fixed for one in about(memory, "feedback_x.md", fix=True).values() if one.fixable} == {True}


def test_one_run_mends_a_broken_header_of_an_unknown_kind(memory: Memory) -> None:
    put(
        memory,
        "x.md",
        "---\nname: x\ndescription: Reads logs: with jq, always\ntype: wish\n---\nI am an engineer.\n",
    )
    first = about(memory, "x.md", fix=True)
    assert (first["broken-header"].fixed, first["kind"].fixed) == (True, True)
    assert about(memory, "x.md") == {}


def test_a_file_that_is_no_utf8_is_not_called_fixable_and_leaves_no_empty_entry(memory: Memory) -> None:
    data = b"---\nname: x\ndescription: Use: it\ntype: user\n---\nCaf\xe9\n"
    path = put(memory, "user_x.md", data)
    assert about(memory, "user_x.md", fix=True)["broken-header"].fixable is False
    memory.doctor.examine(fix=True)
    assert [entry.verb for entry in memory.history.list()] == ["found"]
    assert path.read_bytes() == data


def test_a_folder_in_the_place_of_the_index_is_set_aside_with_all_that_is_in_it(memory: Memory) -> None:
    inner = put(memory, "MEMORY.md/x.md", "---\nname: x\n---\nIn it\n")
    path = put(
        memory, "kindless.md", "---\nname: k\ndescription: Likes short answers\n---\nI am an engineer.\n"
    )
    put(memory, "MEMORY.md.set-aside/older.md", "older")
    assert [header.file for header in memory.list()] == ["kindless.md"]
    (found,) = [one for one in memory.doctor.examine().findings if one.file == "MEMORY.md"]
    assert (found.code, found.severity, found.fixable) == ("index-folder", "problem", True)
    report = memory.doctor.examine(fix=True)
    assert [one.fixed for one in report.findings if one.code in {"index-folder", "index-drift"}] == [True] * 2
    assert "not-mended" not in {one.code for one in report.findings}
    assert "(kindless.md)" in (inner.parent.parent / "MEMORY.md").read_text()
    assert "type" in path.read_text()
    aside = inner.parent.parent / "MEMORY.md.set-aside-2"
    assert (aside / "x.md").read_text() == "---\nname: x\n---\nIn it\n"
    assert [header.file for header in memory.list()] == ["kindless.md"]
    told = [one.file for one in memory.doctor.examine().findings if one.code == "set-aside"]
    assert told == ["MEMORY.md.set-aside", "MEMORY.md.set-aside-2"]
    memory.remember("Drinks tea, never coffee", kind="user")


@pytest.mark.parametrize("fix", [False, True])
def test_a_state_folder_that_is_a_file_is_a_finding_and_not_the_end(memory: Memory, fix: bool) -> None:
    put(memory, "user_tea.md", TEA)
    Path(memory.state).write_text("in the way")
    report = memory.doctor.examine(fix=fix)
    assert (report.findings[0].code, report.findings[0].file) == ("place", memory.state)
    assert "check-failed" in {one.code for one in report.findings}
    assert "vague-description" in {one.code for one in report.findings}  # the other checks were made
    assert not report.ok


def test_a_check_that_fails_is_a_finding_and_the_others_are_made(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(memory, "user_tea.md", TEA)

    def broken(memories: MemoryDir) -> Iterator[Finding]:
        raise KeyError(memories.path)
        yield

    monkeypatch.setattr(full_check, "index_findings", broken)
    codes = [one.code for one in memory.doctor.examine().findings]
    assert codes[0] == "check-failed"
    assert "vague-description" in codes


@pytest.mark.parametrize("team", [False, True])
def test_a_damaged_file_of_remotes_is_a_finding_and_not_the_end(tmp_path: Path, *, team: bool) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    project.mkdir()
    settings = home / ".claude" / "memdir"
    settings.mkdir(parents=True)
    memory = Memory.open(project, {"HOME": str(home), "PATH": os.environ["PATH"], **WORDS_ALONE})
    memory.remember("one", kind="user", name="a")
    row = {"private": 5, "team": 5} if team else {"private": 5}
    (settings / "remotes.json").write_text(json.dumps({memory.directory.rstrip("/"): row}))
    memory = Memory.open(project, {"HOME": str(home), "PATH": os.environ["PATH"], **WORDS_ALONE})
    found = [one.message for one in memory.doctor.examine().findings if one.code == "check-failed"]
    assert memory.team.verdict.on is team
    assert len(found) == 1 + team
    assert all("remotes.json is damaged" in message for message in found)


def test_what_cannot_be_reached_is_told(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file")
    (found,) = [one for one in memory.doctor.examine().findings if one.code == "place"]
    assert found.message == f"{tmp_path / 'memory'} is not a folder: there are no memories."


@pytest.mark.skipif(shutil.which("setpriv") is None and os.getuid() == 0, reason="root may read everything")
@pytest.mark.parametrize(
    ("what", "mode", "code"),
    [
        ("state", 0, "place"),
        ("state", 0o500, "place"),
        ("memory", 0, "place"),
        ("memory/MEMORY.md", 0, "check-failed"),
    ],
)
def test_what_may_not_be_read_or_written_is_told(
    memory: Memory, tmp_path: Path, what: str, mode: int, code: str
) -> None:
    memory.remember("Drinks tea, never coffee", kind="user")
    (tmp_path / what).chmod(mode)
    drop = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    words = ["-m", "memdir", "--directory", str(tmp_path / "memory"), "doctor", "--json"]
    env = {
        "HOME": str(tmp_path / "home"),
        "PATH": os.environ["PATH"],
        "MEMDIR_STATE": memory.state,
        **WORDS_ALONE,
    }
    done = subprocess.run(
        [*drop, sys.executable, *words], env=env, capture_output=True, text=True, check=False
    )
    (tmp_path / what).chmod(0o700)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["findings"][0]["code"] == code


@pytest.mark.skipif(shutil.which("setpriv") is None and os.getuid() == 0, reason="root may read everything")
def test_status_shows_what_it_can_where_our_records_cannot_be_read(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Drinks tea, never coffee", kind="user")
    (tmp_path / "state").chmod(0)
    drop = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    words = ["-m", "memdir", "--directory", str(tmp_path / "memory"), "status"]
    env = {
        "HOME": str(tmp_path / "home"),
        "PATH": os.environ["PATH"],
        "MEMDIR_STATE": memory.state,
        **WORDS_ALONE,
    }
    done = subprocess.run(
        [*drop, sys.executable, *words], env=env, capture_output=True, text=True, check=False
    )
    (tmp_path / "state").chmod(0o700)
    assert done.returncode == 0, done.stderr
    assert "memories   1 (1 user)" in done.stdout
    assert "Not all of our records can be read" in done.stderr


def test_what_is_broken_comes_first(memory: Memory) -> None:
    put(
        memory,
        "feedback_a.md",
        "---\nname: a\ndescription: Say less in every reply\ntype: feedback\n---\nA\n",
    )
    put(memory, "photo.md", b"\x89PNG\0\0\x01")
    put(memory, "MEMORY.md/x.txt", "x")
    found = memory.doctor.examine().findings
    assert found[0].code == "index-folder"
    severities = [one.severity for one in found]
    assert severities == sorted(severities, reverse=True)


def test_names_that_a_save_or_a_disk_takes_for_one_are_told(memory: Memory) -> None:
    put(memory, "project_fact-2.md", "---\nname: fact-2\ndescription: One fact\ntype: project\n---\nA\n")
    put(memory, "project_Fact-2.md", '---\nname: "Fact 2"\ndescription: A fact\ntype: project\n---\nB\n')
    found = {one.code for one in memory.doctor.examine().findings if "act-2" in one.file}
    assert {"same-name", "same-file"} <= found


def test_a_file_that_is_no_text_is_called_that_and_left_alone(memory: Memory) -> None:
    path = put(memory, "photo.md", b"\x89PNG\0\0\x01")
    found = about(memory, "photo.md", fix=True)
    assert ("not-text" in found, "kind" in found) == (True, False)
    assert path.read_bytes() == b"\x89PNG\0\0\x01"


def test_without_an_index_none_is_missed(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"skipIndex": true}')
    memory = Memory.open(tmp_path, env={"HOME": str(tmp_path), **WORDS_ALONE})
    memory.remember("one", kind="user", name="a")
    assert "index-drift" not in {one.code for one in memory.doctor.examine(fix=True).findings}
    assert not Path(memory.directory, "MEMORY.md").exists()


def test_a_memory_that_cannot_be_examined_costs_no_other(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(topic: Topic, saved_on: date, *, today: date) -> list[Remark]:
        if topic.header.name == "poison":
            raise KeyError("tests/run.sh")
        return remarks(topic, saved_on, today=today)

    monkeypatch.setattr(directory, "remarks", broken)
    for name in ("poison", "good"):
        memory.remember("We deploy on Tuesdays.", kind="project", name=name)
    found = {(one.code, one.file) for one in memory.doctor.examine().findings}
    assert ("check-failed", "project_poison.md") in found
    assert any(file == "project_good.md" for _, file in found)


def test_a_header_that_cannot_be_read_costs_no_other(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(file: str, data: bytes, saved_at: datetime) -> Header:
        if b"poison" in data:
            raise IndexError("string index out of range")
        return header_from_bytes(file, data, saved_at)

    for name in ("poison", "good"):
        memory.remember("We deploy on Tuesdays.", kind="project", name=name)
    monkeypatch.setattr(header_cache, "header_from_bytes", broken)
    handle = Memory.at(memory.directory, f"{memory.state}-other")
    assert [header.name for header in handle.list()] == ["good"]
    because = "its header cannot be read: IndexError: string index out of range"
    assert any(because in one.message for one in handle.doctor.examine().findings)


def test_a_rule_outside_the_metadata_is_a_problem_because_it_binds_nobody(memory: Memory) -> None:
    head = "---\nname: x\ndescription: Nobody deploys on a Friday\ntype: feedback\n"
    put(memory, "feedback_x.md", f"{head}enforce: 'Bash: make deploy'\n---\nIt is.\n")
    assert memory.rules.list() == ()
    found = about(memory, "feedback_x.md")["idle-rule"]
    assert (found.severity, found.fixable) == ("problem", False)
    assert "binds nobody" in found.message
    assert "`metadata:`" in found.hint
    put(memory, "feedback_x.md", f"{head}metadata:\n  enforce: 'Bash: make deploy'\n---\nIt is.\n")
    assert "idle-rule" not in about(memory, "feedback_x.md")
    assert [rule.text for rule in memory.rules.list()] == ["Bash: make deploy"]
