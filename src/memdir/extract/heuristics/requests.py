"""What a sentence asks of memory: to keep something, in nine languages, to leave it out, or to forget it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memdir.extract.heuristics.own_words import sentences
from memdir.memories.topic import Topic
from memdir.resources import alternatives_of, fill, read_table
from memdir.text.similarity import share_held, words

__all__ = [
    "POINTS_BACK",
    "SPACED",
    "TAKEN_BACK",
    "UNWANTED",
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

_TABLE = read_table(__file__, "requests.txt")
_P = alternatives_of(_TABLE)


def request_in(text: str, bare: str) -> tuple[str, bool] | None:
    """Return what a sentence asks to keep and whether it clearly does, or None.

    `bare` is the sentence with quotations masked: nobody asks for what stands in them. What is asked for
    goes without the words that ask, where they open the sentence.
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
    return kept.rstrip("?\uff1f "), firm is not None and not goes_on


def matter_of(text: str) -> str | None:
    """Return what a text asks to keep, whoever says it; None if it asks nothing, "" after "from now on"."""
    match = _ASKS.search(text)
    if match is None:
        return None
    return "" if match["standing"] else _LEAD.sub("", text[match.end() :]).rstrip("? ")


_TOO_SHORT = 3
"""Letters: fewer behind the words that ask are no matter."""
# "In future too": the person is content with something that was done, which the sentence may not name.
_GO_ON = re.compile(r"(?:今後|これから)も|앞으로도?\s*(?:쭉|계속|이렇게|그렇게)")
_ASKS = re.compile(rf"(?P<standing>{_P['standing']})|{_P['asks']}", re.IGNORECASE)
_OTHERS = re.compile(rf"\b(?:{_P['others']})\s+(?:also |always |never |even |please )*\Z", re.IGNORECASE)
_POLITE = re.compile(r"\b(?:can|could|will|would) (?:you|u) (?:please |also |just )*\Z", re.IGNORECASE)
_OPENING = re.compile(r"(?:[\w'-]+[\s,:;.!\u2013\u2014-]+){0,5}|\W*")
_FILLER = re.compile(r"\W*(?:(?:please|pls|and|also|so|ok|bitte|und|por favor|请)\b\W*)*", re.IGNORECASE)
# A whole clause follows: something is told, and nothing to be done.
_CLAUSE = re.compile(_P["clause"])
# A German clause after this word has its verb at the end and cannot stand alone.
_SUBORDINATE = re.compile(r"\W*(?:bitte\W*)?dass\b", re.IGNORECASE)
_CLAUSE_SAID = re.compile(r"\b(?:that|que|dass)\Z|qu'\Z|[^\x00-\u024f]\Z", re.IGNORECASE)
_LEAD = re.compile(_P["lead"], re.IGNORECASE)
_EDGES = " ,;:-\u2013\u2014\"'"
POINTS_BACK = re.compile(_P["points back"], re.IGNORECASE)
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


_YES = re.compile(_P["yes"], re.IGNORECASE)
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


UNWANTED = re.compile(_P["unwanted"], re.IGNORECASE)
TAKEN_BACK = re.compile(
    rf"(?:(?:{_P['turning']})\b[\s,.!-]*)*(?:{_P['taken back']})\b"
    rf"(?:[\s,.;:!(\u2013\u2014-]+(?:{_P['behind it']}))*\W*\Z",
    re.IGNORECASE,
)
_FILLING = re.compile(rf"\b(?:{_P['filling']})\b", re.IGNORECASE)
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


_CLAUSE_END = re.compile(_P["clause end"])
_FORGET = [re.compile(fill(row, _P), re.IGNORECASE) for row in _TABLE["forget"]]
_EMPTY = re.compile(rf"\b(?:{_P['empty']})\b|[的了吧关于我说过]", re.IGNORECASE)
_AGAIN = re.compile(rf"\b(?:{_P['again']})\b", re.IGNORECASE)
_ALL = re.compile(r"\b(?:everything|all|anything|alles|tout|todo)\b|所有|全部", re.IGNORECASE)
