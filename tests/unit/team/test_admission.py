"""Team memory takes neither memories about a person, credentials, large files nor paths that lead out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.errors import Rejected, SecretFound
from memdir.memories.names import key_problem
from memdir.team.admission import MAX_TEAM_BYTES, admission_problem, admit_to_team

HEADER = "---\nname: x\ndescription: d\ntype: {}\n---\n\nA fact.\n"


@pytest.mark.parametrize("kind", ["feedback", "project", "reference", "none", ""])
def test_every_other_kind_is_taken(tmp_path: Path, kind: str) -> None:
    admit_to_team(str(tmp_path), "x.md", HEADER.format(kind))
    assert admission_problem("x.md", HEADER.format(kind).encode()) == ""


@pytest.mark.parametrize(
    "text", [HEADER.format("user"), "---\nname: x\nmetadata:\n  type: user\n---\nA fact.\n"]
)
def test_a_memory_about_a_person_is_not_in_either_form(tmp_path: Path, text: str) -> None:
    with pytest.raises(Rejected, match="kind user"):
        admit_to_team(str(tmp_path), "x.md", text)


def test_the_limit_is_of_bytes(tmp_path: Path) -> None:
    admit_to_team(str(tmp_path), "x.md", "a" * MAX_TEAM_BYTES)
    with pytest.raises(Rejected, match="250,000 bytes"):
        admit_to_team(str(tmp_path), "x.md", "é" * (MAX_TEAM_BYTES // 2 + 1))


def test_a_credential_is_refused_by_rule_and_never_quoted(tmp_path: Path) -> None:
    token = "ghp_" + "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"
    with pytest.raises(SecretFound) as refused:
        admit_to_team(str(tmp_path), "x.md", f"{HEADER.format('project')}{token}")
    assert "github-token" in str(refused.value)
    assert token not in str(refused.value)


@pytest.mark.parametrize(
    "file", ["../x.md", "a/../../x.md", "/etc/x.md", "a\\b.md", "%2e%2e/x.md", "a\0.md", "\uff0e\uff0e/x.md"]
)
def test_a_hostile_key_is_refused(tmp_path: Path, file: str) -> None:
    with pytest.raises(Rejected):
        admit_to_team(str(tmp_path), file, HEADER.format("project"))


@pytest.mark.parametrize("target", ["elsewhere", "nowhere", "loop"])
def test_no_link_leads_out(tmp_path: Path, target: str) -> None:
    team = tmp_path / "team"
    team.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (team / "link").symlink_to(team / "link" if target == "loop" else tmp_path / target)
    with pytest.raises(Rejected):
        admit_to_team(str(team), "link/x.md", HEADER.format("project"))


@given(st.text(max_size=60))
def test_what_is_admitted_has_a_sound_key(file: str) -> None:
    assert (admission_problem(file, b"A fact.") == "") is (key_problem(file) is None)
