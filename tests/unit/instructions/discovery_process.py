"""A process that discovers on request and tells which files were opened and which folders were listed for it.

Run as `python discovery_process.py`; each line of input is a JSON object, each answer too. What is watched
are audit events, which Python raises for every file it opens, whoever asks for it.
"""

import json
import os
import sys
from dataclasses import asdict
from typing import Any

from memdir.config.layout import CLAUDE
from memdir.instructions.discovery import discover, discover_touched
from memdir.instructions.loader import InstructionScope
from memdir.instructions.records import Discovery

EVENTS: list[tuple[str, str]] = []
WATCHED = {"open": "opened", "os.listdir": "listed", "os.scandir": "listed"}


def note(event: str, arguments: tuple[Any, ...]) -> None:
    """Keep what is opened or listed, by its real path."""
    if event in WATCHED:
        EVENTS.append((WATCHED[event], os.path.realpath(str(arguments[0]))))


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Discover as asked, at the start and for touched files."""
    touching, approved, excludes = question.pop("touched"), question.pop("approved"), question.pop("excludes")
    scope = InstructionScope(
        layout=CLAUDE, approved=frozenset(approved), excludes=tuple(excludes), **question
    )
    told = {"start": _told(lambda: discover(scope))}
    loaded = {one["path"] for one in told["start"]["loaded"]}
    return told | {"later": _told(lambda: discover_touched(scope, touching, loaded))}


def _told(discover: Any) -> dict[str, Any]:
    EVENTS.clear()
    found: Discovery = discover()
    events = list(EVENTS)
    return {
        "loaded": [{"path": one.path, "text": one.text} for one in found.loaded],
        "left": [asdict(one) for one in found.left_out],
        **{kind: [path for event, path in events if event == kind] for kind in ("opened", "listed")},
    }


if __name__ == "__main__":
    sys.addaudithook(note)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
