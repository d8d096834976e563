"""What each event of a host is answered, and what it sets going."""

import os
from collections.abc import Callable, Mapping

from memdir.core.value import replace
from memdir.hosts.host import Answer, Call
from memdir.memory import Memory
from memdir.surfaces.hooks.guard import WAYS, card_path, home_of

__all__ = ["EVENTS", "answered"]


def answered(call: Call, env: Mapping[str, str]) -> Answer:
    """Open the memory of the conversation and return what it has to say to this event."""
    memory = Memory.open(call.project, env, session=call.session)
    said = _EVENTS[call.event](memory, call, env)
    _leave_card(memory, call, env)
    return said


def _started(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del env
    return memory.attendant.begin(call.source, uninstructed=call.uninstructed, tools=call.tools)


def _prompted(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    attendant = replace(memory.attendant, cwd=call.cwd)
    said = attendant.prompt(call.prompt, uninstructed=call.uninstructed)
    if attendant.wants_model(call.prompt, call.transcript):
        from memdir.surfaces.hooks.detach import detached

        detached("ask", call, env)
    return said


def _about_to_use(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del env
    return replace(memory.attendant, cwd=call.cwd).before_tool(call.tool, call.given or {})


def _used(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del env
    attendant = replace(memory.attendant, cwd=call.cwd)
    return attendant.after_tool(call.tool, call.given or {}, uninstructed=call.uninstructed)


def _compacted(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    del call, env
    memory.after_compaction()
    return Answer()


def _about_to_compact(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    """Have notes taken, where they are wanted, before the conversation is condensed."""
    if memory.verdict.on and memory.attendant.setup.settings.flag("notes.enabled"):
        from memdir.surfaces.hooks.detach import detached

        detached("compact", call, env)
    return Answer()


def _turn_ended(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    """Leave the work to a process of its own: the host waits for this one."""
    from memdir.workers.extract_gate import Requested

    if not call.again and isinstance(memory.turn_ended(call.transcript, headless=call.headless), Requested):
        from memdir.surfaces.hooks.detach import detached

        detached("turn", call, env)
    return Answer()


def _session_ended(memory: Memory, call: Call, env: Mapping[str, str]) -> Answer:
    if memory.verdict.on:
        from memdir.surfaces.hooks.detach import detached

        memory.turn_ended(call.transcript, headless=call.headless)
        detached("end", call, env)
    return Answer()


_EVENTS: Mapping[str, Callable[[Memory, Call, Mapping[str, str]], Answer]] = {
    "SessionStart": _started,
    "UserPromptSubmit": _prompted,
    "PreToolUse": _about_to_use,
    "PostToolUse": _used,
    "PreCompact": _about_to_compact,
    "PostCompact": _compacted,
    "Stop": _turn_ended,
    "SessionEnd": _session_ended,
}

EVENTS = tuple(_EVENTS)
"""The events that are answered; a test compares them with those that `memdir init` sets up."""


def _leave_card(memory: Memory, call: Call, env: Mapping[str, str]) -> None:
    """Write down for the guard which events need no answer, if this was one of them."""
    if call.event not in ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"):
        return
    if call.event == "UserPromptSubmit" and memory.verdict.on and memory.list(limit=1):
        return  # a prompt has an answer wherever there is a memory: nothing more is to be found out
    silent = memory.attendant.silent_events()
    if call.event in silent or WAYS.get(call.event) in silent:
        from memdir.surfaces.hooks.card import write_card

        path = card_path(env, call.project)
        is_new = not os.path.exists(path)
        write_card(memory.attendant.setup, silent, env=env, cwd=call.project, home=home_of(env))
        if is_new:
            _tidy_cards(*os.path.split(path))


def _tidy_cards(folder: str, newest: str) -> None:
    """Remove the cards of places that nobody works in any more, and what killed hooks left half-written."""
    from memdir.store.expired import drop_expired
    from memdir.store.litter import sweep

    drop_expired(folder, newest, lambda name: name.endswith(".card"))
    sweep(folder)
