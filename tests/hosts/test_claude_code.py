"""memdir in the real Claude Code: installed, recalled, extracted, obeyed, called over MCP, and left again."""

import json
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.hosts.claude_code import ClaudeCode, binary
from tests.hosts.messages_api import Block, FakeModelServer, say, served, use

PROGRAM = binary()
PLUGIN = Path(__file__).parents[2] / "integrations" / "claude-code"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PROGRAM is None, reason="not run: the Claude Code binary cannot be had here"),
]


class Script:
    """Answers each request by the first rule that fits it, and says nothing special to all others."""

    def __init__(self) -> None:
        self.rules: list[tuple[str, list[Block]]] = []

    def on(self, words: str, *blocks: Block) -> None:
        """Answer once with these blocks when the conversation holds these words."""
        self.rules.append((words, list(blocks)))

    def __call__(self, request: Mapping[str, Any]) -> list[Block]:
        said = json.dumps(request["messages"], ensure_ascii=False)
        for rule in self.rules:
            if rule[0] in said:
                self.rules.remove(rule)
                return rule[1]
        return [say("Done.")]


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def server(script: Script) -> Iterator[FakeModelServer]:
    with served(script) as fake:
        yield fake


@pytest.fixture
def claude(tmp_path: Path, server: FakeModelServer) -> ClaudeCode:
    assert PROGRAM is not None
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    return ClaudeCode(PROGRAM, home, project, server)


def until(true: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait for work that goes on behind a hook."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.1)
    return False


def results(server: FakeModelServer) -> str:
    """Return what tools gave back, as the model saw it."""
    blocks = [
        block
        for request in server.requests
        for message in request["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]
    return json.dumps(blocks, ensure_ascii=False)


@pytest.mark.parametrize("how", ["plugin", "settings"])
def test_a_memory_saved_in_one_conversation_is_recalled_in_the_next(
    claude: ClaudeCode, server: FakeModelServer, script: Script, how: str
) -> None:
    options = ("--plugin-dir", str(PLUGIN)) if how == "plugin" else ()
    if how == "settings":
        assert claude.memdir("init", "claude-code", "--yes").code == 0
    tool = "mcp__plugin_memdir_memdir__remember" if how == "plugin" else "mcp__memdir__remember"
    body = "Deploys go through the blue pipeline, because the red one has no rollback."
    script.on("remember the pipeline", use(tool, text=body, kind="project", name="deploys"))
    first = claude.ask("please remember the pipeline", *options, "--allowedTools", tool)
    assert first.code == 0, first.errors
    assert claude.memdir_json("list")["memories"][0]["name"] == "deploys", results(server)
    server.requests.clear()
    claude.ask("which pipeline do deploys go through?", *options)
    assert any("blue pipeline" in text and "Recalled from" in text for text in server.texts())


def test_hooks_and_server_run_from_an_environment_whose_path_has_a_blank(
    claude: ClaudeCode, server: FakeModelServer, script: Script, tmp_path: Path
) -> None:
    python = installed_at(tmp_path / "my $tools")
    env = {**claude.env, "PATH": "/usr/local/bin:/usr/bin:/bin"}
    words = [python, "-m", "memdir", "init", "claude-code", "--yes", "--json"]
    done = subprocess.run(words, env=env, cwd=claude.project, capture_output=True, text=True, check=True)
    (host,) = json.loads(done.stdout)["hosts"]
    assert [(one["part"], one["problem"]) for one in host["tried"]] == [("hooks", ""), ("server", "")]
    tool, body = "mcp__memdir__remember", "Deploys go through the blue pipeline, never through the red one."
    script.on("remember the pipeline", use(tool, text=body, kind="project", name="deploys"))
    assert claude.ask("please remember the pipeline", "--allowedTools", tool).code == 0
    server.requests.clear()
    claude.ask("which pipeline do deploys go through?")
    assert any("blue pipeline" in text and "Recalled from" in text for text in server.texts())


@pytest.mark.parametrize("how", ["plugin", "project"])
def test_hooks_by_name_run_from_an_environment_whose_path_has_a_blank(
    claude: ClaudeCode, server: FakeModelServer, script: Script, tmp_path: Path, how: str
) -> None:
    python = installed_at(tmp_path / "my tools")
    path = f"{Path(python).parent}:/usr/local/bin:/usr/bin:/bin"
    claude.more = {"PATH": path}
    if how == "project":
        assert claude.memdir("init", "claude-code", "--project", "--yes").code == 0
    rule = ("--name", "marker", "--enforce", "Bash: touch * marker")
    assert claude.memdir("remember", "Never touch the marker.", *rule).code == 0
    script.on("touch it", use("Bash", command="touch marker", description="touch"))
    options = ("--plugin-dir", str(PLUGIN)) if how == "plugin" else ()
    assert claude.ask("touch it", *options, "--allowedTools", "Bash").code == 0
    assert "Never touch the marker" in results(server)
    assert not (claude.project / "marker").exists()


def installed_at(folder: Path) -> str:
    """Make an environment with memdir in it as pip does, whose launcher names an interpreter as it is."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = (folder / "lib").glob("python*/site-packages")
    source = Path(__file__).parents[2] / "src"
    (packages / "memdir.pth").write_text(f"{source}\n{sysconfig.get_path('purelib')}\n")
    python, scripts = folder / "bin" / "python", folder / "bin"
    run = "from memdir.hooks.entry import run\nrun()\n"
    (scripts / "memdir-hook").write_text(f"#!{python}\n{run}")
    (scripts / "memdir").write_text(f"#!/bin/sh\nexec '{python}' -m memdir \"$@\"\n")
    for name in ("memdir-hook", "memdir"):
        (scripts / name).chmod(0o755)
    return str(python)


def test_mcp_tools_are_there_without_a_search(claude: ClaudeCode, server: FakeModelServer) -> None:
    claude.ask("hello there friend", "--plugin-dir", str(PLUGIN))
    names = {tool["name"] for request in server.requests for tool in request.get("tools", [])}
    wanted = {"recall", "remember", "forget", "read", "list", "memory"}
    assert {f"mcp__plugin_memdir_memdir__{name}" for name in wanted} <= names


def test_an_enforced_memory_blocks_a_real_tool_call(
    claude: ClaudeCode, server: FakeModelServer, script: Script
) -> None:
    claude.memdir("init", "claude-code", "--yes")
    claude.memdir(
        "remember", "Never touch the marker.", "--name", "marker", "--enforce", "Bash: touch * marker"
    )
    script.on("touch it", use("Bash", command="true && X=1 touch marker", description="touch"))
    script.on("forbidden by the rule", use("Bash", command="touch other", description="touch"))
    said = claude.ask("touch it", "--allowedTools", "Bash")
    assert said.code == 0, said.errors
    assert "Never touch the marker" in results(server)
    assert not (claude.project / "marker").exists()
    assert (claude.project / "other").exists()


def test_rules_bind_wherever_a_command_has_led_the_conversation(
    claude: ClaudeCode, server: FakeModelServer, script: Script
) -> None:
    (claude.project / "deep").mkdir()
    claude.memdir("init", "claude-code", "--yes")
    claude.memdir(
        "remember", "Never touch the marker.", "--name", "marker", "--enforce", "Bash: touch * marker"
    )
    script.on("go there", use("Bash", command="cd deep && echo we are in deep", description="go"))
    script.on("we are in deep", use("Bash", command="touch marker", description="touch"))
    said = claude.ask("go there", "--allowedTools", "Bash")
    assert said.code == 0, said.errors
    assert "Never touch the marker" in results(server)
    assert not (claude.project / "deep" / "marker").exists()


_SAVES = """
import sys
from memdir import Memory
memory, step = Memory.open(sys.argv[1]), 0
while True:
    step += 1
    memory.remember(f"Number {step}.", name=f"memory-{step % 20}")
    print(step, flush=True)
"""


def test_a_forbidden_call_is_denied_while_another_process_saves(
    claude: ClaudeCode, server: FakeModelServer, script: Script
) -> None:
    claude.memdir("init", "claude-code", "--yes")
    claude.memdir(
        "remember", "Never touch the marker.", "--name", "marker", "--enforce", "Bash: touch * marker"
    )
    script.on(
        "touch it", *[use("Bash", command=f"touch {n}.marker marker", description="touch") for n in range(8)]
    )
    with subprocess.Popen(
        [sys.executable, "-c", _SAVES, str(claude.project)], env=claude.env, stdout=subprocess.PIPE
    ) as saving:
        assert saving.stdout is not None
        saving.stdout.readline()
        threading.Thread(target=saving.stdout.read, daemon=True).start()
        said = claude.ask("touch it", "--allowedTools", "Bash")
        assert saving.poll() is None
        saving.kill()
    assert said.code == 0, said.errors
    assert results(server).count("is forbidden by the rule") >= 8
    assert not list(claude.project.glob("*marker"))


def test_anchored_rules_bind_in_a_linked_worktree_after_a_cd(
    claude: ClaudeCode, server: FakeModelServer, script: Script
) -> None:
    claude.memdir("init", "claude-code", "--yes")
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for words in (
        ("init", "-q"),
        ("commit", "-q", "--allow-empty", "-m", "x"),
        ("worktree", "add", "-q", "../wt"),
    ):
        subprocess.run(["git", *who, *words], cwd=claude.project, env=claude.env, check=True)
    claude.memdir("remember", "Hands off.", "--name", "hands-off", "--enforce", "Write: secrets/**")
    claude.project = claude.project.parent / "wt"
    (claude.project / "sub").mkdir()
    path = claude.project / "secrets" / "x"
    script.on("go there", use("Bash", command="cd sub && echo we are in sub", description="go"))
    script.on("we are in sub", use("Write", file_path=str(path), content="x"))
    script.on(
        "is forbidden by",
        use("Bash", command="mkdir -p ../secrets && echo x > ../secrets/x", description="x"),
    )
    said = claude.ask("go there", "--allowedTools", "Bash,Write")
    assert said.code == 0, said.errors
    assert results(server).count("of the memory 'hands-off'") >= 2
    assert not path.exists()


def headless(claude: ClaudeCode) -> None:
    """Let turns be extracted although a script asks."""
    settings = claude.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"extract": {"headless": True}}))


def test_a_turn_is_extracted_without_a_model(claude: ClaudeCode) -> None:
    claude.memdir("init", "claude-code", "--yes")
    headless(claude)
    claude.ask("From now on always answer in one sentence, because I read on a phone.")
    assert until(lambda: bool(claude.memdir_json("list")["memories"]))
    memory = claude.memdir_json("show", claude.memdir_json("list")["memories"][0]["name"])
    assert "one sentence" in json.dumps(memory)


def test_a_turn_is_extracted_with_a_scripted_model(claude: ClaudeCode, tmp_path: Path) -> None:
    header = "---\nname: on-a-phone\ndescription: Reads on a phone\ntype: user\n---\n\n"
    text = f"{header}The user reads answers on a phone.\n"
    given = {"path": "user_on-a-phone.md", "text": text, "message": "m1"}
    writes = {"text": "", "calls": [{"id": "c1", "name": "write", "arguments": given}], "stop": "tools"}
    script = tmp_path / "model.json"
    script.write_text(json.dumps({"jobs": {"extract": [writes, "Saved."]}, "default": "{}"}))
    claude.memdir("init", "claude-code", "--yes")
    headless(claude)
    claude.more = {"MEMDIR_MODEL": f"scripted:{script}"}
    claude.ask("By the way, I mostly read your answers on a phone.")
    assert until(lambda: bool(claude.memdir_json("list")["memories"])), claude.memdir("doctor").text
    assert [row["name"] for row in claude.memdir_json("list")["memories"]] == ["on-a-phone"]


@pytest.mark.parametrize("prompt", ["When may we deploy the services to production?", "hello parrot friend"])
def test_a_turn_is_shown_five_memories_at_all_its_events(
    claude: ClaudeCode, server: FakeModelServer, script: Script, tmp_path: Path, prompt: str
) -> None:
    claude.memdir("init", "claude-code", "--yes")
    for hour, name in enumerate(("billing", "search", "login", "mail", "maps", "chat", "queue", "cache"), 9):
        text = f"Deploy the {name} service to production at {hour}."
        assert claude.memdir("remember", text, "--kind", "project", "--name", name).code == 0
    picks = json.dumps(
        {"selected_memories": [f"project_{name}.md" for name in ("maps", "chat", "queue", "cache")]}
    )
    model = tmp_path / "model.json"
    model.write_text(json.dumps({"jobs": {"recall": [picks] * 4}, "default": "{}"}))
    claude.more = {"MEMDIR_MODEL": f"scripted:{model}"}
    script.on(prompt, use("Bash", command="sleep 6", description="wait"))
    script.on("toolu_", use("Bash", command="true", description="next"))
    assert claude.ask(prompt, "--allowedTools", "Bash").code == 0
    shown = max(text.count("Recalled from") for text in server.texts())
    assert shown <= 5
    assert shown >= 4  # what the model picked did come


def test_nothing_is_left_running_and_uninstall_leaves_the_old_bytes(claude: ClaudeCode) -> None:
    settings = claude.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{ "model": "claude-opus-5-5" }\n')
    claude.memdir("init", "claude-code", "--yes")
    claude.memdir("remember", "Be brief.", "--name", "brief")
    claude.ask("hello there friend")
    assert until(lambda: not workers_of(claude)), workers_of(claude)
    claude.memdir("uninstall")
    assert settings.read_bytes() == b'{ "model": "claude-opus-5-5" }\n'
    assert "memdir" not in (claude.home / ".claude" / ".claude.json").read_text()
    assert [row["name"] for row in claude.memdir_json("list")["memories"]] == ["brief"]


def workers_of(claude: ClaudeCode) -> list[str]:
    """Return our processes that still run for this user."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode("utf-8", "replace")
            env = (process / "environ").read_bytes().decode("utf-8", "replace")
        except OSError:
            continue
        if "memdir" in command and f"HOME={claude.home}\0" in env:
            found.append(command.replace("\0", " "))
    return found


def test_the_start_tells_the_host_what_our_settings_change_in_its_own_memory(
    claude: ClaudeCode, server: FakeModelServer
) -> None:
    claude.memdir("init", "claude-code", "--yes")
    settings = claude.home / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(exist_ok=True)

    def told(chosen: dict[str, Any]) -> str:
        settings.write_text(json.dumps(chosen))
        server.requests.clear()
        claude.ask("hello there friend")
        return "\n".join(server.texts())

    log, unindexed = "Memory is kept as a daily log", "No index is kept in"
    plain = told({})
    assert log not in plain
    assert unindexed not in plain
    assert log in told({"mode": "daily-log"})
    assert unindexed in told({"skipIndex": True})
    claude.more = {"MEMDIR_EXTRA_GUIDELINES": "Prefer short words in memories."}
    assert "Prefer short words in memories." in told({})


def test_a_memory_that_the_host_writes_in_a_shell_is_pointed_at(claude: ClaudeCode, script: Script) -> None:
    claude.memdir("init", "claude-code", "--yes")
    claude.memdir("remember", "Be brief.", "--name", "brief")
    folder = claude.memdir_json("status")["directory"]
    text = "---\nname: tabs\ndescription: Uses tabs\ntype: user\n---\n\nUses tabs.\n"
    command = f"cat > {folder}/user_tabs.md <<'EOF'\n{text}EOF"
    script.on("keep that", use("Bash", command=command, description="save"))
    said = claude.ask("keep that", "--allowedTools", "Bash")
    assert said.code == 0, said.errors
    assert "user_tabs.md" in Path(folder, "MEMORY.md").read_text()
    entries = claude.memdir_json("history", "tabs")
    assert '"host"' in json.dumps(entries), entries


def test_an_agent_type_with_memory_gets_it_from_the_host_and_not_a_second_time(
    claude: ClaudeCode, script: Script, server: FakeModelServer
) -> None:
    agents = claude.project / ".claude" / "agents"
    agents.mkdir(parents=True)
    (agents / "reviewer.md").write_text(
        "---\nname: reviewer\ndescription: Reviews\ntools: Grep\nmemory: project\n---\nYou review code.\n"
    )
    assert claude.memdir("init", "claude-code", "--yes").code == 0
    told = claude.memdir_json("agent", "prompt", "reviewer")
    saved = claude.memdir(
        "--directory", told["directory"], "remember", "Guard clauses come first.", "--name", "guards"
    )
    assert saved.code == 0, saved.errors
    told = claude.memdir_json("agent", "prompt", "reviewer")
    script.on("look at it", use("Agent", description="r", prompt="delegated words", subagent_type="reviewer"))
    assert claude.ask("Please look at it.").code == 0
    (request,) = [one for one in server.requests if "delegated words" in str(one["messages"][0])]
    system = json.dumps(request["system"], ensure_ascii=False)
    everything = json.dumps(request, ensure_ascii=False)
    assert told["directory"] in system  # the host names the directory that we name
    assert everything.count("_guards.md)") == 1  # the index, once
    assert "_guards.md)" in told["text"]
    assert {tool["name"] for tool in request["tools"]} == set(told["tools"])
    assert "Please look at it." not in everything
