"""Requests to keep something, "remember that …", in nine languages, and offers that a person accepts."""

import re

from memdir.extract.heuristics.own_words import sentences
from memdir.text.value import value_class

__all__ = [
    "Request",
    "accepts",
    "answered_sentence",
    "matter_of",
    "offered_matter",
    "points_back",
    "request_in",
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


def points_back(bare: str) -> bool:
    """Whether a sentence only asks to keep what was said before it: "Please remember that."."""
    return _POINTS.fullmatch(bare) is not None


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
_POINTS = re.compile(
    r"(?:(?:ok|yes|right|exactly|great|good|please|pls|and|so|can you|could you)\b[\s,!.]*)*"
    r"(?:(?:remember|save|note|memori[sz]e) (?:this|that|it)(?: down)?|(?:keep|bear) (?:this|that"
    r"|it) in mind)"
    r"(?: please| pls| for (?:later|next time|me|the future|future \w+))*[\s.!?]*",
    re.IGNORECASE,
)


def accepts(bare: str, offer: str) -> bool:
    """Whether a sentence says yes to a question whether something should be kept."""
    return offer.endswith("?") and matter_of(offer) is not None and _YES.fullmatch(bare) is not None


def offered_matter(offer: str) -> str:
    """Return what a sentence of the assistant offers to keep, or the sentence."""
    return matter_of(offer) or offer.rstrip("?")


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
