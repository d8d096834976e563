"""What the README and the pages show can be typed: Python runs, commands and options exist, links lead on."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from memdir.cli.app import memdir

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/claude-code.md",
    "docs/design.md",
    "docs/mcp.md",
    "docs/python.md",
    "docs/settings.md",
)


def test_its_python_runs(tmp_path: Path) -> None:
    (python,) = _blocks("README.md", "python")
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


@pytest.mark.parametrize("page", PAGES)
def test_its_commands_and_their_options_exist(page: str) -> None:
    shown = [line for block in _blocks(page, "console") for line in _typed(block)]
    unknown = [line for line in shown if not _is_known(shlex.split(line, comments=True))]
    assert unknown == []


@pytest.mark.parametrize("page", PAGES)
def test_its_links_lead_to_files(page: str) -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", re.sub(r"(?s)```.*?```|`[^`\n]*`", "", _text(page)))
    assert [target for target in targets if not (ROOT / page).parent.joinpath(target).is_file()] == []


def test_its_folders_and_files_are_there() -> None:
    named = re.findall(r"`((?:docs|bench|tests|examples|integrations)/[\w/.-]*)`", _text("README.md"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", _text(page), re.MULTILINE | re.DOTALL)


def _typed(block: str) -> list[str]:
    """Return the memdir commands of a block, each on one line."""
    return re.findall(r"^\$ (memdir .*)", block.replace("\\\n", " "), re.MULTILINE)


def _is_known(words: list[str]) -> bool:
    command: click.Command = memdir
    for word in words[1:]:
        if isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
        elif word.startswith("--") and word.partition("=")[0] not in _options(command):
            return False
    return command is not memdir or len(words) == 1


def _options(command: click.Command) -> set[str]:
    return {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help"}
