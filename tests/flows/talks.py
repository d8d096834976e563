"""Conversations and models for the stories about extraction."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.environment import WORDS_ALONE

from memdir.memory import Memory
from memdir.models.protocol import Model, Reply, ToolCall
from memdir.models.vendors.scripted import ScriptedModel, Step

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
TUESDAYS = "Remember that we deploy on Tuesdays only, because support is fully staffed then."


def memory_in(
    folder: Path,
    *,
    model: Model | None = None,
    session: str = "session-1",
    settings: Mapping[str, Any] | None = None,
    clock: Callable[[], datetime] = lambda: NOW,
) -> Memory:
    """Open the memory below a folder that is also its home."""
    if settings is not None:
        (folder / ".claude" / "memdir").mkdir(parents=True, exist_ok=True)
        (folder / ".claude" / "memdir" / "settings.json").write_text(json.dumps(settings))
    env = {"HOME": str(folder), "PATH": "/usr/bin:/bin:/usr/local/bin", **WORDS_ALONE}
    place, state = folder / "memory", folder / "state"
    return Memory.at(place, state, session, cwd=folder, env=env, model=model, clock=clock)


def transcript(path: Path, *said: tuple[str, str]) -> Path:
    """Add messages to a transcript: roles and texts."""
    with path.open("a", encoding="utf-8") as file:
        for role, content in said:
            row = {"role": role, "content": content, "timestamp": "2026-11-12T10:00:00Z"}
            file.write(json.dumps(row) + "\n")
    return path


def memo(kind: str, name: str, body: str, description: str = "") -> str:
    """Return a memory file as a model writes it."""
    return f"---\nname: {name}\ndescription: {description or body}\ntype: {kind}\n---\n\n{body}\n"


def write(path: str, text: str, message: str = "m1") -> ToolCall:
    """Return a call that writes a memory."""
    return ToolCall(f"call-{path}", "write", {"path": path, "text": text, "message": message})


def replies(*calls: ToolCall) -> list[Step]:
    """Return the script of a model that makes these calls and is done."""
    return [Reply("", calls, stop="tools"), "Done."]


def scripted(*calls: ToolCall) -> ScriptedModel:
    """Return a model that makes these calls."""
    return ScriptedModel(replies(*calls))


def bodies(memory: Memory) -> dict[str, str]:
    """Return what is saved, by file."""
    return {header.file: memory.read(header.file).body for header in memory.list()}
