"""An instruction file as it is loaded or why one was left out, and for which paths a rule holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from memdir.text.frontmatter.header import span
from memdir.text.frontmatter.lines import Node, entries, lines_between, read_value
from memdir.text.globs import Globs, globs_in
from memdir.text.value import value_class

__all__ = [
    "LEARNED",
    "Cause",
    "Discovery",
    "Instruction",
    "Layer",
    "LeftOut",
    "Obstacle",
    "PathRule",
    "Reason",
    "conditions",
    "is_misnamed",
]


class Layer(StrEnum):
    """Whose words an entry holds, broad to specific; files in added directories are project or local ones."""

    MANAGED = "managed"
    USER = "user"
    PROJECT = "project"
    LOCAL = "local"
    MEMORY = "memory"
    TEAM = "team"


LEARNED = frozenset({Layer.MEMORY, Layer.TEAM})
"""The layers that agents wrote."""


class Cause(StrEnum):
    """What had a file loaded; the value is a sentence about the file, with the other path as a field."""

    START = "It is there when a conversation starts."
    ADDED = "It stands in {subject}, a directory that was added."
    IMPORT = "{subject} imports it."
    NESTED = "{subject}, in its folder or below, was touched."
    RULE = "Its paths match {subject}."


@value_class(frozen=True, slots=True)
class Reason:
    """Why a file was loaded, and through which other path."""

    cause: Cause
    subject: str = ""
    """The importer, the touched file or the added directory."""

    @property
    def words(self) -> str:
        """Return the reason as a sentence."""
        return self.cause.replace("{subject}", self.subject)


@value_class(frozen=True, slots=True)
class Instruction:
    """One loaded file."""

    path: str
    """Its real path: links are followed."""
    layer: Layer
    text: str
    """What a model is shown; it may differ from the file, see `changed`."""
    reason: Reason
    importer: str = ""
    """The real path of the file that imports it, if that had it loaded."""
    globs: tuple[str, ...] = ()
    """What must be touched for it to load; empty when nothing must."""
    raw: bytes | None = None
    """The bytes of the file, when the text differs from them."""
    external: bool = False
    """Whether it still awaits approval and is here only to be shown, because the caller asked for that."""

    @property
    def changed(self) -> bool:
        """Tell whether the text is anything but the bytes of the file: stripped, trimmed, cut or mended."""
        return self.raw is not None


class Obstacle(StrEnum):
    """What kept a file from being loaded; the value is a sentence about the file."""

    MISSING = "There is no such file."
    DIRECTORY = "It is a directory."
    EXTERNAL = "It lies outside the working directory and awaits approval."
    EXCLUDED = "A setting excludes it (claudeMdExcludes)."
    TOO_DEEP = "It is imported more than four levels deep."
    CYCLE = "It imports the file that imports it, at once or by way of others."
    NOT_TEXT = "It is not text, by its extension or its content."
    EMPTY = "Nothing is left of it without header, comments and blank lines."
    UNREADABLE = "It cannot be read."
    WAITING = "It is a rule for certain files, and none of them was touched."
    TOO_MANY = "Its folder holds too many files to look at them all."


@value_class(frozen=True, slots=True)
class LeftOut:
    """A file that exists or is asked for, and why it is not loaded."""

    path: str
    because: Obstacle
    importer: str = ""
    spelled: str = ""
    """How the importer writes it, without the @."""
    detail: str = ""
    """What the system says about it, for one that cannot be read."""
    globs: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Return the reason as a sentence, or two."""
        return f"{self.because} The system says: {self.detail}." if self.detail else str(self.because)

    @property
    def is_path(self) -> bool:
        """Tell whether an import was meant as one: `@types/node` and `@team` hardly were."""
        name = self.spelled.rpartition("/")[2]
        return not self.spelled or self.spelled.startswith(("/", "./", "../", "~/")) or "." in name[1:-1]


@value_class(frozen=True, slots=True)
class PathRule:
    """A rule file that was looked at, loaded or not."""

    path: str
    layer: Layer
    anchor: str
    """The folder that its globs are relative to."""
    globs: Globs
    misnamed: bool = False
    """Whether it has a key `globs:`, which no reader of this layout knows, and no `paths:`."""


@value_class(frozen=True, slots=True)
class Discovery:
    """What was found, in the order in which it is loaded."""

    loaded: tuple[Instruction, ...]
    left_out: tuple[LeftOut, ...]
    rules: tuple[PathRule, ...] = ()


def conditions(header: str) -> Globs:
    """Return what the header of a rule restricts it to; without globs under `paths:` that is nothing."""
    if "paths" not in header:
        return _ANY
    value = _values(header).get("paths", "")
    found = globs_in(value) if isinstance(value, str) else [item.strip() for item in _items(value)]
    return Globs(tuple([glob for glob in found if not _NO_GLOB.fullmatch(glob)]), relaxed=True)


def is_misnamed(header: str) -> bool:
    """Tell whether a header says `globs:`, which is not a key of this layout, instead of `paths:`."""
    return "globs" in header and "globs" in (keys := _values(header)) and "paths" not in keys


_ANY = Globs()
_NO_GLOB = re.compile(r"|~|null|true|false|[-+]?\.?[0-9][0-9._]*(?:e[-+]?[0-9]+)?", re.IGNORECASE)
"""What YAML reads as no text: nothing, a switch or a number."""


def _values(header: str) -> dict[str, Node]:
    where = span(header)
    if not where:
        return {}
    lines = lines_between(header, where.first, where.stop)
    found: dict[str, Node] = {}
    for entry in entries(lines)[0]:
        if entry.key in _KEYS:
            below = "".join(lines[entry.first + 1 : entry.stop])
            value, _ = read_value(entry.value, below)
            # A list that is no YAML, because of bare stars, is read as it is meant.
            is_list = isinstance(value, str) and value[:1] == "[" and value[-1:] == "]"
            found[entry.key] = value[1:-1] if is_list and isinstance(value, str) else value
    return found


_KEYS = frozenset({"paths", "globs"})


def _items(node: Node) -> Iterator[str]:
    """Yield the globs of a list, also of one in another; an item with a comma and a space is several."""
    if isinstance(node, str):
        yield from globs_in(node) if ", " in node else [node]
    elif isinstance(node, list):
        for item in node:
            yield from _items(item)
