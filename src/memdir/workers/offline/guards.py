"""Reasons not to keep a sentence although a rule would."""

from memdir.workers.offline import manner, work
from memdir.workers.offline.credentials import holds_credential
from memdir.workers.offline.sentences import Sentence

__all__ = ["holds_credential", "objection"]


def objection(sentence: Sentence, rule: str) -> str | None:
    """Return why a sentence is not kept, or None; some reasons do not count against every rule."""
    if holds_credential(sentence.text):
        return "it holds what looks like a credential"
    for applies, reason in _AGAINST_ALL:
        if applies(sentence):
            return reason
    if rule in {"request", "confirmation"}:
        return None
    if work.is_order(sentence.bare):
        return "it is an order for now"
    return "it is the state of a task" if rule != "role" and work.is_task_state(sentence) else None


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
