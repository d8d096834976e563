"""Offers of the assistant that a person accepts: "Shall I remember that …?", "yes please"."""

import re

from memdir.extract.heuristics.own_words import sentences
from memdir.extract.heuristics.requests import matter_of

__all__ = ["accepts", "answered_sentence", "offered_matter"]


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
