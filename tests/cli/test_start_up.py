"""Asking for the version or for help loads neither the store nor anything it needs."""

import subprocess
import sys

import pytest

_CODE = "import sys; from memdir.surfaces.main import main; main(); print(*sys.modules)"
_STORE = ("memdir.memory", "memdir.store", "memdir.doctor", "memdir.config", "yaml", "filelock", "subprocess")


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["remember", "--help"]], ids=" ".join)
def test_the_store_is_not_loaded(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", _CODE, *words], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "memdir.surfaces.main" in loaded
    assert not [name for name in loaded if name.startswith(_STORE)]


def test_the_dispatcher_alone_does_not_load_the_command_line() -> None:
    code = "import sys, memdir.surfaces.main; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "click" not in done.stdout.split()
