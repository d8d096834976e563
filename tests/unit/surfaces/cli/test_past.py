"""What was done is taken back by its id, and an id that is empty is no leave to choose one."""

from pathlib import Path

import pytest

from memdir.surfaces.cli.app import run


@pytest.mark.parametrize("words", [["undo"], ["diff"], ["why"], ["restore", "tea"]])
def test_an_empty_id_is_a_mistake_in_the_command(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--directory", str(tmp_path / "memory"), *words, ""]) == 2
    assert "The ID is empty" in capsys.readouterr().err
