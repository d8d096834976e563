"""Results that are decided and perhaps not yet written: a process that dies leaves them to the next."""

import json
import os
from contextlib import suppress
from datetime import datetime
from typing import Any

from memdir.conversation.state import session_hash
from memdir.conversation.transcripts import Cursor
from memdir.disk.files import make_folder, storage_errors, sweep
from memdir.inbox.proposals import Proposal
from memdir.memories.change import Edit
from memdir.memories.topic import Provenance
from memdir.text.value import value_class

__all__ = ["JobResult", "ResultStore"]


@value_class(frozen=True, slots=True)
class JobResult:
    """The changes found in a piece of a conversation, and the cursor to set when they are written."""

    since: Cursor | None
    to: Cursor
    at: datetime
    """When it was decided, in whole seconds: with `by` it tells the operation that wrote it."""
    by: Provenance
    edits: tuple[Edit, ...] = ()
    """What is changed in the memory directory, in one step."""
    proposals: tuple[Proposal, ...] = ()
    """What goes to the inbox."""


class ResultStore:
    """The results of one job that are being written, one per conversation, in the state folder."""

    def __init__(self, state: str, job: str) -> None:
        """Remember where they lie; the first one makes the folder."""
        self._path = os.path.join(state, "unfinished", job)

    def keep(self, session: str, result: JobResult) -> None:
        """Keep a result durably before any of it is written."""
        with storage_errors("Nothing was extracted"), make_folder(self._path) as folder:
            sweep(self._path)
            folder.write(f"{session_hash(session)}.json", json.dumps(_as_json(result)).encode("utf-8"))

    def of(self, session: str) -> JobResult | None:
        """Return the result that somebody did not finish; None when there is none that can be read."""
        path = os.path.join(self._path, f"{session_hash(session)}.json")
        with suppress(OSError, ValueError, KeyError, TypeError), open(path, encoding="utf-8") as file:
            return _from_json(json.load(file))
        return None

    def drop(self, session: str) -> None:
        """Remove a result that is written, or that can no longer be."""
        if not os.path.isdir(self._path):
            return
        with (
            storage_errors("A kept result was not removed"),
            make_folder(self._path) as folder,
            suppress(FileNotFoundError),
        ):
            folder.remove(f"{session_hash(session)}.json")


def _as_json(result: JobResult) -> dict[str, object]:
    return {
        "since": _values(result.since) if result.since else None,
        "to": _values(result.to),
        "at": result.at.isoformat(),
        "by": _values(result.by),
        "edits": [_values(edit) for edit in result.edits],
        "proposals": [
            [[_values(edit) for edit in one.edits], _values(one.by), one.because, one.at.isoformat()]
            for one in result.proposals
        ],
    }


def _from_json(row: dict[str, Any]) -> JobResult:
    return JobResult(
        Cursor(*row["since"]) if row["since"] else None,
        Cursor(*row["to"]),
        datetime.fromisoformat(row["at"]),
        Provenance(*row["by"]),
        _edits(row["edits"]),
        tuple(
            Proposal(_edits(edits), Provenance(*by), because, datetime.fromisoformat(at))
            for edits, by, because, at in row["proposals"]
        ),
    )


def _edits(rows: list[list[Any]]) -> tuple[Edit, ...]:
    return tuple(Edit(*row) for row in rows)


def _values(one: Cursor | Provenance | Edit) -> list[Any]:
    return [getattr(one, name) for name in one.__match_args__]
