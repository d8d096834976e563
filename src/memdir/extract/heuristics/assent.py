"""What a person confirms of what the assistant just said or offered."""

import re

from memdir.extract.heuristics.asked import kind_asked
from memdir.extract.heuristics.candidate import Candidate, Setting
from memdir.extract.heuristics.confirmations import is_assent, is_confirmation, is_lasting_offer, tells_more
from memdir.extract.heuristics.requests import Request
from memdir.extract.heuristics.sentences import Sentence, sentences
from memdir.memories.kinds import Kind, propose_kind

__all__ = ["confirmed", "pointed_at", "points_back", "without_opening"]


def confirmed(sentence: Sentence, setting: Setting, *, certain: bool) -> Candidate | None:
    """Return what a sentence confirms, or None; `certain` when it says so without a word of its own."""
    done = sentences(setting.reply_to)
    offer = next((one.text for one in done if is_lasting_offer(one.text)), "")
    if offer and setting.place == 0 and is_assent(sentence.bare):
        offered = _OFFERED.sub("", offer).rstrip("?")
        if _OF_THE_USER.match(offered):
            return _fact(setting, offered)
        return pointed_at(setting) if _PRONOUN.fullmatch(offered) else _made(setting, offered)
    if not done or not (certain or is_confirmation(sentence.bare)):
        return None
    does = [one.text for one in (done[:1] if certain else done) if _DOES.search(one.text)]
    did = next(iter(does), done[0].text)
    if tells_more(sentence.bare):
        return _made(setting, without_opening(sentence.text), how=f'as when the assistant said "{did}"')
    if not does:  # a yes to a fact says nothing about how to work
        return pointed_at(setting) if certain else None
    said = f'the user said "{sentence.text.rstrip(".")}"'
    return _made(setting, f"Keep doing this: {_DID.sub('', did)}", why=said)


def points_back(bare: str) -> bool:
    """Whether a sentence only asks to keep what was said before it."""
    return _POINTS.match(bare) is not None


def pointed_at(setting: Setting) -> Candidate | None:
    """Return what the assistant said first, for the inbox: its words never become user or feedback."""
    told = [_HOLDS.sub("", one.text) for one in sentences(setting.reply_to) if not one.bare.endswith("?")]
    said = next((text for text in told if not _OF_ITSELF.match(text)), "")
    if not said:
        return None
    kind = Kind.REFERENCE if propose_kind(said) is Kind.REFERENCE else Kind.PROJECT
    return Candidate(
        "request", kind, said, setting.message, source="assistant", unsure=True, place=setting.place
    )


_BELIEVES = (
    r"(?:think|believe|guess|assume|know|see|suspect|understand"
    r"|(?:found|noted?|saved?|remember(?:ed)?|recorded|learned|noticed) (?:that|out))\b"
)
_HOLDS = re.compile(rf"i(?:'ve)? (?:\w+ )?{_BELIEVES}(?: that\b)?\s*", re.IGNORECASE)
_OF_ITSELF = re.compile(r"(?:i|i'm|i've|i'll|i'd|my)\b", re.IGNORECASE)


_POINTS = re.compile(
    r"(?:(?:ok|yes|right|exactly|great|good|please|pls|and|so|can you|could you)\b[\s,!.]*)*"
    r"(?:(?:remember|save|note|memori[sz]e) (?:this|that|it)(?: down)?"
    r"|(?:keep|bear) (?:this|that|it) in mind)"
    r"(?: please| pls| for (?:later|next time|me|the future|future \w+))*[\s.!?]*\Z",
    re.IGNORECASE,
)


def without_opening(text: str) -> str:
    """Return a sentence without the words that only lead up to it."""
    return _OPENING.sub("", text)


def _made(setting: Setting, text: str, why: str = "", how: str = "") -> Candidate:
    return Candidate("confirmation", Kind.FEEDBACK, text, setting.message, why, how, place=setting.place)


def _fact(setting: Setting, offered: str) -> Candidate:
    """Return what the assistant says of the user as the user would say it: "you prefer" is "I prefer"."""
    own = _TURNED.sub(lambda match: _OTHER_PERSON[match[0].casefold()], offered)
    kind = kind_asked(Request(own, lasting=False, language="en"), setting.on)
    return Candidate("confirmation", kind, own, setting.message, place=setting.place)


_OF_THE_USER = re.compile(r"you(?:r|'re|'ve|'d)?\b", re.IGNORECASE)
_OTHER_PERSON = {
    "you are": "I am",
    "you're": "I'm",
    "you've": "I've",
    "you'd": "I'd",
    "you were": "I was",
    "for you": "for me",
    "to you": "to me",
    "with you": "with me",
    "from you": "from me",
    "yourself": "myself",
    "yours": "mine",
    "your": "my",
    "you": "I",
    "me": "you",
    "my": "your",
    "i": "you",
}
_TURNED = re.compile(rf"\b(?:{'|'.join(_OTHER_PERSON)})\b", re.IGNORECASE)
_OFFERED = re.compile(
    r"^.*?\b(?:should i|shall i|want me to|do you want me to|would you like me to|can i|could i|may i"
    r"|i can|i could|happy to)\s+(?:remember (?:that |to )?)?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:remember |save |note )?(?:this|that|it|so|them|these|those)\W*", re.IGNORECASE)
_DID = re.compile(r"^i(?:'ve| have)? ", re.IGNORECASE)
# What the assistant does, not what it holds to be so: "I asked first", but not "I think it is on Monday".
_DOES = re.compile(
    rf"\b(?:i|i've|i'll)\s+(?!(?:\w+ )?{_BELIEVES})(?:\w+ )?\w+",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:(?:(?:no+|yes|ok)(?=[,.!:;\s]*[,.!:;])|nope|nah|wrong(?: (?:day|date|time|name|one))?|hm+|ugh"
    r"|argh|ok(?:ay)?|hey|hi|hello"
    r"|please|pls|plz|and|also|but|so|well|oh|look|actually|wait|sorry|btw|fyi|yes|yeah|by the way"
    r"|heads up|just so you know|for context|context|some background|thanks|one thing|correction"
    r"|my mistake)\b"
    r"[\s,.:;!\u2013\u2014-]+)+(?=\S)|^(?:can|could|would|will) (?:you|u) (?:please |pls |maybe "
    r"|just )*(?=stop|not|avoid|use|always|never)",
    re.IGNORECASE,
)
