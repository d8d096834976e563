"""Any other host: plain JSON with our own names in both directions."""

import json
from collections.abc import Mapping
from typing import Any

from memdir.hosts.host import Call, HostAnswer

__all__ = ["Generic"]


class Generic:
    """Reads `{"cwd", "session", "prompt", "tool", "input", "transcript", "tools"}` and writes its answer."""

    name = "generic"

    def call(self, event: str, said: Mapping[str, Any], env: Mapping[str, str]) -> Call:
        """Return the event that the host wrote to standard input."""
        del env
        given = said.get("input")
        return Call(
            event=event,
            cwd=said["cwd"],
            session=str(said.get("session") or ""),
            transcript=_text(said.get("transcript")),
            prompt=_text(said.get("prompt")),
            tool=_text(said.get("tool")),
            given=given if isinstance(given, dict) else None,
            source=_text(said.get("source")),
            again=said.get("again") is True,
            headless=said.get("headless") is True,
            uninstructed=True,
            tools=_names(said.get("tools")),
        )

    def render_answer(self, call: Call, answer: HostAnswer) -> str:
        """Return one object with context, decision and reason as far as there are any."""
        del call
        parts = {"context": answer.context, "decision": answer.decision, "because": answer.because}
        return json.dumps({key: text for key, text in parts.items() if text}) if answer else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _names(value: object) -> tuple[str, ...]:
    return tuple([name for name in value if isinstance(name, str)]) if isinstance(value, list) else ()
