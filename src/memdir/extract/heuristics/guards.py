"""Reasons not to keep a sentence although a rule would."""

import re

from memdir.extract.heuristics import manner, work
from memdir.extract.heuristics.credentials import CREDENTIAL, holds_credential
from memdir.extract.heuristics.passwords import names_password
from memdir.extract.heuristics.sentences import Sentence

__all__ = ["gives_credential", "holds_credential", "objection"]


def gives_credential(sentence: Sentence, reply_to: str = "") -> bool:
    """Whether a sentence holds a credential, alone or with the one beside it that names it."""
    if holds_credential(sentence.text):
        return True
    if names_password(sentence.text) and _is_password(sentence.after):
        return True
    return names_password(sentence.before or reply_to[-_QUESTION:]) and _is_password(sentence.text)


def objection(sentence: Sentence, rule: str, reply_to: str = "") -> str | None:
    """Return why a sentence is not kept, or None; some reasons do not count against every rule."""
    if gives_credential(sentence, reply_to):
        return CREDENTIAL
    for applies, reason in _AGAINST_ALL:
        if applies(sentence):
            return reason
    if rule in {"request", "confirmation"}:
        return None
    if work.is_order(sentence.bare):
        return "it is an order for now"
    return "it is the state of a task" if rule != "role" and work.is_task_state(sentence) else None


def _is_password(answer: str) -> bool:
    """Whether a text is a password if one was asked for."""
    clause = re.split(r"[,;]\s", _IT_IS.sub("", answer), maxsplit=1)[0]
    return bool(clause) and holds_credential(f"password: {clause}")


_QUESTION = 200
"""Characters at the end of a reply among which a question is looked for."""
_IT_IS = re.compile(r"^(?:remember:?|it'?s|it is|its)\s+", re.IGNORECASE)
_AGAINST_ALL = (
    (manner.is_asked, "it is a question"),
    (manner.is_mocking, "it does not seem to be meant in earnest"),
    (manner.is_supposed, "it is a supposition"),
    (manner.is_reported, "it tells what somebody else says"),
    (manner.is_for_this_once, "it is for this once"),
    (work.is_derivable, "the project itself shows it"),
    (work.is_recipe, "it is how something was mended"),
    (work.is_specification, "it is what one piece of code or text shall be"),
)
