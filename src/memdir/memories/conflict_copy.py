"""Copies that keep the other version of a memory which two sides changed: `name.conflict-<who>-<date>.md`."""

import re

from memdir.memories.names import slug
from memdir.text.frontmatter.edits import with_value

__all__ = ["conflict_name", "is_conflict_copy", "original_of", "rename_copy"]

_MARK = ".conflict-"
_LONGEST_WHO, _LONGEST_STEM = 30, 180
"""Characters of a name, bytes of a file name: with the rest still under the 255 bytes that disks take."""


def conflict_name(file: str, who: str, at: str, number: int = 1) -> str:
    """Return the file for the other version of a memory, written by somebody at that moment."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", who.partition("<")[0]).strip("-").lower()[:_LONGEST_WHO]
    again = f"-{number}" if number > 1 else ""
    folder, slash, last = original_of(file).removesuffix(".md").rpartition("/")
    stem = last.encode("utf-8", "surrogatepass")[:_LONGEST_STEM].decode("utf-8", "ignore")
    return f"{folder}{slash}{stem}{_MARK}{name or 'unknown'}-{at[:10]}{again}.md"


def is_conflict_copy(file: str) -> bool:
    """Tell whether a file keeps the other version of a memory."""
    return _MARK in file.rpartition("/")[2]


def original_of(file: str) -> str:
    """Return the file whose other version a copy keeps; of any other file, the file itself."""
    folder, slash, last = file.rpartition("/")
    return f"{folder}{slash}{last.partition(_MARK)[0]}.md" if _MARK in last else file


def rename_copy(text: str, file: str) -> str:
    """Return a memory under the name that goes with its file, so that both versions are found by name."""
    kind, _, rest = file.rpartition("/")[2].removesuffix(".md").partition("_")
    return with_value(text, "name", slug(rest or kind))
