"""Checks of the index: does it match the files, is it within its limits, did others edit it."""

import os
from collections.abc import Iterator, Sequence

from memdir.doctor.finding import Finding, credential_findings, mask_difference
from memdir.memories.change import version_on_disk
from memdir.memories.directory import MemoryDir
from memdir.memories.index.file import IndexCheck
from memdir.memories.names import INDEX_NAME
from memdir.text.secrets.search import mask_secrets

__all__ = ["edited_findings", "index_findings"]

_SHOWN = 5
"""Edited lines that are shown: enough to recognise the edit."""

_FIX = "`memdir doctor --fix` writes the healed index; prompts use the healed view already."
_HELD = "Prompts use the healed view already."


def index_findings(memories: MemoryDir) -> Iterator[Finding]:
    """Report where the index and the files disagree, and what about it is too long."""
    if not memories.exists():
        return
    with memories.open_folder() as folder:
        version = version_on_disk(folder, INDEX_NAME) if folder else None
    if version:
        yield from credential_findings(INDEX_NAME, version.text, f"Remove it from {INDEX_NAME}")
    if not memories.indexed:
        return  # then nothing writes it, and whatever it says is a person's
    look = memories.examine_index()
    if look.is_folder:
        message = f"{INDEX_NAME} is a folder where the index should be, so that every save fails."
        hint = f"`memdir doctor --fix` renames it to {INDEX_NAME}.set-aside and writes the index."
        yield Finding("index-folder", message, hint, INDEX_NAME, fixable=True)
    elif look.held:
        yield Finding("index-held", look.held, file=INDEX_NAME)
    yield from _set_aside(memories)
    yield from _index_findings(look)
    yield from edited_findings(look.changed_outside)
    for line in map(mask_secrets, look.long_lines):  # before it is cut: half a credential is not recognised
        message = f"A line of the index is over 200 characters: {line[:60]}…"
        hint = "`memdir doctor --fix` shortens pointers; move prose into a topic file."
        yield Finding("long-line", message, hint, line[:60], "advice", fixable="](" in line)
    if look.prose_too_long:
        message = "The prose in the index alone is longer than what is loaded."
        yield Finding("index-too-long", message, "Move text from MEMORY.md into topic files.", INDEX_NAME)


def _index_findings(look: IndexCheck) -> Iterator[Finding]:
    drift = (
        ("is missing from the index", look.missing),
        ("is in the index and not on disk", look.dangling),
        ("is in the index twice", look.twice),
    )
    for what, files in drift:
        for file in files:
            is_held = bool(look.held) and not look.is_folder
            hint = _HELD if is_held else _FIX
            yield Finding("index-drift", f"{file} {what}.", hint, file, fixable=not is_held)


def _set_aside(memories: MemoryDir) -> Iterator[Finding]:
    for name in sorted(os.listdir(memories.path)):
        if name.startswith(f"{INDEX_NAME}.set-aside"):
            message = f"{name} once stood in the place of the index. Nothing in it is read or was changed."
            yield Finding("set-aside", message, "Move it elsewhere, or remove it.", name, "advice")


def edited_findings(lines: Sequence[str]) -> Iterator[Finding]:
    """Report lines of the index that somebody else took away or added."""
    lines = mask_difference(lines)
    for line in lines[:_SHOWN]:
        message = f"The index was edited outside memdir: {line[:100]}"
        hint = "`memdir history` shows it; `memdir undo ID` takes it back."
        yield Finding("index-edited", message, hint, severity="advice")
    if len(lines) > _SHOWN:
        rest = len(lines) - _SHOWN
        yield Finding("index-edited", f"… and {rest} more lines of the index.", severity="advice")
