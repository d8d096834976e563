"""A command loads what it needs: help and version neither the store nor anything that needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_CODE = "import sys; from memdir.cli.main import main; main(); print(*sys.modules)"
_STORE = (
    "memdir.memory",
    "memdir.memories.directory",
    "memdir.memories.writer",
    "memdir.memories.catalog",
    "memdir.disk",
    "memdir.doctor",
    "memdir.config",
    "yaml",
    "filelock",
    "subprocess",
)
_OTHERS = (
    "memdir.prompt",
    "memdir.doctor",
    "memdir.memories.history.commits",
    "memdir.cli.commands.memories.edit",
    "memdir.cli.commands.setup.hosts",
    "yaml",
)


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["remember", "--help"]], ids=" ".join)
def test_the_store_is_not_loaded(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", _CODE, *words], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "memdir.cli.main" in loaded
    assert not [name for name in loaded if name.startswith(_STORE)]


def test_a_command_loads_what_it_needs_and_no_other_command(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _CODE, "instructions"]
    env = {"HOME": str(tmp_path), "PATH": os.defpath}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "memdir.cli.commands.prompt.instructions" in loaded
    assert not [name for name in loaded if name.startswith(_OTHERS)]


def test_the_dispatcher_alone_does_not_load_the_command_line() -> None:
    code = "import sys, memdir.cli.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "click" not in done.stdout.split()
