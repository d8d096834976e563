"""Where the input is closed nobody can agree to a set-up: one sentence says so, and nothing is written."""

import sys
from pathlib import Path

import pytest

from memdir.cli.app import run


def test_a_set_up_that_nobody_can_agree_to_writes_nothing(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run([*options, "init", "claude-code"]) == 6
    assert "error: This was not done: nobody is there to answer." in capsys.readouterr().err
    assert not (tmp_path / "home" / ".claude" / "settings.json").exists()
