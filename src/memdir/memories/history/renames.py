"""Find the memories that an operation only moved to another file."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from memdir.memories.change import Edit, Version
from memdir.memories.history.history import HistoryEntry
from memdir.memories.topic import topic_from
from memdir.text.secrets.search import mask_secrets

__all__ = ["moved_from", "renames"]

_EPOCH = datetime.fromtimestamp(0, UTC)


def moved_from(edits: Sequence[Edit], before: Mapping[str, Version | None]) -> dict[str, str]:
    """Return for each new file the removed one that had the same body, whatever verb made them so."""
    came = [(edit.file, edit.after) for edit in edits if edit.after is not None and before[edit.file] is None]
    went = [(edit.file, before[edit.file]) for edit in edits if edit.after is None]
    if not came or not went:
        return {}
    bodies = {_body(version.text): file for file, version in reversed(went) if version}
    moved = {file: bodies.pop(_body(text), "") for file, text in came}
    return {file: old for file, old in moved.items() if old}


def renames(entries: Sequence[HistoryEntry]) -> dict[str, tuple[str, str]]:
    """Return by operation the file that a memory had and the one it got, also where that was taken back."""
    found: dict[str, tuple[str, str]] = {}
    for entry in reversed(entries):
        if entry.verb == "rename" or entry.undoes in found:
            marks = [(file, mark.split(" ")) for file, mark in zip(entry.files, entry.marks, strict=True)]
            went = [file for file, (after, _, _, _) in marks if after == "-"]
            came = [file for file, (_, _, before, _) in marks if before == "-"]
            if len(went) == len(came) == 1:
                found[entry.id] = (went[0], came[0])
    return found


def _body(text: str) -> str:
    """Return the body as history has it: what comes back from there has its credentials masked."""
    return mask_secrets(topic_from("", text, _EPOCH).body.strip())
