"""Answers one event in full; whatever goes wrong is one line on standard error, and the host goes on."""

import os
import sys
from collections.abc import Mapping

TYPE_CHECKING = False  # as in typing, whose import a hook must not wait for
if TYPE_CHECKING:
    from memdir.hosts.dialect import Host

__all__ = ["log", "report", "serve"]


def serve(event: str, data: bytes) -> int:
    """Print what the host is to be told at this event; never fail, never say no by an exit code."""
    try:
        said = _said(event, data, os.environ)
        if said:
            sys.stdout.write(said + "\n")
            sys.stdout.flush()
    except Exception as error:  # noqa: BLE001 - a hook must never break its host
        report(event, error, os.environ)
    return 0


def _said(event: str, data: bytes, env: Mapping[str, str]) -> str:
    from memdir.surfaces.hooks.answers import answered

    host = _host(env)
    call = host.call(event, data, env)
    return host.written(call, answered(call, env))


def _host(env: Mapping[str, str]) -> "Host":
    """Return the host that the hook was installed for; Claude Code when nobody says."""
    if env.get("MEMDIR_HOST", "") == "generic":
        from memdir.hosts.generic import Generic

        return Generic()
    from memdir.hosts.claude_code import ClaudeCode

    return ClaudeCode()


def report(event: str, error: Exception, env: Mapping[str, str]) -> None:
    """Say what went wrong in one line, here and in the log that `memdir doctor` shows."""
    said = str(error).strip() or "no message"
    log(event, f"{said} ({type(error).__name__})", env)


def log(event: str, said: str, env: Mapping[str, str]) -> None:
    """Write one line to standard error and to the log that `memdir doctor` shows."""
    line = f"memdir-hook {event}: {' '.join(said.split())}"
    try:
        print(line, file=sys.stderr)
        from datetime import UTC, datetime

        from memdir.config.layout import CLAUDE
        from memdir.config.variables import config_home
        from memdir.store.hook_log import HookLog

        home = env.get("HOME") or os.path.expanduser("~")
        HookLog(config_home(CLAUDE, env, home).path).add(line, datetime.now(UTC))
    except Exception:  # noqa: BLE001, S110 - there is nobody left to tell
        pass
