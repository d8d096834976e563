"""Sentences that take back what was said, refuse to have it kept, or ask to forget a memory."""

import re
from collections.abc import Sequence

from memdir.memories.topic import Topic
from memdir.text.likeness import share_held, words

__all__ = [
    "forgotten",
    "is_taken_back",
    "is_unwanted",
    "refused_subject",
    "tells",
    "unwanted_subject",
]


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


ENOUGH = 0.5
"""Share of the words of a request that a memory must hold to be meant."""

ENOUGH_OF_MANY = 0.34
"""The same of a long request, which also says why."""


def unwanted_subject(bare: str) -> str | None:
    """Return what a sentence asks to forget, or None when it asks no such thing."""
    for pattern in _FORGET:
        if match := pattern.search(bare):
            subject = _first_clause(match["what"].strip())
            if re.match(r"(?:it|that|this|them|those)\b\W*(?:please|pls)?\W*\Z", subject, re.IGNORECASE):
                subject = _AGAIN.sub(" ", bare[: match.start()])
            return subject if words(_EMPTY.sub(" ", subject)) else None
    return None


def forgotten(subject: str, known: Sequence[Topic]) -> list[str]:
    """Return the names of the memories that are meant: the best match, or all when everything about it is."""
    asked = words(_EMPTY.sub(" ", subject))
    least = ENOUGH if len(asked) < 4 else ENOUGH_OF_MANY
    scored = [
        (
            share_held(asked, _said(topic)) + share_held(asked, words(_spaced(topic.header.name))) / 10,
            topic.header.name,
        )
        for topic in known
    ]
    meant = [(score, name) for score, name in scored if score >= least]
    if _ALL.search(subject):
        return [name for _, name in meant]
    best = max((score for score, _ in meant), default=0.0)
    return [name for score, name in meant if score == best][:1]


def _first_clause(text: str) -> str:
    """Return the part that names the subject: what follows a comma says why."""
    parts = [
        part
        for part in re.split(
            r"[,;.(\uff0c\u3002]|\s(?:because|since|as it|it was|it's|they're|we don'?t|which)\b", text
        )
        if words(_EMPTY.sub(" ", part))
    ]
    return parts[0] if parts else text


def _said(topic: Topic) -> frozenset[str]:
    return words(f"{_spaced(topic.header.name)} {topic.header.title} {topic.header.description} {topic.body}")


def _spaced(name: str) -> str:
    return name.replace("-", " ").replace("_", " ")


_MEMORY = (
    r"(?:memory|memories|notes?|(?:things?|stuff|entry|entries|facts?|rules?|preferences?"
    r"|bits?) (?:you (?:saved|stored|remembered|noted)|about|on|that)|what (?:i|you) (?:said|told|saved"
    r"|remember(?:ed)?|know|wrote|have)|everything (?:i said|you know|about))"
)
_FORGET = [
    re.compile(text, re.IGNORECASE)
    for text in (
        (
            r"(?<!n't )(?<!not )(?<!dont )(?<!never )(?<!\bi )(?<!\bwe )"
            r"(?<!want to )(?<!not to )(?<!easy to )(?<!\bcan't )(?<!always )"
            r"\b(?:forget|unlearn|disregard)\b(?: about| please)*[: ]+(?P<what>(?!to\b).+)"
        ),
        (
            r"\b(?:delete|remove|erase|drop|discard|scrap|clear|wipe|take|strike)\b (?P<what>.+?)"
            r"\s(?:from|out of|off) (?:your |the |my )?(?:long-term )?(?:memory|memories|notes)\b"
        ),
        (
            r"\b(?:delete|remove|erase|drop|discard|scrap|clear|wipe|get rid of|lose|throw (?:out|away)"
            r"|trash)\b (?P<what>(?:(?:the|that|your|my|all|any|those|this|every|saved"
            rf"|old)\s)*(?:[\w'-]+ ){{0,5}}?{_MEMORY}\b.*)"
        ),
        r"\bstop remembering\b (?P<what>.+)",
        (
            r"\b(?:vergiss|vergessen sie)\b(?!\s+(?:bitte )?(?:nicht|nie))(?:\s+bitte)?[, ]+(?:dass |das mit "
            r"|was ich (?:über|zu) )?(?P<what>.+)"
        ),
        r"\b(?:lösche?|entferne?|streiche?)\b (?P<what>.*\b(?:erinnerung|gedächtnis|notiz|gemerkt)\w*.*)",
        (
            r"(?<!n')(?<!n' )\b(?:oublie|oubliez)\b(?! pas)(?:\s+(?:ce que j'ai dit (?:sur|à propos de)|que"
            r"|l'histoire de))? (?P<what>.+)"
        ),
        r"\b(?:supprime|efface|retire|enlève)z?\b (?P<what>.*\b(?:mémoire|souvenir|note)s?\b.*)",
        (
            r"(?<!no )(?<!no te )\b(?:olvida|olvídate|olvide)\b"
            r"(?:\s+(?:lo que (?:te )?dije (?:sobre|de)|de|que|lo de))? (?P<what>.+)"
        ),
        r"\b(?:borra|elimina|quita)\b (?P<what>.*\b(?:memoria|recuerdo|nota)s?\b.*)",
        r"(?<![别要没会])(?:忘掉|忘了|忘记)(?:关于|我说的|我说过的|之前说的)?(?P<what>.{2,})",
        r"(?:删掉|删除|清除|去掉)(?:关于)?(?P<what>.{2,}?)的?(?:记忆|备忘|记录|笔记)",
    )
]
_EMPTY = re.compile(
    r"\b(?:what|which|i|you|we|me|my|your|said|told|mentioned|asked|saved|stored|remembered|remember"
    r"|noted|know|memory|memories|notes?|thing|things|stuff|entry|fact|facts|rule|rules|preference"
    r"|preferences|about|regarding|the|that|this|everything|anything|all|from|earlier|before|previously"
    r"|please|pls|had|have|bit|part|wanted|want|one|saying|says|ever|on|of|with|for|whole|earlier|last"
    r"|time|week|old|idea|plan|erinnerung|gesagt|habe|wollte|bitte|ich|dass|mémoire|souvenir|que|je"
    r"|voulais|memoria|recuerdo|quería|dije)\b"
    r"|[的了吧关于我说过]",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:no longer|applies|apply|anymore|is|not|true|was|wrong|please|so|can|could|you|and|just"
    r"|outdated|any|more|longer|holds?)\b",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:everything|all|anything|alles|tout|todo)\b|所有|全部", re.IGNORECASE)
