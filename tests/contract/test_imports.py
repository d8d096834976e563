"""Imports: next to nothing for `import memdir` and for a quick answer of a hook, at the top elsewhere."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from tests.contract.hook_modules import (
    CLAIM,
    CONTRADICTIONS,
    HEAVY,
    HOST_WRITES,
    LATE,
    NOTHING_TO_SAY,
    OTHER_EVENTS,
    PROMPT,
    RECORDING,
    TOOL_CALL,
    WAITED_FOR,
    WRITERS,
)
from tests.contract.test_shape import FILES, MODULES, SOURCE, nodes_of

import memdir
from memdir import Draft, Memory

SLOW = {"click", "yaml", "asyncio", "httpx2", "sqlite3", "dataclasses"}
SLOW_FOR_HOOKS = SLOW | {"typing", "inspect", "subprocess", "numpy", "tempfile", "shutil"}

HOOK = """
import sys
before, event = set(sys.modules), sys.argv[1]
sys.argv = ["memdir-hook", event]
from memdir.hooks import entry
code = entry.main()
sys.stdout.flush()
print(*(set(sys.modules) - before), file=sys.stderr)
sys.exit(code)
"""


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    baseline = loaded_by("pass")
    assert not (loaded_by("import memdir") - baseline) & SLOW


def test_listing_needs_neither_yaml_nor_git_nor_the_command_line() -> None:
    loaded = loaded_by("from memdir import Memory; import tempfile; Memory.at(tempfile.mkdtemp()).list()")
    assert not loaded & {"click", "yaml", "asyncio", "httpx2", "sqlite3"}


def test_every_public_name_can_be_imported() -> None:
    for name in memdir.__all__:
        assert getattr(memdir, name) is not None


def test_the_package_knows_its_version_without_a_look_at_what_is_installed() -> None:
    assert memdir.__version__ == version("memdir")


class HookProcess:
    """A host that asks a hook in a process of its own, and is told which modules that loaded."""

    def __init__(self, root: Path) -> None:
        self.project, home = root / "project", root / "home"
        self.project.mkdir()
        settings = home / ".claude" / "memdir" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text('{"recall": {"budgetMs": 20000}}')  # on a busy machine recall takes longer
        self.env = {"HOME": str(home), "PATH": os.environ["PATH"]}
        self.asked = 0

    @property
    def memory(self) -> Memory:
        return Memory.open(self.project, self.env)

    def ask(self, event: str, **said: Any) -> tuple[str, set[str]]:
        """Return what the hook said and what it loaded; each time it is another conversation."""
        self.asked += 1
        base = {"cwd": str(self.project), "session_id": f"s{self.asked}", "transcript_path": "/none.jsonl"}
        done = subprocess.run(
            [sys.executable, "-c", HOOK, event],
            env=self.env,
            input=json.dumps({**base, **said}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, set(done.stderr.split())

    def command(self, command: str) -> tuple[str, set[str]]:
        return self.ask("PreToolUse", tool_name="Bash", tool_input={"command": command})


@pytest.fixture
def hook(tmp_path: Path) -> HookProcess:
    return HookProcess(tmp_path)


def not_named(loaded: set[str], *sections: str) -> set[str]:
    """Return the modules of ours that a hook loaded and hook_modules.py does not name for it."""
    named = " ".join(sections).split()
    return {name for name in loaded if name.partition(".")[0] == "memdir"} - {*named}


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PreToolUse", "PostToolUse"])
def test_a_hook_with_nothing_to_say_loads_its_entry_and_cache_alone(hook: HookProcess, event: str) -> None:
    said = {"prompt": "hello there", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    hook.ask(event, **said)  # leaves the reply cache
    answer, loaded = hook.ask(event, **said)
    assert (answer, loaded - {*NOTHING_TO_SAY.split()}) == ("", set())


CALLS = {
    "make test 2>&1 | tail -20": "",
    "cd build && tool3 deploy --dry-run 'the new one' staging": "",
    "git commit -am x && git push origin main": "",
    "echo $((1 + 2)) > notes.txt": "",
    "cd build && tool3 deploy --now prod": "deny",
    "bash -c 'tool3 deploy a prod'": "deny",
    "x=$(tool3 deploy a prod)": "deny",
    "for i in 1 2; do sudo env A=1 tool3 deploy $i prod; done": "deny",
    "sed -i s/a/b/ x.lock": "deny",
    "rm -rf ~/.claude": "ask",
}


def test_a_call_under_rules_loads_the_rules_alone(hook: HookProcess) -> None:
    rules = ("Bash: tool3 deploy * prod", "Write: *.lock")
    hook.memory.transfer.remember_many(
        [Draft("Never.", "feedback", rule[:4], enforce=rule) for rule in rules]
    )
    _, loaded = hook.command("ls")  # leaves the reply cache; asks who wrote a rule that is a moment old
    assert not_named(loaded, NOTHING_TO_SAY, TOOL_CALL, PROMPT, OTHER_EVENTS, WRITERS) == set()
    for command, verdict in CALLS.items():
        answer, loaded = hook.command(command)
        said = json.loads(answer)["hookSpecificOutput"]["permissionDecision"] if answer else ""
        assert (command, said) == (command, verdict)
        assert (command, not_named(loaded, NOTHING_TO_SAY, TOOL_CALL)) == (command, set())
        assert not loaded & (SLOW_FOR_HOOKS | {"json", "datetime", "threading"}), command


@pytest.mark.parametrize("prompt", ["how do deploys reach the blue pipeline?", "why is the violin flat?"])
def test_a_prompt_loads_what_ranks_and_shows_memories(hook: HookProcess, prompt: str) -> None:
    hook.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    for first in (WRITERS, "", ""):  # what it works out is kept for the others
        answer, loaded = hook.ask("UserPromptSubmit", prompt=prompt)
        assert ("blue pipeline" in answer) == ("deploys" in prompt)
        assert not_named(loaded, NOTHING_TO_SAY, TOOL_CALL, PROMPT, first) == set()
    assert not loaded & SLOW_FOR_HOOKS


@pytest.mark.parametrize("claim", ["in `src/blue.py`, with `make deploy`.", "from the branch `release-2`."])
def test_a_claim_about_code_loads_what_checks_it(hook: HookProcess, claim: str) -> None:
    subprocess.run(["git", "init", "-q"], cwd=hook.project, check=True)
    hook.memory.remember(f"Deploys go through the blue pipeline {claim}", kind="project", name="deploys")
    for first in (WRITERS, "", ""):
        answer, loaded = hook.ask("UserPromptSubmit", prompt="how do deploys reach the blue pipeline?")
        assert "blue pipeline" in answer
        assert "memdir.verify.check" in loaded
        assert not_named(loaded, NOTHING_TO_SAY, TOOL_CALL, PROMPT, CLAIM, first) == set()


def test_memories_that_are_shown_together_load_what_compares_them(hook: HookProcess) -> None:
    for day in ("Tuesdays", "Thursdays"):
        hook.memory.remember(f"Deploys of the blue pipeline go out on {day}.", kind="project", name=day)
    for first in (WRITERS, "", ""):
        _, loaded = hook.ask("UserPromptSubmit", prompt="when do deploys of the blue pipeline go out?")
        assert "memdir.memories.contradiction.judge" in loaded
        assert not_named(loaded, NOTHING_TO_SAY, TOOL_CALL, PROMPT, CONTRADICTIONS, first) == set()


@pytest.mark.parametrize("event", ["Stop", "SessionEnd", "PreCompact", "PostToolUse"])
def test_other_events_load_nothing_that_is_not_named(hook: HookProcess, event: str) -> None:
    hook.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    for first in (f"{WRITERS} {RECORDING}" if event == "PostToolUse" else "", "", ""):
        _, loaded = hook.ask(event, tool_name="Bash", tool_input={"command": "ls"}, reason="other")
        assert not_named(loaded, NOTHING_TO_SAY, TOOL_CALL, PROMPT, OTHER_EVENTS, first) == set()


def test_a_host_that_writes_a_memory_loads_what_records_it(hook: HookProcess) -> None:
    saved = hook.memory.remember("Deploys go through the blue pipeline.", kind="project", name="deploys")
    path, named = Path(saved.path), (NOTHING_TO_SAY, TOOL_CALL, PROMPT, OTHER_EVENTS, HOST_WRITES)
    given = {"file_path": str(path), "content": path.read_text().replace("blue", "red")}
    _, loaded = hook.ask("PreToolUse", tool_name="Write", tool_input=given)
    assert not_named(loaded, *named, WRITERS, CONTRADICTIONS) == set()
    path.write_text(given["content"])
    _, loaded = hook.ask("PostToolUse", tool_name="Write", tool_input=given)
    assert not_named(loaded, *named, WRITERS, CONTRADICTIONS, RECORDING) == set()


def test_a_conversation_that_begins_loads_no_model(hook: HookProcess) -> None:
    hook.env |= {"MEMDIR_MODEL": "anthropic:x", "ANTHROPIC_API_KEY": "k"}
    for source in ("startup", "compact"):
        _, loaded = hook.ask("SessionStart", source=source)
        assert not [name for name in loaded if name.startswith("memdir.models.vendors")], source


def module_of(path: Path) -> str:
    parts = ("memdir", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


def late_imports(path: Path) -> Iterator[str]:
    for function in nodes_of(path):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.ImportFrom):
                    yield node.module or ""
                elif isinstance(node, ast.Import):
                    yield from (alias.name for alias in node.names)


def imports_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each module that a module imports, wherever it does, and a name from it; empty for the whole."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (("." * node.level + (node.module or ""), alias.name) for alias in node.names)


def test_a_package_from_elsewhere_is_named_in_a_contract() -> None:
    settings = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    every = {one["name"]: one for one in settings["tool"]["importlinter"]["contracts"]}
    named = {"click", *every["Each SDK is known to its adapter alone"]["forbidden_modules"]}
    known = {"memdir", *sys.stdlib_module_names, *named}
    for path in FILES:
        others = {module.partition(".")[0] for module, _ in imports_of(path)} - known
        assert others == set(), f"{module_of(path)}: name it in the contract in pyproject.toml"


def test_nobody_inside_imports_what_the_package_offers_outside() -> None:
    inside = {"__version__", *(path.stem for path in SOURCE.iterdir())}
    for path in FILES:
        offered = [name for module, name in imports_of(path) if module == "memdir" and name not in inside]
        assert offered == [], f"{module_of(path)}: import it from the module that has it"


def test_the_modules_that_hosts_wait_for_exist() -> None:
    ours = {name for name in WAITED_FOR if name.partition(".")[0] == "memdir"}
    assert ours - {module_of(path) for path in FILES} == set()


def may_be_late(name: str, path: Path) -> bool:
    """Tell whether a module may be imported inside a function: a heavy one, or by a command the store.

    `memdir --help` loads every command, and tests/cli/test_start_up.py keeps the store out of that.
    """
    if name.partition(".")[0] in HEAVY or name in HEAVY:
        return True
    store = name == "memdir.cli.demo" or (
        name.startswith("memdir.") and name.split(".")[1] not in ("cli", "text")
    )
    return store and path.is_relative_to(SOURCE / "cli")


def is_ordinary(path: Path) -> bool:
    """Tell whether no host waits for a module, so that it imports as everybody does."""
    return module_of(path) not in {*WAITED_FOR, *LATE}


def test_all_other_modules_import_at_the_top() -> None:
    for path in FILES:
        if is_ordinary(path):
            late = [name for name in late_imports(path) if not may_be_late(name, path)]
            assert late == [], f"{module_of(path)} imports inside a function; see hook_modules.py"


def test_all_other_modules_use_typing_as_everybody_does() -> None:
    for path in MODULES:
        if is_ordinary(path):
            text = path.read_text()
            assert "\nTYPE_CHECKING = False" not in text, f"{module_of(path)}: import it from typing"
            assert "\nfrom __future__ import annotations\n" in text, f"{module_of(path)}: quote no annotation"


def test_a_module_that_a_host_waits_for_says_once_why_it_imports_so() -> None:
    for path in FILES:
        if module_of(path) in WAITED_FOR:
            text = path.read_text()
            differs = "\nTYPE_CHECKING = False" in text or any(late_imports(path))
            wanted = (
                "say in the docstring that a host waits for this module, if it imports late or without typing"
            )
            assert text.count("A host waits for this module") == differs, f"{path}: {wanted}"
            assert "as in typing" not in text, path


def test_what_training_and_benches_import_is_there() -> None:
    missing = [
        f"{path}: {module}.{name}"
        for folder in ("bench", "training", "examples", "scripts")
        for path in sorted((SOURCE.parents[1] / folder).rglob("*.py"))
        for module, name in _names_imported(path)
        if not _is_there(module, name)
    ]
    assert missing == []


def _names_imported(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what a program imports from the package, also within functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "memdir":
            yield from ((str(node.module), one.name) for one in node.names)


def _is_there(module: str, name: str) -> bool:
    """Tell whether a module says a name, be it for types alone."""
    whole = SOURCE.parent / module.replace(".", "/")
    file = whole / "__init__.py" if whole.is_dir() else whole.with_suffix(".py")
    if (whole / f"{name}.py").exists() or (whole / name).is_dir():
        return True
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return re.search(rf"\b{re.escape(name)}\b", text) is not None
