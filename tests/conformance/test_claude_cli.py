"""The `claude` command is run without tools, settings or hooks, and says in words what is wrong with it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from memdir.errors import ModelBusy, ModelRejected
from memdir.models.protocol import Message, Question
from memdir.models.vendors.claude_cli import ClaudeCli

ASK = Question((Message("user", "hello"),), system="Be brief.", max_tokens=55, timeout=20)


def program(folder: Path, script: str) -> ClaudeCli:
    """Put a program in the place of the command."""
    path = folder / "claude"
    path.write_text(f"#!/bin/sh\n{script}")
    path.chmod(0o755)
    env = {"PATH": os.environ["PATH"], "HERE": str(folder), "CLAUDECODE": "1", "MINE": "kept"}
    return ClaudeCli(str(path), "haiku", env=env)


ANSWER = """echo '{"result": "yes", "usage": {}}'"""


def test_it_gets_the_question_by_standard_input_and_nothing_of_its_usual_surroundings(tmp_path: Path) -> None:
    noted = 'cd "$HERE"; cat > fed; env > env; echo "$OLDPWD" > cwd; printf "%s\\n" "$@" > argv'
    assert program(tmp_path, f"{noted}; {ANSWER}").ask(replace(ASK, schema={"type": "object"})).text == "yes"
    assert (tmp_path / "fed").read_text() == "hello"
    assert (tmp_path / "cwd").read_text() == "/\n"
    env = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines())
    assert "CLAUDECODE" not in env
    assert (env["MINE"], env["MEMDIR_DISABLE"], env["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]) == ("kept", "1", "55")
    words = (tmp_path / "argv").read_text().splitlines()
    for option, value in [
        ("--tools", ""),
        ("--setting-sources", ""),
        ("--system-prompt", "Be brief."),
        ("--model", "haiku"),
        ("--json-schema", '{"type": "object"}'),
        ("--output-format", "json"),
    ]:
        assert words[words.index(option) + 1] == value
    assert {"-p", "--strict-mcp-config", "--no-session-persistence"} <= set(words)


def test_a_long_question_and_a_long_system_text_arrive_whole(tmp_path: Path) -> None:
    asked = replace(ASK, system="s" * 150_000, messages=(Message("user", "q" * 300_000),))
    model = program(tmp_path, f'cat > "$HERE/fed"; {ANSWER}')
    assert model.ask(asked).text == "yes"
    assert (tmp_path / "fed").read_text() == "s" * 150_000 + "\n\n" + "q" * 300_000


def test_a_program_that_does_not_want_to_hear_it_all_may_still_answer(tmp_path: Path) -> None:
    assert (
        program(tmp_path, ANSWER).ask(replace(ASK, messages=(Message("user", "q" * 300_000),))).text == "yes"
    )


def test_an_answer_counts_when_something_else_keeps_the_pipe_open(tmp_path: Path) -> None:
    assert program(tmp_path, f"cat > /dev/null; sleep 30 & {ANSWER}").ask(ASK).text == "yes"


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        ({"result": "Not logged in · Please run /login"}, ModelRejected, "Run `claude` once and log in"),
        ({"result": "no way", "api_error": "connection_failed"}, ModelBusy, "no way.*Try again later"),
        ({"result": "Prompt is too long"}, ModelRejected, "Prompt is too long"),
        ({}, ModelRejected, "does not take the question"),
    ],
)
def test_what_it_says_is_wrong_is_told(
    tmp_path: Path, said: dict[str, str], error: type[Exception], words: str
) -> None:
    printed = json.dumps({"is_error": True, **said})
    with pytest.raises(error, match=words):
        program(tmp_path, f"echo '{printed}'; exit 1").ask(ASK)


def test_a_command_that_does_not_know_an_option_should_be_updated(tmp_path: Path) -> None:
    model = program(tmp_path, "echo \"error: unknown option '--json-schema'\" >&2; exit 1")
    with pytest.raises(ModelRejected, match=r"code 1: error: unknown option .* Update Claude Code"):
        model.ask(ASK)


def test_a_command_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match="cannot be run"):
        ClaudeCli(str(tmp_path / "nothing"), env={}).ask(ASK)


ASKER = """
import os, sys
from memdir.models.vendors.claude_cli import ClaudeCli
from memdir.models.protocol import Message, Question
env = {"PATH": os.environ["PATH"], "HERE": os.path.dirname(sys.argv[1])}
ClaudeCli(sys.argv[1], env=env).ask(Question((Message("user", "hello"),), timeout=60))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_it_ends_with_the_process_that_asked_even_when_that_is_killed(tmp_path: Path) -> None:
    program(
        tmp_path,
        "trap '' TERM HUP PIPE INT\n"
        'sh -c \'trap "" TERM HUP; echo $$ > "$HERE/other"; mv "$HERE/other" "$HERE/child"; sleep 60\' &\n'
        'echo $$ > "$HERE/part"; mv "$HERE/part" "$HERE/leader"; sleep 60; sleep 60',
    )
    asker = subprocess.Popen([sys.executable, "-c", ASKER, str(tmp_path / "claude")])
    try:
        noted = [tmp_path / "leader", tmp_path / "child"]
        assert until(lambda: all(path.exists() for path in noted))
        started = [int(path.read_text()) for path in noted]
        assert all(is_running(pid) for pid in started)
    finally:
        asker.kill()
        asker.wait()
    assert until(lambda: not any(is_running(pid) for pid in started))


def until(holds: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Wait for something that comes soon; tell whether it came."""
    end = monotonic() + seconds
    while not holds() and monotonic() < end:
        sleep(0.01)
    return holds()


def is_running(pid: int) -> bool:
    """Tell whether a process still runs; one that is dead and not yet waited for does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")
