"""The doctor calls fixable what it can fix, records what it did, and shows no credential."""

from pathlib import Path

import pytest

from memdir import Memory
from memdir.doctor.finding import Finding

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
KEY = "-----BEGIN PRIVATE KEY-----\n" + "\n".join(["QUJDa1B2" * 8] * 8) + "\n-----END PRIVATE KEY-----"


def put(memory: Memory, file: str, data: bytes | str) -> Path:
    path = Path(memory.directory, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    path.chmod(0o644)
    return path


def about(memory: Memory, file: str, *, fix: bool = False) -> dict[str, Finding]:
    return {one.code: one for one in memory.doctor(fix=fix).findings if one.file == file}


@pytest.mark.parametrize("fix", [False, True])
def test_no_finding_shows_a_credential_of_a_file_changed_outside(memory: Memory, fix: bool) -> None:
    memory.remember("one", kind="user", name="a")
    put(memory, "user_x.md", f"---\nname: x\ndescription: {TOKEN}\ntype: {TOKEN}\n---\nBody\n")
    index = Path(memory.directory, "MEMORY.md")
    padded = f"{'word ' * 9}{TOKEN} {'word ' * 40}"
    index.write_text(f"{index.read_text()}my token is {TOKEN}\n{'x ' * 40}{TOKEN}\n{padded}\n{KEY}\n")
    shown = repr(memory.doctor(fix=fix))
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
    memory.doctor(fix=True)
    assert [entry.verb for entry in memory.history()] == ["found"]
    assert path.read_bytes() == data


def test_an_index_that_is_a_folder_is_named_and_stops_nothing(memory: Memory) -> None:
    put(memory, "MEMORY.md/x.md", "---\nname: x\n---\nIn it\n")
    path = put(
        memory, "kindless.md", "---\nname: k\ndescription: Likes short answers\n---\nI am an engineer.\n"
    )
    assert [header.file for header in memory.list()] == ["kindless.md"]
    report = memory.doctor(fix=True)
    (held,) = [one for one in report.findings if one.file == "MEMORY.md"]
    assert (held.code, "is a folder" in held.message, held.fixable) == ("index-held", True, False)
    assert [one.file for one in report.findings if one.code == "permissions" and one.fixed]
    assert "Move that folder away" in next(one.message for one in report.findings if one.code == "not-mended")
    assert "type" not in path.read_text()


def test_names_that_a_save_or_a_disk_takes_for_one_are_told(memory: Memory) -> None:
    put(memory, "project_fact-2.md", "---\nname: fact-2\ndescription: One fact\ntype: project\n---\nA\n")
    put(memory, "project_Fact-2.md", '---\nname: "Fact 2"\ndescription: A fact\ntype: project\n---\nB\n')
    found = {one.code for one in memory.doctor().findings if "act-2" in one.file}
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
    memory = Memory.open(tmp_path, env={"HOME": str(tmp_path)})
    memory.remember("one", kind="user", name="a")
    assert "index-drift" not in {one.code for one in memory.doctor(fix=True).findings}
    assert not Path(memory.directory, "MEMORY.md").exists()
