"""Text may begin with a dash, shells complete names, scripts get an exit code, and the help has groups."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE
from tests.processes import Commands

from memdir.cli.app import memdir, run
from memdir.config.world import utc_now
from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.topic import Provenance
from memdir.memory import Memory

MEMDIR = os.path.join(os.path.dirname(sys.executable), "memdir")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["- prefer tabs over spaces"], "- prefer tabs over spaces"),
        (["-- so it was said"], "-- so it was said"),
        (["-5 degrees is the limit"], "-5 degrees is the limit"),
        (["--kindly ask before a push"], "--kindly ask before a push"),
        (["-", "prefer", "tabs"], "- prefer tabs"),
        (["--", "-x"], "-x"),
    ],
)
def test_text_may_begin_with_a_dash(
    options: list[str], capsys: pytest.CaptureFixture[str], words: list[str], text: str
) -> None:
    assert (
        run([*options, "remember", "--name", "dash", "--kind", "feedback", "--why", "- it is so", *words])
        == 0
    )
    capsys.readouterr()
    assert run([*options, "show", "dash", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)["body"]
    assert body.startswith(f"{text}\n")
    assert "**Why:** - it is so" in body


def test_the_same_text_can_be_searched_and_recalled(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*options, "remember", "- never use tabs in modules", "--name", "dash"]) == 0
    assert run([*options, "search", "- never use", "--exit-code"]) == 0
    assert run([*options, "recall", "- tabs in modules?"]) == 0
    assert run([*options, "why-not", "dash", "- tabs in modules?"]) == 0
    capsys.readouterr()


def test_a_dash_without_a_blank_is_refused_with_a_way_and_a_slip_is_not_taken_for_text(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*options, "remember", "-x"]) == 2
    assert "memdir remember -- ..." in capsys.readouterr().err
    assert run([*options, "remember", "--knd", "user", "some text"]) == 2
    assert "remember -- ..." not in capsys.readouterr().err


def test_text_that_begins_with_a_dash_is_taken_from_standard_input(
    tmp_path: Path, commands: Commands
) -> None:
    words = ["memdir", "--directory", str(tmp_path / "notes")]
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], **WORDS_ALONE}
    text = "- prefer tabs\n- and no spaces\n"
    commands.run([*words, "remember", "--name", "x"], env, feed=text.encode()).check_returncode()
    assert commands.run([*words, "show", "x", "--raw"], env).stdout.decode().endswith(f"\n{text}")


def test_a_search_without_a_hit_and_a_memory_that_misleads_are_told_to_scripts(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*options, "search", "nowhere"]) == 0
    assert run([*options, "search", "nowhere", "--exit-code"]) == 1
    assert run([*options, "search", "nowhere", "--exit-code", "--json"]) == 1
    assert run([*options, "search", "(", "--exit-code"]) == 6
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert run([*options, "verify", "--exit-code"]) == 0
    text = "The build machine is rented until 2020-01-01."
    assert run([*options, "remember", text, "--kind", "project", "--name", "x"]) == 0
    assert run([*options, "verify"]) == 0
    assert run([*options, "verify", "--exit-code"]) == 1
    assert run([*options, "verify", "tea", "--exit-code"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    "command", ["show", "forget", "edit", "rename", "history", "restore", "verify", "why-not"]
)
def test_shells_are_given_the_names_of_memories(
    options: list[str], tmp_path: Path, command: str, commands: Commands
) -> None:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], **WORDS_ALONE}
    line = " ".join(["memdir", *options, command, "te"])
    asked = {**env, "_MEMDIR_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": "4"}
    said = commands.run(["memdir"], asked, cwd=tmp_path).stdout.decode()
    assert sorted(said.split()) == ["plain,tea", "plain,terse-replies"]


def test_shells_are_given_rules_and_ids_of_the_inbox_and_a_status_line_counts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], commands: Commands
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    memory = Memory.open(tmp_path, {"HOME": str(tmp_path)})
    memory.remember("Nobody pushes", name="no-push", enforce="Bash: git push *")
    memory.remember("Tea in the afternoon", name="tea")
    edit = Change("x.md", None, "---\nname: x\n---\n\nX\n")
    Inbox(memory.state).add(Proposal((edit,), Provenance(), "somebody should look", utc_now()))
    waiting = [one.id for one in memory.inbox.list()]
    assert run(["--cwd", str(tmp_path), "status", "--line"]) == 0
    assert capsys.readouterr().out == "memdir 2, inbox 1\n"
    for words, known in (("rules approve", ["no-push"]), ("inbox apply", waiting)):
        env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "_MEMDIR_COMPLETE": "bash_complete"}
        env |= {"COMP_WORDS": f"memdir {words} ", "COMP_CWORD": "3"}
        said = commands.run(["memdir"], env, cwd=tmp_path).stdout.decode()
        assert said.split() == [f"plain,{word}" for word in known]


def test_a_memory_that_cannot_be_opened_completes_to_nothing(tmp_path: Path) -> None:
    env = {
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "_MEMDIR_COMPLETE": "zsh_complete",
        **WORDS_ALONE,
    }
    env |= {"COMP_WORDS": "memdir --directory / show x", "COMP_CWORD": "4"}
    done = subprocess.run([MEMDIR], env=env, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_a_real_bash_completes_a_name(options: list[str], tmp_path: Path) -> None:
    script = (
        'eval "$(_MEMDIR_COMPLETE=bash_source memdir)"\n'
        f"COMP_WORDS=(memdir {' '.join(options)} show ter); COMP_CWORD=4\n"
        "_memdir_completion memdir; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    path = os.pathsep.join([os.path.dirname(MEMDIR), os.environ["PATH"]])
    env = {"HOME": str(tmp_path / "home"), "PATH": path, **WORDS_ALONE}
    said = subprocess.check_output(["bash", "-c", script], env=env, text=True, cwd=tmp_path)
    assert said == "terse-replies\n"


def test_a_pipe_that_is_too_long_is_refused_and_never_cut(tmp_path: Path, commands: Commands) -> None:
    done = commands.run(["memdir", "remember"], {"HOME": str(tmp_path)}, cwd=tmp_path, feed=b"x" * 1_000_001)
    assert b"More than 1,000,000 bytes were piped" in done.stderr


def test_the_help_lists_every_command_once_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].isalpha()]
    assert [name for name in listed if name in memdir.commands] == list(memdir.commands)
    assert [line for line in lines if line.endswith(":") and not line.startswith(" ")] == [
        "Options:",
        "Start here:",
        "Memories:",
        "Recall explained:",
        "What a model is told:",
        "Kept up by itself:",
        "What was done:",
        "Shared and moved:",
        "Health and cost:",
        "The hub:",
        "Started by agents:",
    ]
    assert [line for line in lines if line.startswith("  ") and line.endswith("...")] == []
