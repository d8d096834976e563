"""How sure extraction must be of a passage: what is saved, what waits in the inbox, and what is left out."""

from memdir.extract.tagger import Tagger
from memdir.text.value import value_class

__all__ = ["Judge"]


@value_class(frozen=True, slots=True)
class Judge:
    """Who decides what is kept: the tagger, where there is one, and how sure it must be."""

    tagger: Tagger | None = None
    save: float = 0.93
    """From this on a memory is saved."""
    inbox: float = 0.45
    """From this on it waits in the inbox."""

    @property
    def _halfway(self) -> float:
        return (self.save + self.inbox) / 2

    def is_likely(self, certainty: float, *, english: bool) -> bool:
        """Tell whether a passage that nobody asks to keep goes on; the tagger knows English best."""
        return certainty >= (self.inbox if english else self.inbox + (self.save - self.inbox) / 3)

    def is_sure(self, certainty: float, *, asked: bool, firm: bool, english: bool) -> bool:
        """Tell whether a passage is saved, else it waits in the inbox.

        What a person clearly asks to keep is saved; what is not in English only if it is asked for.
        """
        if asked and firm:
            return True
        needed = self._halfway if asked and english else self.save
        return (english or asked) and certainty >= needed
