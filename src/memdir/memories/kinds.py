"""The four kinds of memory, a closed set, and the kind that is proposed for a text that names none.

A host waits for this module: it imports late.
"""

import re
from enum import StrEnum
from functools import cache

__all__ = ["Kind", "kind_named", "propose_kind"]


class Kind(StrEnum):
    """What a memory is about; what fits none of these is not saved."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


def kind_named(text: str) -> Kind | None:
    """Return the kind with exactly this name, or None."""
    return _BY_NAME.get(text)


def propose_kind(sentence: str) -> Kind:
    """Return the kind whose signs weigh most in this text; a plain fact is about the project."""
    text = " ".join(sentence[:1_000].lower().replace("\u2019", "'").split())
    signs, foreign = _signs()
    scores = dict.fromkeys(Kind, 0) | {Kind.PROJECT: 1}
    for language in ("", "foreign ") if re.search(foreign, text) else ("",):
        for kind in Kind:
            weights = signs[f"{language}{kind}"]
            scores[kind] += sum(weight for weight, pattern in weights if re.search(pattern, text))
    return max(scores, key=scores.__getitem__)


@cache
def _signs() -> tuple[dict[str, list[tuple[int, str]]], str]:
    """Return the signs of each kind with their weights, and what a text in another language has."""
    from memdir.resources import fill, patterns_of, read_table  # reading a directory proposes nothing

    table = read_table(__file__, "kind_signs.txt")
    parts = patterns_of(table.pop("parts"))
    signs = {kind: [(int(row[0]), fill(row[2:], parts)) for row in rows] for kind, rows in table.items()}
    return signs, parts["foreign"]


_BY_NAME = {kind.value: kind for kind in Kind}
