"""Whether a turn is extracted: in which conversations, how often, and not where the host saved something.

A host waits for this module: it imports late and does without `typing`.
"""

import os
import re
from collections.abc import Sequence

from memdir.config.enabled import Verdict
from memdir.config.settings import Settings
from memdir.text.value import value_class
from memdir.workers.queue import RequestQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.conversation.messages import Spoken

__all__ = [
    "JOB",
    "Requested",
    "Rules",
    "Skip",
    "Turn",
    "at_turn_end",
    "key_of",
    "of_range",
    "session_of",
    "turn_ended",
    "turns_in",
]


@value_class(frozen=True, slots=True)
class Skip:
    """Nothing is extracted, and why."""

    because: str
    passed: bool = False
    """Whether the messages count as read."""
    waits: bool = False
    """Whether the request stays for a later turn."""


@value_class(frozen=True, slots=True)
class Requested:
    """A worker will look at this conversation."""

    session: str


@value_class(frozen=True, slots=True)
class Rules:
    """What the settings say about extraction."""

    enabled: bool = True
    headless: bool = False
    every_turns: int = 1

    @classmethod
    def of(cls, settings: Settings) -> "Rules":
        """Return the rules that these settings hold."""
        enabled, headless = settings.flag("extract.enabled"), settings.flag("extract.headless")
        return cls(enabled, headless, settings.number("extract.everyTurns"))


@value_class(frozen=True, slots=True)
class Turn:
    """A turn of the host that has just ended."""

    session: str
    transcript: str
    headless: bool = False
    turns: int | None = None
    """Turns since the last extraction, this one included; None when nobody counts them."""


def at_turn_end(turn: Turn, verdict: Verdict, rules: Rules) -> Skip | Requested:
    """Say whether the end of this turn calls for a worker."""
    if not verdict.on:
        return Skip(verdict.off)
    if not rules.enabled:
        return Skip('the setting "extract.enabled" is off')
    if turn.headless and not rules.headless:
        return Skip('nobody sits in front of this conversation, and the setting "extract.headless" is off')
    folder, name = os.path.split(turn.transcript)
    if name.startswith("agent-") or os.path.basename(folder) == "subagents":
        return Skip("it is the conversation of a sub-agent")
    return _too_early(turn.turns, rules) or Requested(turn.session)


def of_range(
    messages: "Sequence[Spoken]", directory: str, rules: Rules | None = None, *, home: str = ""
) -> "Skip | tuple[Spoken, ...]":
    """Return the messages to look at, or why not; without rules, however few turns they are."""
    turns = turns_in(messages)
    if not turns:
        return Skip("nobody said anything new", passed=True)
    if rules is not None and (early := _too_early(turns, rules)):
        return early
    if not any(one.uses for one in messages):
        return tuple(messages)
    from memdir.extract.memory_use import memory_writes, with_memory_marked

    if written := memory_writes(messages, directory, home):
        return Skip(f"the host itself saved to memory in these messages ({written[0]})", passed=True)
    return with_memory_marked(messages, directory)


def turns_in(messages: "Sequence[Spoken]") -> int:
    """Return how many prompts of a person are among the messages."""
    return sum(one.role == "user" and not one.recalled for one in messages)


def session_of(transcript: str) -> str:
    """Return the id of a conversation, which is the name of its file."""
    return os.path.basename(transcript).removesuffix(".jsonl")


def key_of(transcript: str) -> str:
    """Return under what the state of a conversation is kept: a host's id, or of other files the path."""
    session = session_of(transcript)
    if _HOSTS_ID.fullmatch(session):
        return session
    try:
        return os.path.realpath(transcript)
    except ValueError:  # no path that any system has
        return transcript


_HOSTS_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _too_early(turns: int | None, rules: Rules) -> Skip | None:
    if turns is None or turns >= rules.every_turns:
        return None
    return Skip(f"it is turn {turns} of {rules.every_turns} since the last extraction", waits=True)


JOB = "extract"
"""The name of the job: its requests, its cursors and its costs go by it."""


def turn_ended(
    state: str, transcript: str, verdict: Verdict, settings: Settings, *, session: str, headless: bool
) -> Requested | Skip:
    """Ask for a conversation to be looked at, if it should be, and say so; a worker does the looking."""
    if not transcript or os.path.isdir(transcript):  # an empty path, made absolute, is the working directory
        return Skip("the host names no file that this conversation is kept in")
    key, rules = key_of(transcript), Rules.of(settings)
    turns = None
    if rules.every_turns > 1 and verdict.on:  # counted in the transcript, so that all processes agree
        from memdir.conversation.cursors import Cursors
        from memdir.conversation.transcripts import read

        turns = turns_in(read(transcript, Cursors(state, JOB).of(key)).messages)
    decided = at_turn_end(Turn(key, transcript, headless, turns), verdict, rules)
    if isinstance(decided, Requested) or decided.waits:
        details = {"transcript": transcript, "session": session or session_of(transcript)}
        RequestQueue(state, JOB).ask(key, details)
    return decided
