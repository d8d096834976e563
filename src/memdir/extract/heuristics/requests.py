"""What a sentence asks of memory: to keep something, in nine languages, to leave it out, or to forget it."""

import re
from collections.abc import Sequence

from memdir.extract.heuristics.own_words import sentences
from memdir.memories.topic import Topic
from memdir.text.likeness import share_held, words
from memdir.text.value import value_class

__all__ = [
    "POINTS_BACK",
    "SPACED",
    "TAKEN_BACK",
    "UNWANTED",
    "Request",
    "accepts",
    "answered_sentence",
    "forgotten",
    "full_text",
    "matter_of",
    "refused_subject",
    "request_in",
    "tells",
    "unwanted_subject",
]


@value_class(frozen=True, slots=True)
class Request:
    """What a sentence asks to keep."""

    text: str
    """The sentence, without the words that ask where they open it."""
    firm: bool
    """Whether it can mean nothing else: "remember that", but not "remember the caption" in an order."""


def request_in(text: str, bare: str) -> Request | None:
    """Return what the sentence asks to keep, or None.

    Quotation marks are blotted out in `bare`: what stands in them is asked by nobody.
    """
    match = _ASKS.search(bare)
    if match is None:
        return None
    before, after = bare[: match.start()], bare[match.end() :]
    is_question = bare.rstrip(" \"'").endswith(("?", "\uff1f"))
    if (is_question or _OTHERS.search(before)) and not _POLITE.search(before):
        return None
    rest = _LEAD.sub("", text[match.end() :]).strip(_EDGES)
    is_standing = match["standing"] is not None
    stands_alone = not is_standing and _SUBORDINATE.match(after) is None
    opens = stands_alone and _OPENING.fullmatch(before) is not None
    kept = rest if opens and len(re.findall(r"\w", rest)) > _TOO_SHORT else text.strip(_EDGES)
    goes_on = _GO_ON.match(bare[match.start() :]) is not None
    firm = _FILLER.fullmatch(before) if is_standing else _CLAUSE.match(after) or _CLAUSE_SAID.search(match[0])
    return Request(kept.rstrip("?\uff1f "), firm is not None and not goes_on)


def matter_of(text: str) -> str | None:
    """Return what a text asks to keep, whoever says it; None if it asks nothing, "" after "from now on"."""
    match = _ASKS.search(text)
    if match is None:
        return None
    return "" if match["standing"] else _LEAD.sub("", text[match.end() :]).rstrip("? ")


_TOO_SHORT = 3
"""Letters: fewer behind the words that ask are no matter."""
_STANDING = (
    r"\bfrom (?:now|here|today|this point) on(?:wards?)?\b|\bgoing forwards?\b|\bhenceforth\b"
    r"|\bab (?:jetzt|sofort)\b|\bvon (?:nun|jetzt) an\b|\bkünftig\b|\bin zukunft\b"
    r"|\bà partir de maintenant\b|\bdésormais\b|\bdorénavant\b|\bà l'avenir\b"
    r"|\b(?:de ahora|de aquí) en adelante\b|\ba partir de (?:ahora|hoy|agora|hoje)\b|\bdaqui (?:pra"
    r"|para a) frente\b"
    r"|从现在(?:开始|起)|(?:^|[,;\uff0c\uff1b。])(?:以后|今后)(?!再说|吧)|今後(?:は|も)?|これから(?:は|も)"
    r"|앞으로(?:는)?"
    r"|\b(?:впредь|отныне)\b"
)
# "In future too": the person is content with something that was done, which the sentence may not name.
_GO_ON = re.compile(r"(?:今後|これから)も|앞으로도?\s*(?:쭉|계속|이렇게|그렇게)")
_ENGLISH = (
    r"\b(?:rem\w{0,2}m?e?mb\w{0,2}r|rember|remeber|memori[sz]e)\b"
    r"(?!\s+(?:when|how|the (?:time|day)|what|where|why|who|if|whether|me\b|to\b|it\b))"
    r"|\b(?:keep|bear) (?:this |it )?in mind\b(?! to\b)|\b(?:make|take) a (?:mental )?note\b|\bnote to self\b"
    r"|\bnote for (?:later|next time|the future|you)\b|\b(?:jot|write) (?:this|that|it) down\b"
    r"|\bfor (?:future|your) reference\b|\b(?:do ?n'?t|do not|never) (?:ever )?forget that\b"
    r"|\b(?:save|store|add|put|commit) (?:this |that |it )?(?:to|in|into) (?:your |the )?(?:memory|notes)\b"
)
_OTHER_LANGUAGES = (
    r"\b(?:merke? (?:dir|es dir)|bitte merken|zum merken|notiere? dir|vergiss (?:bitte )?nicht, dass)\b"
    r"|\b(?:souviens-toi|rappelle-toi|retiens|à retenir|n'oublie pas qu[e']|garde (?:bien )?en (?:tête"
    r"|mémoire))"
    r"|\b(?:recuerda que|acuérdate de que|ten en cuenta|apunta|anota(?: aí)?|para que (?:lo )?sepas)\b"
    r"|\b(?:lembra(?:-te)?(?: de)? que|lembre-se (?:de )?que|não (?:te )?esqueç?as? que)\b"
    r"|(?<![不没还我用])(?:记住|牢记|记一下|记下来|备忘)|覚えて(?:おいて)?(?:ください|ね)|メモして|기억해"
    r"|메모해"
    r"|\b(?:запомни|запиши)\b"
)
_ASKS = re.compile(rf"(?P<standing>{_STANDING})|{_ENGLISH}|{_OTHER_LANGUAGES}", re.IGNORECASE)
# Who remembers here is not the reader: "the app should remember", "I never remember".
_OTHERS = re.compile(
    r"\b(?:i|we|they|he|she|it|who|users?|app|system|server|browser|can'?t|cannot|not|don'?t|doesn'?t|didn'?t"
    r"|won'?t|hardly|should|would|will|must|could|might|(?:do|did|if|as) you|nobody|to)\s+"
    r"(?:also |always |never |even |please )*\Z",
    re.IGNORECASE,
)
_POLITE = re.compile(r"\b(?:can|could|will|would) (?:you|u) (?:please |also |just )*\Z", re.IGNORECASE)
_OPENING = re.compile(r"(?:[\w'-]+[\s,:;.!\u2013\u2014-]+){0,5}|\W*")
_FILLER = re.compile(r"\W*(?:(?:please|pls|and|also|so|ok|bitte|und|por favor|请)\b\W*)*", re.IGNORECASE)
# A whole clause follows: something is told, and nothing to be done.
_CLAUSE = re.compile(
    r"\s*(?:that\b|this:|[:,\uff0c\uff1a、\u2013\u2014]|(?:bitte|bien|por favor),? |que\b|qu'|dass\b)"
)
# A German clause after this word has its verb at the end and cannot stand alone.
_SUBORDINATE = re.compile(r"\W*(?:bitte\W*)?dass\b", re.IGNORECASE)
_CLAUSE_SAID = re.compile(r"\b(?:that|que|dass)\Z|qu'\Z|[^\x00-\u024f]\Z", re.IGNORECASE)
_LEAD = re.compile(
    r"^[\s,:;.!\u2013\u2014\uff1a\uff0c、-]*(?:(?:that|this|also|please|pls|too|bitte|bien|que|dir|一下"
    r"|for (?:me|later|next time|the future))\b[\s,:]*|qu')*",
    re.IGNORECASE,
)
_EDGES = " ,;:-\u2013\u2014\"'"
POINTS_BACK = re.compile(
    r"(?:(?:ok|yes|right|exactly|great|good|please|pls|and|so|can you|could you)\b[\s,!.]*)*"
    r"(?:(?:remember|save|note|memori[sz]e) (?:this|that|it)(?: down)?|(?:keep|bear) (?:this|that"
    r"|it) in mind)"
    r"(?: please| pls| for (?:later|next time|me|the future|future \w+))*[\s.!?]*",
    re.IGNORECASE,
)
"""A sentence that only asks to keep what was said before it: "Please remember that."."""


def accepts(bare: str, offer: str) -> bool:
    """Whether a sentence says yes to a question whether something should be kept."""
    return offer.endswith("?") and matter_of(offer) is not None and _YES.fullmatch(bare) is not None


def answered_sentence(reply_to: str) -> str:
    """Return what a short answer is about: the question, or the first thing not about the assistant."""
    told = [one.text for one in sentences(reply_to)]
    asked = [one for one in told if one.endswith("?")]
    others = [one for one in told if not _OF_ITSELF.match(one)]
    return next(iter([*asked[-1:], *others, *told]), "")


_YES = re.compile(
    r"(?:yes|yeah|yep|sure|ok(?:ay)?|ja|oui|sí|sim|да)\b(?:\W*(?:please|pls|do|do that|exactly|bitte"
    r"|thanks))*\W*"
    r"|(?:please do|是的?|好的?|はい|네)\W*",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(r"(?:i|i'm|i've|i'll|i'd|my)\b", re.IGNORECASE)


def tells(bare: str) -> bool:
    """Whether a sentence says anything that could be taken back: "Sorry." does not."""
    return bool(words(_FILLING.sub(" ", bare)))


def refused_subject(bare: str) -> frozenset[str]:
    """Return the telling words of what a sentence does not want kept; none when it only points back."""
    match = UNWANTED.search(bare)
    before, after = (bare[: match.start()], bare[match.end() :]) if match else (bare, "")
    # "My" belongs to what is named: "don't save my birthday".
    if match and (own := re.search(r"\b(?:my |me)\Z", match[0], re.IGNORECASE)):
        after = own[0] + after
    told, named = (words(_FILLING.sub(" ", part)) for part in (_CALLED.sub("", before), after))
    if told or len(named) > 1 or (named and _NAMES_IT.match(after)):
        return told | named
    return frozenset()


UNWANTED = re.compile(
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
_TURNING = (
    r"(?:(?:actually|oh|ok(?:ay)?|sorry|no|wait|hm+|ah|please|pls|just|and|well|you know what|but|so)\b"
    r"[\s,.!-]*)*"
)
_JEST = (
    r"(?:i was|i'm|im|it was|that was|was)? ?(?:just|only)? ?(?:joking|kidding|a joke|teasing|wrong|mistaken"
    r"|not (?:being )?serious|nonsense)"
)
TAKEN_BACK = re.compile(
    rf"{_TURNING}(?:never ?mind|nvm|(?:forget|disregard|ignore|scratch|strike) (?:about )?(?:it|that|this"
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
            # The first clause names the subject: what follows a comma says why.
            named = match["what"].strip()
            parts = [part for part in _CLAUSE_END.split(named) if words(_EMPTY.sub(" ", part))]
            subject = parts[0] if parts else named
            if re.match(r"(?:it|that|this|them|those)\b\W*(?:please|pls)?\W*\Z", subject, re.IGNORECASE):
                subject = _AGAIN.sub(" ", bare[: match.start()])
            return subject if words(_EMPTY.sub(" ", subject)) else None
    return None


def forgotten(subject: str, known: Sequence[Topic]) -> list[str]:
    """Return the names of the memories that are meant: the best match, or all when everything about it is."""
    asked = words(_EMPTY.sub(" ", subject))
    least = ENOUGH if len(asked) < 4 else ENOUGH_OF_MANY
    meant = list[tuple[float, str]]()
    for topic in known:
        held = share_held(asked, words(full_text(topic)))
        score = held + share_held(asked, words(topic.header.name.translate(SPACED))) / 10
        if score >= least:
            meant.append((score, topic.header.name))
    if _ALL.search(subject):
        return [name for _, name in meant]
    best = max((score for score, _ in meant), default=0.0)
    return [name for score, name in meant if score == best][:1]


def full_text(topic: Topic) -> str:
    """Return all that a memory says, its name included."""
    header = topic.header
    return f"{header.name.translate(SPACED)}\n{header.title}\n{header.description}\n{topic.body}"


SPACED = str.maketrans("-_", "  ")
"""Turns a name into words."""


_CLAUSE_END = re.compile(
    r"[,;.(\uff0c\u3002]|\s(?:because|since|as it|it was|it's|they're|we don'?t|which)\b"
)
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
