"""Whatever happens to its input and output, a command ends with its code and without a traceback."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

MEMDIR = [sys.executable, "-c", "import sys; from memdir.cli.main import main; sys.exit(main())"]
TERMINAL = [sys.executable, str(Path(__file__).with_name("terminal.py"))]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Give a command a home of its own: what memdir keeps about a directory must not land in the person's."""
    return {
        "HOME": str(tmp_path / "home"),
        "PATH": os.environ.get("PATH", os.defpath),
        "TERM": "xterm",
        **WORDS_ALONE,
    }


def test_an_interrupt_ends_a_command_quietly(directory: Path, env: dict[str, str]) -> None:
    command = [*MEMDIR, "--directory", str(directory), "remember", "-"]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdin is not None
        running.stdin.write(b"x" * 500_000)  # more than any pipe holds: returns once the command is reading
        running.stdin.flush()
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=20)
    assert running.returncode == 130
    assert said.decode().strip() == "error: Interrupted. What was reported as saved is saved."


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full")
@pytest.mark.parametrize("words", [["list"], ["list", "--json"], ["index", "--raw"]], ids=" ".join)
def test_an_output_that_is_full_is_an_error_of_its_own(
    words: list[str], directory: Path, env: dict[str, str]
) -> None:
    place = ["--directory", str(directory)]
    subprocess.run([*MEMDIR, *place, "remember", "Prefers tabs."], env=env, capture_output=True, check=True)
    with open("/dev/full", "w") as full:
        command = [*MEMDIR, *place, *words]
        done = subprocess.run(command, env=env, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 7
    assert done.stderr == "error: <stdout>: No space left on device.\n"


def test_what_takes_longer_than_a_second_says_so_on_a_terminal(directory: Path, env: dict[str, str]) -> None:
    place = [*TERMINAL, *MEMDIR, "--directory", str(directory)]
    command = [*place, "remember", "Prefers tabs.", "--name", "tabs", "--kind", "user"]
    lock = os.open(directory, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        time.sleep(4)  # a start on a busy machine, and then more than a second of waiting
        os.close(lock)
        shown = running.communicate(timeout=20)[0].decode()
    assert "<CR>Saving (1 s)" in shown
    assert "<CR><ESC>[KSaved user_tabs.md" in shown
    assert running.returncode == 0
