"""The demo checks each of its own steps: a text that it expects and that has changed stops it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "scripts" / "demo.py"


@pytest.mark.timeout(240)  # some 40 processes: seconds alone, more on a machine that is busy
def test_every_step_of_the_demo_does_what_it_should(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, DEMO], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "That was `make demo`" in done.stdout
    assert list(tmp_path.iterdir()) == []
