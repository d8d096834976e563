"""How much of one text another holds, by the words that carry meaning."""

import re
import unicodedata
from functools import lru_cache

__all__ = ["likeness", "share_held", "words"]


@lru_cache(maxsize=4_096)
def words(text: str) -> frozenset[str]:
    """Return the telling words of a text as stems; of scripts without spaces, pairs of characters."""
    text = unicodedata.normalize("NFKC", text).casefold()
    found = {run[at : at + 2] for run in _UNSPACED.findall(text) for at in range(max(1, len(run) - 1))}
    spaced = _WORD.findall(_UNSPACED.sub(" ", text))
    return frozenset(found | {_stem(one.removesuffix("'s")) for one in spaced if not _SMALL.fullmatch(one)})


def share_held(part: frozenset[str], whole: frozenset[str]) -> float:
    """Return which share of the first words the second ones hold."""
    return len(part & whole) / len(part) if part else 0.0


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that two texts have in common, from 0 to 1."""
    return len(one & other) / len(one | other) if one and other else 0.0


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WORD = re.compile(r"#?[^\W_]+(?:['.-][^\W_]+)*")
_ENDING = re.compile(r"(?:ings?|edly|ed|ies|es|s|ly|er|en|e|y)\Z")
_SMALL = re.compile(
    r"every|each|time|whenever|a|an|the|and|or|but|so|of|to|in|on|at|by|for|from|with|as|is|am|are|was|were"
    r"|be|been|being|it|its|this|that|these|those|i|im|ive|you|your|we|our|us|they|them|he|she|his|her|my|me"
    r"|do|does|did|not|no|have|has|had|will|would|should|can|could|please|there|here|just|very|really|then"
    r"|than|when|if|also|about|into|over|all|any|each|what|which|who|how|why|always|never|now|use|user|users"
    r"|keep|memory|remember|want|like|need|dont|don't|i'm|it's|that's|we're|they're|i've|let|lets|more|most"
    r"|some|only|own|same|too|up|out|again|once|because|since|bc|cuz|said|told|say|right|already|know|good"
    r"|oh|wait|actually|hey|btw|fyi|yes|yeah|ok|okay|still|going|longer|anymore|instead|today|tomorrow|next"
    r"|week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday|until|before|after|der|die|das"
    r"|und|oder|ein|eine|ist|sind|wir|ich|nicht|bitte|dass|le|la|les|des|un|une|et|est|sont|nous|je|ne|pas"
    r"|que|el|los|las|y|es|son|de|en|por|para|con|se|del|al|au|aux|du"
)


def _stem(word: str) -> str:
    if len(word) < 5 or any(character.isdigit() for character in word):
        return word
    stem = _ENDING.sub("", word)
    stem = stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem
    return stem if len(stem) >= 3 else word
