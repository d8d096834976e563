"""Sentences that take back what was said just before, and what a refusal to keep is itself about."""

import re

from memdir.text.likeness import words

__all__ = ["is_taken_back", "is_unwanted", "refused_subject", "tells"]


def tells(bare: str) -> bool:
    """Whether a sentence says anything that could be taken back: "Sorry." does not."""
    return bool(words(_FILLING.sub(" ", bare)))


def is_taken_back(bare: str) -> bool:
    """Whether a sentence only takes back what was said just before: "forget that, I was joking"."""
    return _TAKEN_BACK.match(bare) is not None


def is_unwanted(bare: str) -> bool:
    """Whether a sentence says that this is not to be kept."""
    return _UNWANTED.search(bare) is not None


def refused_subject(bare: str) -> frozenset[str]:
    """Return the telling words of what a sentence does not want kept; none when it only points back."""
    before, after = _beside_refusal(bare)
    told, named = (words(_FILLING.sub(" ", part)) for part in (_CALLED.sub("", before), after))
    if told or len(named) > 1 or (named and _NAMES_IT.match(after)):
        return told | named
    return frozenset()


def _beside_refusal(bare: str) -> tuple[str, str]:
    """Return what stands before and after the words that say that something is not to be kept."""
    if not (match := _UNWANTED.search(bare)):
        return bare, ""
    # "My" belongs to what is named: "don't save my birthday".
    own = re.search(r"\b(?:my |me)\Z", match[0], re.IGNORECASE)
    return bare[: match.start()], (own[0] if own else "") + bare[match.end() :]


_UNWANTED = re.compile(
    r"\b(?:do ?n'?t|do not|no need to|needn'?t|not worth|never|without|you (?:shouldn'?t|don'?t have to))"
    r" (?:you )?(?:please |ever |bother |to |even )*"
    r"(?:remember(?:ing)?|memori[sz](?:e|ing)|sav(?:e|ing)|stor(?:e|ing)|record(?:ing)?|not(?:e|ing))"
    r" (?:this|that|it|any of (?:this|that|it)|anything|these|what i|my |me\b|down)"
    r"(?!\s+(?:file|function|class|variable|branch|button"
    r"|(?:in|into|to) (?:the |a )?(?:db|database|file|disk|table|repo|logs?|state|cache|session|cookie)))"
    r"|\b(?:do ?n'?t|not|needn'?t|no need)\b[^.]{0,25}\b(?:remember|memori[sz]e|save|store|note) (?:this"
    r"|that|it)\b"
    r"(?! (?:in|to|into|as|file)\b)|\b(?:do ?n'?t|do not|never) (?:memori[sz]e|remember|save"
    r"|note)\s*[:\u2013\u2014]"
    r"|\b(?:do ?n'?t|do not|never) (?:keep (?:this|that|it)\W*$|(?:write|put|note) (?:this|that|it"
    r"|any of this) "
    r"(?:down|anywhere|in(?:to)? (?:your )?(?:memory|notes)))|\bkeep (?:this|that|it) to yourself\b"
    r"|\bout of (?:your|the) (?:notes|memory|memories)\b|\b(?:off|not for) the record\b"
    r"|\bnothing to (?:note|remember|save|keep)\b|\bbetween (?:us|you and me)\b"
    r"|\b(?:keep|leave) (?:this|that|it) (?:out of|off) (?:your |the )?(?:memory|memories|notes|record)"
    r"|\b(?:not|nothing) (?:for|to go in(?:to)?) (?:your |the )?(?:memory|memories|notes)\b"
    r"|\bnot (?:something )?to (?:be )?remember(?:ed)?\b|\bforget i (?:said|mentioned|asked)"
    r"|不要记|别记|不用记|不必记|无需记|请勿记|merk dir das nicht|nicht merken|nicht speichern"
    r"|ne (?:retiens|note|mémorise|enregistre|garde) pas|no (?:lo |la )?(?:recuerdes|guardes|anotes|apuntes"
    r"|memorices)"
    r"|esto no lo guardes|não (?:guarde|anote|salve)\w* isso|覚えなくて(?:いい|も)|기억하지 (?:마|않)"
    r"|не (?:запоминай|записывай)",
    re.IGNORECASE,
)
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
    r"|bit|part|anywhere|stuff|information|info|private|confidential|secret|yourself|mind|though|either"
    r"|anyway|then"
    r"|for(?:get)?|hm+|well|point|ever|said|mentioned|wrote|typed|one|forever|down|later|never|save|above)\b",
    re.IGNORECASE,
)
_NAMES_IT = re.compile(r"\W*(?:[:\u2013\u2014]|about\b|regarding\b|but\b|my\b|me\b)", re.IGNORECASE)
_CALLED = re.compile(r"^\W*(?:hey |hi )?\w+,\s*(?:please )?\Z", re.IGNORECASE)
