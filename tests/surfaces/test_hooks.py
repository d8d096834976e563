"""A hook says what is worth saying, says nothing otherwise, and never breaks the host that called it."""

import json
import os
import subprocess
import sys
import zlib
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from tests.environment import WORDS_ALONE
from tests.processes import Commands

from memdir import Memory
from memdir.config.world import VARIABLES
from memdir.hook_paths import picks_path
from memdir.hooks import reply_cache
from memdir.hosts.session import Pick, leave_picks

HOOK = os.path.join(os.path.dirname(sys.executable), "memdir-hook")
SECRET = "ghp_" + "a1B2c3D4" * 4 + "e5F6"

_TICK = 0.025
"""Seconds after which a file counts as settled, and a little more."""


class Host:
    """A host of one user in one project, which calls hooks as Claude Code does."""

    def __init__(self, root: Path, commands: Commands) -> None:
        self.commands = commands
        self.home, self.project = root / "home", root / "project"
        self.home.mkdir()
        self.project.mkdir()
        self.env = {"HOME": str(self.home), "PATH": os.environ["PATH"], **WORDS_ALONE}
        settings = self.home / ".claude" / "memdir" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text('{"recall": {"budgetMs": 20000}}')  # on a busy machine recall takes longer
        os.utime(settings, (1e9, 1e9))  # no reply is cached while a file has just been written

    @property
    def memory(self) -> Memory:
        return Memory.open(self.project, self.env)

    def raw(self, event: str, data: bytes) -> "subprocess.CompletedProcess[bytes]":
        sleep(_TICK)  # no real host asks so soon after a save, and rules that are younger are not cached
        return self.commands.run(["memdir-hook", event], self.env, feed=data)

    def call(self, event: str, **said: Any) -> dict[str, Any]:
        """Call a hook; return what the host takes from it."""
        base = {
            "cwd": str(self.project),
            "session_id": "s1",
            "transcript_path": str(self.home / "none.jsonl"),
        }
        done = self.raw(event, json.dumps({**base, "hook_event_name": event, **said}).encode())
        assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
        taken: dict[str, Any] = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
        return taken

    def tool(self, event: str, name: str, **given: Any) -> dict[str, Any]:
        return self.call(event, tool_name=name, tool_input=given)

    def caches(self) -> list[Path]:
        return sorted((self.home / ".claude" / "memdir" / "hooks").glob("*.cache"))


def test_a_memory_that_fits_a_prompt_reaches_the_conversation_once(host: Host) -> None:
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    said = host.call("UserPromptSubmit", prompt="how do deploys reach production?")
    assert said["hookEventName"] == "UserPromptSubmit"
    assert "blue pipeline" in said["additionalContext"]
    assert host.call("UserPromptSubmit", prompt="how do deploys reach production?") == {}
    host.call("PostCompact", trigger="auto")
    assert (
        "blue pipeline" in host.call("UserPromptSubmit", prompt="how do deploys work?")["additionalContext"]
    )


def test_every_prompt_is_answered_alike_with_little_loaded(host: Host) -> None:
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    texts = [
        host.call("UserPromptSubmit", prompt="how do deploys reach production?", session_id=f"s{number}")
        for number in range(2)
    ]
    assert "blue pipeline" in texts[0]["additionalContext"]
    assert texts[1] == texts[0]
    said = {
        "cwd": str(host.project),
        "session_id": "s9",
        "prompt": "how do deploys reach production?",
        "transcript_path": "",
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", HOOK, "UserPromptSubmit"],
        input=json.dumps(said).encode(),
        env=host.env,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["hookSpecificOutput"] == texts[0]
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}
    assert "memdir.recall.recaller" in loaded
    heavy = {"dataclasses", "typing", "inspect", "logging", "subprocess", "yaml", "httpx2", "numpy"}
    assert loaded.isdisjoint(heavy)


def test_an_edit_in_place_is_seen_by_the_next_prompt(host: Host) -> None:
    saved = host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    for number in range(3):
        host.call("UserPromptSubmit", prompt="how do deploys reach production?", session_id=f"s{number}")
    path = Path(host.memory.directory, saved.file)
    path.write_text(path.read_text().replace("blue", "green"))
    for number in range(3, 7):
        said = host.call(
            "UserPromptSubmit", prompt="how do deploys reach production?", session_id=f"s{number}"
        )
        assert "green pipeline" in said["additionalContext"]


def test_pseudo_prompts_get_no_recall(host: Host) -> None:
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    assert (
        host.call("UserPromptSubmit", prompt="<task-notification>deploys pipeline</task-notification>") == {}
    )


def test_an_enforced_memory_stops_a_tool_call_and_says_which_and_why(host: Host) -> None:
    host.memory.remember("Never push to main.", name="no-push", enforce="Bash: git push * main")
    for _ in range(2):  # in full, and by the cache
        assert host.tool("PreToolUse", "Bash", command="git push origin dev") == {}
        said = host.tool("PreToolUse", "Bash", command="cd x && git -C . push origin main")
        assert said["permissionDecision"] == "deny"
        assert "no-push" in said["permissionDecisionReason"]


def test_a_rule_that_someone_else_wrote_asks_instead_of_binding(host: Host) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    path = Path(memory.directory, "feedback_foreign.md")
    header = (
        '---\nname: foreign\ndescription: x\ntype: feedback\nmetadata:\n  enforce: "Bash: ls *"\n---\nx\n'
    )
    path.write_text(header)
    assert host.tool("PreToolUse", "Bash", command="ls -la")["permissionDecision"] == "ask"


def test_markdown_in_the_memory_directory_is_allowed_and_nothing_else_there(host: Host) -> None:
    directory = Path(host.memory.directory)
    said = host.tool("PreToolUse", "Write", file_path=str(directory / "user_x.md"), content="hello")
    assert said["permissionDecision"] == "allow"
    assert "lacks: name, description, type" in said["additionalContext"]
    assert (
        host.tool("PreToolUse", "Write", file_path=str(directory / "x.sh"), content="")["permissionDecision"]
        == "ask"
    )
    secret = host.tool("PreToolUse", "Write", file_path=str(directory / "user_x.md"), content=SECRET)
    assert secret["permissionDecision"] == "deny"
    assert SECRET not in json.dumps(secret)
    assert host.tool("PreToolUse", "Write", file_path=str(host.project / "y.md"), content="x") == {}
    log = host.tool("PreToolUse", "Write", file_path=str(directory / "logs" / "2026-11-15.md"), content="- x")
    assert (log["permissionDecision"], "additionalContext" in log) == ("allow", False)


def test_a_host_may_not_edit_its_own_rules_away(host: Host) -> None:
    saved = host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    for tool, given in (("Write", {"content": "x"}), ("Edit", {"old_string": "git push", "new_string": "x"})):
        assert host.tool("PreToolUse", tool, file_path=saved.path, **given)["permissionDecision"] == "ask"


def test_a_host_may_not_take_its_own_rules_away_by_a_command(host: Host) -> None:
    saved = host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    records = host.home / ".claude" / "memdir" / "x"
    for _ in range(2):  # in full, and by the cache
        assert host.tool("PreToolUse", "Bash", command="memdir list") == {}
        assert host.tool("PreToolUse", "Bash", command=f"cat {saved.path}") == {}
        for command in ("memdir forget no-push", f"rm {saved.path}", "cd ~ && rm -r .claude"):
            said = host.tool("PreToolUse", "Bash", command=command)
            assert said["permissionDecision"] == "ask", command
            assert "Only the user" in said["permissionDecisionReason"]
        said = host.tool("PreToolUse", "Write", file_path=str(records), content="x")
        assert said["permissionDecision"] == "ask"
    for command, cached in (("memdir list", ""), ("cd ~ && rm -r .claude", "Only the user")):
        call = {
            "cwd": str(host.project),
            "session_id": "s1",
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }
        # The home is that of the environment which was handed over, not of this process.
        said_now = reply_cache.cached_reply("PreToolUse", call, host.env)
        assert said_now is not None
        assert cached in said_now if cached else said_now == ""


def test_a_rule_that_is_written_in_place_holds_from_the_next_call_on(host: Host) -> None:
    path = Path(host.memory.remember("Be brief.", name="brief").path)
    assert host.tool("PreToolUse", "Bash", command="make deploy") == {}
    assert host.tool("PreToolUse", "Bash", command="make deploy") == {}
    with path.open("r+") as file:
        file.write('---\nname: brief\ndescription: x\nmetadata:\n  enforce: "Bash: make deploy"\n---\nx\n')
        file.truncate()
    assert host.tool("PreToolUse", "Bash", command="make deploy")["permissionDecision"] == "ask"


def test_a_link_out_of_the_memory_directory_grants_nothing(host: Host) -> None:
    host.memory.remember("Be brief.", name="brief")
    (Path(host.memory.directory) / "out").symlink_to(host.project)
    path = f"{host.memory.directory}/out/evil.md"
    assert host.tool("PreToolUse", "Write", file_path=path, content="x") == {}


def test_what_the_host_wrote_is_recorded_in_its_name_and_pointed_at(host: Host) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    path = Path(memory.directory, "user_tabs.md")
    path.write_text("---\nname: tabs\ndescription: Likes tabs\ntype: user\n---\nTabs.\n")
    host.tool("PostToolUse", "Write", file_path=str(path), content="x")
    newest = memory.history.list(limit=1)[0]
    assert (newest.by.actor, newest.by.session, newest.files) == ("host", "s1", ("user_tabs.md",))
    assert "user_tabs.md" in Path(memory.directory, "MEMORY.md").read_text()


@pytest.mark.parametrize("way", ["redirected", "scripted"])
def test_what_a_shell_command_of_the_host_wrote_is_pointed_at(host: Host, way: str) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    for _ in range(2):
        assert host.tool("PostToolUse", "Bash", command="ls") == {}
    path = Path(memory.directory, "user_tabs.md")
    path.write_text("---\nname: tabs\ndescription: Uses tabs\ntype: user\n---\n\nUses tabs.\n")
    command = f"cat > {path} <<'EOF'\nUses tabs.\nEOF" if way == "redirected" else "./save-memories"
    assert host.tool("PostToolUse", "Bash", command=command) == {}
    assert "user_tabs.md" in Path(memory.directory, "MEMORY.md").read_text()
    actor = "host" if way == "redirected" else "outside"
    assert memory.history.list("tabs")[0].by.actor == actor


def test_an_old_memory_that_the_host_reads_carries_its_age(host: Host) -> None:
    saved = host.memory.remember("Be brief.", name="brief")
    old = os.stat(saved.path).st_mtime - 10 * 86_400
    os.utime(saved.path, (old, old))
    assert "10 days old" in host.tool("PostToolUse", "Read", file_path=saved.path)["additionalContext"]


def test_the_start_tells_what_the_host_does_not_load_itself(host: Host) -> None:
    host.memory.remember("Be brief.", name="brief")
    assert host.call("SessionStart", source="startup") == {}
    host.env["MEMDIR_DIRECTORY"] = str(host.home / "elsewhere")
    said = host.call("SessionStart", source="startup")["additionalContext"]
    assert str(host.home / "elsewhere") in said
    assert (host.home / "elsewhere").is_dir()


def test_a_host_that_keeps_the_memory_is_told_what_our_settings_change(host: Host) -> None:
    settings = host.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)

    def told(chosen: dict[str, Any], **more: str) -> str:
        settings.write_text(json.dumps(chosen))
        host.env = {**host.env, "MEMDIR_EXTRA_GUIDELINES": "", **more}
        return str(host.call("SessionStart", source="startup").get("additionalContext", ""))

    assert told({}) == ""
    assert "logs/YYYY/MM/YYYY-MM-DD.md" in told({"mode": "daily-log"})
    assert "leave `MEMORY.md` alone" in told({"skipIndex": True})
    assert "Prefer short words." in told({}, MEMDIR_EXTRA_GUIDELINES="Prefer short words.")
    assert told({}, CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES="Prefer short words.") == "", "the host says it"


def test_the_form_of_the_prompt_goes_by_the_host_unless_a_setting_chooses(host: Host) -> None:
    host.env["MEMDIR_DIRECTORY"] = str(host.home / "elsewhere")
    settings = host.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)

    def told(form: str, **more: str) -> str:
        settings.write_text(json.dumps({"compactPrompt": form}))
        host.env = {**host.env, "MEMDIR_HOST": "", **more}
        said = {"cwd": str(host.project), "session_id": "s1", "source": "startup", "tools": ["grep"]}
        out = json.loads(host.raw("SessionStart", json.dumps(said).encode()).stdout)
        return str(out.get("context") or out["hookSpecificOutput"]["additionalContext"])

    full = "## What not to save"
    assert full not in told("auto")
    assert told("auto") == told("on")
    assert full in told("off")
    assert full in told("auto", MEMDIR_HOST="generic")
    assert full not in told("on", MEMDIR_HOST="generic")
    assert "the grep tool" in told("auto", MEMDIR_HOST="generic")
    assert "grep -rniF" in told("off")


def test_the_start_tells_what_was_changed_by_hand(host: Host) -> None:
    saved = host.memory.remember("Be brief.", name="brief")
    with open(saved.path, "a", encoding="utf-8") as file:
        file.write("And kind.\n")
    assert saved.file in host.call("SessionStart", source="startup")["additionalContext"]
    assert host.call("SessionStart", source="startup") == {}


def test_picks_of_a_model_arrive_with_the_next_event_once(host: Host) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    host.tool("PreToolUse", "Bash", command="ls")
    leave_picks(memory.state, "s1", [Pick("a.md", "picked text")])
    assert host.tool("PreToolUse", "Bash", command="ls") == {
        "hookEventName": "PreToolUse",
        "additionalContext": "picked text",
    }
    assert host.tool("PreToolUse", "Bash", command="ls") == {}


def test_a_card_holds_until_a_memory_a_setting_or_the_root_changes(host: Host) -> None:
    memory = host.memory
    memory.remember("Be brief.", name="brief")
    assert host.tool("PreToolUse", "Bash", command="git push origin main") == {}
    assert len(host.caches()) == 1
    assert host.tool("PreToolUse", "Bash", command="git push origin main") == {}
    memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    assert host.tool("PreToolUse", "Bash", command="git push origin main")["permissionDecision"] == "deny"
    settings = host.home / ".claude" / "settings.json"
    settings.write_text('{"autoMemoryEnabled": false}')
    assert host.tool("PreToolUse", "Bash", command="git push origin main") == {}
    settings.unlink()
    assert host.tool("PreToolUse", "Bash", command="git push origin main")["permissionDecision"] == "deny"
    subprocess.run(["git", "init", "-q", str(host.project.parent)], check=True, env=host.env)
    assert host.tool("PreToolUse", "Bash", command="git push origin main") == {}


def test_a_memory_that_comes_into_a_sub_folder_is_seen(host: Host) -> None:
    folder = Path(host.memory.directory, "topics")
    folder.mkdir(parents=True)
    assert host.call("UserPromptSubmit", prompt="how do deploys work?") == {}
    (folder / "a.md").write_text("---\nname: a\ndescription: How deploys work\ntype: project\n---\nBlue.\n")
    assert "Blue." in host.call("UserPromptSubmit", prompt="how do deploys work?")["additionalContext"]


def test_a_cache_that_is_damaged_or_from_another_place_is_not_believed(host: Host) -> None:
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    host.tool("PreToolUse", "Bash", command="ls")
    for text in (
        "",
        "memdir reply cache 2\n",
        "memdir reply cache 10\n/\nPreToolUse\n/\n/\n/\n/\n",
        "\udcff\0",
    ):
        host.caches()[0].write_bytes(text.encode("utf-8", "surrogateescape"))
        assert host.tool("PreToolUse", "Bash", command="git push")["permissionDecision"] == "deny"


def test_nested_json_cannot_pass_for_the_hosts_own(host: Host) -> None:
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    other = {"cwd": "/", "tool_name": "Read", "command": "git push"}
    for _ in range(2):
        assert host.tool("PreToolUse", "Bash", **other)["permissionDecision"] == "deny"


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b"[]", b"\xff", b'{"cwd": 1}', b'{"cwd": "/nowhere"}', b"[" * 99_999),
        *(
            b'{"cwd": 5, "session_id": "s"}',
            b'{"cwd": "", "session_id": "s"}',
            b'{"cwd": "x", "session_id": "s"}',
        ),
    ],
)
@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "NoSuchEvent"])
def test_bad_input_is_one_line_and_success(host: Host, event: str, data: bytes) -> None:
    done = host.raw(event, data)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.count(b"\n") == 1
    log = (host.home / ".claude" / "memdir" / "hooks.log").read_text()
    assert f"memdir-hook {event}" in log


def test_a_failure_is_shown_by_the_doctor(host: Host) -> None:
    host.raw("Stop", b"{")
    shown = [found.message for found in host.memory.doctor.examine().findings if found.code == "hook"]
    assert len(shown) == 1
    assert "memdir-hook Stop" in shown[0]


def test_memory_that_is_off_is_silent_everywhere(host: Host) -> None:
    host.memory.remember("Deploys go through the blue pipeline.", name="deploys", enforce="Bash: ls")
    host.env["MEMDIR_DISABLE"] = "1"
    for _ in range(2):
        assert host.call("SessionStart", source="startup") == {}
        assert host.call("UserPromptSubmit", prompt="how do deploys work?") == {}
        assert host.tool("PreToolUse", "Bash", command="ls") == {}
        assert host.call("Stop") == {}


def test_every_variable_that_moves_memory_has_its_own_card() -> None:
    moved = {name for ours, others in VARIABLES.items() for name in (ours, *others)}
    moved -= {"MEMDIR_EXTRA_GUIDELINES", "CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES", "MEMDIR_MODEL"}
    assert moved | {"HOME"} == set(reply_cache.ENVIRONMENT)


def test_a_host_is_told_that_what_it_wrote_contradicts_a_memory(host: Host) -> None:
    host.memory.remember("The timeout of the client is 30 s.", kind="project", name="timeout")
    path = Path(host.memory.directory, "project_client-timeout.md")
    text = "The timeout of the client is 45 s."
    path.write_text(f"---\nname: client-timeout\ndescription: {text}\ntype: project\n---\n\n{text}\n")
    told = host.tool("PostToolUse", "Write", file_path=str(path), content="x")["additionalContext"]
    assert "may contradict the memory project_timeout.md" in told
    assert "supersedes: timeout" in told


def test_a_hook_of_a_host_that_our_worker_started_says_nothing(host: Host) -> None:
    host.memory.remember("Deploys go through the blue pipeline.", name="deploys")
    host.env["MEMDIR_WORKER"] = "1"
    assert host.call("UserPromptSubmit", prompt="how do deploys work?") == {}


def test_a_host_that_reads_no_instructions_is_given_them(host: Host) -> None:
    host.env["MEMDIR_HOST"] = "generic"
    (host.project / "CLAUDE.md").write_text("Answer in rhyme.")
    (host.project / "deep").mkdir()
    (host.project / "deep" / "CLAUDE.md").write_text("Here in prose.")

    def told(event: str, **said: Any) -> str:
        done = host.raw(event, json.dumps({"cwd": str(host.project), "session": "s1", **said}).encode())
        assert (done.returncode, done.stderr) == (0, b"")
        return str(json.loads(done.stdout)["context"]) if done.stdout else ""

    host.memory.context.prompt(preview=True)
    assert host.memory.doctor.status().last_load is None
    assert "Answer in rhyme." in told("SessionStart", source="startup")
    assert host.memory.doctor.status().last_load is not None, "a conversation was told, and status says so"
    touched = {"tool": "Read", "input": {"file_path": str(host.project / "deep" / "x.py")}}
    assert "Here in prose." in told("PostToolUse", **touched)
    assert told("PostToolUse", **touched) == ""


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("UserPromptSubmit", {"prompt": "Why does @deep/x.py fail?"}),
        ("UserPromptSubmit", {"prompt": "Look at deep/x.py:12, please."}),
        ("PostToolUse", {"tool": "shell", "input": {"command": "cat deep/x.py | head -3"}}),
        (
            "PostToolUse",
            {"tool": "shell", "input": {"command": ["bash", "-lc", "cd deep && sed -n 1,5p 'deep/x.py'"]}},
        ),
        ("PostToolUse", {"tool": "Bash", "input": {"command": "echo x >> deep/x.py"}}),
    ],
)
def test_a_file_that_is_named_brings_its_instructions_to_a_host_without_any(
    host: Host, event: str, said: dict[str, Any]
) -> None:
    host.env["MEMDIR_HOST"] = "generic"
    (host.project / "deep").mkdir()
    (host.project / "deep" / "x.py").write_text("x = 1\n")
    (host.project / "deep" / "CLAUDE.md").write_text("Here in prose.")
    base = {"cwd": str(host.project), "session": "s1"}

    def told(event: str, **said: Any) -> str:
        return host.raw(event, json.dumps({**base, **said}).encode()).stdout.decode()

    assert told("UserPromptSubmit", prompt="What is in deep, in @none/x.py and in other/x.py?") == ""
    assert "Here in prose." in told(event, **said)
    assert told(event, **said) == "", "once a conversation"


def test_claude_code_loads_such_files_itself(host: Host) -> None:
    (host.project / "deep").mkdir()
    (host.project / "deep" / "x.py").write_text("x = 1\n")
    (host.project / "deep" / "CLAUDE.md").write_text("Here in prose.")
    assert host.call("UserPromptSubmit", prompt="Why does @deep/x.py fail?") == {}
    assert host.tool("PostToolUse", "Bash", command="cat deep/x.py") == {}


def test_names_are_short_and_safe() -> None:
    assert picks_path("/state", "../../etc") == f"/state/conversations/picks-{zlib.crc32(b'../../etc'):08x}"


def test_where_a_conversation_began_counts_and_not_where_a_command_led_it(host: Host) -> None:
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    host.env["CLAUDE_PROJECT_DIR"] = str(host.project)
    deep = host.project / "src"
    deep.mkdir()
    for number in range(3):
        said = host.call("PreToolUse", tool_name="Bash", tool_input={"command": "git push"}, cwd=str(deep))
        assert said["permissionDecision"] == "deny"
        prompted = host.call(
            "UserPromptSubmit", prompt="how do deploys work?", cwd=str(deep), session_id=f"s{number}"
        )
        assert "blue pipeline" in prompted["additionalContext"]


def test_a_path_in_a_tool_call_is_meant_from_where_the_conversation_is_now(host: Host) -> None:
    host.memory.remember("Hands off.", name="hands-off", enforce="Write: src/secret.txt")
    host.env["CLAUDE_PROJECT_DIR"] = str(host.project)
    deep = host.project / "src"
    deep.mkdir()
    for cwd, path, decision in ((deep, "secret.txt", "deny"), (host.project, "secret.txt", None)):
        for _ in range(2):
            said = host.call("PreToolUse", tool_name="Write", tool_input={"file_path": path}, cwd=str(cwd))
            assert said.get("permissionDecision") == decision


def test_a_project_that_is_not_there_is_not_believed(host: Host) -> None:
    host.memory.remember("Never push.", name="no-push", enforce="Bash: git push *")
    for odd in ("", "src", str(host.project / "gone"), "\n"):
        host.env["CLAUDE_PROJECT_DIR"] = odd
        assert host.tool("PreToolUse", "Bash", command="git push")["permissionDecision"] == "deny"


def deploys(host: Host, place: Path, day: str) -> None:
    memory = Memory.open(place, host.env)
    memory.remember(f"Deploys of this shop are on {day}.", kind="project", name="deploys")


def test_a_link_that_leads_to_another_project_is_followed_anew(host: Host, tmp_path: Path) -> None:
    for name, day in (("pa", "Tuesdays"), ("pb", "Fridays")):
        (tmp_path / name).mkdir()
        deploys(host, tmp_path / name, day)
    link = tmp_path / "now"
    for name, day in (("pa", "Tuesdays"), ("pb", "Fridays")):
        link.unlink(missing_ok=True)
        link.symlink_to(tmp_path / name)
        for number in range(3):
            said = host.call(
                "UserPromptSubmit", prompt="when are deploys?", cwd=str(link), session_id=f"{name}{number}"
            )
            assert day in said["additionalContext"]


def test_a_memory_directory_that_is_a_link_is_followed_anew(host: Host, tmp_path: Path) -> None:
    link = tmp_path / "now"
    host.env["MEMDIR_DIRECTORY"] = str(link)
    for name, day in (("ma", "Tuesdays"), ("mb", "Fridays")):
        (tmp_path / name).mkdir()
        link.unlink(missing_ok=True)
        link.symlink_to(tmp_path / name)
        deploys(host, host.project, day)
        for number in range(3):
            said = host.call("UserPromptSubmit", prompt="when are deploys?", session_id=f"{name}{number}")
            assert day in said["additionalContext"]


def test_a_repository_made_above_changes_which_memory_counts(host: Host, tmp_path: Path) -> None:
    place = tmp_path / "work" / "shop"
    place.mkdir(parents=True)
    deploys(host, place, "Tuesdays")
    for number in range(2):
        assert host.call(
            "UserPromptSubmit", prompt="when are deploys?", cwd=str(place), session_id=f"a{number}"
        )
    (tmp_path / "work" / ".git").mkdir()
    for number in range(2):
        assert (
            host.call("UserPromptSubmit", prompt="when are deploys?", cwd=str(place), session_id=f"b{number}")
            == {}
        )


def test_settings_that_come_into_a_folder_on_the_way_count(host: Host) -> None:
    (host.project / ".git").mkdir()
    place = host.project / "sub"
    (place / ".claude").mkdir(parents=True)
    deploys(host, place, "Tuesdays")
    for number in range(2):
        assert host.call(
            "UserPromptSubmit", prompt="when are deploys?", cwd=str(place), session_id=f"a{number}"
        )
    (place / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}')
    for number in range(2):
        assert (
            host.call("UserPromptSubmit", prompt="when are deploys?", cwd=str(place), session_id=f"b{number}")
            == {}
        )


@pytest.mark.parametrize("name", ["team", "logs", "sessions", "hubs"])
def test_a_digest_looks_into_deeper_folders_of_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / "topics" / name).mkdir(parents=True)
    before = reply_cache.file_state("d", str(tmp_path))
    (tmp_path / "topics" / name / "a.md").write_text("x")
    assert reply_cache.file_state("d", str(tmp_path)) != before


def test_an_edit_in_a_deeper_folder_of_any_name_is_seen(host: Host) -> None:
    folder = Path(host.memory.directory, "topics", "logs")
    folder.mkdir(parents=True)
    for day in ("Tuesdays", "Fridays"):
        text = (
            f"---\nname: deploys\ndescription: When deploys are\ntype: project\n---\nDeploys are on {day}.\n"
        )
        (folder / "a.md").write_text(text)
        for number in range(3):
            said = host.call("UserPromptSubmit", prompt="when are deploys?", session_id=f"{day}{number}")
            assert day in said["additionalContext"]


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_host_that_gives_nothing_to_speak_into_is_not_broken(host: Host, closed: str) -> None:
    host.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    said = {"cwd": str(host.project), "session_id": "s1", "prompt": "how do deploys work?"}
    given = host.home / "in.json"
    given.write_text(json.dumps(said))
    for _ in range(2):
        done = subprocess.run(
            ["sh", "-c", f'"$0" UserPromptSubmit < "$1" {closed}', HOOK, str(given)],
            env=host.env,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
