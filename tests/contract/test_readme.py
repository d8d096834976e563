"""What the README shows does what it says: its Python, its conversation, the files that it names."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.contract.page import ROOT, page_text


def test_its_python_runs(tmp_path: Path) -> None:
    (python,) = _blocks("README.md", "python")
    settings = tmp_path / ".claude" / "memdir" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"recall": {"budgetMs": 20000}}')  # on a busy machine recall takes longer
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-"],
        input=python,
        cwd=tmp_path,
        env=env,
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Use bun, not npm" in done.stdout
    assert "Memory saved" in done.stdout


def test_its_conversation_can_be_typed_and_is_extracted_as_shown(tmp_path: Path) -> None:
    (block,) = [block for block in _blocks("README.md", "console") if "talk.jsonl" in block]
    shown = re.search(
        r"^\$ (cat .*?^END\n)\$ (memdir extract .*?)\n(.*?)^Undo", block, re.MULTILINE | re.DOTALL
    )
    assert shown
    env = {"HOME": str(tmp_path), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    words = ["bash", "-c", shown[1] + shown[2]]
    done = subprocess.run(words, cwd=tmp_path, env=env, text=True, capture_output=True, check=True)
    told, expected = (re.sub(r"\d{4}-\d\d-\d\d", "DAY", text) for text in (done.stdout, shown[3]))
    assert told.partition("Undo")[0] == expected


def test_its_folders_and_files_are_there() -> None:
    named = re.findall(r"`((?:docs|bench|tests|examples|integrations)/[\w/.-]*)`", page_text("README.md"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page_text(page), re.MULTILINE | re.DOTALL)
