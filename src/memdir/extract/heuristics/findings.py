"""Applies the rules to the sentences of one message and joins neighbours that belong together."""

import re
from collections.abc import Iterator, Sequence

from memdir.extract.heuristics import corrections, decisions, events, person, places
from memdir.extract.heuristics.asked import is_dated, kind_asked, taste_kind
from memdir.extract.heuristics.assent import confirmed, pointed_at, points_back, without_opening
from memdir.extract.heuristics.candidate import Candidate, Setting
from memdir.extract.heuristics.credentials import CREDENTIAL
from memdir.extract.heuristics.guards import gives_credential, objection
from memdir.extract.heuristics.known import is_about
from memdir.extract.heuristics.manner import is_hedged
from memdir.extract.heuristics.neighbours import are_one, together
from memdir.extract.heuristics.requests import Request, request_in
from memdir.extract.heuristics.sentences import Sentence
from memdir.extract.heuristics.work import is_order
from memdir.memories.kinds import Kind
from memdir.text.likeness import words
from memdir.text.value import replace, value_class

__all__ = ["Findings", "findings"]


@value_class(frozen=True, slots=True)
class Findings:
    """What the rules take from one message, and why they leave the rest."""

    candidates: tuple[Candidate, ...]
    skipped: tuple[str, ...]


def findings(said: Sequence[Sentence], setting: Setting) -> Findings:
    """Return what the sentences of a message give."""
    candidates: list[Candidate] = []
    skipped: list[str] = []
    for sentence, here in _placed(said, setting):
        if candidates and candidates[-1].place == here.place:
            continue  # the sentence that was pointed back at counts already
        candidate = _candidate(sentence, here)
        because = objection(sentence, candidate.rule, here.reply_to) if candidate else None
        if because:
            skipped.append(because)
        elif candidate and candidates and are_one(candidates[-1], candidate, setting.on):
            candidates[-1] = together(candidates[-1], candidate)
        elif candidate:
            candidates.append(candidate)
        elif gives_credential(sentence, here.reply_to):
            skipped.append(CREDENTIAL)
    return Findings(tuple(candidates), tuple(skipped))


def _placed(said: Sequence[Sentence], setting: Setting) -> Iterator[tuple[Sentence, Setting]]:
    """Yield each sentence in its setting; "Always." and "Remember that." stand for the one before."""
    whole = replace(
        setting,
        answers=setting.reply_to.rstrip().endswith("?"),
        orders=any(is_order(one.bare) for one in said),
        retracts=any(events.is_change(one.bare) for one in said),
        takes_back=any(events.is_retraction(one.bare) for one in said),
    )
    opened = False
    for at, sentence in enumerate(said):
        listed = bool(at) and (bool(_OPENS.search(said[at - 1].bare)) or (opened and sentence.item))
        opened = bool(_OPENS.search(sentence.bare)) or (opened and sentence.item)
        near = said[max(0, at - 1) : at + 1]
        displeased = bool(setting.reply_to) and any(corrections.complains(one.bare) for one in near)
        always, points = _ADDS_ALWAYS.match(sentence.bare), points_back(sentence.bare)
        if at and (always or points):
            back = replace(whole, place=at - 1, complaint=displeased)
            yield said[at - 1], replace(back, standing=bool(always), listed=points)
        else:
            yield sentence, replace(whole, place=at, complaint=displeased, listed=listed)


# A request whose matter follows: "Two things to remember:", "Please remember this."
_OPENS = re.compile(
    r"^[^:]{0,60}\b(?:remember|keep in mind|memory|note|from now on|going forward|rules?|preferences"
    r"|bear in mind|for the future)\b[^:.]{0,40}:\s*$"
    r"|^(?:please |pls |and |ok |also )*(?:remember|memori[sz]e|save|note) (?:this|the following)(?: down"
    r"| for (?:later|next time|future \w+)| please)*[.:!]*$",
    re.IGNORECASE,
)
# One word of its own that makes a rule of the sentence before: "Tests come first. Always."
_ADDS_ALWAYS = re.compile(
    r"(?:and )?(?:always|never|ever|every (?:single )?time|no exceptions?|without exception|period"
    r"|from now on)\W*\Z",
    re.IGNORECASE,
)


def _candidate(sentence: Sentence, setting: Setting) -> Candidate | None:
    """Return what the first rule that applies makes of a sentence."""
    request = request_in(sentence.text, sentence.bare)
    if request is None and (setting.listed or setting.standing):
        request = Request(sentence.text, lasting=setting.standing, language="en")
    hollow = request is not None and bool(setting.reply_to) and len(words(request.text)) < 2
    if request and not hollow and not (request.weak and _PASSING_NOTE.match(request.text)):
        rule = "note" if request.weak else "request"
        return _made(rule, kind_asked(request, setting.on), sentence, setting, text=request.text)
    if setting.reply_to and points_back(sentence.bare):
        return pointed_at(setting)
    if setting.reply_to and (found := confirmed(sentence, setting, certain=hollow)):
        return found
    rule, kind = next(_rules(sentence.bare, setting), ("", None))
    return _made(rule, kind, sentence, setting) if kind else None


_PASSING_NOTE = re.compile(
    r"(?:this|it|there|these|those|the (?:error|bug|function|above|below|code|output|test))\b", re.IGNORECASE
)


def _rules(bare: str, setting: Setting) -> Iterator[tuple[str, Kind]]:
    """Yield the rules that apply, the surest first, each with the kind that it gives."""
    if _corrects(bare, setting):
        yield "correction", Kind.FEEDBACK
    if places.is_pointer(bare):
        yield "pointer", Kind.REFERENCE
    if setting.reply_to and not corrections.is_for_once(bare) and corrections.is_standing_order(bare):
        yield "correction", Kind.FEEDBACK
    if decisions.is_decision(bare):
        yield "decision", Kind.PROJECT
    if person.is_role(bare):
        yield "role", Kind.USER
    if person.is_taste(bare):
        yield "role", taste_kind(bare)
    if is_dated(bare, setting.on):
        yield "dated", Kind.PROJECT
    if setting.takes_back:
        changed = [kind for kind, text in setting.before if is_about(bare, text, changes=True)]
        yield from (("change", kind) for kind in changed[-1:])


def _corrects(bare: str, setting: Setting) -> bool:
    """Whether a sentence sets right how to work; beside an order it must say that it is meant for good."""
    if corrections.is_for_once(bare):
        return False
    if (setting.orders or setting.answers) and not corrections.reaches_far(bare):
        return False
    norm = setting.complaint and corrections.is_norm(bare) and len(words(bare)) > 1
    return norm or corrections.is_correction(bare, replies=bool(setting.reply_to))


def _made(rule: str, kind: Kind, sentence: Sentence, setting: Setting, *, text: str = "") -> Candidate:
    gives_reason = kind in {Kind.FEEDBACK, Kind.PROJECT} and _EXPLAINS.match(sentence.after)
    return Candidate(
        rule,
        kind,
        _told(text or without_opening(sentence.text), sentence),
        setting.message,
        why=sentence.after if gives_reason else "",
        unsure=rule != "role" and is_hedged(sentence.bare),
        changes=setting.retracts or events.is_change(sentence.bare),
        place=setting.place,
    )


def _told(text: str, sentence: Sentence) -> str:
    """Return a text without the mark of a question, where the question asks to keep it."""
    return text.rstrip("?\uff1f ") if _POLITELY.search(sentence.bare) else text


_POLITELY = re.compile(r"\b(?:can|could|would|will) (?:you|u)\b.*[?\uff1f]\W*\Z", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"^(?:because|since|reason|the reason|otherwise|last (?:time|quarter|year|month)|we (?:got|had|were"
    r"|lost|once)|it (?:breaks|broke|makes|confuses|wastes|costs|took|cost)|they (?:break|broke|get|got)"
    r"|that (?:way|breaks|broke|makes|caused)|this (?:way|breaks|broke|makes|caused)|nobody"
    r"|our (?:readers|users|customers|clients)|too many)\b",
    re.IGNORECASE,
)
