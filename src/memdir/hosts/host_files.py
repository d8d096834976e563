"""The files of hosts as texts: read, parsed, and written again in the form that they had."""

import json
import re
from typing import Any, Protocol

from memdir.errors import Rejected
from memdir.text.value import value_class

__all__ = ["Installer", "Rewrite", "format_json", "host_file", "parse_json", "refuse_other_encodings"]


@value_class(frozen=True, slots=True)
class Rewrite:
    """One file of a host as it is and as it would be; None stands for "not there"."""

    path: str
    before: str | None
    after: str | None

    @property
    def changes(self) -> bool:
        """Tell whether there is anything to do."""
        return self.before != self.after


class Installer(Protocol):
    """How one host is set up and left again; texts in, texts out."""

    @property
    def name(self) -> str:
        """Return what `memdir init` calls the host."""

    def add_entries(self, path: str, text: str | None) -> str:
        """Return the file with our entries in it; the same text when they are there already."""

    def remove_entries(self, path: str, text: str) -> str | None:
        """Return the file without our entries, all else as it is; None when nothing else is in it."""


def parse_json(path: str, text: str | None) -> dict[str, Any]:
    """Return the object in a JSON file of a host; one that is not there, or blank, is empty."""
    refuse_other_encodings(path, text or "")
    try:
        content = json.loads(text.removeprefix("\ufeff")) if text and text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{path} is not valid JSON ({error}). Mend it first; nothing was changed.") from error
    if not isinstance(content, dict):
        raise Rejected(f"{path} does not hold a JSON object. Mend it first; nothing was changed.")
    return content


def format_json(content: dict[str, Any], like: str | None) -> str:
    """Write an object with the indentation and the last line end that the file had."""
    inner = (like or "").strip().partition("\n")[2]
    indent = inner[: len(inner) - len(inner.lstrip(" \t"))] or "  "
    end = "" if like and like.strip() and not like.endswith("\n") else "\n"
    # Half of a surrogate pair can only have come from an escape, and stays one: it is no UTF-8.
    written = re.sub(
        "[\ud800-\udfff]",
        lambda half: f"\\u{ord(half[0]):04x}",
        json.dumps(content, indent=indent, ensure_ascii=False),
    )
    return written + end


def refuse_other_encodings(path: str, text: str) -> None:
    """Raise for a file that holds bytes which are no UTF-8: it could not be written again as it was meant."""
    odd = re.search("[\udc80-\udcff]", text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        raise Rejected(
            f"{path} is not UTF-8 (line {line}). Mend it first, for example with iconv; nothing was changed."
        )


_LARGEST = 64 << 20
"""Bytes of a host's own file; Claude Code keeps its projects in one that grows."""


def host_file(path: str) -> str | None:
    """Return the text of a host's file; None when it is not there."""
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
