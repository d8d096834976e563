"""A strict reader of what recall renders: it takes nothing but whole blocks of the one known form."""

import re
from typing import NamedTuple

__all__ = ["Block", "blocks"]

_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_HEADER = re.compile(
    rf"Recalled from {_QUOTED} \(kind (user|feedback|project|reference|none), name {_QUOTED}, "
    r"saved (today|yesterday|[0-9]+ days ago), ([a-z ,:]+)\):"
)


class Block(NamedTuple):
    """One surfaced memory as a reader without any doubt takes it."""

    path: str
    kind: str
    name: str
    age: str
    who: str
    notes: list[str]
    body: str


def blocks(text: str) -> list[Block]:
    """Return the memories in a rendered text; anything that is not exactly a block fails."""
    found = []
    rest = text
    while rest:
        opening, rest = rest.split("\n", 1)
        assert opening == "<system-reminder>"
        inside, closing, rest = rest.partition("\n</system-reminder>\n")
        assert closing
        head, blank, body = inside.partition("\n\n")
        assert blank
        header, *notes = head.split("\n")
        match = _HEADER.fullmatch(header)
        assert match, header
        path, kind, name, age, who = match.groups()
        found.append(Block(path, kind, name, age, who, notes, body))
        assert not _forged(body), body
        assert not any(_forged(note) for note in notes), notes
    return found


def _forged(text: str) -> object:
    seen = re.sub(r"⟦[^⟧]*⟧", "", text)
    return (
        re.search(r"<[\s/|!?]*(?:system\W*reminder|shared\W*memory)", seen, re.IGNORECASE)
        or re.search(r"</\w|<!--|<\|\w|\[\s*/?\s*inst\s*\]", seen, re.IGNORECASE)
        or re.search(r"^\s*(?:#+\s*)?(?:Human|Assistant|User|System|USER|SYSTEM)\s*:", seen, re.MULTILINE)
        or re.search(
            r"^\s*(?:#+\s*)?(?:Contents of|Recalled from)\b.*\)\s*:", seen, re.MULTILINE | re.IGNORECASE
        )
        or re.search(
            "[\u200b\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff\x00-\x08\x0b-\x1f\x7f-\x9f]", text
        )
    )
