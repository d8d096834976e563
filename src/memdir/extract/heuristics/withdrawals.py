"""Sentences that take back what was said just before, and what a refusal to keep is itself about."""

import re

from memdir.extract.heuristics.manner import beside_refusal
from memdir.text.likeness import words

__all__ = ["is_taken_back", "refused_subject", "tells"]


def tells(bare: str) -> bool:
    """Whether a sentence says anything that could be taken back: "Sorry." does not."""
    return bool(words(_FILLING.sub(" ", bare)))


def is_taken_back(bare: str) -> bool:
    """Whether a sentence only takes back what was said just before: "forget that, I was joking"."""
    return _TAKEN_BACK.match(bare) is not None


def refused_subject(bare: str) -> frozenset[str]:
    """Return the telling words of what a sentence does not want kept; none when it only points back."""
    before, after = beside_refusal(bare)
    told, named = (words(_FILLING.sub(" ", part)) for part in (_CALLED.sub("", before), after))
    if told or len(named) > 1 or (named and _NAMES_IT.match(after)):
        return told | named
    return frozenset()


_OPENING = (
    r"(?:(?:actually|oh|ok(?:ay)?|sorry|no|wait|hm+|ah|please|pls|just|and|well|you know what|but|so)\b"
    r"[\s,.!-]*)*"
)
_JEST = (
    r"(?:i was|i'm|im|it was|that was|was)? ?(?:just|only)? ?(?:joking|kidding|a joke|teasing|wrong|mistaken"
    r"|not (?:being )?serious|nonsense)"
)
_TAKEN_BACK = re.compile(
    rf"{_OPENING}(?:never ?mind|nvm|(?:forget|disregard|ignore|scratch|strike) (?:about )?(?:it|that|this"
    r"|that last (?:one|bit|message|thing)|(?:what|that) i (?:just )?(?:said|wrote))"
    rf"|(?:i was|i'm|just) (?:just |only )?(?:joking|kidding)|jk)\b"
    rf"(?:[\s,.;:!(\u2013\u2014-]+(?:{_JEST}|please|pls|thanks|thank you|then|anyway|again|sorry|lol|haha+"
    r"|now|for now|about that))*\W*\Z",
    re.IGNORECASE,
)
# Words that stand beside a refusal and name nothing that could be kept.
_FILLING = re.compile(
    r"\b(?:thanks?|thank you|thx|lol|haha+|sorry|yet|jok\w+|kidding|teasing|serious|last|thing|things|message"
    r"|bit|part|anywhere|stuff|information|info|private|confidential|secret|yourself|mind|though|either|anyway|then"
    r"|for(?:get)?|hm+|well|point|ever|said|mentioned|wrote|typed|one|forever|down|later|never|save|above)\b",
    re.IGNORECASE,
)
_NAMES_IT = re.compile(r"\W*(?:[:\u2013\u2014]|about\b|regarding\b|but\b|my\b|me\b)", re.IGNORECASE)
_CALLED = re.compile(r"^\W*(?:hey |hi )?\w+,\s*(?:please )?\Z", re.IGNORECASE)
