"""A sentence that a rule would keep, and the setting in which it was said."""

from datetime import date

from memdir.memories.kinds import Kind
from memdir.text.value import value_class

__all__ = ["Candidate", "Setting"]


@value_class(frozen=True, slots=True)
class Candidate:
    """What one rule found in one message, before it is held against what is known."""

    rule: str
    """request, note, correction, confirmation, role, dated, decision, pointer or change."""
    kind: Kind
    text: str
    """The rule or fact in the person's words."""
    message: str
    why: str = ""
    how: str = ""
    source: str = "user"
    """Whose words they are: the user's, or the assistant's that the user pointed at."""
    unsure: bool = False
    """Whether a person should look first."""
    changes: bool = False
    """Whether the sentence says that something is different from before."""
    place: int = 0
    """Number of its sentence in the message: neighbours belong together."""


@value_class(frozen=True, slots=True)
class Setting:
    """What a sentence is read in: its message and place, what it answers, what was known before."""

    message: str
    on: date
    reply_to: str = ""
    """What the assistant said before, or nothing."""
    before: tuple[tuple[Kind, str], ...] = ()
    """Kind and text of what is known and of what the conversation gave so far."""
    answers: bool = False
    """Whether the assistant asked something: then this is the answer."""
    orders: bool = False
    """Whether the message asks for a piece of work."""
    retracts: bool = False
    """Whether the message says somewhere that something is different now."""
    takes_back: bool = False
    """Whether it says so in so many words."""
    place: int = 0
    complaint: bool = False
    """Whether this sentence or the one before is displeased with what the assistant did."""
    listed: bool = False
    """Whether what was said before asks to keep what follows."""
    standing: bool = False
    """Whether the sentence after says that this holds always."""
