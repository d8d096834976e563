"""Who taught the team what, when and in which conversation: as the remote says, and what waits here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from memdir.disk.files import Folder
from memdir.memories.change import Version, file_bytes
from memdir.memories.history.commits import HistoryEntry
from memdir.memories.history.git import blob_id
from memdir.memories.topic import Provenance
from memdir.sync.remote import Authorship, load_record
from memdir.text.value import replace, value_class

__all__ = ["TeamChange", "team_changes", "with_person"]

_YOU = "you"


@value_class(frozen=True, slots=True)
class TeamChange:
    """One change of one team memory."""

    file: str
    by: Authorship
    """As the remote records it: a claim of whoever may write there."""
    deleted: bool = False
    sent: bool = True
    """False for a change that was made here and is not in the remote yet."""


def team_changes(
    remote: Iterable[tuple[str, Authorship, bool]], own: Sequence[HistoryEntry], waiting: Iterable[str]
) -> list[TeamChange]:
    """Return all changes, newest first: those of the remote, and of the files that wait the newest here."""
    found = [TeamChange(file, by, deleted) for file, by, deleted in remote]
    found.sort(key=lambda one: one.by.at, reverse=True)
    unsent = dict[str, TeamChange]()
    left = set(waiting)
    for entry in own:
        for file in left.intersection(entry.files) - unsent.keys():
            by = Authorship(_YOU, entry.at, entry.by.session, entry.by.actor)
            gone = not entry.mark(file).sha
            unsent[file] = TeamChange(file, by, gone, sent=False)
    return [*sorted(unsent.values(), key=lambda one: one.by.at, reverse=True), *found]


def with_person(by: Provenance, place: str, file: str, now: Callable[[str], Version | None]) -> Provenance:
    """Return who sync says brought a text with the person who wrote it, where the remote says so.

    `place` holds the record of the last sync, `now` tells the present text of a file.
    """
    with suppress(OSError), Folder(place) as folder:
        record, version = load_record(folder), now(file)
        known = record.base.get(file) if record else None
        if known and version and blob_id(file_bytes(version.text)) == known.content:
            return replace(by, person=known.by.who.partition("<")[0].strip(), sent=known.by.at[:10])
    return by
