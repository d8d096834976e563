"""Splits a message into the sentences that its writer typed, without code, quotes and tags; tells English."""

from __future__ import annotations

import re

from memdir.resources import alternatives_of, read_table
from memdir.text.value import value_class

__all__ = ["Sentence", "is_english", "own_words", "sentences"]

_TABLE = read_table(__file__, "own_words.txt")
_P = alternatives_of(_TABLE)

MAX_MESSAGE = 20_000
"""Characters of a message that are looked at: what is longer was pasted."""
MAX_SENTENCE = 600
"""Characters of a sentence: a longer one is a list or a dump, and no rule here reads it rightly."""
WRAPPED = 60
"""A line of this length without an end may go on in the next: it was wrapped, not ended."""


@value_class(frozen=True, slots=True)
class Sentence:
    """One sentence of a person, with its neighbours."""

    text: str
    bare: str
    """The same with quotations masked: those are somebody else's words."""
    before: str = ""
    after: str = ""
    matter: str = ""
    """The text without the words that ask to keep it."""
    asked: bool = False
    """Whether the person asks to keep it."""
    firm: bool = False
    """Whether they clearly do: "remember that", but not "remember the caption" in an order."""


def sentences(text: str) -> list[Sentence]:
    """Return the sentences that the writer of a message typed, in order."""
    parts = list[str]()
    for line in _lines(own_words(text)):
        start = 0
        for end in _END.finditer(_mask_quotes(line)):
            parts.append(line[start : end.end()])
            start = end.end()
        parts.append(line[start:])
    short = [part for part in parts if len(part) <= MAX_SENTENCE and re.search(r"\w", part)]
    tidy = [_BULLET.sub("", part).strip(" \t;") for part in short]
    around = ["", *tidy, ""]
    return [Sentence(part, _mask_quotes(part), around[at], around[at + 2]) for at, part in enumerate(tidy)]


def own_words(text: str) -> str:
    """Return what of a message is prose of its writer."""
    text = text[:MAX_MESSAGE].replace("\u2019", "'").replace("\r\n", "\n")
    for pattern in (_TAGGED, _FENCED, _INTRODUCED, _MACHINE_LINE):
        text = pattern.sub("\n\n", text)
    return text


_TAGGED = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>.*?</\1\s*>", re.DOTALL)
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# "Here is what it printed:" and all that follows; the person's own next paragraph starts after a blank line.
_INTRODUCED = re.compile(
    rf"^[^\n]*\b(?:{_P['pasted']})\b[^\n.!?]*:[ \t]*\n(?:(?!\n[ \t]*\n).)+",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_MACHINE_LINE = re.compile(rf"^(?:[ \t]*(?:{_P['of a machine']})|{_P['by its start']})$", re.MULTILINE)
_QUOTED = re.compile(_P["quoted"])


def _mask_quotes(text: str) -> str:
    return _QUOTED.sub(lambda match: match[0][0] + "\u00b7" * (len(match[0]) - 2) + match[0][-1], text)


_BULLET = re.compile(r"^[ \t]*(?:[-*+\u2022][ \t]+|\d{1,2}[.)][ \t]+|#{1,6}[ \t]+)+", re.MULTILINE)
_LIST_START = re.compile(r"[ \t]*(?:[-*+\u2022]|\d{1,2}[.)]|#{1,6})[ \t]")
_END = re.compile(_P["end"])


def _lines(text: str) -> list[str]:
    """Return the lines of a text, those of a paragraph that were only wrapped put together again."""
    found: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", text):
        lines: list[str] = []
        for line in paragraph.split("\n"):
            goes_on = lines and len(lines[-1]) >= WRAPPED and not re.search(r"[.!?:\u3002]\s*\Z", lines[-1])
            if goes_on and not _LIST_START.match(line):
                lines[-1] = f"{lines[-1].rstrip()} {line.strip()}"
            else:
                lines.append(line)
        found += lines
    return found


OTHER_LETTERS = 0.2
"""Share of letters of other scripts from which a text is not English."""


def is_english(text: str) -> bool:
    """Tell whether a text reads as English; one whose words give no sign does, if its letters are plain."""
    letters = [letter for letter in text if letter.isalpha()]
    if sum(letter > "\u024f" for letter in letters) > OTHER_LETTERS * len(letters):
        return False
    said = re.findall(r"[^\W\d_]+", text.casefold())
    english, foreign = (sum(word in known for word in said) for known in (_ENGLISH, _FOREIGN))
    accented = any(letter > "\x7f" for word in said for letter in word)
    return english >= foreign and (english > 0 or not accented)


_ENGLISH, _FOREIGN = (frozenset(" ".join(_TABLE[name]).split()) for name in ("english", "foreign"))
