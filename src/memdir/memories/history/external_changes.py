"""Find what others changed in a memory directory, so that history records it too."""

from __future__ import annotations

from datetime import datetime

from memdir.disk.files import Folder
from memdir.memories.catalog.header_cache import Catalog
from memdir.memories.change import Change, Version, change_between, file_bytes, version_of, version_on_disk
from memdir.memories.history.commits import FOUND, History
from memdir.memories.history.git import blob_id
from memdir.memories.index.pointer import pointer_line, pointer_of
from memdir.memories.index.text import is_reworded, targets
from memdir.memories.names import INDEX_NAME
from memdir.memories.topic import Provenance
from memdir.text.secrets.search import mask_secrets

__all__ = ["OUTSIDE", "index_change", "outside_changes", "outside_steps"]

OUTSIDE = Provenance(actor="outside", source="", reason="changed outside memdir")


def outside_changes(folder: Folder, files: list[str], history: History) -> tuple[Change, ...]:
    """Compare every file with what history holds and return the differences."""
    known = history.newest_contents()
    now: dict[str, Version | None] = {}
    for file in files:
        try:
            version = version_on_disk(folder, file)
        except OSError:
            continue  # it will be there another time
        if version is not None and not _is_known(version, known.get(file, "")):
            now[file] = version
    gone = sorted(known.keys() - {*files, INDEX_NAME})
    now |= {file: None for file in gone if not folder.exists(file)}
    before = history.newest_of([file for file in now if file in known])
    return tuple(change_between(file, before.get(file), version) for file, version in now.items())


def index_change(
    folder: Folder, edited: tuple[str | None, str], catalog: Catalog, after: str | None = None
) -> Change | None:
    """Return what others did to words and order of the index, given the text we saw last and the present one.

    One that we never saw counts if some of its words are not in `after`, which is about to be written.
    """
    present, (last, text) = version_on_disk(folder, INDEX_NAME), edited
    if last is None:
        lost = after is not None and present and is_reworded(present.text, after, catalog.__contains__)
        return change_between(INDEX_NAME, None, present) if lost else None
    if not is_reworded(_words(last, text, catalog), text, catalog.__contains__):
        return None
    if present is None and folder.exists(INDEX_NAME):
        return None  # a link or a giant: nothing that history could keep
    return change_between(INDEX_NAME, version_of(file_bytes(last), 0), present)


def outside_steps(
    changes: tuple[Change, ...], history: History, now: datetime
) -> list[tuple[str, tuple[Change, ...]]]:
    """Return the same in the steps to record, each with its verb: what was there first is no change to undo.

    While there is no history, that is all there is. Afterwards times must tell, and one that is not yet come
    tells nothing: rather too much counts as found than that an undo removes what nobody touched.
    """
    began = history.began() if any(change.before is None for change in changes) else 0
    known = range(began + 10**9, int(now.timestamp() + 1) * 10**9) if began else range(0)
    steps: dict[str, list[Change]] = {FOUND: [], "outside": []}
    for change in changes:
        first = change.before is None and change.after is not None and change.saved_ns not in known
        steps[FOUND if first else "outside"].append(change)
    return [(verb, tuple(step)) for verb, step in steps.items() if step]


def _words(before: str, after: str, catalog: Catalog) -> str:
    """Return a text without the pointers of ours that are gone since: the next save writes them again."""
    there = set(targets(after))
    headers = {file: catalog.header(file) for file in targets(before) if file not in there}
    ours = {pointer_line(pointer_of(header)) for header in headers.values() if header}
    return "\n".join(line for line in before.split("\n") if line.rstrip() not in ours)


def _is_known(version: Version, name: str) -> bool:
    # Masking is slow and rarely changes anything: the plain bytes are tried first.
    if name == blob_id(file_bytes(version.text)):
        return True
    return bool(name) and name == blob_id(file_bytes(mask_secrets(version.text)))
