"""Whose words a memory rests on, and what follows from that: saved, shown to a person first, or refused."""

from collections.abc import Sequence

from memdir.conversation.messages import Spoken
from memdir.memories.kinds import Kind
from memdir.text.likeness import share_held, words
from memdir.text.value import value_class

__all__ = ["Origin", "objection", "origin_of"]

_FROM_TOOL, _FROM_USER = 0.6, 0.3
"""Shares of a text's words in tool results and in what the user typed: above and below, a tool said it."""

_FEWEST = 4
"""Telling words from which such shares mean something."""


@value_class(frozen=True, slots=True)
class Origin:
    """Whose words, and the message that holds them."""

    source: str
    """user, assistant or tool; memory for what was recalled."""
    message: Spoken

    @property
    def is_confirmed(self) -> bool:
        """Tell whether the user said or accepted it; anything else waits for a person."""
        return self.source == "user"


def origin_of(cited: Sequence[Spoken], text: str, messages: Sequence[Spoken]) -> Origin:
    """Return where a text comes from: the user where one cited message is theirs, unless a tool said it."""
    ranked = sorted(cited, key=lambda one: (one.recalled, _RANK[one.role]))
    best = ranked[0]
    if best.recalled:
        return Origin("memory", best)
    if best.role == "user" and (tool := _tool_that_says(text, messages)):
        return Origin("tool", tool)
    return Origin(best.role, best)


def objection(kind: Kind | None, origin: Origin) -> str:
    """Return why a memory of this kind is not taken from there; empty when it may be."""
    if origin.source == "memory":
        return "It was put there from memory, so it is known already."
    if kind in (Kind.USER, Kind.FEEDBACK) and not origin.is_confirmed:
        return (
            f"Only the user's own words become a {kind} memory, and these are those of the {origin.source}."
        )
    return ""


_RANK = {"user": 0, "assistant": 1, "tool": 2}


def _tool_that_says(text: str, messages: Sequence[Spoken]) -> Spoken | None:
    """Return the tool's result that a text stands in while the user said hardly anything of it."""
    telling = words(text)
    typed = frozenset[str]().union(*(words(one.text) for one in messages if one.role == "user"))
    if len(telling) < _FEWEST or share_held(telling, typed) >= _FROM_USER:
        return None
    results = [one for one in messages if one.role == "tool" and not one.recalled]
    return next((one for one in results if share_held(telling, words(one.text)) >= _FROM_TOOL), None)
