"""The terms of a text: folded, split as code is named, stemmed, without the words that say nothing.

A name in code counts as a whole and in its parts, whatever its style: `maxTokens`, `max_tokens` and
`max-tokens` all give max, token and maxtokens. Scripts that write without spaces give each character and each
pair of neighbours.

A short text in ASCII, as most prompts are, is taken apart by hand: loading `re` takes longer than ranking.
"""

from memdir.recall.forms import EVERYDAY, STOP_WORDS
from memdir.recall.stem import stem

__all__ = ["everyday_terms", "terms"]

_MOST_KNOWN = 1 << 15
"""Words remembered with their terms: a store uses a few thousand, and a long process must not grow."""

_LONGEST = 64
"""Characters of a word: beyond that it is data, not a name that anyone asks for."""

_SHORT = 500
"""Characters that are taken apart by hand: beyond that the pattern is faster, loaded or not."""

_RUN = r"[A-Za-z](?:\+\+|#)|[^\W_]+(?:(?:['\u2019._-]|(?<=[0-9]),(?=[0-9]{3}))[^\W_]+)*"
_JOINTS = "'._-"
_OTHER = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in "'._-,+#"}

_PART = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W0-9_A-Za-z]+"
_ACCENTS = "[\u0300-\u036f]+"
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)

_known: dict[str, tuple[str, ...]] = {}
_everyday: set[str] = set()


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order, repetitions included."""
    found: list[str] = []
    if not text.isascii():
        found, text = _unspaced(_folded(text))
    known = _known
    for run in _runs(text):
        of_run = known.get(run)
        found += _learned(run) if of_run is None else of_run
    return found


def everyday_terms() -> set[str]:
    """Return the terms that count less: those of words that stand in any conversation."""
    if not _everyday:
        _everyday.update(map(stem, EVERYDAY))
    return _everyday


def _runs(text: str) -> list[str]:
    """Return the words and names of a text, each with the signs that join its parts."""
    if len(text) <= _SHORT and text.isascii():
        found: list[str] = []
        for piece in text.translate(_OTHER).split():
            found += [piece] if piece.isalnum() else _runs_of(piece)
        return found
    import re

    return re.findall(_RUN, text)


def _runs_of(piece: str) -> list[str]:
    """Do what the pattern does, for ASCII between two spaces."""
    found: list[str] = []
    at = 0
    while at < len(piece):
        start = at
        if piece[at].isalpha() and piece.startswith(("++", "#"), at + 1):
            at += 2 if piece[at + 1] == "#" else 3
        else:
            at = _end(piece, at)
            while at > start and _joins(piece, at):
                at = _end(piece, at + 1)
        found += [piece[start:at]] if at > start else []
        at = max(at, start + 1)
    return found


def _joins(piece: str, at: int) -> bool:
    sign, after = piece[at : at + 1], piece[at + 1 : at + 4]
    if sign == ",":
        return piece[at - 1].isdigit() and len(after) == 3 and after.isdigit()
    return sign != "" and sign in _JOINTS and after[:1].isalnum()


def _end(piece: str, at: int) -> int:
    """Return where the letters and digits end that begin here."""
    while at < len(piece) and piece[at].isalnum():
        at += 1
    return at


def _folded(text: str) -> str:
    """Level what only looks different: wide letters, ligatures, accents; scripts keep their own marks."""
    import re
    from unicodedata import normalize

    return normalize("NFC", re.sub(_ACCENTS, "", normalize("NFKD", text)))


def _unspaced(text: str) -> tuple[list[str], str]:
    """Return the terms of scripts without spaces, and the text without them."""
    import re
    from itertools import pairwise

    found: list[str] = []
    for run in re.findall(_UNSPACED, text):
        found += run
        found += map("".join, pairwise(run))
    return found, re.sub(_UNSPACED, " ", text)


def _learned(run: str) -> tuple[str, ...]:
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[run] = found = tuple(_terms_of(run[:_LONGEST]))
    return found


def _terms_of(run: str) -> list[str]:
    if run.isalpha() and (run.islower() or run.istitle()):
        return _stems([run])
    steps = run.split(".")
    if len(steps) > 1 and all(map(str.isdecimal, steps)):
        return [".".join(steps[:count]) for count in range(2, len(steps) + 1)]
    if run[-1] in "+#":
        return [run.lower()]
    run = run.replace("\u2019", "'").replace(",", "")
    run = run[:-2] if run.endswith(("'s", "'S")) else run
    parts = _parts(run)
    whole = "".join(parts)
    if "'" in run or len(parts) < 2:
        return _stems([whole or run])
    return _stems([*(part for part in parts if len(part) > 1), whole])


def _parts(run: str) -> list[str]:
    """Return what a name consists of: words by their capitals, numbers, letters of other scripts."""
    if not run.isascii():
        import re

        return re.findall(_PART, run)
    found: list[str] = []
    last = ""
    for letter in run:
        kind = "a" if letter.islower() else "A" if letter.isupper() else "0" if letter.isdigit() else ""
        if kind == "a" and last == "A":
            capitals = found.pop()  # the last of them begins a word
            found += [capitals[:-1], capitals[-1] + letter] if len(capitals) > 1 else [capitals + letter]
        elif kind and kind == last:
            found[-1] += letter
        elif kind:
            found.append(letter)
        last = kind
    return found


def _stems(words: list[str]) -> list[str]:
    lower = (word.casefold() for word in words)
    return [stem(word) for word in lower if word not in STOP_WORDS]
