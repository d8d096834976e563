"""A tool call is judged once by the rules as they are; where that cannot be done, the user is asked."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.contents import parts_of
from tests.environment import WORDS_ALONE
from tests.surfaces.test_hooks import HOOK, Host

from memdir import MemdirError, Memory
from memdir.hooks import reply_cache
from memdir.hooks.full_answer import dependencies, write_reply_cache
from memdir.memory_tool.tool import MemoryTool

PUSH = "git push origin main"


def asked(said: dict[str, Any]) -> str:
    """Return why the user is asked."""
    assert said["permissionDecision"] == "ask"
    return str(said["permissionDecisionReason"])


def by_cache(host: Host, command: str) -> str | None:
    where = {"cwd": str(host.project), "session_id": "s1"}
    call = {**where, "tool_name": "Bash", "tool_input": {"command": command}}
    return reply_cache.cached_reply("PreToolUse", call, host.env)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"\xff", b'{"cwd": "x", "session_id": "s"}', b"[" * 99_999]
)
def test_a_call_that_cannot_be_read_is_asked_about(host: Host, data: bytes) -> None:
    done = host.raw("PreToolUse", data)
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)
    why = asked(json.loads(done.stdout)["hookSpecificOutput"])
    assert "cannot tell whether a rule forbids this call: this is not the JSON" in why


def test_other_hosts_are_asked_in_their_own_words(host: Host) -> None:
    host.env["MEMDIR_HOST"] = "generic"
    said = json.loads(host.raw("PreToolUse", b"{").stdout)
    assert said["decision"] == "ask"
    assert "cannot tell" in said["because"]


@pytest.mark.parametrize(
    ("variable", "value", "place"),
    [
        ("MEMDIR_CONFIG_DIR", "~/settings", "settings"),
        ("MEMDIR_CONFIG_DIR", "~nobody/settings", ".claude"),
        ("CLAUDE_CONFIG_DIR", "relative", ".claude"),
    ],
)
def test_the_reply_cache_lies_with_the_settings(host: Host, variable: str, value: str, place: str) -> None:
    host.env.pop("CLAUDE_CONFIG_DIR", None)
    host.env[variable] = value
    for _ in range(2):
        assert host.tool("PreToolUse", "Bash", command="ls") == {}
    (cache,) = Path(host.home).rglob("*.cache")
    assert cache.parent == host.home / place / "memdir" / "hooks"
    assert not list(host.project.rglob("*.cache"))


@pytest.mark.parametrize("given", [{"tool_input": PUSH}, {"tool_input": {"script": PUSH}}, {}])
def test_a_call_whose_input_is_no_object_is_asked_about_where_rules_exist(
    host: Host, given: dict[str, Any]
) -> None:
    assert host.call("PreToolUse", tool_name="Bash", **given) == {}
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    for _ in range(2):
        why = asked(host.call("PreToolUse", tool_name="Bash", **given))
        assert "its input must be an object" in why
        assert "`command`" in why
    assert host.tool("PreToolUse", "mcp__other__list") == {}  # without parameters, but an object


@pytest.mark.parametrize("given", [{"input": PUSH}, {}])
def test_other_hosts_are_asked_too_when_an_input_is_no_object(host: Host, given: dict[str, Any]) -> None:
    host.env["MEMDIR_HOST"] = "generic"
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    call = {"cwd": str(host.project), "session": "s1", "tool": "bash", **given}
    said = json.loads(host.raw("PreToolUse", json.dumps(call).encode()).stdout)
    assert said["decision"] == "ask"
    assert "its input must be an object" in said["because"]


def test_a_directory_that_is_no_directory_is_asked_about_until_it_is_one(host: Host) -> None:
    directory = Path(host.memory.directory)
    directory.parent.mkdir(parents=True)
    assert host.tool("PreToolUse", "Bash", command="ls") == {}
    directory.write_text("x")
    for _ in range(2):
        assert "Not a directory" in asked(host.tool("PreToolUse", "Bash", command="ls"))
    directory.unlink()
    directory.symlink_to(host.home / "unmounted")
    for _ in range(2):
        assert "leads nowhere" in asked(host.tool("PreToolUse", "Bash", command="ls"))
    directory.unlink()
    assert host.tool("PreToolUse", "Bash", command="ls") == {}


def test_a_judgement_that_takes_too_long_asks_before_the_host_gives_up(host: Host, tmp_path: Path) -> None:
    memory = host.memory
    memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    memory.history.list()
    Path(memory.state, "rules").unlink(missing_ok=True)  # else nobody asks git who wrote the rule
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec /bin/sleep 30\n")
    slow.chmod(0o755)
    host.env["PATH"] = f"{slow.parent}:{host.env['PATH']}"
    data = {
        "cwd": str(host.project),
        "session_id": "s1",
        "tool_name": "Bash",
        "tool_input": {"command": PUSH},
    }
    done = host.raw("PreToolUse", json.dumps(data).encode())
    assert "took more than 4 seconds" in asked(json.loads(done.stdout)["hookSpecificOutput"])


def test_a_denial_is_made_once_and_says_the_same_with_little_loaded(host: Host) -> None:
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    in_full = host.tool("PreToolUse", "Bash", command=PUSH)
    assert in_full["permissionDecision"] == "deny"
    assert len(host.caches()) == 1
    call = {
        "cwd": str(host.project),
        "session_id": "s1",
        "tool_name": "Bash",
        "tool_input": {"command": PUSH},
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", HOOK, "PreToolUse"],
        input=json.dumps(call).encode(),
        env=host.env,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["hookSpecificOutput"] == in_full
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "memdir.rules.judge" in loaded
    assert loaded.isdisjoint({"re", "json", "datetime", "memdir.memory", "memdir.hooks.full_answer"})


@pytest.mark.parametrize("reason", ["Never <b>push</b>.", "Nie pushen — ‘main’ gehört allen.", "[inst] x"])
def test_a_denial_by_the_cache_escapes_as_the_full_answer_does(host: Host, reason: str) -> None:
    host.memory.remember("x", description=reason, name="no-push", enforce="Bash: git push *")
    in_full = host.tool("PreToolUse", "Bash", command=PUSH)
    found = by_cache(host, PUSH)
    assert found is not None
    assert json.loads(found)["hookSpecificOutput"] == in_full


def test_a_rule_that_comes_while_an_answer_is_made_voids_its_cache(host: Host) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    parts, project = parts_of(memory), str(host.project)
    for late in (False, True):
        depends_on = dependencies(parts, project)
        known = memory.hosts.session.tool_calls.known_rules()
        if late:
            memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
        silent = memory.hosts.session.silent_events(known) or ("PreToolUse",)
        write_reply_cache(parts, project, silent, depends_on, known.rows)
        assert by_cache(host, PUSH) == (None if late else "")


def test_a_setting_that_changes_while_it_is_read_voids_the_cache(host: Host) -> None:
    parts, project = parts_of(host.memory), str(host.project)
    settings = host.home / ".claude" / "memdir" / "settings.json"
    for late in (False, True):
        if late:
            settings.write_text('{"skipIndex": true}')
        write_reply_cache(parts, project, ["PreToolUse"], dependencies(parts, project), [])
        assert by_cache(host, PUSH) == (None if late else "")


def test_no_cache_is_left_while_rules_are_not_settled(host: Host) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    time.sleep(0.05)
    assert memory.hosts.session.silent_events(memory.hosts.session.tool_calls.known_rules())
    Path(memory.directory, "user_kind.md").write_text("x")
    assert memory.hosts.session.silent_events(memory.hosts.session.tool_calls.known_rules()) == ()


def test_a_cache_that_was_cut_off_or_garbled_is_not_believed(host: Host) -> None:
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    host.tool("PreToolUse", "Bash", command="ls")
    (cache,) = host.caches()
    data = cache.read_bytes()
    lines = data.split(b"\n")
    cut = [data[:length] for length in range(len(data))]
    shorter = [b"\n".join(lines[:at] + lines[at + 1 :]) for at in range(len(lines))]
    for text in (
        *cut,
        *shorter,
        data.replace(b"rules", b"PreToolUse"),
        data.replace(b"git push", b"git pull"),
    ):
        cache.write_bytes(text)
        try:
            said = by_cache(host, PUSH)
        except (ValueError, IndexError):
            said = None
        assert said is None
    cache.write_bytes(data)
    assert '"deny"' in str(by_cache(host, PUSH))


def test_a_rule_written_in_place_is_seen_in_a_large_directory_too(host: Host) -> None:
    path = Path(host.memory.remember("Be brief.", name="brief").path)
    for number in range(520):
        (path.parent / f"user_{number}.md").write_text("x\n")
    for _ in range(2):
        assert host.tool("PreToolUse", "Bash", command="make deploy") == {}
    with path.open("r+") as file:
        file.write('---\nname: brief\ndescription: x\nmetadata:\n  enforce: "Bash: make deploy"\n---\nx\n')
        file.truncate()
    assert asked(host.tool("PreToolUse", "Bash", command="make deploy"))


def test_a_rule_holds_wherever_it_stands_in_its_header(host: Host) -> None:
    path = Path(host.memory.remember("Deploys are made by hand.", name="deploys").path)
    notes = "".join(f"  note{number}: plain\n" for number in range(40))
    path.write_text(path.read_text().replace("metadata:\n", f"metadata:\n{notes}"))
    host.memory.remember("Nobody deploys by hand.", name="deploys", enforce="Bash: make deploy")
    assert path.read_text().splitlines().index('  enforce: "Bash: make deploy"') > 40
    for _ in range(2):  # in full, and by the cache
        assert host.tool("PreToolUse", "Bash", command="make deploy")["permissionDecision"] == "deny"


def planted(host: Host, *rules: str) -> Memory:
    """Have an agent save a rule through the memory tool, as over MCP."""
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    head = "---\nname: planted\ndescription: x\ntype: feedback\nmetadata:\n"
    text = f'{head}  enforce: "{"; ".join(rules)}"\n---\nx\n'
    MemoryTool(memory).call({"command": "create", "path": "/memories/planted.md", "file_text": text})
    return memory


def test_a_rule_that_an_agent_planted_asks_says_so_and_goes_in_one_step(host: Host) -> None:
    planted(host, "Bash: *", "Edit: **")
    for tool, given in (("Bash", {"command": "ls"}), ("Edit", {"file_path": "a.py", "old_string": "x"})):
        why = asked(host.tool("PreToolUse", tool, **given))
        assert "written by an agent (through the memory tool) and not by you" in why
        assert "`memdir forget planted.md` removes it" in why
    command = [os.path.join(os.path.dirname(sys.executable), "memdir"), "forget", "planted.md"]
    subprocess.run(command, cwd=host.project, env=host.env, check=True, capture_output=True, timeout=60)
    assert host.tool("PreToolUse", "Bash", command="ls") == {}


def test_a_planted_rule_does_not_stand_before_memdir_itself(host: Host) -> None:
    planted(host, "*: *")
    assert asked(host.tool("PreToolUse", "Bash", command="ls"))
    for command in ("memdir list", "memdir rules", "memdir show planted"):
        assert host.tool("PreToolUse", "Bash", command=command) == {}, command
    for tool in ("mcp__memdir__recall", "mcp__plugin_memdir_memdir__read"):
        assert host.tool("PreToolUse", tool, query="x") == {}
    for command in ("memdir list; ls", "memdir list $(ls)", "memdir list\nls", "memdir forget planted"):
        assert asked(host.tool("PreToolUse", "Bash", command=command)), command
    assert "Only the user" in asked(host.tool("PreToolUse", "Bash", command="memdir forget planted"))
    assert asked(host.tool("PreToolUse", "mcp__other__recall", query="x"))


def git(*words: str, cwd: Path) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *who, *words], cwd=cwd, env=env, check=True, capture_output=True)


@pytest.mark.parametrize("where", ["../wt", "wt", ".claude/worktrees/wt"])
def test_anchored_rules_bind_in_a_linked_worktree_wherever_a_command_led(host: Host, where: str) -> None:
    git("init", "-q", cwd=host.project)
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=host.project)
    git("worktree", "add", "-q", where, cwd=host.project)
    tree = Path(os.path.realpath(host.project / where))
    (tree / "sub").mkdir()
    host.memory.remember("Hands off.", name="hands-off", enforce="Write: secrets/**; Edit: /nowhere/**")
    began = [tree, host.project]
    for project in began:
        host.env["CLAUDE_PROJECT_DIR"] = str(project)
        for _ in range(2):  # in full, and by the cache
            host.call("PreToolUse", tool_name="Bash", tool_input={"command": "true"}, cwd=str(tree))
            for cwd in (tree, tree / "sub", host.project):
                here: dict[str, Any] = {"cwd": str(cwd)}
                given = {"file_path": str(tree / "secrets" / "x"), "content": "x"}
                said = host.call("PreToolUse", tool_name="Write", tool_input=given, **here)
                assert said.get("permissionDecision") == "deny", cwd
                said = host.call(
                    "PreToolUse",
                    tool_name="Bash",
                    tool_input={"command": f"echo x > {tree}/secrets/x"},
                    **here,
                )
                assert said.get("permissionDecision") == "deny", cwd
            relative = {"command": "echo x > ../secrets/x"}
            said = host.call("PreToolUse", tool_name="Bash", tool_input=relative, cwd=str(tree / "sub"))
            assert said.get("permissionDecision") == "deny"
            fine = {"file_path": str(tree / "sub" / "x"), "content": "x"}
            assert host.call("PreToolUse", tool_name="Write", tool_input=fine, cwd=str(tree / "sub")) == {}


def test_a_worktree_is_known_by_the_link_that_led_there(host: Host) -> None:
    git("init", "-q", cwd=host.project)
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=host.project)
    git("worktree", "add", "-q", "../wt", cwd=host.project)
    (host.project.parent / "wt" / "sub").mkdir()
    link = host.project.parent / "link"
    link.symlink_to(host.project.parent / "wt")
    host.memory.remember("Hands off.", name="hands-off", enforce="Write: secrets/**")
    host.env["CLAUDE_PROJECT_DIR"] = str(host.project)
    for path in ("../secrets/x", str(link / "secrets" / "x")):
        said = host.call(
            "PreToolUse", tool_name="Bash", tool_input={"command": f"echo x > {path}"}, cwd=str(link / "sub")
        )
        assert said.get("permissionDecision") == "deny", path


@pytest.mark.parametrize("variable", ["CLAUDECODE", "GEMINI_CLI"])
def test_a_rule_that_an_agent_saves_in_its_own_shell_only_asks(tmp_path: Path, variable: str) -> None:
    env = {"HOME": str(tmp_path), "PATH": os.environ.get("PATH", os.defpath), **WORDS_ALONE}
    project = tmp_path / "project"
    project.mkdir()
    agents, users = Memory.open(project, {**env, variable: "1"}), Memory.open(project, env)
    planted = agents.remember("Nothing may run.", name="stop", enforce="Bash: *")
    assert "memdir rules approve" in planted.warnings[-1]
    users.remember("Nobody deploys by hand.", name="deploys", enforce="Bash: make deploy")
    assert {(rule.memory, rule.bound) for rule in users.rules.list()} == {("stop", False), ("deploys", True)}
    with pytest.raises(MemdirError, match="Only the user"):
        agents.remember("Deploy as you like.", name="deploys", enforce="Bash: nothing")
    (whose,) = [rule.whose for rule in users.rules.list() if rule.memory == "stop"]
    assert whose == "an agent (in its own shell)"
