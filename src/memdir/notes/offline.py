"""Takes notes with no model: the requests, the files touched, what went wrong, and when; no guesses."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from memdir.conversation.messages import Spoken
from memdir.extract.heuristics.credentials import without_credentials

__all__ = ["offline_bodies"]

_LONGEST = 300
"""Characters of a request or an error that are noted: its beginning says what it is."""

_MOST_FILES, _MOST_ERRORS = 40, 20
_PATHS = ("file_path", "notebook_path", "path")


def offline_bodies(known: Mapping[str, str], messages: Sequence[Spoken], now: datetime) -> dict[str, str]:
    """Return the texts of the sections with what these messages add; sections of another name stay."""
    typed = [one for one in messages if one.role == "user" and not one.recalled]
    said = [(one.at or now, text) for one in typed if (text := without_credentials(one.text).strip())]
    bodies = dict(known)
    if said and not bodies.get("Title"):
        bodies["Title"] = _short(said[0][1], 80)
    if said and not bodies.get("Task"):
        bodies["Task"] = _short(said[0][1], 1_000)
    if said:
        bodies["Current state"] = f"Last request: {_short(said[-1][1])}"
    bodies["Files and functions"] = _with(
        bodies.get("Files and functions", ""), _files(messages), _MOST_FILES
    )
    errors = _with(bodies.get("Errors and corrections", ""), _errors(messages), _MOST_ERRORS)
    bodies["Errors and corrections"] = errors
    log = [f"{at:%Y-%m-%d %H:%M} {_short(text, 120)}" for at, text in said]
    bodies["Worklog"] = _with(bodies.get("Worklog", ""), log, 0)
    return {name: body for name, body in bodies.items() if name in known}


def _files(messages: Sequence[Spoken]) -> list[str]:
    """Return the files that tools were called on, with the tools."""
    tools: dict[str, dict[str, None]] = {}
    for use in (use for one in messages for use in one.uses):
        path = next((use.input[key] for key in _PATHS if isinstance(use.input.get(key), str)), "")
        if path:
            tools.setdefault(path, {})[use.name] = None
    return [f"{path} ({', '.join(names)})" for path, names in tools.items()]


def _errors(messages: Sequence[Spoken]) -> list[str]:
    """Return what failed, and how the tool put it."""
    names = {use.id: use.name for one in messages for use in one.uses}
    failed = [one for one in messages if one.role == "tool" and one.failed]
    return [f"{names.get(one.answers, 'a tool')}: {_short(without_credentials(one.text))}" for one in failed]


def _with(body: str, new: Sequence[str], most: int) -> str:
    """Return a list with new points at its end, each once; of too many the oldest go."""
    points = dict.fromkeys([*body.split("\n"), *(f"- {line}" for line in new)])
    lines = [line for line in points if line.strip()]
    return "\n".join(lines[-most:] if most else lines)


def _short(text: str, most: int = _LONGEST) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
