"""One generated list of pointers that were moved out of a full index: `hubs/<kind>-<n>.md`."""

import re
from collections.abc import Container, Sequence
from itertools import count

from memdir.memories.index.pointer import Pointer
from memdir.memories.index.text import HUB_FOLDER, append_pointers, prune, targets
from memdir.text.value import value_class

__all__ = [
    "HUB_POINTERS",
    "NO_KIND",
    "Hub",
    "add_pointers",
    "has_words",
    "hub_pointer",
    "is_generated",
    "keep_pointers",
    "new_hub",
    "parse_hub",
]

HUB_POINTERS = 198
"""Pointers in a hub: with its sentence and a blank line that makes 200 lines, as long as an index may be."""

NO_KIND = "other"
"""What stands for the kind in the name of a hub for memories without one."""

_NAME = re.compile(rf"{re.escape(HUB_FOLDER)}(.+?)(?:-(\d+))?\.md")
_TITLE = "More {kind} memories"
_TITLE_WITHOUT_KIND = "More memories without a kind"
_SENTENCE = "{title}, listed here so that MEMORY.md stays short enough to be loaded whole."


@value_class(frozen=True, slots=True)
class Hub:
    """A hub as it was read, or as it is to be written; keep it between calls, for parsing is what costs."""

    file: str
    text: str
    files: frozenset[str]
    tidy: bool = True
    """Whether it points at each file once."""

    @property
    def kind(self) -> str:
        """The kind of what it lists, as its name tells."""
        match = _NAME.fullmatch(self.file)
        return match[1] if match else self.file


def is_generated(file: str, text: str) -> bool:
    """Tell whether a file among the hubs is one that we made, by its name and our sentence in it."""
    match = _NAME.fullmatch(file)
    return bool(match and match[2] and (_sentence(match[1]) in text or not text.strip()))


def has_words(hub: Hub) -> bool:
    """Tell whether a person wrote something into a hub beside its pointers."""
    return bool(prune(hub.text, lambda _: False, below=True).text.replace(_sentence(hub.kind), "").strip())


def parse_hub(file: str, text: str) -> Hub:
    """Return a hub from its text."""
    found = [target for target in targets(text, below=True) if target]
    files = frozenset(found)
    return Hub(file, text, files, tidy=len(files) == len(found))


def new_hub(kind: str, taken: Container[str]) -> Hub:
    """Return an empty hub for a kind, with the first number that is free."""
    names = (f"{HUB_FOLDER}{kind}-{number}.md" for number in count(1))
    file = next(name for name in names if name not in taken)
    return Hub(file, _sentence(kind) + "\n", frozenset())


def add_pointers(hub: Hub, batch: Sequence[Pointer]) -> Hub:
    """Return the hub with these pointers at its end."""
    files = hub.files.union([pointer.file for pointer in batch])
    return Hub(hub.file, append_pointers(hub.text, batch, below=True), files)


def keep_pointers(hub: Hub, left: frozenset[str]) -> Hub:
    """Return the hub with one pointer to each of these files and none to others."""
    return Hub(hub.file, prune(hub.text, left.__contains__, below=True).text, left)


def hub_pointer(hub: Hub) -> Pointer:
    """Return what the index says about this hub."""
    match = _NAME.fullmatch(hub.file)
    number = f" ({match[2]})" if match and match[2] else ""
    holds = "1 memory" if len(hub.files) == 1 else f"{len(hub.files)} memories"
    return Pointer(_title(hub.kind) + number, hub.file, holds)


def _sentence(kind: str) -> str:
    return _SENTENCE.format(title=_title(kind))


def _title(kind: str) -> str:
    return _TITLE_WITHOUT_KIND if kind == NO_KIND else _TITLE.format(kind=kind)
