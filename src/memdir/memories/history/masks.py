"""Credentials in the texts of history: kept as masks, and put back where a present text still has them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from memdir.memories.change import Version, file_bytes
from memdir.text.secrets.search import find_secrets, mask_secrets
from memdir.text.value import replace

__all__ = ["is_whole", "mask_warnings", "with_secrets"]

_MASK = re.compile(r"\[secret: ([^\]\n]+)\]")


def is_whole(version: Version) -> bool:
    """Tell whether a text is that of the file, with nothing masked."""
    return not version.sha or hashlib.sha256(file_bytes(version.text)).hexdigest() == version.sha


def with_secrets(version: Version, present: Iterable[Version | None]) -> Version:
    """Return a version with its very bytes if one of the present texts still has what was masked."""
    if is_whole(version):
        return version
    for other in filter(None, present):
        for unmask in (_by_line, _in_order):
            guess = replace(version, text=unmask(version.text, other.text))
            if is_whole(guess):
                return guess
    return version


def mask_warnings(file: str, version: Version) -> list[str]:
    """Return a warning where a text comes back other than it was."""
    if is_whole(version):
        return []
    return [f"{file} held a credential, which history does not keep: [secret: ...] stands in its place."]


def _by_line(text: str, present: str) -> str:
    """Put the lines of a present text in place of those that are the same but for what is masked."""
    whole = {mask_secrets(line): line for line in present.split("\n")}
    return "\n".join(whole.get(line, line) if _MASK.search(line) else line for line in text.split("\n"))


def _in_order(text: str, present: str) -> str:
    """Put the credentials of a present text into the masks, rule by rule; some go over several lines."""
    places = [(mask.span(), mask[1]) for mask in _MASK.finditer(present)]  # saved as such, in a description
    places += [(found.span, found.rule) for found in find_secrets(present)]
    values: dict[str, list[str]] = {}
    for (start, end), rule in sorted(places, reverse=True):  # the last first: `pop` takes from the end
        values.setdefault(rule, []).append(present[start:end])
    return _MASK.sub(lambda mask: (values.get(mask[1]) or [mask[0]]).pop(), text)
