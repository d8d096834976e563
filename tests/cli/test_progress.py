"""On a terminal long work shows how far it has come; piped, and beside JSON, it shows nothing."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.terminal import read_terminal

from memdir import Memory
from memdir.cli import output
from memdir.cli.app import run

SIGNS = """
import sys
from threading import Event
from memdir.cli import output
from memdir.cli.main import main

output._DELAY = output._INTERVAL = 0.0
shown, write = Event(), sys.stderr.write
sys.stderr.write = lambda text: (write(text), shown.set())

def wait_for_sign():
    for _ in range(2):  # the first may have been worded before
        shown.clear()
        shown.wait(30)

class SlowSign(output._Sign):
    def count(self, done, total):
        super().count(done, total)
        if done == 2:
            wait_for_sign()

    def __setattr__(self, name, value):
        changed = hasattr(self, name)
        super().__setattr__(name, value)
        if name == "doing" and changed:
            wait_for_sign()

output._Sign = SlowSign
sys.exit(main())
"""
"""The command line with work that waits until its third step, and each change of its words, is shown."""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (folder := tmp_path / "memory").mkdir(mode=0o700)
    for number in range(5):
        head = f"---\nname: m{number}\ndescription: Number {number}\ntype: project\n---\n\n"
        (folder / f"project_m{number}.md").write_text(f"{head}The lamp number {number} is green.\n")
    Memory.at(folder, state=tmp_path / "state").list()
    return folder


def ran(directory: Path, *words: str, terminal: bool) -> str:
    """Return what a command wrote to standard error."""
    env = {"HOME": str(directory.parent), "PATH": os.environ["PATH"], "COLUMNS": "80"}
    command = [sys.executable, "-c", SIGNS, "--directory", str(directory), *words]
    if not terminal:
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stderr
    master, slave = pty.openpty()
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=slave) as process:
        os.close(slave)
        data = b""
        while part := read_terminal(master):
            data += part
    os.close(master)
    assert process.returncode in {0, 1}  # the doctor's problems
    return data.decode()


@pytest.mark.parametrize(
    ("words", "doing"),
    [
        (["verify"], "Checking"),
        (["doctor"], "Examining"),
        (["models", "learn"], "Learning"),
        (["list"], "Reading"),
    ],
)
def test_a_terminal_is_shown_a_bar_that_goes_away(directory: Path, words: list[str], doing: str) -> None:
    seen = ran(directory, *words, terminal=True)
    assert f"{doing} [########............] 2 of 5 (" in seen
    assert seen.rpartition("\r")[2].startswith("\x1b[K")


def test_a_dream_says_what_it_does(directory: Path) -> None:
    assert "reading 5 memories" in ran(directory, "dream", "--dry-run", terminal=True)


def test_a_pipe_is_shown_nothing(directory: Path) -> None:
    for words in (["verify"], ["dream", "--dry-run"]):
        assert ran(directory, *words, terminal=False) == ""


def test_nothing_is_shown_beside_json(directory: Path) -> None:
    assert ran(directory, "verify", "--json", terminal=True) == ""


def test_nothing_is_shown_while_messages_are_typed(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[int]()

    class Typed(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            shown.append(len(output._signs))
            return super().read(size)

    monkeypatch.setenv("HOME", str(directory.parent))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Typed()))
    monkeypatch.setattr(output, "is_terminal", lambda _: True)
    run(["--directory", str(directory), "extract", "-"])
    assert shown[0] == 0
