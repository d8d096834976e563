"""Whatever happens to its input and output, a command ends with its code and without a traceback."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MEMDIR = [sys.executable, "-c", "import sys; from memdir.surfaces.main import main; sys.exit(main())"]
TERMINAL = [sys.executable, str(Path(__file__).with_name("terminal.py"))]


def test_an_interrupt_ends_a_command_quietly(tmp_path: Path) -> None:
    command = [*MEMDIR, "--directory", str(tmp_path / "memory"), "remember", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        _wait_until_it_reads(running.pid)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=10)
    assert running.returncode == 130
    assert said.strip() == "error: Interrupted. What was reported as saved is saved."


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full")
@pytest.mark.parametrize("words", [["list"], ["list", "--json"], ["index", "--raw"]], ids=" ".join)
def test_an_output_that_is_full_is_an_error_of_its_own(words: list[str], tmp_path: Path) -> None:
    place = ["--directory", str(tmp_path / "memory")]
    subprocess.run([*MEMDIR, *place, "remember", "Prefers tabs."], capture_output=True, check=True)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MEMDIR, *place, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 7
    assert done.stderr == "error: <stdout>: No space left on device.\n"


def test_what_takes_longer_than_a_second_says_so_on_a_terminal(tmp_path: Path) -> None:
    command = [
        *MEMDIR,
        "--directory",
        str(tmp_path),
        "remember",
        "Prefers tabs.",
        "--name",
        "tabs",
        "--kind",
        "user",
    ]
    lock = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with subprocess.Popen([*TERMINAL, *command], stdout=subprocess.PIPE, text=True) as running:
        time.sleep(2.5)
        os.close(lock)
        shown, _ = running.communicate(timeout=10)
    assert "<CR>Saving (1 s)" in shown
    assert "<CR><ESC>[KSaved user_tabs.md" in shown
    assert running.returncode == 0


def _wait_until_it_reads(process: int) -> None:
    """Wait until a process sleeps with its modules loaded; where that cannot be seen, wait long enough."""
    status = Path(f"/proc/{process}/wchan")
    deadline = time.monotonic() + 5
    while status.exists() and "pipe" not in status.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    if not status.exists():
        time.sleep(1)
