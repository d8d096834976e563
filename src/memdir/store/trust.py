"""Who really wrote a memory: what history says of these very bytes, not what the header claims."""

from memdir.core.topic import Provenance
from memdir.errors import HistoryError
from memdir.store.writer import Writer

__all__ = ["known_writer"]


def known_writer(writer: Writer, file: str) -> Provenance | None:
    """Return who wrote the present bytes through memdir; None when nobody is known to have."""
    version = writer.version_now(file)
    if version is None:
        return None
    for operation in reversed(writer.recorder.journal.pending()):
        for change in operation.changes:
            if change.file == file:
                same = change.after is not None and change.after.sha == version.sha
                return operation.by if same and operation.by.actor != "outside" else None
    return _from_history(writer, file, version.sha)


def _from_history(writer: Writer, file: str, sha: str) -> Provenance | None:
    try:
        entries = writer.recorder.history.entries(file=file, limit=1)
    except HistoryError:
        return None
    for entry in entries:
        mark = entry.marks[entry.files.index(file)]
        if mark.split(" ")[0] == sha and entry.by.actor != "outside":
            return entry.by
    return None
