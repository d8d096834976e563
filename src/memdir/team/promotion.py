"""Share one private memory with the team: its text as it stands, its time, and who wrote it."""

from __future__ import annotations

import os
from datetime import datetime

from memdir.disk.files import Folder
from memdir.errors import Conflict, Rejected
from memdir.memories.change import Change, Saved, Version, version_on_disk
from memdir.memories.history.authorship import known_writer
from memdir.memories.topic import Header, Provenance
from memdir.memories.writer import Writer
from memdir.team.admission import admit_to_team
from memdir.text.value import replace, value_class

__all__ = ["Sharing", "promote", "sharing"]

_VERB, _REASON = "promote", "promoted from private memory"


@value_class(frozen=True, slots=True)
class Sharing:
    """What a promotion would share, byte for byte."""

    header: Header
    """That of the private memory."""
    path: str
    """Where it would lie in team memory."""
    version: Version
    by: Provenance
    """Who wrote it, as history knows."""


def sharing(private: Writer, team: Writer, name: str) -> Sharing:
    """Return what promoting a private memory would share; raise where team memory must not hold it."""
    header = private.memories.read(name).header
    version = private.version_now(header.file)
    if version is None:
        raise Conflict(f"{header.file} is gone. `memdir list` shows what there is.")
    admit_to_team(team.memories.path, header.file, version.text)
    team.memories.scan()
    catalog = team.catalog
    if catalog.file_named(header.name) or header.file.casefold() in catalog.casefolded_names():
        raise Rejected(
            f"Team memory has one called {header.name!r} already. `memdir show team/{header.name}` shows it; "
            f"edit that one, or rename yours first."
        )
    known = known_writer(private.recorder, header.file)
    by = known or Provenance("user", "assistant")  # nobody knows whose words they are: no rule binds by them
    path = os.path.join(team.memories.path, header.file)
    return Sharing(header, path, version, replace(by, reason=_REASON))


def promote(private: Writer, team: Writer, shared: Sharing, now: datetime, *, keep: bool = False) -> Saved:
    """Put a memory into team memory and, unless it is kept, out of private memory: one step to undo."""
    file, version = shared.header.file, shared.version
    made = Change(file, None, version.text, version.saved_ns)
    operation, warnings = team.apply(_VERB, shared.by, now, lambda _: [made])
    saved = team.result_of(operation.id, operation.changes[0], tuple(warnings))
    if keep:
        return saved

    def removal(folder: Folder) -> list[Change]:
        present = version_on_disk(folder, file)
        same = present is not None and present.sha == version.sha
        return [Change(file, version.text, None)] if same else []

    by = replace(shared.by, actor="user", source="user", reason="moved into team memory")
    gone, warnings = private.apply(_VERB, by, now, removal, named=operation.id)
    left = () if gone.id else (f"{file} changed meanwhile, so the private one stays.",)
    return replace(saved, warnings=(*saved.warnings, *warnings, *left))
