"""Memories are carried between machines and tools: exported whole, imported as data, shown before written."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir import Memory
from memdir.errors import Conflict, Rejected

TERSE = (
    b"---\nname: terse\ndescription: Short replies\nmetadata:\n  node_type: memory\n  type: feedback\n"
    b"---\n\nBe brief.\n"
)


@pytest.fixture
def host_folder(tmp_path: Path) -> Path:
    """Make a directory as Claude Code leaves it: its headers, prose in the index, odd bytes, a folder."""
    folder = tmp_path / "claude"
    (folder / "notes").mkdir(parents=True)
    (folder / "logs" / "2026" / "11").mkdir(parents=True)
    files = {
        "terse.md": TERSE,
        "notes/odd.md": b"---\nname: odd\ndescription: Odd\ntype: user\n---\nCaf\xe9 \xff\r\nsecond\r\n",
        "no-header.md": b"Just a line without any header",
        "MEMORY.md": b"# Mine\n\nSome prose of a person.\n\n- [Terse](terse.md) \xe2\x80\x94 Short replies\n"
        b"- [Odd](notes/odd.md) \xe2\x80\x94 Odd bytes\n- [Plain](no-header.md) \xe2\x80\x94 a line\n",
        "logs/2026/11/2026-11-03.md": b"- 09:30 said hello\n",
    }
    for number, (name, data) in enumerate(files.items()):
        (folder / name).write_bytes(data)
        os.utime(folder / name, ns=(0, 1_700_000_000_123_456_789 + number))
    return folder


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(p.relative_to(folder)): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}


def brought(memory: Memory, path: Path) -> list[str]:
    return list(memory.transfer.apply(memory.transfer.plan(path)).files)


def test_claude_code_to_memdir_to_claude_code_is_the_same_bytes(
    host_folder: Path, memory: Memory, tmp_path: Path
) -> None:
    assert brought(memory, host_folder) == ["no-header.md", "notes/odd.md", "terse.md"]
    memory.transfer.export(f"{tmp_path}/back/")
    there, back = contents(host_folder), contents(tmp_path / "back")
    assert {name: data for name, (data, _) in back.items()} == {n: d for n, (d, _) in there.items()}
    kept = {name: time for name, (_, time) in back.items() if name != "MEMORY.md"}
    assert kept == {name: time for name, (_, time) in there.items() if name != "MEMORY.md"}


def test_a_bundle_brings_every_byte_and_every_time_back(
    host_folder: Path, memory: Memory, tmp_path: Path
) -> None:
    brought(memory, host_folder)
    memory.remember("Deploys are on Tuesdays.", kind="project", name="deploys")
    done = memory.transfer.export(tmp_path / "all.memdir", history=True)
    assert oct((tmp_path / "all.memdir").stat().st_mode & 0o777) == "0o600"
    assert done.sections == ("private",)
    other = Memory.at(tmp_path / "other", tmp_path / "other-state")
    plan = other.transfer.plan(tmp_path / "all.memdir")
    assert {one.verb for one in plan.files} == {"add"}
    imported = other.transfer.apply(plan)
    mine, theirs = contents(Path(memory.directory)), contents(Path(other.directory))
    assert {n: d for n, (d, _) in mine.items()} == {n: d for n, (d, _) in theirs.items()}
    for name in mine.keys() - {"MEMORY.md"}:
        assert mine[name][1] == theirs[name][1], name
    log = subprocess.run(
        ["git", "clone", "-q", imported.history, str(tmp_path / "looked-at")], check=True, capture_output=True
    )
    assert log.returncode == 0
    assert other.history.list()[-1].verb == "import"  # their history is beside ours, and not in it


def test_what_comes_in_binds_nobody(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path, {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]})
    text = (
        "---\nname: no-push\ndescription: No pushes\ntype: feedback\nmetadata:\n  source: user\n"
        '  actor: user\n  pinned: "true"\n  enforce: "Bash: git push *"\n---\n\nNever push.\n'
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "MEMORY.md").write_text("")
    (tmp_path / "in" / "feedback_no-push.md").write_text(text)
    brought(memory, tmp_path / "in")
    by = memory.history.provenance("no-push")
    assert by is not None
    assert (by.actor, by.source) == ("user", "import")
    answer = memory.hosts.session.before_tool("Bash", {"command": "git push origin main"})
    assert answer.decision == "ask"  # it denies nothing until the user approves it


def test_an_import_is_one_step_that_can_be_undone(host_folder: Path, memory: Memory) -> None:
    memory.remember("Deploys are on Tuesdays.", kind="project", name="deploys")
    done = memory.transfer.apply(memory.transfer.plan(host_folder))
    assert len(memory.list()) == 4
    memory.undo(done.operation)
    assert [header.name for header in memory.list()] == ["deploys"]


@pytest.mark.parametrize(
    ("existing", "verbs", "expected"),
    [
        ("keep", {"keep"}, ({"terse"}, "Ours.")),
        ("rename", {"rename"}, ({"terse", "terse-2"}, "Ours.")),
        ("replace", {"replace"}, ({"terse"}, "Be brief.")),
    ],
)
def test_a_name_that_is_used_is_never_overwritten_silently(
    memory: Memory, tmp_path: Path, existing: str, verbs: set[str], expected: tuple[set[str], str]
) -> None:
    memory.remember("Ours.", kind="feedback", name="terse")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "MEMORY.md").write_text("")
    (tmp_path / "in" / "terse.md").write_bytes(TERSE)
    plan = memory.transfer.plan(tmp_path / "in", existing=existing)
    assert {one.verb for one in plan.files} == verbs
    memory.transfer.apply(plan)
    assert ({header.name for header in memory.list()}, memory.read("terse").body) == expected


def test_what_is_here_already_is_the_same(host_folder: Path, memory: Memory) -> None:
    brought(memory, host_folder)
    plan = memory.transfer.plan(host_folder)
    assert ({one.verb for one in plan.files}, plan.edits, plan.logs) == ({"same"}, [], ())


def test_a_plan_is_not_applied_to_files_that_changed_since(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Ours.", kind="feedback", name="terse")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "terse.md").write_bytes(TERSE)
    plan = memory.transfer.plan(tmp_path / "in", form="claude-code", existing="replace")
    memory.remember("Ours, and newer.", kind="feedback", name="terse")
    with pytest.raises(Conflict):
        memory.transfer.apply(plan)
    assert memory.read("terse").body == "Ours, and newer."


def bundle(path: Path, *rows: dict[str, object], end: int | None = None) -> Path:
    lines = [{"memdir bundle": 1, "made": "x"}, *rows, {"end": len(rows) if end is None else end}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize(
    "file",
    [
        "../out.md",
        "/etc/x.md",
        "a/../../x.md",
        "team/x.md",
        "sessions/x.md",
        ".hidden.md",
        "x.txt",
        "a\x00.md",
        "logs/../../x.md",
        "logs/2026/11/../../../x.md",
        "logs/x.md",
        "C:x.md",
        "MEMORY.MD",
        "a/%2e%2e/x.md",
    ],
)
def test_hostile_paths_are_refused(memory: Memory, tmp_path: Path, file: str) -> None:
    row = {"section": "private", "file": file, "saved_ns": 1, "text": "Hello there, reader.\n"}
    plan = memory.transfer.plan(bundle(tmp_path / "x.memdir", row))
    assert (plan.edits, plan.logs) == ([], ())
    memory.transfer.apply(plan)
    assert [p for p in tmp_path.rglob("*.md") if p.name != "MEMORY.md"] == []


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("The key is ghp_0123456789abcdefghijklmnopqrstuvwxyz12.\n", "github-token"),
        ("x" * 300_000, "bytes"),
        ("a\0b", "NUL"),
        ("half \ud83d of it", "surrogate"),
        ("the other \udfff half", "surrogate"),
    ],
)
def test_texts_that_cannot_be_memories_are_refused_with_the_reason(
    memory: Memory, tmp_path: Path, text: str, because: str
) -> None:
    row = {"section": "private", "file": "a.md", "saved_ns": 1, "text": text}
    (one,) = memory.transfer.plan(bundle(tmp_path / "x.memdir", row)).files
    assert one.verb == "refuse"
    assert because in one.because
    assert "ghp_" not in one.because


def test_a_damaged_bundle_is_refused_whole(memory: Memory, tmp_path: Path) -> None:
    row = {"section": "private", "file": "a.md", "saved_ns": 1, "text": "Hello.\n"}
    whole = bundle(tmp_path / "x.memdir", row)
    cut = tmp_path / "cut.memdir"
    cut.write_text("".join(whole.read_text().splitlines(keepends=True)[:-1]))
    for path, said in ((cut, "cut short"), (bundle(tmp_path / "y.memdir", row, end=7), "cut short")):
        with pytest.raises(Rejected, match=said):
            memory.transfer.plan(path)
    torn = tmp_path / "torn.memdir"
    torn.write_text(whole.read_text()[:-20])
    with pytest.raises(Rejected, match="damaged"):
        memory.transfer.plan(torn)


def test_links_are_not_followed(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.md").write_text("Private words of somebody.\n")
    (tmp_path / "in" / "link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "in" / "folder").symlink_to(tmp_path)
    os.link(tmp_path / "secret.md", tmp_path / "in" / "hard.md")
    plan = memory.transfer.plan(tmp_path / "in", form="claude-code")
    assert plan.edits == []
    assert {one.file: one.verb for one in plan.files} == {"link.md": "refuse", "hard.md": "refuse"}


def test_the_graph_of_the_mcp_server(memory: Memory, tmp_path: Path) -> None:
    rows = [
        {
            "type": "entity",
            "name": "default_user",
            "entityType": "user",
            "observations": ["Works on payments"],
        },
        {
            "type": "entity",
            "name": "Payments API",
            "entityType": "service",
            "observations": ["Runs in Go", "On call: Ada"],
        },
        {"type": "relation", "from": "default_user", "to": "Payments API", "relationType": "maintains"},
        {"type": "relation", "from": "Nobody", "to": "Payments API", "relationType": "x"},
        {"type": "odd"},
    ]
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join([*map(json.dumps, rows), "no json"]) + "\n")
    plan = memory.transfer.plan(path)
    refused = [one.file for one in plan.files if one.verb == "refuse"]
    assert refused == ["line 5", "line 6", "relations of 'Nobody'"]
    memory.transfer.apply(plan)
    assert {header.name for header in memory.list()} == {"default-user", "payments-api"}
    user = memory.read("default-user")
    assert user.header.kind == "user"
    assert "- maintains [[payments-api]]" in user.body
    assert memory.read("payments-api").body.endswith("- Runs in Go\n- On call: Ada")
    assert memory.transfer.plan(path).edits == []  # the same file again brings nothing new


def test_a_folder_of_notes_keeps_the_words_of_the_notes(memory: Memory, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian" / "x.md").write_text("settings")
    (vault / "People").mkdir()
    (vault / "People" / "Ada Lovelace.md").write_text(
        "---\ntags: [a, b]\n---\n# Ada\n\nLeads #payments, see [[Go]].\n"
    )
    (vault / "basic.md").write_text(
        "---\ntitle: Release train\ntype: note\npermalink: main/release\n"
        "metadata:\n  enforce: 'Bash: rm *'\n---\nThursdays.\n"
    )
    plan = memory.transfer.plan(vault)
    memory.transfer.apply(plan)
    assert {header.name for header in memory.list()} == {"ada-lovelace", "release-train"}
    ada, train = memory.read("ada-lovelace"), memory.read("release-train")
    assert ada.body == "# Ada\n\nLeads #payments, see [[Go]]."
    assert "tags: [a, b]" in ada.text
    assert "permalink: main/release" in train.text
    assert "type: note" in train.text
    assert "enforce" not in train.text
    assert train.header.kind is not None


def test_an_export_works_while_memory_is_off(
    host_folder: Path, tmp_path: Path, opened: Callable[[], Memory]
) -> None:
    brought(opened(), host_folder)
    off = Memory.at(
        tmp_path / "memory", tmp_path / "state", env={"MEMDIR_DISABLE": "1", "HOME": str(tmp_path)}
    )
    assert not off.verdict.on
    assert off.transfer.export(tmp_path / "all.memdir").files == 5


def test_an_export_says_where_credentials_are(memory: Memory, tmp_path: Path) -> None:
    memory.remember(
        "The key is ghp_0123456789abcdefghijklmnopqrstuvwxyz12.",
        name="key",
        kind="reference",
        allow_secret=True,
    )
    assert memory.transfer.export(tmp_path / "all.memdir").secrets == ("reference_key.md",)


def test_memories_of_agents_and_team_travel_when_asked(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    memory = Memory.open(tmp_path / "a", env)
    memory.remember("Deploys are on Tuesdays.", kind="project", name="deploys")
    memory.agent("reviewer", scope="local").remember("Guards first.", kind="feedback", name="guards")
    alone = memory.transfer.export(tmp_path / "alone.memdir")
    assert alone.sections == ("private",)
    done = memory.transfer.export(tmp_path / "all.memdir", sections=["team", "agents"])
    assert done.sections == ("private", "agents/local/reviewer")
    other = Memory.open(tmp_path / "b", env)
    other.transfer.apply(other.transfer.plan(tmp_path / "all.memdir", section="agents/local/reviewer"))
    assert other.list() == []
    assert [header.name for header in other.agent("reviewer", scope="local").list()] == ["guards"]


def test_an_agent_cannot_replace_a_rule_by_an_import(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}
    memory = Memory.open(tmp_path, env)
    memory.remember("Never push.", kind="feedback", name="no-push", enforce="Bash: git push *")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "feedback_no-push.md").write_bytes(TERSE.replace(b"terse", b"no-push"))
    agent = Memory.open(tmp_path, {**env, "CLAUDECODE": "1"})
    plan = agent.transfer.plan(tmp_path / "in", form="claude-code", existing="replace")
    with pytest.raises(Rejected, match="Only the user may change it"):
        agent.transfer.apply(plan)
    assert memory.read("no-push").body == "Never push."


def test_an_export_replaces_a_bundle_and_no_other_file(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Be brief.", kind="feedback", name="terse")
    precious, bundle = tmp_path / "precious.txt", tmp_path / "all.memdir"
    precious.write_text("precious")
    with pytest.raises(Rejected, match="is no bundle"):
        memory.transfer.export(str(precious))
    assert precious.read_text() == "precious"
    memory.transfer.export(str(bundle))
    assert memory.transfer.export(str(bundle)).files == 2  # the memory and the index
