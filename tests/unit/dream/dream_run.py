"""What the tests of dreams share: a directory with memories and a dreamer."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memdir.config.world import World
from memdir.dream.dreamer import Dreamed, Dreamer
from memdir.dream.inputs import DreamContext
from memdir.inbox.proposals import Inbox, apply_edits
from memdir.memories.change import Change
from memdir.memories.directory import MemoryDir
from memdir.memories.history.git import git_path
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.models.protocol import Cancel
from memdir.models.vendors.scripted import ScriptedModel, Step

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
USER = Provenance("user", "user")


def memory(body: str, *, name: str = "x", kind: str = "project", more: str = "") -> str:
    """Return the text of a memory whose description is its first line."""
    about = body.strip("- ").partition("\n")[0]
    return f'---\nname: "{name}"\ndescription: "{about}"\ntype: "{kind}"\n{more}---\n\n{body}\n'


def writer_at(folder: Path) -> Writer:
    return Writer(
        MemoryDir(str(folder / "memory"), str(folder / "state")),
        git_path({"PATH": "/usr/bin:/bin:/usr/local/bin"}),
    )


def filled(folder: Path, texts: Mapping[str, str], by: Provenance = USER) -> Writer:
    """Return the writer of a directory with these files, written through memdir by somebody."""
    writer = writer_at(folder)
    apply_edits(writer, [Change(file, None, text) for file, text in texts.items()], by, NOW, verb="remember")
    return writer


def contents(folder: Path) -> dict[str, str]:
    """Return every memory on disk."""
    found = (folder / "memory").glob("*.md")
    return {path.name: path.read_text() for path in found if path.name != "MEMORY.md"}


def leftover_files(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".memdir-tmp-*")]


def told(*rows: tuple[str, str, str, str]) -> tuple[str, dict[str, Any]]:
    keys = ("id", "fate", "into", "because")
    return "account", {"claims": [dict(zip(keys, row, strict=True)) for row in rows]}


def context(*steps: Step, model: bool = True, **more: Any) -> DreamContext:
    more.setdefault("seconds", 5.0)
    given = ScriptedModel([*steps, "Done."], default="Done.") if model else None
    return DreamContext(World({}, "/", "/", timer=lambda: 0.0), NOW, model=given, **more)


def dreamed(folder: Path, *steps: Step, dry: bool = False, **more: Any) -> Dreamed:
    dreamer = Dreamer(writer_at(folder), context(*steps, **more))
    return dreamer.preview() if dry else dreamer.dream()


def waiting(folder: Path) -> list[str]:
    return [one.because for one in Inbox(str(folder / "state")).proposals()]


def called_off() -> Cancel:
    cancel = Cancel()
    cancel.set()
    return cancel
