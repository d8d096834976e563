"""What each event of a host is answered, and what it sets going."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import process_time

from memdir.config.location import resolve
from memdir.hooks.entry import WAYS, card_path, home_of
from memdir.hosts.host import Answer, Call
from memdir.memory import Memory
from memdir.recall.semantic.arrays import load_core_only
from memdir.text.value import replace

TYPE_CHECKING = False  # as in typing, whose import a hook must not wait for
if TYPE_CHECKING:
    from memdir.rules.rows import Compiled

__all__ = ["EVENTS", "afterwards", "answered"]

afterwards: list[Callable[[], None]] = []
"""What is left to do once the host has its answer."""


def answered(call: Call, env: Mapping[str, str]) -> Answer:
    """Open the memory of the conversation and return what it has to say to this event.

    What the guard may know from it is written down afterwards, when the host has its answer.
    """
    memory = Memory.open(call.project, env, session=call.session)
    if call.event != "PreToolUse":
        said = _EVENTS[call.event](memory, call, env)
        afterwards.extend([partial(_start, job, call, env) for job in said.jobs])
        if call.event in _CARDED and "prepare" not in said.jobs:  # a ranking that was left behind still runs
            afterwards.append(lambda: _find_out(memory, call, env))
        return said
    rests, known = _ground(memory, call, env)
    afterwards.append(lambda: _leave_card(memory, call, env, rests, known))
    return memory.hosts.session.below(call.cwd).before_tool(call.tool, call.given or {}, known)


def _find_out(memory: Memory, call: Call, env: Mapping[str, str]) -> None:
    """Leave a card after an event that asked for no rules; a prompt has an answer where there is a memory."""
    if call.event != "UserPromptSubmit" or not _has_memories(memory):
        _leave_card(memory, call, env, *_ground(memory, call, env))


def _has_memories(memory: Memory) -> bool:
    return memory.hosts.session.saw_memories() or (memory.verdict.on and bool(memory.list(limit=1)))


def _start(job: str, call: Call, env: Mapping[str, str]) -> None:
    """Leave work to a process of its own."""
    from memdir.hooks.detach import detached

    detached(job, call, env)


def _ground(memory: Memory, call: Call, env: Mapping[str, str]) -> "tuple[list[str], Compiled]":
    """Return the rules, and before they are read all that a card with them rests on."""
    from memdir.hooks.reply_cache import resting_on

    rests = resting_on(memory.hosts.session.setup, env=env, cwd=call.project, home=home_of(env))
    return rests, memory.hosts.session.known_rules()


def _started(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del env
    return memory.hosts.session.begin(call.source, uninstructed=call.uninstructed, tools=call.tools)


def _prompted(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del env
    load_core_only()
    session = memory.hosts.session.below(call.cwd)
    said = session.prompt(call.prompt, uninstructed=call.uninstructed, spent=process_time())
    asks = ("ask",) if session.wants_model(call.prompt, call.transcript) else ()
    return replace(said, jobs=(*said.jobs, *asks))


def _used(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del env
    session = memory.hosts.session.below(call.cwd)
    return session.after_tool(call.tool, call.given or {}, uninstructed=call.uninstructed)


def _compacted(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del call, env
    memory.context.after_compaction()
    return Answer()


def _about_to_compact(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    """Have notes taken, where they are wanted, before the conversation is condensed."""
    if memory.verdict.on and memory.hosts.session.setup.settings.flag("notes.enabled"):
        from memdir.hooks.detach import detached

        detached("compact", call, env)
    return Answer()


def _turn_ended(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    """Leave the work to a process of its own: the host waits for this one."""
    from memdir.extract.gate import Requested

    if not call.again and isinstance(
        memory.jobs.turn_ended(call.transcript, headless=call.headless), Requested
    ):
        from memdir.hooks.detach import detached

        detached("turn", call, env)
    return Answer()


def _session_ended(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    if memory.verdict.on:
        from memdir.hooks.detach import detached

        memory.jobs.turn_ended(call.transcript, headless=call.headless)
        detached("end", call, env)
    return Answer()


_EVENTS: Mapping[str, Callable[[Memory, Call, Mapping[str, str]], Answer]] = {
    "SessionStart": _started,
    "UserPromptSubmit": _prompted,
    "PostToolUse": _used,
    "PreCompact": _about_to_compact,
    "PostCompact": _compacted,
    "Stop": _turn_ended,
    "SessionEnd": _session_ended,
}

EVENTS = (*_EVENTS, "PreToolUse")
"""The events that are answered; a test compares them with those that `memdir init` sets up."""


_CARDED = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")


def _leave_card(
    memory: Memory, call: Call, env: Mapping[str, str], rests: Sequence[str], known: "Compiled"
) -> None:
    """Write down for the guard which events need no answer, if this was one of them.

    All that it rests on was noted first and everything else read after that, the settings once more: what
    changes meanwhile makes the card void.
    """
    setup = memory.hosts.session.setup
    silent = memory.hosts.session.silent_events(known)
    if call.event not in silent and WAYS.get(call.event) not in silent:
        return
    if resolve(env=env, cwd=os.path.abspath(call.project), home=home_of(env)) != setup:
        return
    from memdir.hooks.reply_cache import write_card

    path = card_path(env, call.project)
    is_new = not os.path.exists(path)
    write_card(setup, silent, rests, known.rows, env=env, cwd=call.project)
    if is_new:
        _tidy_cards(*os.path.split(path))


def _tidy_cards(folder: str, newest: str) -> None:
    """Remove the cards of places that nobody works in any more, and what killed hooks left half-written."""
    from memdir.disk.cleanup import sweep
    from memdir.disk.expired import drop_expired

    drop_expired(folder, newest, lambda name: name.endswith(".card"))
    sweep(folder)
