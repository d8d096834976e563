"""What hosts start of ours is read from their own files, whoever wrote them."""

import json
import os
from pathlib import Path

import pytest
from tests.unit.hosts.installation import install

from memdir.config.world import World
from memdir.doctor.environment import host_findings
from memdir.hosts.setup import HostEntry, HostSetup, entries_in
from memdir.text.value import replace


@pytest.fixture
def setup(tmp_path: Path) -> HostSetup:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name in ("memdir", "memdir-hook"):
        (bin_folder / name).write_text(f"#!/bin/sh\necho '{name} 1'\n")
        (bin_folder / name).chmod(0o755)
    root, home = str(tmp_path / "project"), str(tmp_path / "home")
    return HostSetup(World({}, "/", home), root, f"{home}/.claude", str(bin_folder / "memdir"))


def test_nothing_is_there_before_it_is_set_up(setup: HostSetup) -> None:
    assert setup.entries() == []
    assert not setup.has_hooks()


def test_what_was_set_up_is_found_once(setup: HostSetup) -> None:
    install(setup)
    install(setup, "codex")
    assert [(one.host, one.part, os.path.basename(one.command)) for one in setup.entries()] == [
        ("claude-code", "hooks", "memdir-hook"),
        ("claude-code", "server", "memdir"),
        ("codex", "server", "memdir"),
    ]
    assert setup.has_hooks()
    setup.leave()
    assert setup.entries() == []


def test_a_server_alone_is_no_hook(setup: HostSetup) -> None:
    install(setup, "codex")
    assert not setup.has_hooks()


def test_a_plugin_counts_where_it_is_switched_on() -> None:
    text = json.dumps({"enabledPlugins": {"memdir@here": True, "other@here": True}})
    assert entries_in("claude-code", "f", text, "/p") == [
        HostEntry("claude-code", "plugin", "f", "memdir-hook", ("memdir-hook", "||", "memdir", "hook"))
    ]
    assert entries_in("claude-code", "f", text.replace("true", "false"), "/p") == []


def test_a_server_for_one_project_counts_there() -> None:
    text = json.dumps({"projects": {"/p": {"mcpServers": {"memdir": {"command": "memdir"}}}}})
    assert [one.part for one in entries_in("claude-code", "f", text, "/p")] == ["server"]
    assert entries_in("claude-code", "f", text, "/q") == []


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"hooks": 5}', '{"hooks": {"Stop": [5]}}', '{"mcpServers": {"memdir": 5}}', "\udcff"]
)
@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_a_file_that_cannot_be_read_says_nothing(host: str, text: str) -> None:
    assert entries_in(host, "f", text, "/p") == []


def test_the_doctor_is_content_with_what_can_start(setup: HostSetup) -> None:
    install(setup)
    install(setup, "codex")
    assert list(host_findings(setup)) == []


def test_the_doctor_reports_a_command_that_is_gone(setup: HostSetup) -> None:
    install(setup)
    os.unlink(f"{setup.launcher}-hook")
    (found,) = host_findings(setup)
    assert (found.code, found.severity) == ("host-command", "problem")
    assert "memdir-hook, which is not there: no hook runs" in found.message
    assert "`memdir init claude-code`" in found.hint


def test_the_doctor_reports_a_name_that_is_not_on_the_path(setup: HostSetup) -> None:
    install(setup, shared=True)
    assert ["not on the PATH" in found.message for found in host_findings(setup)] == [True, True]
    on_path = replace(setup, world=World({"PATH": os.path.dirname(setup.launcher)}, "/", setup.world.home))
    assert list(host_findings(on_path)) == []
