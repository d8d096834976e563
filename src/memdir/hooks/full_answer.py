"""Answers one event in full; whatever goes wrong is one line on standard error, and the host goes on.

A host waits for this module: it imports late and does without `typing`.
"""

import sys
from collections.abc import Mapping

from memdir import __version__
from memdir.errors import MemdirError, Rejected
from memdir.hooks.reply_cache import TOOL_CALL, home_of, parse
from memdir.hosts.host import Call, HostAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hosts.dialect import Host

__all__ = ["failure_reply", "finish", "full_reply", "log", "read_call", "report"]

_USAGE = "usage: memdir-hook EVENT < JSON. An agent starts it; `memdir init` sets agents up to do so."

_EXPECTED = {
    "claude-code": "this is not the JSON of a Claude Code hook. It comes on standard input with at least cwd "
    "and session_id.",
    "generic": "this is not the JSON of a hook. Write an object with cwd and session to standard input.",
}

_NOT_THE_JSON = (ValueError, LookupError, TypeError, AttributeError, RecursionError, StopIteration)


def full_reply(event: str, data: bytes, env: Mapping[str, str]) -> str:
    """Return what the host is to be told at this event; never fail, never say no by an exit code."""
    if event.startswith("-"):  # a person, who may ask what this is
        return f"memdir-hook {__version__}\n" if event == "--version" else f"{_USAGE}\n"
    try:
        said = _said(event, data, env)
    except Exception as error:  # noqa: BLE001 - a hook must never break its host
        return failure_reply(event, error, env)
    return f"{said}\n" if said else ""


def finish(event: str, env: Mapping[str, str]) -> None:
    """Do what waits until the host has its answer."""
    from memdir.hooks.answers import work_after_answer

    try:
        for work in work_after_answer:
            work()
    except Exception as error:  # noqa: BLE001 - the host has its answer
        report(event, error, env)


def failure_reply(event: str, error: BaseException, env: Mapping[str, str]) -> str:
    """Say what went wrong; a tool call that could not be judged is left to the user, and not let through."""
    report(event, error, env)
    if event != TOOL_CALL:
        return ""
    try:
        from memdir.hosts.denial import unknown_rules_text

        because = unknown_rules_text(_what_happened(error))
        return _host(env).written(Call(event, "", ""), HostAnswer("", "ask", because)) + "\n"
    except Exception:  # noqa: BLE001 - there is nobody left to tell
        return ""


def _said(event: str, data: bytes, env: Mapping[str, str]) -> str:
    from memdir.hooks.answers import EVENTS, answer

    host = _host(env)
    call = read_call(host, event, data, env)
    if event not in EVENTS:
        log(event, f"no such event, so nothing was done. There are {', '.join(EVENTS)}.", env)
        return ""
    return host.written(call, answer(call, env))


def read_call(host: "Host", event: str, data: bytes, env: Mapping[str, str]) -> Call:
    """Return the event that a host wrote; refuse what is not its JSON, and say what is expected."""
    try:
        return host.call(event, parse(data), env)
    except _NOT_THE_JSON as error:
        raise Rejected(_EXPECTED[host.name]) from error


def _host(env: Mapping[str, str]) -> "Host":
    """Return the host that the hook was installed for; Claude Code when nobody says."""
    if env.get("MEMDIR_HOST", "") == "generic":
        from memdir.hosts.generic import Generic

        return Generic()
    from memdir.hosts.claude_code import ClaudeCode

    return ClaudeCode()


def report(event: str, error: BaseException, env: Mapping[str, str]) -> None:
    """Say what went wrong in one line, here and in the log that `memdir doctor` shows."""
    log(event, _what_happened(error), env)


def _what_happened(error: BaseException) -> str:
    said = " ".join(str(error).split()) or "no message"
    ours = isinstance(error, MemdirError) or not isinstance(error, Exception)  # a time limit is none
    return said if ours else f"{said} ({type(error).__name__})"


def log(event: str, said: str, env: Mapping[str, str]) -> None:
    """Write one line to standard error and to the log that `memdir doctor` shows."""
    line = f"memdir-hook {event}: {' '.join(said.split())}"
    try:
        print(line, file=sys.stderr)
        from datetime import UTC, datetime

        from memdir.config.layout import CLAUDE
        from memdir.config.variables import config_home
        from memdir.conversation.logs import HookLog

        HookLog(config_home(CLAUDE, env, home_of(env)).path).add(line, datetime.now(UTC))
    except Exception:  # noqa: BLE001, S110 - there is nobody left to tell
        pass
