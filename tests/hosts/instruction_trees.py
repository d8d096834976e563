"""Directory trees for two readers of one layout, drawn up by hand: each is about one thing to disagree on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["DRAWN", "Tree"]


@dataclass(frozen=True)
class Tree:
    """One tree below $R: `home` is the user's, the conversation begins in `cwd`."""

    name: str
    files: Mapping[str, str | Mapping[str, str]]
    """A text, or an object with what is no text in base64."""
    links: Mapping[str, str] = field(default_factory=dict)
    """From where a link stands to what it says; $R is the root there."""
    setup: Sequence[str] = ()
    """Shell lines that run in $R once files and links are made."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The user's own settings."""
    touched: Sequence[str] = ()
    """Files that the host reads afterwards, one by one."""
    cwd: str = "proj"
    added: Sequence[str] = ()
    """Directories that the caller adds."""


DRAWN = tuple(Tree(**one) for one in json.loads(Path(__file__).with_suffix(".json").read_text("ascii")))
