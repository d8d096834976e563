"""What a host is told to start is started once as the host does it, so that "set up" means that it runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.hosts.installation import install

from memdir.config.world import World
from memdir.doctor.environment import host_findings
from memdir.hosts.setup import HostSetup, script_words
from memdir.text.value import replace

ODD_NAMES = ["plain", "my tools", """it's a "b"; `x` & $HOME""", "wärm 熱", "d" * 120]


def environment(folder: Path) -> HostSetup:
    """Make what an installer makes of memdir in a virtual environment: scripts that name its interpreter."""
    scripts = folder / "bin"
    scripts.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = {os.path.dirname(os.path.realpath(sys.executable))}\n")
    (scripts / "python").symlink_to(os.path.realpath(sys.executable))
    for name, said in (("memdir-hook", "import sys; print('memdir-hook 1', *sys.argv[1:])"), ("memdir", "")):
        (scripts / name).write_text(f"#!{scripts}/python\n{said}\n")
        (scripts / name).chmod(0o755)
    # Installers make this one so that any path will do.
    (scripts / "memdir").write_text('#!/bin/sh\n[ "$1" = hook ] && echo memdir-hook 1 "$2"\nexit 0\n')
    home, project = folder.parent / "home", str(folder.parent / "project")
    world = World({"PATH": "/usr/bin:/bin"}, "/", str(home))
    return HostSetup(world, project, f"{home}/.claude", f"{scripts}/memdir")


def with_path(setup: HostSetup, path: str) -> HostSetup:
    return replace(setup, world=replace(setup.world, env={"PATH": path}))


def hook_commands(setup: HostSetup) -> list[str]:
    hooks = json.loads(Path(setup.world.home, ".claude", "settings.json").read_text())["hooks"]
    return [group["hooks"][0]["command"] for groups in hooks.values() for group in groups]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_hooks_run_wherever_memdir_is_installed(tmp_path: Path, name: str) -> None:
    setup = environment(tmp_path / name)
    install(setup)
    install(setup, "codex")
    for command in hook_commands(setup):
        done = subprocess.run(
            ["sh", "-c", command], env=setup.world.env, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"memdir-hook 1 {command.split()[-1]}\n"
    assert [problem for _, problem in setup.try_commands("claude-code", shared=False)] == ["", ""]
    assert [problem for _, problem in setup.try_commands("codex", shared=False)] == [""]
    assert not any(rewrite.changes for rewrite in setup.plan("claude-code", shared=False))
    setup.leave()
    assert setup.entries() == []


def test_the_interpreter_is_named_only_where_the_system_needs_it(tmp_path: Path) -> None:
    plain, blank = environment(tmp_path / "plain"), environment(tmp_path / "a blank")
    assert script_words(f"{plain.launcher}-hook") == [f"{plain.launcher}-hook"]
    folder = os.path.dirname(blank.launcher)
    assert script_words(f"{blank.launcher}-hook") == [f"{folder}/python", f"{folder}/memdir-hook"]


def test_a_hook_that_does_not_run_is_a_problem_for_init_doctor_and_status(tmp_path: Path) -> None:
    setup = environment(tmp_path / "a blank")
    install(setup)
    os.unlink(tmp_path / "a blank" / "bin" / "python")
    ((hooks, problem), (_, server)) = setup.try_commands("claude-code", shared=False)
    assert (hooks.part, server) == ("hooks", "")
    assert problem.startswith("does not run (")
    (found,) = host_findings(setup)
    assert (found.code, found.severity) == ("host-command", "problem")
    assert "memdir-hook, which does not run (" in found.message
    assert setup.problem(hooks) == problem


def test_a_server_that_does_not_start_is_a_problem(tmp_path: Path) -> None:
    setup = environment(tmp_path / "v")
    install(setup, "codex")
    Path(setup.launcher).write_text("#!/bin/sh\necho 'no module' >&2; exit 3\n")
    ((_, problem),) = setup.try_commands("codex", shared=False)
    assert problem == "does not run (no module)"
    assert [found.code for found in host_findings(setup)] == ["host-command"]


def test_a_command_from_a_file_of_the_project_is_not_started(tmp_path: Path) -> None:
    setup = environment(tmp_path / "v")
    folder = Path(setup.root, ".claude")
    folder.mkdir(parents=True)
    trap = folder / "memdir-hook"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\n")
    trap.chmod(0o755)
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": f"{trap} Stop"}]}]}
    (folder / "settings.json").write_text(json.dumps({"hooks": hooks}))
    (folder / "settings.local.json").write_text(json.dumps({"hooks": hooks}))
    server = {"memdir": {"command": str(trap), "args": ["mcp"]}}
    Path(setup.root, ".mcp.json").write_text(json.dumps({"mcpServers": server}))
    assert len(setup.entries()) == 3
    assert list(host_findings(setup)) == []
    assert not (tmp_path / "sprung").exists()


def test_more_than_words_for_a_shell_is_looked_for_and_not_started(tmp_path: Path) -> None:
    setup = environment(tmp_path / "v")
    settings = Path(setup.world.home, ".claude", "settings.json")
    settings.parent.mkdir(parents=True)
    line = f"touch '{tmp_path}/sprung'; {setup.launcher}-hook Stop 2>/dev/null"
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}
    settings.write_text(json.dumps({"hooks": hooks}))
    (entry,) = setup.entries()
    assert (entry.command, setup.problem(entry)) == (f"{setup.launcher}-hook", "")
    assert not (tmp_path / "sprung").exists()
    os.unlink(entry.command)
    assert setup.problem(entry) == "is not there"


def test_names_are_tried_where_the_path_has_them(tmp_path: Path) -> None:
    setup = environment(tmp_path / "v")
    install(setup, shared=True)
    assert [p for _, p in setup.try_commands("claude-code", shared=True)] == ["is not on the PATH"] * 2
    folder = os.path.dirname(setup.launcher)
    on_path = with_path(setup, f"{folder}:/usr/bin:/bin")
    assert [problem for _, problem in on_path.try_commands("claude-code", shared=True)] == ["", ""]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_hooks_that_are_started_by_name_run_wherever_memdir_is_installed(tmp_path: Path, name: str) -> None:
    setup = environment(tmp_path / name)
    setup = with_path(setup, f"{os.path.dirname(setup.launcher)}:/usr/bin:/bin")
    install(setup, shared=True)
    hooks = json.loads(Path(setup.root, ".claude", "settings.json").read_text())["hooks"]
    for event, (group,) in hooks.items():
        line = group["hooks"][0]["command"]
        done = subprocess.run(
            ["sh", "-c", line], env=setup.world.env, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"memdir-hook 1 {event}\n"
    assert [problem for _, problem in setup.try_commands("claude-code", shared=True)] == ["", ""]
    assert setup.has_hooks()
    setup.leave()
    assert setup.entries() == []


def test_a_name_that_the_system_cannot_start_is_told_with_its_cause(tmp_path: Path) -> None:
    setup = environment(tmp_path / "a blank")
    setup = with_path(setup, f"{os.path.dirname(setup.launcher)}:/usr/bin:/bin")
    settings = Path(setup.world.home, ".claude", "settings.json")
    settings.parent.mkdir(parents=True)
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": "memdir-hook Stop"}]}]}
    settings.write_text(json.dumps({"hooks": hooks}))
    (found,) = host_findings(setup)
    cause = f"the first line of {setup.launcher}-hook names an interpreter in a folder with a blank"
    assert cause in found.message
    assert "on the PATH" not in found.message + found.hint
    assert "`memdir init claude-code --project`" in found.hint
