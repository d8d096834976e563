"""Which memory was meant by a name that no memory has."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memdir.errors import MemdirError, NoSuchMemory

if TYPE_CHECKING:
    from memdir.cli.target import Target

__all__ = ["alike", "note_likely_names"]

_MOST = 3
"""Names that are proposed: more would be a list."""


def note_likely_names(error: NoSuchMemory, words: Sequence[str], target: "Target") -> None:
    """Add to an error which memories are called nearly as the word of the command line that it names."""
    missing = [word for word in words if repr(word) in str(error)]
    if not missing:
        return
    try:
        headers = target.memory().list()
    except (MemdirError, OSError):  # a proposal is not worth another error
        return
    names, files = ([getattr(header, form) for header in headers] for form in ("name", "file"))
    if missing[0] in (*names, *files):  # it is there, and something about it is not
        return
    if near := alike(missing[0], names) or alike(missing[0], files):
        error.add_note(f"Did you mean {' or '.join(map(repr, near))}?")


def alike(word: str, names: Iterable[str]) -> list[str]:
    """Return the names that are nearly the word, or hold it, the nearest first."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in reversed(list(names))}
    near = get_close_matches(word.lower(), by_lower, n=_MOST)
    held = sorted((name for name in by_lower if len(word) > 2 and word.lower() in name), key=len)
    found = list(dict.fromkeys([*near, *held]))
    return [by_lower[name] for name in found[:_MOST]]
