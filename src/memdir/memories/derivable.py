"""Detect a text that only repeats what the project shows: its code, its history, the current task."""

import re

from memdir.text.tables import patterns_of, read_table

__all__ = ["derivable"]

MOST = 0.6
"""Share of lines that makes a text a list of one thing, though it has a heading or a closing sentence."""
MAX_STATEMENT = 400
"""Characters of a plain statement: a longer text holds something besides."""


def derivable(body: str) -> str | None:
    """Return what of the project's state a text repeats, in words; None when it also argues or warns."""
    if re.search(_PATTERNS["reason"], body.lower()):
        return None
    lines = [line for line in body.splitlines() if line.strip()]
    return _listed(body, lines) or _told(body) or _stated(body) or _defined(body, lines)


def _listed(body: str, lines: list[str]) -> str | None:
    """Return what a list of one kind of thing repeats."""
    if len(re.findall(_PATTERNS["tree"], body)) > 1 or _share(_PATTERNS["listed-path"], lines) > MOST:
        return _LAYOUT
    if _share(_PATTERNS["commit-line"], lines) > MOST:
        return _HISTORY
    return _RUNNING if _share(_PATTERNS["checkbox"], lines) > MOST else None


def _told(body: str) -> str | None:
    """Return what a text repeats in which such a thing is told anywhere."""
    if re.search(_PATTERNS["commit-told"], body):
        return _HISTORY
    if re.search(_PATTERNS["fixed-by"], body):
        return _FIX
    return _RUNNING if re.search(_PATTERNS["task"], body) else None


def _stated(body: str) -> str | None:
    """Return what a short text repeats if each of its sentences states nothing else."""
    body = body.strip()
    if len(body) > MAX_STATEMENT or re.search(_PATTERNS["more"], body.lower()):
        return None
    sentences = [part for part in re.split(_PATTERNS["sentence-end"], body) if part.strip()]
    found = [_statement(sentence.strip(" \t\n*-#")) for sentence in sentences]
    return found[0] if found and all(found) else None


def _statement(sentence: str) -> str | None:
    return next(
        (what for what, pattern in _STATEMENTS.items() if re.search(pattern, sentence, re.IGNORECASE)), None
    )


def _defined(body: str, lines: list[str]) -> str | None:
    return _STRUCTURE if len(lines) < 4 and re.search(_PATTERNS["defined-in"], body) else None


_LAYOUT = "the layout of files"
_STRUCTURE = "the structure of the code"
_HISTORY = "git history"
_FIX = "a fix that is already in the code"
_RUNNING = "the state of a running task"

_TABLE = read_table(__file__, "derivable.txt")
_PATTERNS = patterns_of(_TABLE["parts"], _TABLE["statements"])
_STATEMENTS = {
    _RUNNING: _PATTERNS["running"],
    _HISTORY: _PATTERNS["history"],
    _FIX: _PATTERNS["fix"],
    _LAYOUT: _PATTERNS["layout"],
    _STRUCTURE: _PATTERNS["structure"],
}


def _share(pattern: str, lines: list[str]) -> float:
    """Return how much of a text of three lines or more is of one form."""
    return sum(1 for line in lines if re.match(pattern, line)) / len(lines) if len(lines) >= 3 else 0
