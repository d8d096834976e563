"""A memory as the few short texts that are encoded: its name and description, and its body piece by piece."""

import re

__all__ = ["passages"]

_WORDS = 110
"""Of a piece of body: about sixty word pieces, the length at which one vector still says what is meant."""

_MOST = 8
"""Passages of one memory: a body that is longer than this is found by its words."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-_]+")


def passages(name: str, description: str, body: str = "") -> list[str]:
    """Return what to encode, at least one text; each piece of the body begins with the name."""
    spoken = _JOINT.sub(" ", name).strip()
    head = ": ".join(part for part in (spoken, description.strip()) if part)
    pieces = _pieces(body)
    if pieces and _size(head) + _size(pieces[0]) <= _WORDS + _WORDS // 3:
        head = _led(head, pieces.pop(0), "" if description.strip() else ":")
    return [head, *(_led(spoken, piece, ":") for piece in pieces)][:_MOST]


def _led(head: str, text: str, mark: str) -> str:
    return f"{head}{mark} {text}" if head else text


def _size(text: str) -> int:
    return text.count(" ") + 1


def _pieces(body: str) -> list[str]:
    """Return the body in pieces that end where a sentence or a line does."""
    pieces: list[list[str]] = []
    room = 0
    for sentence in filter(None, map(str.strip, _SENTENCE_END.split(body))):
        if not pieces or _size(sentence) > room:
            pieces.append([])
            room = _WORDS
        pieces[-1].append(sentence)
        room -= _size(sentence)
    return [" ".join(piece) for piece in pieces]
