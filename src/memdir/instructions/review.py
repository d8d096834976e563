"""What a person should know about their instruction files: rules without effect, files that are too long."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterable, Iterator

from memdir.config.safe_path import path_below
from memdir.instructions.records import Instruction, Layer, PathRule
from memdir.text.value import value_class

__all__ = [
    "LONG_LINES",
    "LONG_TEXT",
    "MOST_ENTRIES",
    "FileRemark",
    "glob_remarks",
    "size_remarks",
    "unmatched_rules",
]

MOST_ENTRIES = 20_000
"""Files and folders looked at for rules that match nothing: seconds at most, however large the tree is."""

LONG_TEXT = 40_000
"""Characters over which a file takes room from the work in every conversation."""

LONG_LINES = 200
"""Lines up to which a file is followed well; a longer one is better split by subject."""

_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"})
"""Folders that hold nothing a rule is written for, and often most of the files."""


@value_class(frozen=True, slots=True)
class FileRemark:
    """One thing about one file, under the code that `doctor` reports it by."""

    code: str
    """glob, globs-key, large-file or long-file."""
    path: str
    message: str
    hint: str


def glob_remarks(rules: Iterable[PathRule]) -> Iterator[FileRemark]:
    """Report globs that cannot match, and rules whose `globs:` nobody reads."""
    for rule in rules:
        for problem in rule.globs.problems:
            hint = "Correct the glob under `paths:`; it follows the rules of .gitignore."
            yield FileRemark(
                "glob", rule.path, f"A rule is never loaded for one of its globs: {problem}", hint
            )
        if rule.misnamed:
            message = "A rule has the key `globs:`, which means nothing here, so it is loaded always."
            yield FileRemark("globs-key", rule.path, message, "Call the key `paths:`, or remove it.")


def size_remarks(instructions: Iterable[Instruction]) -> Iterator[FileRemark]:
    """Report files that are too large, or so long that they should be split."""
    for one in instructions:
        characters, lines = len(one.text), one.text.count("\n") + 1
        if characters > LONG_TEXT:
            message = f"{characters:,} characters are loaded of this file in every conversation."
            hint = f"Keep it under {LONG_TEXT:,}; move detail into files that are read when needed."
            yield FileRemark("large-file", one.path, message, hint)
        if lines > LONG_LINES:
            message = f"This file has {lines:,} lines; of so many, some will be overlooked."
            yield FileRemark("long-file", one.path, message, "Split it by subject into rules with `paths:`.")


def unmatched_rules(rules: Collection[PathRule], limit: int = MOST_ENTRIES) -> list[PathRule]:
    """Return the project's rules for files that it does not have; rules of a user are for any project.

    None is returned where the tree has more entries than are looked at: the others may match.
    """
    open_rules = {rule for rule in rules if rule.globs.conditional and rule.layer is Layer.PROJECT}
    anchors = sorted({rule.anchor for rule in open_rules})
    tops = [one for one in anchors if not any(path_below(top, one) for top in anchors)]
    seen = 0
    for path in _files_below(tops, limit):
        seen += 1
        if path:
            open_rules -= {
                rule
                for rule in open_rules
                if (inside := path_below(rule.anchor, path)) and rule.globs.matches(inside)
            }
        if not open_rules:
            break
    return [rule for rule in rules if rule in open_rules] if seen < limit else []


def _files_below(folders: Iterable[str], limit: int) -> Iterator[str]:
    """Yield the files below folders, near ones first, and an empty string for each folder among them."""
    pending, count = deque(folders), 0
    while pending:
        for entry in _entries(pending.popleft()):
            if count >= limit:
                return
            count += 1
            if _is_folder(entry):
                if entry.name not in _SKIPPED:
                    pending.append(entry.path)
                yield ""
            else:
                yield entry.path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return
