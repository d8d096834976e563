"""Finds the text that a memory once held, in history or in the trash."""

from datetime import datetime

from memdir.core.names import INDEX_NAME, slug
from memdir.errors import NoSuchMemory, Rejected
from memdir.store.git import GitMissing
from memdir.store.journal import Version
from memdir.store.outside import version_in
from memdir.store.writer import Writer

__all__ = ["file_ever_called", "version_named"]


def file_ever_called(writer: Writer, name: str) -> str:
    """Return the file of a memory that is there or once was, by file or name."""
    try:
        return writer.memories.file_of(name)
    except NoSuchMemory:
        for entry in writer.recorder.history.entries():
            for file in entry.files:
                if file == name or file.removesuffix(".md").partition("_")[2] == slug(name):
                    return file
        raise


def version_named(writer: Writer, name: str, now: datetime, operation: str = "") -> tuple[str, Version]:
    """Return a memory's file and the text to bring back: as an operation left it, or the last there was."""
    if name.casefold() == INDEX_NAME.casefold():
        raise Rejected(
            f"{INDEX_NAME} is the index and no memory. `memdir history {INDEX_NAME}` lists what was done to "
            "it, and `memdir undo ID` takes that back."
        )
    try:
        writer.note_outside(now)
        file = file_ever_called(writer, name)
        return file, _from_history(writer, file, operation)
    except (GitMissing, NoSuchMemory):
        if operation:
            raise
        return _from_trash(writer, name)


def _from_history(writer: Writer, file: str, operation: str) -> Version:
    history = writer.recorder.history
    if operation:
        entry = history.entry(operation)
        version = history.version(entry, file) if file in entry.files else None
        if version is None:
            raise NoSuchMemory(
                f"Change {operation} left no text in {file}. `memdir history {file}` lists those that did."
            )
        return version
    present = writer.version_now(file)
    for entry in history.entries(file=file):
        version = history.version(entry, file)
        if version and (present is None or version.sha != present.sha):
            return version
    raise NoSuchMemory(f"History holds no earlier text of {file}.")


def _from_trash(writer: Writer, name: str) -> tuple[str, Version]:
    for item in writer.trash.items():
        if name in {item.file, item.file.removesuffix(".md").partition("_")[2]}:
            return item.file, version_in(item.path)
    raise NoSuchMemory(f"Neither history nor the trash knows {name!r}. `memdir history` lists what was done.")
