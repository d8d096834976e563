"""The demo checks each of its own steps: a text that it expects and that has changed stops it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest


def _demo(home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "TMPDIR": str(home)}
    command = [sys.executable, "-m", "memdir", "demo", *options]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


@pytest.mark.timeout(240)  # some 40 processes: seconds alone, more on a machine that is busy
def test_every_step_of_the_demo_does_what_it_should_and_the_home_is_kept_if_asked(tmp_path: Path) -> None:
    done = _demo(tmp_path, "--fast", "--keep")
    assert (done.returncode, done.stderr) == (0, "")
    (home,) = tmp_path.iterdir()
    assert f"in a temporary home, {home}.\nNothing of yours is touched." in done.stdout
    assert f"export HOME={home}" in done.stdout
    memories = sorted(path.name for path in home.glob(".claude/projects/*/memory/*.md"))
    assert {"MEMORY.md", "feedback_nobody-pushes-main.md"} <= set(memories)
    steps = re.split(r"^\d+\. ", done.stdout, flags=re.MULTILINE)[1:]
    assert len(steps) > 10
    assert [
        one for one in steps if not re.search(r"^   Look at   .*\n   Yourself  memdir ", one, re.MULTILINE)
    ] == []
    shared = {path.name for path in home.glob("mate/.claude/projects/*/memory/team/*.md")}
    assert shared == {"MEMORY.md", "project_payment-retries.md"}


@pytest.mark.parametrize("lacking", ["git"])
def test_a_demo_that_cannot_run_says_what_it_needs_and_leaves_nothing(tmp_path: Path, lacking: str) -> None:
    env = {"HOME": str(tmp_path), "PATH": str(tmp_path), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "memdir", "demo", "--fast"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"needs {lacking}" in done.stderr
    assert list(tmp_path.iterdir()) == []
