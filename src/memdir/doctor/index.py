"""Checks of the index: is it in step with the files, within its limits, changed by someone."""

from collections.abc import Iterator

from memdir.core.names import INDEX_NAME
from memdir.doctor.finding import Finding
from memdir.store.memory_dir import MemoryDir

__all__ = ["index_findings"]

_SHOWN = 5
"""Edited lines that are shown one by one: a person wants to recognise the edit, not to read it again."""


def index_findings(memories: MemoryDir) -> Iterator[Finding]:
    """Report where the index and the files disagree, and what about it is too long."""
    if not memories.exists():
        return
    look = memories.examine_index()
    fix = "`memdir doctor --fix` writes the healed index; prompts use the healed view already."
    drift = (
        ("is missing from the index", look.missing),
        ("is in the index and not on disk", look.dangling),
        ("is in the index twice", look.twice),
    )
    for what, files in drift:
        for file in files:
            yield Finding("index-drift", f"{file} {what}.", fix, file, fixable=True)
    for line in look.changed_outside[:_SHOWN]:
        yield Finding("index-edited", f"The index was edited outside memdir: {line[:100]}", severity="advice")
    if len(look.changed_outside) > _SHOWN:
        rest = len(look.changed_outside) - _SHOWN
        yield Finding("index-edited", f"… and {rest} more lines of the index.", severity="advice")
    for line in look.long_lines:
        message = f"A line of the index is over 200 characters: {line[:60]}…"
        hint = "`memdir doctor --fix` shortens pointers; move prose into a topic file."
        yield Finding("long-line", message, hint, line[:60], "advice", fixable="](" in line)
    if look.prose_too_long:
        message = "The prose in the index alone is longer than what is loaded."
        yield Finding("index-too-long", message, "Move text from MEMORY.md into topic files.", INDEX_NAME)
