"""What was done is taken back by its id, and an id that is empty is no leave to choose one."""

from pathlib import Path

import pytest

from memdir.cli.app import run
from memdir.memories.change import Change
from memdir.memory import Memory


@pytest.mark.parametrize("words", [["undo"], ["diff"], ["why"], ["restore", "tea"]])
def test_an_empty_id_is_a_mistake_in_the_command(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--directory", str(tmp_path / "memory"), *words, ""]) == 2
    assert "The ID is empty" in capsys.readouterr().err


def test_a_change_of_many_files_is_one_short_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    words = ["--directory", str(tmp_path / "memory")]
    text = "---\nname: n{0}\ndescription: Number {0} of many\ntype: user\n---\nText {0}\n"
    edits = [Change(f"user_n{n:03}.md", None, text.format(n)) for n in range(200)]
    Memory.at(tmp_path / "memory").history.change(edits, verb="dream", actor="dream")
    assert run([*words, "history"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.endswith("user_n000.md, user_n001.md, user_n002.md, … and 197 more")
    assert run([*words, "history", "--json"]) == 0
    assert capsys.readouterr().out.count("user_n") == 200
    assert run([*words, "undo"]) == 0
    assert capsys.readouterr().out.count("user_n") == 3
