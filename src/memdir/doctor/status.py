"""The figures of one memory directory: counts, sizes, what waits, and the time of the last hook event."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import TypeVar

from memdir.build import Parts
from memdir.conversation.logs import Load, Loads
from memdir.conversation.receipts import Receipts
from memdir.errors import MemdirError
from memdir.memories.history.versions import trashed_files
from memdir.text.clip import clip_index
from memdir.text.value import field, value_class

__all__ = ["Status", "status_of"]

T = TypeVar("T")

_REQUESTS = (".waiting", ".taken")
"""What a hook leaves for a worker; a command does its work in the same folders, and leaves none."""


@value_class(frozen=True, slots=True)
class Status:
    """What `memdir status` shows."""

    directory: str
    state: str
    exists: bool
    memories: int
    kinds: dict[str, int] = field(default_factory=dict)
    index_lines: int = 0
    index_characters: int = 0
    skipped: tuple[str, ...] = ()
    """Files that look like memories and are not read, with the reason."""
    waiting: int = 0
    """Changes that are acknowledged and not yet in history."""
    history: bool = False
    trash: int = 0
    notices: tuple[str, ...] = ()
    last_event: datetime | None = None
    """When a hook last wrote a file; most events write none, so there may have been later ones."""
    last_load: Load | None = None
    """What a conversation was last told about its memory, or why nothing."""


def status_of(parts: Parts) -> Status:
    """Return the figures of a directory without changing anything."""
    memories, recorder = parts.memories, parts.writer.recorder
    config_home = parts.effective_setup.place.config_home
    warnings = parts.setup.warnings if parts.setup else ()
    headers = memories.scan()
    kinds = Counter(header.kind or "none" for header in headers)
    index = clip_index(memories.view())
    closed = list[str]()
    return Status(
        directory=memories.path,
        state=memories.state,
        exists=memories.exists(),
        memories=len(headers),
        kinds=dict(sorted(kinds.items())),
        index_lines=index.lines,
        index_characters=index.characters,
        skipped=tuple(f"{item.file}: {item.because}" for item in memories.catalog.findings.skipped),
        waiting=_read(lambda: len(recorder.pending()), 0, closed),
        history=_read(recorder.history.git.has_commits, False, closed),
        trash=_read(lambda: len(trashed_files(memories.state)), 0, closed),
        last_event=_read(lambda: _last_event(config_home, memories.state), None, closed),
        last_load=_read(lambda: next(iter(Loads(memories.state).all()), None), None, closed),
        notices=(*warnings, *_read(recorder.notices, list[str](), closed), *dict.fromkeys(closed)),
    )


def _read(look: Callable[[], T], without: T, closed: list[str]) -> T:
    """Return one figure; if its records cannot be read, note that and return the default."""
    try:
        return look()
    except (OSError, MemdirError) as error:
        closed.append(f"Not all of our records can be read: {error}")
        return without


def _last_event(config_home: str, state: str) -> datetime | None:
    """Look at the reply caches of all projects, and at the requests and recalls of this one."""
    times = [*_times(os.path.join(config_home, "memdir", "hooks"), ".cache")]
    work = os.path.join(state, "work")
    for job in os.listdir(work) if os.path.isdir(work) else ():
        times += _times(os.path.join(work, job), _REQUESTS)
    asked = next((receipt.at for receipt in Receipts(state).all() if receipt.session), "")
    with suppress(ValueError):
        times += [datetime.fromisoformat(asked).timestamp()]
    return datetime.fromtimestamp(max(times), UTC) if times else None


def _times(folder: str, ending: str | tuple[str, ...]) -> Iterator[float]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(ending):
                yield entry.stat(follow_symlinks=False).st_mtime
