"""Passwords, keys and codes in the many forms in which people mention them."""

from __future__ import annotations

import re

from memdir.extract.heuristics.own_words import Sentence
from memdir.resources import alternatives_of, fill, read_table
from memdir.text.secrets.search import find_secrets

__all__ = ["CREDENTIAL", "gives_credential", "holds_credential", "without_credentials"]

CREDENTIAL = "it holds what looks like a credential"
"""Why something is left out that holds one."""


def holds_credential(text: str) -> bool:
    """Whether a text holds a password, a key or an address with one; people give them in many forms."""
    plain = _HARMLESS.sub(" ", text)
    return bool(
        _CREDENTIAL.search(plain)
        or (_SPELLED.search(plain) and _CODE.search(plain))
        or any(pattern.search(plain) for pattern in _GIVEN)
        or (_CREDENTIAL_WORD.search(plain) and _VALUE.search(plain))
        or find_secrets(text)
    )


def gives_credential(sentence: Sentence, reply_to: str = "") -> bool:
    """Whether a sentence holds a credential, alone or with the one beside it that names it."""
    if holds_credential(sentence.text):
        return True
    if _NAMED_LAST.search(sentence.text) and _is_password(sentence.after):
        return True
    before = sentence.before or reply_to[-_QUESTION:]
    return _NAMED_LAST.search(before) is not None and _is_password(sentence.text)


def without_credentials(text: str) -> str:
    """Return a text without the sentences that hold a credential; a line of nothing else goes whole."""
    lines = [_sentences_kept(line) for line in text.split("\n")]
    return "\n".join(line for line in lines if line is not None)


def _sentences_kept(line: str) -> str | None:
    mark = _BULLET.match(line)
    start = mark.end() if mark else 0
    parts = _pieces(line[start:])
    left = [part for part in parts if not holds_credential(part)]
    if len(left) == len(parts):
        return line
    return f"{line[:start]}{' '.join(left)}" if any(map(_WORD.search, left)) else None


def _pieces(line: str) -> list[str]:
    """Return a line in sentences; a long one in pieces, since a search takes the square of its length."""
    return [
        piece.strip()
        for sentence in _SENTENCE_END.split(line)
        for piece in ([sentence] if len(sentence) <= _LONGEST else _PIECE.findall(sentence))
    ]


def _is_password(answer: str) -> bool:
    """Whether a text is a password if one was asked for."""
    clause = re.split(r"[,;]\s", _IT_IS.sub("", answer), maxsplit=1)[0]
    return bool(clause) and holds_credential(f"password: {clause}")


_QUESTION = 200
"""Characters at the end of a reply among which a question is looked for."""
_IT_IS = re.compile(r"^(?:remember:?|it'?s|it is|its)\s+", re.IGNORECASE)


_LONGEST = 400
_PIECE = re.compile(rf".{{1,{_LONGEST}}}(?:\s+|\Z)|\S{{1,{_LONGEST}}}")
_WORD = re.compile(r"\w")
_BULLET = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


_TABLE = read_table(__file__, "credentials.txt")
_P = alternatives_of(_TABLE)
_HARMLESS = re.compile(_P["harmless"], re.IGNORECASE)
_CREDENTIAL_WORD = re.compile(_P["credential word"], re.IGNORECASE)
_VALUE = re.compile(r"(?<!\S)[\"'`(]?(?=\S*\d)(?=\S*[A-Za-z!#$%^&*_+=-])\S{5,}|\b\d{4,}\b|\S+=\S{8,}")
_CREDENTIAL = re.compile(_P["credential"], re.IGNORECASE)
_GIVEN = tuple(re.compile(fill(row, _P), re.IGNORECASE) for row in _TABLE["given"])
_SPELLED = re.compile(rf"\b(?:(?:{_P['spelled']})\b[\s,-]*){{3,}}", re.IGNORECASE)
_CODE = re.compile(_P["code"], re.IGNORECASE)
_NAMED_LAST = re.compile(_P["named last"], re.IGNORECASE)
