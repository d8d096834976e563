"""Something in one message that is worth a memory, before it is held against what is known."""

from memdir.memories.kinds import Kind
from memdir.text.value import value_class

__all__ = ["Candidate"]


@value_class(frozen=True, slots=True)
class Candidate:
    """Sentences that become one memory."""

    kind: Kind
    text: str
    """The rule or fact in the person's words."""
    message: str
    source: str = "user"
    """Whose words they are: the user's, or the assistant's that the user pointed at."""
    unsure: bool = False
    """Whether a person should look first."""
    changes: bool = False
    """Whether it says that something is different from before."""
