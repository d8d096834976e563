"""Somebody who tries the hook launcher out is told in plain words what it is, and nothing is broken by it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.environment import WORDS_ALONE

from memdir.hooks.full_answer import EVENTS
from memdir.hosts.claude_code import EVENTS as SET_UP

HOOK = os.path.join(os.path.dirname(sys.executable), "memdir-hook")


def called(home: Path, *words: str, data: str = "") -> "subprocess.CompletedProcess[str]":
    env = {"HOME": str(home), "PATH": os.environ["PATH"], **WORDS_ALONE}
    return subprocess.run(
        [HOOK, *words], input=data, env=env, capture_output=True, text=True, timeout=60, check=True
    )


def test_help_and_version_are_one_line_and_no_failure(tmp_path: Path) -> None:
    for option, answer in (("--help", "usage: memdir-hook EVENT"), ("--version", "memdir-hook ")):
        done = called(tmp_path, option)
        assert done.stdout.startswith(answer)
        assert (done.stdout.count("\n"), done.stderr) == (1, "")
    assert not list(tmp_path.rglob("hooks.log"))


def test_an_unknown_event_is_told_once_and_does_nothing(tmp_path: Path) -> None:
    done = called(tmp_path, "NoSuchEvent", data=json.dumps({"cwd": str(tmp_path), "session_id": "s"}))
    assert done.stdout == ""
    assert done.stderr.startswith("memdir-hook NoSuchEvent: no such event, so nothing was done.")
    assert done.stderr.count("\n") == 1


def test_other_json_is_told_without_the_words_of_a_programmer(tmp_path: Path) -> None:
    assert called(tmp_path, "Stop", data="[]").stderr == (
        "memdir-hook Stop: this is not the JSON of a Claude Code hook. It comes on standard input with "
        "at least cwd and session_id.\n"
    )


def test_the_events_are_those_that_hosts_are_set_up_for() -> None:
    assert set(EVENTS) == set(SET_UP)


def test_the_command_line_answers_an_event_as_the_launcher_does(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    env = {
        "HOME": str(tmp_path),
        "PATH": os.path.dirname(HOOK) + os.pathsep + os.environ["PATH"],
        **WORDS_ALONE,
    }
    save = ["memdir", "remember", "Nobody pushes to main", "--enforce", "Bash: git push * main"]
    subprocess.run(save, env=env, cwd=tmp_path / "project", check=True, capture_output=True)
    call = {"cwd": str(tmp_path / "project"), "session_id": "s", "tool_name": "Bash"}
    data = json.dumps({**call, "tool_input": {"command": "git push origin main"}})
    words = ["memdir", "hook", "PreToolUse"]
    done = subprocess.run(words, input=data, env=env, capture_output=True, text=True, check=True)
    assert '"permissionDecision": "deny"' in done.stdout
    assert json.loads(done.stdout) == json.loads(called(tmp_path, "PreToolUse", data=data).stdout)
    asked = subprocess.run(
        ["memdir", "hook", "--version"], env=env, capture_output=True, text=True, check=True
    )
    assert asked.stdout == called(tmp_path, "--version").stdout
