"""What tests of the command line share: a memory directory that options choose."""

from pathlib import Path

import pytest

from memdir.cli.app import run


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the options that choose a directory with six memories."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    words = ["--directory", "notes"]
    texts = {name: f"About {name} there is much to say." for name in ("terse-replies", "tea", "deploys")}
    texts |= {f"x{number}": f"Retry payments {number} times." for number in range(3)}
    for name, text in texts.items():
        assert run([*words, "remember", text, "--name", name]) == 0
    capsys.readouterr()
    return words
