"""How much a recall may show and how long it may take.

A host waits for this module: it does without `typing`.
"""

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.config.settings import Settings

__all__ = ["CERTAIN", "LIKELY", "MOST_FILES", "Limits"]

MOST_FILES = 5
"""Memories that one turn may receive, whoever asks: more would crowd the work out of the context."""

CERTAIN, LIKELY = 0.31, 0.1
"""Probabilities from which a memory is shown in full, and as one line; training/README.md tells why."""


@value_class(frozen=True, slots=True)
class Limits:
    """The numbers of one recall; the defaults are those of the settings."""

    files: int = MOST_FILES
    lines: int = 200
    bytes: int = 4_096
    session_bytes: int = 61_440
    candidates: int = 200
    """Headers that a model chooses from."""
    budget: float = 0.4
    """Seconds that a prompt may wait."""
    model_budget: float = 2.0
    """Seconds that it may wait where a model is asked."""
    certain: float = CERTAIN
    """The probability from which a memory is shown in full."""
    likely: float = LIKELY
    """The probability from which it is shown as one line."""

    @classmethod
    def of(cls, settings: "Settings") -> "Limits":
        """Return the numbers that settings ask for."""
        number = settings.number
        return cls(
            number("recall.files"),
            number("recall.lines"),
            number("recall.bytes"),
            number("recall.sessionBytes"),
            number("recall.candidates"),
            number("recall.budgetMs") / 1000,
            number("recall.modelBudgetMs") / 1000,
            number("recall.certainPercent") / 100,
            number("recall.likelyPercent") / 100,
        )
