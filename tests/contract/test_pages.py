"""Every page of the site can be reached, leads on, and shows only what can be typed and run."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from tests.contract.page import ROOT, page_text

from memdir.cli.app import memdir

SITE = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
PAGES = ["README.md", *SITE]
PYTHON = [page for page in SITE if "```python" in (ROOT / page).read_text() and page != "docs/python.md"]
"""That page and the README have tests of their own, which look at what their Python did."""

_FENCED = re.compile(r"^( *)(```+)[^\n]*\n.*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_PYTHON = re.compile(
    r"^```python\n(.*?)^```\n(?:\nIt prints:\n\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL
)
_CODE = re.compile(r"`[^`\n]*`")


def test_the_navigation_names_every_page_once() -> None:
    navigation = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]
    named = [f"docs/{page}" for page in _leaves(navigation)]
    assert [page for page in SITE if page not in named] == [], "add these pages to `nav` in zensical.toml"
    assert sorted(named) == SITE


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_one_title_and_its_links_lead_to_pages_and_headings(page: str) -> None:
    assert len(re.findall(r"^# \S", _FENCED.sub("", page_text(page)), re.MULTILINE)) == 1
    assert [link for link in _links(page) if not _leads_on(page, link)] == []


@pytest.mark.parametrize("page", SITE)
def test_a_page_of_the_site_links_to_pages_of_the_site(page: str) -> None:
    outside = [
        link
        for link in _links(page)
        if (path := link.partition("#")[0])
        and (ROOT / "docs") not in (ROOT / page).parent.joinpath(path).resolve().parents
    ]
    assert outside == []


@pytest.mark.parametrize("page", PAGES)
def test_commands_on_a_page_and_their_options_exist(page: str) -> None:
    shown = [
        line for block in _blocks(page, "console") for line in re.findall(r"^\$ (.*)", block, re.MULTILINE)
    ]
    shown += [line for block in _blocks(page, "sh") for line in block.splitlines()]
    assert [words for line in shown for words in _commands(line) if not _is_known(words)] == []


@pytest.mark.parametrize("page", PYTHON)
def test_python_on_a_page_runs_in_an_empty_home_and_prints_what_is_said(page: str, tmp_path: Path) -> None:
    (project := tmp_path / "project").mkdir()
    (settings := tmp_path / ".claude" / "memdir" / "settings.json").parent.mkdir(parents=True)
    settings.write_text('{"recall": {"budgetMs": 20000}}')  # on a busy machine recall takes longer
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    for block, prints in _PYTHON.findall(page_text(page)):
        command = [sys.executable, "-W", "error", "-"]
        done = subprocess.run(
            command, input=block, cwd=project, env=env, text=True, capture_output=True, check=False
        )
        assert (done.returncode, done.stdout if prints else "", done.stderr) == (0, prints, "")


def test_every_fence_names_its_language() -> None:
    bare = [
        page
        for page in SITE
        for fence in _FENCED.finditer(page_text(page))
        if fence[0].split("\n")[0] == "```"
    ]
    assert set(bare) <= {"docs/design.md"}


def _leaves(navigation: list[dict[str, object]]) -> list[str]:
    found = []
    for entry in navigation:
        for target in entry.values():
            found += _leaves(target) if isinstance(target, list) else [str(target)]
    return found


def _blocks(page: str, language: str) -> list[str]:
    """Return the blocks in a language, with lines that go on joined."""
    found = re.findall(rf"^```{language}\n(.*?)^```", page_text(page), re.MULTILINE | re.DOTALL)
    return [re.sub(r"\\\n(> )?", " ", block) for block in found]


def _links(page: str) -> list[str]:
    """Return the targets of links within the project; those to other servers are not looked at."""
    prose = _CODE.sub("", _FENCED.sub("", page_text(page)))
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", prose) if "://" not in link]


def _leads_on(page: str, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (ROOT / page).parent.joinpath(path).resolve() if path else ROOT / page
    if not target.exists():
        return False
    return not anchor or (target.suffix == ".md" and anchor in _anchors(target))


@cache
def _anchors(path: Path) -> set[str]:
    """Return the headings that a link can name: those that the site and a code host's view call alike."""
    titles = re.findall(r"^#+ +(.*?) *$", _FENCED.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", title.lower()).strip() for title in titles]
    return {slug for title in plain if "--" not in (slug := re.sub(r"\s", "-", title))}


def _commands(line: str) -> Iterator[list[str]]:
    """Yield the memdir commands of a line, also those behind a pipe or another command."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split, words = True, list[str]()
    for word in (*lexer, ";"):
        if set(word) <= set("();<>|&"):
            if words[:1] == ["memdir"]:
                yield words
            words = []
        else:
            words.append(word)


def _is_known(words: list[str]) -> bool:
    command: click.Command = memdir
    for word in words[1:]:
        if isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
        elif word.startswith("--") and word.partition("=")[0] not in _options(command):
            return False
    return command is not memdir or all(word.startswith("--") for word in words[1:])


def _options(command: click.Command) -> set[str]:
    return {option for one in command.params for option in (*one.opts, *one.secondary_opts)} | {"--help"}
