"""The end of a turn, in a hook: judged and asked for and nothing else, so that it takes no time.

A host waits for this module: it imports late.
"""

import os

from memdir.config.enabled import Verdict
from memdir.config.settings import Settings
from memdir.extract.gate import (
    Requested,
    Rules,
    Skip,
    Turn,
    at_turn_end,
    key_of,
    session_of,
    turns_in,
)
from memdir.workers.queue import RequestQueue

__all__ = ["JOB", "turn_ended"]

JOB = "extract"
"""The name of the job: its requests, its cursors and its costs go by it."""


def turn_ended(
    state: str, transcript: str, verdict: Verdict, settings: Settings, *, session: str, headless: bool
) -> Requested | Skip:
    """Ask for a conversation to be looked at, if it should be, and say so; a worker does the looking."""
    if not transcript or os.path.isdir(transcript):  # an empty path, made absolute, is the working directory
        return Skip("the host names no file that this conversation is kept in")
    key, rules = key_of(transcript), Rules.of(settings)
    turns = _turns(state, transcript) if rules.every_turns > 1 and verdict.on else None
    decided = at_turn_end(Turn(key, transcript, headless, turns), verdict, rules)
    if isinstance(decided, Requested) or decided.waits:
        details = {"transcript": transcript, "session": session or session_of(transcript)}
        RequestQueue(state, JOB).ask(key, details)
    return decided


def _turns(state: str, transcript: str) -> int:
    """Return how many turns nobody has looked at: counted in the transcript, so that all processes agree."""
    from memdir.conversation.cursors import Cursors
    from memdir.conversation.transcripts import read

    return turns_in(read(transcript, Cursors(state, JOB).of(key_of(transcript))).messages)
