"""No tree makes discovery raise, go on for ever, or open a file that its rules keep closed."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.instructions.folders import Folders

from memdir.instructions import loader as disk
from memdir.instructions.discovery import discover
from memdir.instructions.records import Obstacle

OPENED_ANYWAY = {"EMPTY", "WAITING", "NOT_TEXT", "UNREADABLE"}
"""Why a file is left out that had to be read to know."""


class Watched:
    """The watched process, asked one question at a time."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("discovery_process.py")
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, str(script)], stdin=pipe, stdout=pipe, text=True)

    def ask(self, folders: Folders, *touched: str, **given: Any) -> dict[str, dict[str, Any]]:
        """Discover in a world and tell all that happened."""
        assert self.process.stdin
        assert self.process.stdout
        root = str(folders.root)
        places = {"cwd": "proj", "home": "home", "config_home": "home/.claude", "managed": "managed"}
        question = (
            {key: f"{root}/{name}" for key, name in places.items()} | {"approved": [], "excludes": []} | given
        )
        self.process.stdin.write(json.dumps(question | {"touched": touched}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "discovery raised"
        told: dict[str, dict[str, Any]] = json.loads(line)
        return told


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    child = Watched()
    yield child
    assert child.process.stdin
    child.process.stdin.close()
    assert child.process.wait(10) == 0
    assert child.process.stdout
    child.process.stdout.close()


FILES = [
    "CLAUDE.md",
    "proj/CLAUDE.md",
    "proj/.claude/CLAUDE.md",
    "proj/CLAUDE.local.md",
    "proj/AGENTS.md",
    "proj/.claude/rules/a.md",
    "proj/.claude/rules/x/b.md",
    "proj/.claude/rules/never.md",
    "proj/docs/a.md",
    "proj/docs/never.md",
    "proj/docs/p.png",
    "proj/docs/b\n\udcff.md",
    "proj/sub/CLAUDE.md",
    "proj/sub/.claude/rules/s.md",
    "proj/sub/never.md",
    "managed/CLAUDE.md",
    "home/.claude/CLAUDE.md",
    "home/.claude/rules/u.md",
    "out/secret.md",
    "out/rules/secret.md",
]
IMPORTS = [
    "@docs/a.md",
    "@./docs/never.md",
    "@never.md",
    "@docs/p.png",
    "@../out/secret.md",
    "@$R/out/secret.md",
]
IMPORTS += [
    "@~/../out/secret.md",
    "@../CLAUDE.md",
    "@CLAUDE.md",
    "@docs",
    "@none.md",
    "@~/.claude/CLAUDE.md",
    "@x.md",
]
IMPORTS += ["@../../CLAUDE.md", "@link.md", "@/", "@.", "@a\ufffd.md", "@proj/docs/a.md"]
PIECES = [
    *IMPORTS,
    "---\npaths: '*.py'\n---\n",
    "---\npaths: [",
    "---\n",
    "<!--",
    "-->",
    "```\n",
    "\n",
    " text ",
    "\n\n",
    "- ",
    "\0",
]
LINKS = [
    "proj/link.md",
    "proj/.claude/rules/l.md",
    "proj/.claude/rules/dir",
    "proj/docs/x.md",
    "proj/sub/deep",
    "proj/.claude/rules/m.md",
]
TARGETS = [
    "$R/out/secret.md",
    "$R/out/rules",
    "$R/proj/docs/a.md",
    "$R/proj",
    "$R",
    "..",
    "l.md",
    "nowhere",
    "/",
    "$R/proj/docs/never.md",
]
_text = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
# The user's files may import what they like, so here they import nothing.
_texts = {name: st.just("user") if name.startswith("home") else _text for name in FILES}
_tree = st.fixed_dictionaries({}, optional=_texts)
_links = st.dictionaries(st.sampled_from(LINKS), st.sampled_from(TARGETS), max_size=4)
_nodes = st.dictionaries(
    st.sampled_from([*FILES[:8], *LINKS]), st.sampled_from(["folder", "pipe"]), max_size=2
)


@settings(max_examples=settings().max_examples * 3 // 5)
@given(files=_tree, links=_links, nodes=_nodes)
def test_whatever_stands_in_a_tree(
    watched: Watched,
    tmp_path_factory: pytest.TempPathFactory,
    files: dict[str, str],
    links: dict[str, str],
    nodes: dict[str, str],
) -> None:
    folders = Folders(tmp_path_factory.getbasetemp().resolve() / "tree")
    folders.root.mkdir()
    _build(folders, files, links, nodes)
    try:
        told = watched.ask(folders, "sub/x.py", "sub/deep/y.py", "docs/z", excludes=["**/never.md"])
    finally:
        shutil.rmtree(folders.root)
    for part in told.values():
        _assert_kept_closed(part, f"{folders.root}/")
    loaded = [one["path"] for part in told.values() for one in part["loaded"]]
    assert Counter(loaded).most_common(1)[:1] in ([], [(loaded[0], 1)] if loaded else [])


def _assert_kept_closed(part: dict[str, Any], inside: str) -> None:
    opened = [path for path in part["opened"] if path.startswith(inside)]
    assert not [path for path, times in Counter(opened).items() if times > 1], "a file was read twice"
    assert not [path for path in opened if "secret" in path or "never" in path or path.endswith(".png")]
    may = {one["path"] for one in part["loaded"]}
    may |= {one["path"] for one in part["left"] if _name(one["because"]) in OPENED_ANYWAY}
    assert set(opened) <= may
    # A folder of rules may be a link to any folder of the project.
    listed = [path for path in part["listed"] if not path.startswith(f"{inside}proj")]
    assert not [
        path for path in listed if f"{path}/".startswith((inside, "//")) and "/.claude/rules" not in path
    ]


def _name(because: str) -> str:
    return Obstacle(because).name


def _build(folders: Folders, files: dict[str, str], links: dict[str, str], nodes: dict[str, str]) -> None:
    """Make as much of a tree as the file system lets stand side by side."""
    for name, kind in nodes.items():
        path = folders.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if kind == "folder" else os.mkfifo(path)
    for name, to in links.items():
        if not os.path.lexists(folders.root / name):
            folders.link(name, to)
    for name, text in files.items():
        path = folders.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(path) and os.path.realpath(path.parent) == str(path.parent):
            path.write_bytes(folders.fill(text).encode())


def test_in_a_large_repository_only_the_chain_is_touched(watched: Watched, tmp_path: Path) -> None:
    folders = Folders(tmp_path.resolve())
    rule = "---\npaths: d7\n---\nr"
    folders.write({"proj/CLAUDE.md": "top @doc.md", "proj/doc.md": "doc", "proj/.claude/rules/r.md": rule})
    for number in range(100):
        folder = f"{folders.root}/proj/d{number}"
        os.mkdir(folder)
        for name in ("CLAUDE.md", *map(str, range(99))):
            os.link(folders.root / "proj/doc.md", f"{folder}/{name}")  # ten times faster than a new file
    told = watched.ask(folders, "d7/5")
    inside = f"{folders.root}/"
    looked_at = {
        part: [path.removeprefix(inside) for kind in ("opened", "listed") for path in told[part][kind]]
        for part in told
    }
    start = ["proj/CLAUDE.md", "proj/doc.md", "proj/.claude/rules/r.md", "proj/.claude/rules"]
    assert {name for name in looked_at["start"] if not name.startswith("/")} == set(start)
    later = ["proj/d7/CLAUDE.md", "proj/.claude/rules/r.md", "proj/.claude/rules"]
    assert {name for name in looked_at["later"] if not name.startswith("/")} == set(later)


def test_a_folder_of_too_many_rules_is_not_looked_at_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = Folders(tmp_path.resolve())
    folders.write({f"proj/.claude/rules/{number}/r.md": "x" for number in range(20)})
    folders.link("proj/.claude/rules/again", "$R/proj/.claude/rules/1")
    monkeypatch.setattr(disk, "MOST_ENTRIES", 30)
    found = discover(folders.scope())
    assert 0 < len(folders.names(found)) < 20
    assert folders.reasons(found) == {"proj/.claude/rules": "TOO_MANY"}


def test_a_file_may_lie_very_deep(watched: Watched, tmp_path: Path) -> None:
    folders = Folders(tmp_path.resolve())
    deep = "/".join(["d"] * 300)
    (folders.root / "proj" / deep).mkdir(parents=True)
    folders.write({"proj/CLAUDE.md": "top", f"proj/{deep}/CLAUDE.md": "bottom"})
    told = watched.ask(folders, f"{deep}/x")
    assert [one["text"] for one in told["start"]["loaded"]] == ["top"]
    assert [one["text"] for one in told["later"]["loaded"]] == ["bottom"]
