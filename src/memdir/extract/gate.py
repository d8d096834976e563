"""Whether a turn is extracted: in which conversations, and how often.

A host waits for this module: it imports late.
"""

import os
import re

from memdir.config.location import Verdict
from memdir.config.settings import Settings
from memdir.text.value import value_class
from memdir.workers.queue import RequestQueue

__all__ = ["JOB", "Requested", "Skip", "key_of", "session_of", "too_early", "turn_ended"]

JOB = "extract"
"""The name of the job: its requests, its cursors and its costs go by it."""


@value_class(frozen=True, slots=True)
class Skip:
    """Nothing is extracted, and why."""

    because: str
    waits: bool = False
    """Whether the messages wait for a later turn; otherwise they count as read."""


@value_class(frozen=True, slots=True)
class Requested:
    """A worker will look at this conversation."""

    session: str


def turn_ended(
    state: str, transcript: str, verdict: Verdict, settings: Settings, *, session: str, headless: bool
) -> Requested | Skip:
    """Leave a request for a worker if this turn is to be extracted, and return at once."""
    folder, name = os.path.split(transcript)
    if not transcript or os.path.isdir(transcript):  # an empty path, made absolute, is the working directory
        return Skip("the host names no file that this conversation is kept in")
    if not verdict.on:
        return Skip(verdict.off)
    if not settings.flag("extract.enabled"):
        return Skip('the setting "extract.enabled" is off')
    if headless and not settings.flag("extract.headless"):
        return Skip('nobody sits in front of this conversation, and the setting "extract.headless" is off')
    if name.startswith("agent-") or os.path.basename(folder) == "subagents":
        return Skip("it is the conversation of a sub-agent")
    key, every_turns, early = key_of(transcript), settings.number("extract.everyTurns"), None
    if every_turns > 1:  # counted in the transcript, so that all processes agree
        from memdir.conversation.cursors import Cursors
        from memdir.conversation.transcripts import read

        new = read(transcript, Cursors(state, JOB).of(key)).messages
        early = too_early(sum(one.is_prompt for one in new), every_turns)
    details = {"transcript": transcript, "session": session or session_of(transcript)}
    RequestQueue(state, JOB).ask(key, details)
    return early or Requested(key)


def session_of(transcript: str) -> str:
    """Return the id of a conversation, which is the name of its file."""
    return os.path.basename(transcript).removesuffix(".jsonl")


def key_of(transcript: str) -> str:
    """Return the key for the state of a conversation: a host's id, or the path of any other file."""
    session = session_of(transcript)
    if re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", session):
        return session
    try:
        return os.path.realpath(transcript)
    except ValueError:  # no path that any system has
        return transcript


def too_early(turns: int, every_turns: int) -> Skip | None:
    """Return why so many turns are not extracted yet; None when they are enough."""
    if turns >= every_turns:
        return None
    return Skip(f"it is turn {turns} of {every_turns} since the last extraction", waits=True)
