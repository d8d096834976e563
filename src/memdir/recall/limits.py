"""The limits of one recall: which prompts get none, how much may be shown, and how long it may take.

A host waits for this module: it does without `typing`.
"""

import re
from collections.abc import Callable, Sequence
from threading import Event, Thread

from memdir.errors import Cancelled
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")
    from memdir.config.settings import Settings
    from memdir.conversation.state import Conversation
    from memdir.models.protocol import Model

__all__ = ["CERTAIN", "LIKELY", "LISTED", "MOST_FILES", "Late", "Limits", "RecallTurn", "skip_reason"]

MOST_FILES = 5
"""Memories that one turn may receive, whoever asks: more would crowd the work out of the context."""

LISTED = 30
"""Candidates that a receipt lists: what lies further behind was never near."""

CERTAIN, LIKELY = 0.31, 0.1
"""Probabilities from which a memory is shown in full, and as one line; training/README.md tells why."""

_TICK = 0.01
"""Seconds between two looks at whether the caller still wants the answer."""


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
        """Return the limits that settings ask for."""
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


class Late(Exception):
    """Something did not come in time."""


class RecallTurn:
    """One recall while it runs: what was asked, under which limits, and what it had to do without."""

    def __init__(
        self,
        query: str,
        limits: Limits,
        conversation: "Conversation",
        seconds: float,
        timer: Callable[[], float],
        *,
        model: "Model | None" = None,
        tools: Sequence[str] = (),
        called_off: Event | None = None,
        recent: float = 0.0,
        most_listed: int | None = LISTED,
    ) -> None:
        """Begin: the time runs from here.

        A look at the files that is no older than `recent` seconds is not repeated. The receipt lists so many
        candidates besides those shown; with None, all.
        """
        self.query, self.limits, self.conversation = query, limits, conversation
        self.model, self.tools, self.recent, self.most_listed = model, tuple(tools), recent, most_listed
        self.called_off = called_off or Event()
        self.fallbacks: list[str] = []
        """What did not work, so that the recall went on without it."""
        self.model_tokens = 0
        self.unfinished = False
        """Whether something was left undone for want of time."""
        self._timer, self._began, self._seconds = timer, timer(), seconds

    def seconds_left(self) -> float:
        """Return the seconds until the prompt has waited long enough."""
        return self._seconds - (self._timer() - self._began)

    def share_spent(self) -> float:
        """Return which share of its time is gone; all of it where there was none."""
        return (self._timer() - self._began) / self._seconds if self._seconds > 0 else 1.0

    def milliseconds(self) -> float:
        """Return how long it has taken so far."""
        return round((self._timer() - self._began) * 1000, 3)

    def run(self, work: "Callable[[], T]", seconds: float) -> "T":
        """Return what the work gives, or raise what it raised; `Late` when that takes longer.

        The work runs in a daemon thread: one that never ends keeps neither the caller nor the process. When
        the recall is called off, this raises `Cancelled`.
        """
        results: list[T] = []
        errors: list[BaseException] = []
        over, end = Event(), self._timer() + seconds

        def run() -> None:
            try:
                results.append(work())
            except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits for it
                errors.append(error)
            finally:
                over.set()

        Thread(target=run, daemon=True).start()
        while not over.wait(min(_TICK, max(0.0, end - self._timer()))):
            self.check()
            if self._timer() >= end:
                raise Late
        for error in errors:
            raise error if isinstance(error, Exception) else RuntimeError("it tried to end the process")
        return results[0]

    def check(self) -> None:
        """Raise `Cancelled` when the recall was called off."""
        if self.called_off.is_set():
            raise Cancelled("The recall was called off.")


_WORDS = 2
"""Words a prompt needs: "ok", "yes" and "continue" fit every memory and none."""

_CHARACTERS = 4
"""Characters it needs where a script puts no spaces between words."""


def skip_reason(query: str, limit: int = 1) -> str:
    """Return why nothing is recalled for this prompt, of at most so many; empty when something may be."""
    text = query.strip()
    if not text:
        return "the prompt is empty"
    if text.startswith(_PSEUDO):
        return "the prompt comes from the host, not from a person"
    if text[0] == "/" and re.match(_COMMAND, text):
        return "the prompt is a command"
    needed = f"{_WORDS} words"
    short = sum(any(map(str.isalnum, word)) for word in text[:2_000].split()) < _WORDS
    if not text.isascii() and re.search(_UNSPACED, text):
        needed = f"{_CHARACTERS} characters"
        short = len(text.split()) < _WORDS and sum(map(str.isalnum, text[:200])) < _CHARACTERS
    if short:
        return f"the prompt has fewer than {needed}"
    return "" if limit > 0 else "no memory may be shown in a turn"


_PSEUDO = (
    *("<task-notification", "<command-name", "<command-message", "<command-args", "<local-command-"),
    *("<bash-input", "<bash-stdout", "<bash-stderr", "<system-reminder", "<user-prompt-submit-hook"),
)
"""Plain texts, because a pattern takes longer to compile than all the rest of this."""
# A folder at the top of the file system is not a command: "/tmp is full" is a sentence.
_COMMAND = (
    r"/(?!(?:bin|boot|dev|etc|home|lib|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)\b)"
    r"[a-zA-Z][\w:.-]*(?:\s|\Z)"
)
# Thai, Lao, Burmese, Khmer, Japanese, Chinese; and Korean, which is often typed without its spaces.
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
