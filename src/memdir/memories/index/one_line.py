"""An index in step with its files, changed by one line: a save where nobody else changed anything."""

from memdir.memories.index.hubs import has_room
from memdir.memories.index.pointer import Pointer, pointer_line, targets_in
from memdir.memories.index.text import HUB_FOLDER

__all__ = ["with_one_pointer"]


def with_one_pointer(text: str, pointer: Pointer, previous: Pointer | None) -> str | None:
    """Return an index that is in step with one more memory in it, or with one worded anew.

    The answer is what `with_pointer` and `arranged` make of it, without a look at the other pointers. None
    where those have to decide: the line is in a hub or a person's, something may hide it, or room is short.
    """
    if any(sign[0] in text and sign in text for sign in _HIDING):  # one letter is found much faster
        return None
    new = _with_new(text, pointer) if previous is None else _reworded(text, pointer, previous)
    return new if new is not None and has_room(new) else None


_HIDING = ("\r", "```", "~~~", "<!--")
"""Without these a line is what it looks like, and ends where it seems to."""


def _with_new(text: str, pointer: Pointer) -> str | None:
    """Return the text with a line after the last memory; None unless only hubs follow that one."""
    lines = text.split("\n")
    at = len(lines)
    while at and (not lines[at - 1] or _target(lines[at - 1]).startswith(HUB_FOLDER)):
        at -= 1
    if not at or not _target(lines[at - 1]):
        return None
    return "\n".join([*lines[:at], pointer_line(pointer), *lines[at:]])


def _reworded(text: str, pointer: Pointer, previous: Pointer) -> str | None:
    """Return the text with the line of a memory as it should be now; None unless it stands as we wrote it."""
    old, new = pointer_line(previous), pointer_line(pointer)
    before, found, after = f"\n{text}\n".partition(f"\n{old}\n")
    if not found or pointer.file != previous.file or _target(old) != pointer.file:
        return None
    return f"{before}\n{new}\n{after}"[1:-1]


def _target(line: str) -> str:
    return targets_in(line)[0]
