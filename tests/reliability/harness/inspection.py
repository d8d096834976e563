"""What is wrong with a memory directory on disk, told without trusting memdir's own reading of the index."""

import os
import re
from collections import Counter
from collections.abc import Mapping

from memdir.errors import MemdirError
from memdir.memories.index.text import pointers
from memdir.memory import Memory
from tests.reliability.harness.marked_bodies import mark_in
from tests.reliability.harness.sandbox import Place

__all__ = ["leftover_files", "marks", "pointer_problems", "text_problems", "topic_names", "view_problems"]

_LINK = re.compile(r"^- \[[^\]]*\]\((?:\.\./)?([^)]+\.md)\)")
_LITTER = re.compile(r"^\.memdir-tmp-|\.lock$|\.keep$|^tmp_(?:pack|idx|obj)_|^fast_import_crash_|~$|\.tmp$")


def topic_names(directory: str) -> set[str]:
    """Return the topic files on disk, as plain listing shows them."""
    found = set()
    for folder, folders, names in os.walk(directory):
        folders[:] = [name for name in folders if name != "hubs" and not name.startswith(".")]
        found |= {
            os.path.relpath(os.path.join(folder, name), directory) for name in names if name.endswith(".md")
        }
    return found - {"MEMORY.md"}


def pointer_problems(directory: str) -> list[str]:
    """Say which files are not pointed at exactly once over the index and its hubs, by two readings."""
    files = topic_names(directory)
    seen, by_memdir = Counter[str](), Counter[str]()
    for path, text in _lists(directory):
        below = path != "MEMORY.md"
        seen.update(match[1] for line in text.split("\n") if (match := _LINK.match(line)))
        by_memdir.update(pointer.file for _, pointer in pointers(text, below=below))
    problems = [f"{file} is pointed at {seen[file]} times" for file in sorted(files) if seen[file] != 1]
    problems += [
        f"a pointer to {file}, which is not there" for file in sorted(seen) if not _is_there(directory, file)
    ]
    differing = sorted((seen - by_memdir) + (by_memdir - seen))
    return problems + [f"memdir and a plain reader differ about the pointer to {file}" for file in differing]


def view_problems(memory: Memory) -> list[str]:
    """Say where the healed view and the files disagree; for directories small enough to need no hubs."""
    shown = Counter(
        match[1] for line in memory.context.index().content.split("\n") if (match := _LINK.match(line))
    )
    files = topic_names(memory.directory)
    problems = [f"the view shows {file} {shown[file]} times" for file in sorted(files) if shown[file] != 1]
    return problems + [f"the view shows {file}, which is not there" for file in sorted(shown.keys() - files)]


def text_problems(memory: Memory, expected: Mapping[str, set[str]]) -> list[str]:
    """Say which memories are lost, torn, back from the dead or never saved."""
    found = marks(memory)
    problems = [
        f"{name} is {found.get(name, '') or 'not there'!r} instead of {sorted(wanted)}"
        for name, wanted in expected.items()
        if found.get(name, "") not in wanted
    ]
    return problems + [f"{name} was never saved" for name in found if name not in expected]


def marks(memory: Memory) -> dict[str, str]:
    """Return each memory's name with the mark of its text; a torn one is called so."""
    found = {}
    for header in memory.list():
        try:
            found[header.name] = mark_in(memory.read(header.file).text) or "torn"
        except MemdirError as error:
            found[header.name] = f"unreadable: {error}"
    return found


def leftover_files(place: Place) -> list[str]:
    """Return temporary and lock files that a finished process left behind."""
    return [
        f"litter: {os.path.relpath(os.path.join(folder, name), place.root)}"
        for top in (place.directory, place.state)
        for folder, folders, names in os.walk(top)
        for name in (*folders, *names)
        if _LITTER.search(name) and ".damaged-" not in folder
    ]


def _lists(directory: str) -> list[tuple[str, str]]:
    """Return the index and every hub with its text."""
    hubs = os.path.join(directory, "hubs")
    names = sorted(os.listdir(hubs)) if os.path.isdir(hubs) else []
    paths = ["MEMORY.md", *(f"hubs/{name}" for name in names)]
    found = []
    for path in paths:
        full = os.path.join(directory, path)
        if os.path.isfile(full):
            with open(full, encoding="utf-8") as file:
                found.append((path, file.read()))
    return found


def _is_there(directory: str, file: str) -> bool:
    return os.path.isfile(os.path.join(directory, file))
