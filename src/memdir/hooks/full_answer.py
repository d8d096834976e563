"""Answers one event in full; whatever goes wrong is one line on standard error, and the host goes on.

A host waits for this module: it imports late and does without `typing`.
"""

import os
import sys
from collections.abc import Mapping

from memdir import __version__
from memdir.errors import MemdirError, Rejected
from memdir.hooks.entry import TooLate, home_of, set_time_limit
from memdir.hosts.host import Call, HostAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hosts.dialect import Host

__all__ = ["ask_user", "log", "report", "serve"]

_USAGE = "usage: memdir-hook EVENT < JSON. An agent starts it; `memdir init` sets agents up to do so."

_EXPECTED = {
    "claude-code": "this is not the JSON of a Claude Code hook. It comes on standard input with at least cwd "
    "and session_id.",
    "generic": "this is not the JSON of a hook. Write an object with cwd and session to standard input.",
}


def serve(event: str, data: bytes) -> int:
    """Print what the host is to be told at this event; never fail, never say no by an exit code."""
    if event.startswith("-"):  # a person, who may ask what this is
        print(_about(event))
        return 0
    try:
        said = _said(event, data, os.environ)
        set_time_limit(0)
        if said:
            sys.stdout.write(said + "\n")
            sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 - a hook must never break its host
        set_time_limit(0)
        return ask_user(event, error, os.environ)
    try:
        from memdir.hooks.answers import work_after_answer

        for work in work_after_answer:
            work()
    except Exception as error:  # noqa: BLE001 - the host has its answer
        report(event, error, os.environ)
    return 0


def ask_user(event: str, error: BaseException, env: Mapping[str, str]) -> int:
    """Say what went wrong; a tool call that could not be judged is left to the user, and not let through."""
    report(event, error, env)
    if event != "PreToolUse":
        return 0
    try:
        from memdir.hosts.denial import unknown_rules_text

        call, because = Call(event, "", ""), unknown_rules_text(_what_happened(error))
        sys.stdout.write(_host(env).written(call, HostAnswer("", "ask", because)) + "\n")
        sys.stdout.flush()
    except Exception:  # noqa: BLE001, S110 - there is nobody left to tell
        pass
    return 0


def _said(event: str, data: bytes, env: Mapping[str, str]) -> str:
    from memdir.hooks.answers import EVENTS, answer

    host = _host(env)
    try:
        call = host.call(event, data, env)
    except Rejected as error:
        raise Rejected(_EXPECTED[host.name]) from error
    if event not in EVENTS:
        log(event, f"no such event, so nothing was done. There are {', '.join(EVENTS)}.", env)
        return ""
    return host.written(call, answer(call, env))


def _about(option: str) -> str:
    """Return the answer to somebody who tries the command out: how it is used, or its version."""
    if option != "--version":
        return _USAGE
    return f"memdir-hook {__version__}"


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
    return said if isinstance(error, (MemdirError, TooLate)) else f"{said} ({type(error).__name__})"


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
