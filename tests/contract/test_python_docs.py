"""What docs/python.md shows an agent's builder runs as it stands, and does what the page says."""

import re
from pathlib import Path

import pytest

from memdir.config.world import VARIABLES
from memdir.prompt.context import Context

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_its_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project := tmp_path / "project").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "CLAUDE.md").write_text("Be kind.")
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in {*VARIABLES, *(other for others in VARIABLES.values() for other in others)}:
        monkeypatch.delenv(name, raising=False)
    (python,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    told: dict[str, object] = {}
    exec(python, told)  # noqa: S102 - our own page
    assert capsys.readouterr().out == "160,000 tokens are used and compaction begins at 155,000.\n"
    assert isinstance(context := told["context"], Context)
    assert "Be kind." in context.first_user
