"""Claude Code itself and memdir load the same instruction files, in the same order, with the same text.

Where memdir decides otherwise on purpose, both are brought to its form first: rules of one folder come sorted
(the host has them as the disk lists them), and those that a touched file adds come after the files; paths are
real ones; line ends are LF and texts are trimmed.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tests.hosts.claude_code import ClaudeCode, binary
from tests.hosts.instruction_random import random_tree
from tests.hosts.instruction_trees import DRAWN, Tree
from tests.hosts.messages_api import Block, say, served, use
from tests.unit.instructions.folders import Folders

from memdir import Memory

PROGRAM = binary()

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PROGRAM is None, reason="not run: the Claude Code binary cannot be had here"),
]

Loaded = list[tuple[str, str]]
"""Paths and texts, in order."""

RANDOM = 60
"""Trees put together at random; any other seed makes another."""


@pytest.mark.parametrize("tree", DRAWN, ids=lambda tree: tree.name)
def test_a_drawn_tree_is_read_alike(tree: Tree, tmp_path: Path) -> None:
    ours, theirs = both(tree, tmp_path)
    assert ours == theirs


@pytest.mark.parametrize("seed", range(RANDOM))
def test_a_random_tree_is_read_alike(seed: int, tmp_path: Path) -> None:
    ours, theirs = both(random_tree(seed), tmp_path)
    assert ours == theirs


def both(tree: Tree, tmp_path: Path) -> tuple[list[Loaded], list[Loaded]]:
    """Return what memdir and the host load at the start and with each touched file."""
    root_folders = built(tree, tmp_path.resolve())
    ours, order = by_memdir(tree, root_folders)
    first, second = (
        [
            [
                (path.replace(str(root_folders.root), "$R", 1), text)
                for path, text in order.of(step, later=at > 0)
            ]
            for at, step in enumerate(reader)
        ]
        for reader in (ours, by_host(tree, root_folders))
    )
    return first, second


def built(tree: Tree, root: Path) -> Folders:
    """Make the tree on disk."""
    root_folders = Folders(root)
    root_folders.write({"home/.claude/settings.json": json.dumps(tree.settings), **tree.files})
    for name, to in tree.links.items():
        root_folders.link(name, to)
    for line in tree.setup:
        subprocess.run(["sh", "-c", root_folders.fill(line)], cwd=root, check=True, capture_output=True)
    root_folders.write({path: "x" for path in tree.touched if not (root / path).exists()})
    (root / tree.cwd).mkdir(parents=True, exist_ok=True)
    return root_folders


@dataclass(frozen=True)
class Order:
    """The order that memdir gives to what one step loads."""

    folders: Mapping[str, str]
    """For each rule the folder that it belongs to."""
    imported: frozenset[str]

    def of(self, step: Loaded, *, later: bool) -> Loaded:
        """Sort the rules of each folder, or all that come later; what a file imports stays behind it."""
        bundles: list[Loaded] = []
        for path, text in step:
            if path not in self.imported or not bundles:
                bundles.append([])
            bundles[-1].append((path, text))
        if later:
            bundles.sort(key=lambda bundle: bool(self._folder(bundle)))
        runs = [
            [*run]
            for _, run in groupby(bundles, lambda one: self._folder(one) and (later or self._folder(one)))
        ]
        return [
            entry
            for run in runs
            for bundle in (sorted(run) if self._folder(run[0]) else run)
            for entry in bundle
        ]

    def _folder(self, bundle: Loaded) -> str:
        return self.folders.get(bundle[0][0], "")


def by_memdir(tree: Tree, root_folders: Folders) -> tuple[list[Loaded], Order]:
    """Return what memdir loads at each step, and what it knows about the order."""
    added = [str(root_folders.root / one) for one in tree.added]
    memory = Memory.open(root_folders.root / tree.cwd, {"HOME": str(root_folders.root / "home")}, added=added)
    steps: list[list[str]] = [[], *([str(root_folders.root / path)] for path in tree.touched)]
    rules = [rule for step in steps for rule in memory.instructions.discover(step).rules]
    found = [memory.instructions.load(step) for step in steps]
    imported = {one.path for step in found for one in step if one.importer}
    order = Order({rule.path: f"{rule.layer} {rule.anchor}" for rule in rules}, frozenset(imported))
    return [[(one.path, one.text) for one in step] for step in found], order


def by_host(tree: Tree, root_folders: Folders) -> list[Loaded]:
    """Return what the host loads at each step, as the model server saw it."""
    reads = [use("Read", file_path=str(root_folders.root / path)) for path in tree.touched]

    def answer(request: Mapping[str, Any]) -> list[Block]:
        done = sum(message["role"] == "assistant" for message in request["messages"])
        return [reads[done]] if done < len(reads) else [say("Done.")]

    assert PROGRAM is not None
    added = [word for one in tree.added for word in ("--add-dir", str(root_folders.root / one))]
    env = {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}
    with served(answer) as server:
        host = ClaudeCode(PROGRAM, root_folders.root / "home", root_folders.root / tree.cwd, server, env)
        said = host.ask("Read.", "--allowedTools", "Read", *added)
        assert said.code == 0, said.errors
        return [*_steps(server.requests[-1]["messages"])]


def _steps(messages: Sequence[Mapping[str, Any]]) -> Iterator[Loaded]:
    """Yield what the first message holds, and then what came with each tool result."""
    for message in messages:
        if message["role"] == "user":
            blocks = message["content"]
            assert not any(block.get("is_error") for block in blocks), blocks
            texts = [block["text"] for block in blocks if block["type"] == "text"]
            yield [entry for text in texts for entry in _entries(text)]


_WHOSE = r"(?: \((?:user's private|project instructions)[^\n]*\))?"
_HEAD = re.compile(rf"(?:^<system-reminder>\n|\n\n)Contents of (/[^\n]*?){_WHOSE}:\n\n")
_CLOSING = "\n</system-reminder>"


def _entries(text: str) -> Loaded:
    """Return the files in one block of text."""
    if not text.startswith("<system-reminder>\n") or _CLOSING not in text:
        return []
    inside = text.rstrip("\n").removesuffix(_CLOSING)
    heads = [*_HEAD.finditer(inside)]
    ends = [*(head.start() for head in heads[1:]), len(inside)]
    return [
        (os.path.realpath(head[1]), _trimmed(inside[head.end() : end]))
        for head, end in zip(heads, ends, strict=False)
    ]


def _trimmed(text: str) -> str:
    return text.replace("\r\n", "\n").strip("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff")
