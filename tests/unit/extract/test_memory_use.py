"""A conversation shows what the host's model itself did in the memory directory."""

from pathlib import Path
from typing import Any

import pytest
from tests.growth import grows_with_the_text

from memdir.conversation.messages import Spoken, ToolUse
from memdir.extract.memory_use import memory_writes, with_memory_marked


def called(name: str, **arguments: Any) -> list[Spoken]:
    use = ToolUse("t1", name, arguments)
    return [Spoken("1", "assistant", "", uses=(use,)), Spoken("2", "tool", "ok", answers="t1")]


@pytest.fixture
def directory(directory: Path, tmp_path: Path) -> Path:
    (tmp_path / "link").symlink_to(directory)
    return directory


@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "write_file"])
def test_a_write_inside_is_seen(directory: Path, tool: str) -> None:
    path = str(directory / "user_role.md")
    assert memory_writes(called(tool, file_path=path), str(directory)) == (path,)


def test_a_write_through_a_link_is_seen(directory: Path) -> None:
    path = str(directory.parent / "link" / "a.md")
    assert memory_writes(called("Write", file_path=path), str(directory)) == (path,)


@pytest.mark.parametrize(
    "command",
    [
        "memdir remember 'x'",
        "cd /p && memdir -q forget a",
        "memdir edit a --body b",
        "memdir rename a b",
        "memdir undo",
        "memdir restore a",
        "memdir inbox apply 26",
        "memdir recall tests && memdir remember 'x'",
        "memdir --session s1 --cwd '/a b' remember x",
        "~/.venv/bin/memdir --directory=/m undo",
    ],
)
def test_our_own_commands_are_seen(directory: Path, command: str) -> None:
    assert memory_writes(called("Bash", command=command), str(directory))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("exec_command", {"cmd": "memdir remember x"}),
        ("shell", {"command": ["bash", "-lc", "memdir remember x"]}),
        ("run_terminal_cmd", {"command": "memdir remember x"}),
    ],
)
def test_our_own_commands_are_seen_in_other_hosts(
    directory: Path, tool: str, arguments: dict[str, Any]
) -> None:
    assert memory_writes(called(tool, **arguments), str(directory)) == ("memdir remember",)


def test_our_own_tools_are_seen(directory: Path) -> None:
    assert memory_writes(called("mcp__plugin_memdir_memdir__remember", text="x"), str(directory))


@pytest.mark.parametrize("tool", ["mcp__memdir__memory", "mcp__plugin_memdir_memdir__memory"])
@pytest.mark.parametrize("command", ["create", "str_replace", "insert", "delete", "rename"])
def test_the_tool_for_files_is_seen_when_it_changes_one(directory: Path, tool: str, command: str) -> None:
    assert memory_writes(called(tool, command=command, path="/memories/a.md"), str(directory)) == (tool,)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "/elsewhere/a.md"}),
        ("Write", {"file_path": "a.md"}),
        ("Write", {}),
        ("Write", {"file_path": 7}),
        ("Bash", {"command": "memdir recall tests"}),
        ("Bash", {"command": "echo remember"}),
        ("Bash", {"command": "memdir inbox list; memdir history"}),
        ("Bash", {"command": "memdir --session remember recall x"}),
        ("mcp__memdir__recall", {"query": "x"}),
        ("mcp__memdir__memory", {"command": "view", "path": "/memories"}),
        ("mcp__memdir__memory", {}),
        ("mcp__other__memory", {"command": "create"}),
    ],
)
def test_other_calls_are_not_writes(directory: Path, tool: str, arguments: dict[str, Any]) -> None:
    assert memory_writes(called(tool, **arguments), str(directory)) == ()


@pytest.mark.parametrize("options", [20, 5_000])
def test_the_work_on_a_command_of_many_options_grows_with_them_alone(directory: Path, options: int) -> None:
    def read(text: str) -> None:
        assert memory_writes(called("Bash", command=f"memdir {text}"), str(directory)) == ()

    option = "--session '' "
    assert grows_with_the_text(read, option, options * len(option))


def test_reading_there_is_not_writing_and_neither_is_a_sibling(directory: Path) -> None:
    assert memory_writes(called("Read", file_path=str(directory / "a.md")), str(directory)) == ()
    assert memory_writes(called("Write", file_path=f"{directory}2/a.md"), str(directory)) == ()


def test_a_write_that_was_refused_does_not_count(directory: Path) -> None:
    ask, _ = called("Write", file_path=str(directory / "a.md"))
    assert (
        memory_writes([ask, Spoken("2", "tool", "denied", answers="t1", failed=True)], str(directory)) == ()
    )


@pytest.mark.parametrize(
    ("tool", "key", "inside"),
    [("Read", "file_path", "a.md"), ("Grep", "path", ""), ("Bash", "command", "cat {}/a.md")],
)
def test_what_was_read_there_is_marked_as_recalled(directory: Path, tool: str, key: str, inside: str) -> None:
    argument = inside.format(directory) if "{}" in inside else str(directory / inside)
    marked = with_memory_marked(called(tool, **{key: argument}), str(directory))
    assert [one.recalled for one in marked] == [False, True]


def test_what_was_read_elsewhere_is_not(directory: Path) -> None:
    assert not any(
        one.recalled for one in with_memory_marked(called("Read", file_path="/p/a.md"), str(directory))
    )
    assert with_memory_marked(called("mcp__memdir__search"), str(directory))[1].recalled


SHELL_WRITES = [
    "cat > {}/user_tabs.md <<'EOF'\nUses tabs.\nEOF",
    "cd {} && echo '- 09:40 Wants tabs.' >> logs/2026/11/2026-11-16.md",
    "printf 'x' | tee {}/a.md",
    "cp /tmp/a.md {}/",
    "mv {0}/a.md {0}/b.md",
    "rm {}/a.md",
    "sed -i 's/a/b/' {}/a.md",
    "cat > ~/memory/a.md < /tmp/x",
    'M="$HOME/memory"; echo x > "$M/a.md"',
    "python3 - <<'EOF'\nopen('{}/a.md', 'w').write('x')\nEOF",
    'node -e \'require("fs").writeFileSync("{}/a.md", "x")\'',
    "bash -c 'echo x > {}/a.md'",
]


@pytest.mark.parametrize("command", SHELL_WRITES)
def test_a_shell_command_that_writes_inside_is_seen(directory: Path, command: str) -> None:
    text = command.replace("{0}", "{}").replace("{}", str(directory))
    for given in (text, ["bash", "-lc", text]):
        assert memory_writes(called("Bash", command=given), str(directory), str(directory.parent))


@pytest.mark.parametrize(
    "command",
    [
        "cat {}/a.md",
        "cat {}/a.md > /tmp/memory.md",
        "grep -rn x {} | tee /tmp/found",
        "cp {}/a.md /tmp/",
        "echo 'cat > {}/a.md'",
        "ls {}; echo done > notes/memory.md",
        "python3 -c 'print(open(\"{}/a.md\").read())'",
        "sed 's/a/b/' {}/a.md",
    ],
)
def test_a_shell_command_that_only_reads_inside_is_not(directory: Path, command: str) -> None:
    given = command.replace("{}", str(directory))
    assert memory_writes(called("Bash", command=given), str(directory), str(directory.parent)) == ()
