"""What a person took back stays away: words said before that are not saved again, wherever they are read."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from memdir.conversation.turns import Spoken
from memdir.errors import HistoryError
from memdir.extract.heuristics.extraction import Extraction
from memdir.memories.change import Operation
from memdir.memories.echo import is_echo
from memdir.memories.history.history import HistoryEntry
from memdir.memories.history.recorder import Recorder
from memdir.memories.topic import topic_from
from memdir.text.value import replace, value_class

__all__ = ["without_taken_back"]

_MOST = 40
"""Changes that were taken back whose texts are read, the newest ones."""


@value_class(frozen=True, slots=True)
class _TakenBack:
    """A text that was a memory until a person took it back."""

    body: str
    at: datetime


def without_taken_back(
    found: Extraction, heard: Sequence[Spoken], recorder: Recorder, now: datetime
) -> Extraction:
    """Leave out drafts that say what was undone or forgotten after their message; said again, it counts.

    A message without a time counts as said before: `remember` saves what a person wants after all.
    """
    if not found.drafts:
        return found
    times = {one.id: one.at for one in heard}
    gone: list[_TakenBack] = []
    with suppress(HistoryError):  # without history nobody knows what was taken back
        gone = recorder.answered(now, lambda: list(_taken_back(recorder)))
    away = [
        one
        for one in found.drafts
        if _says_again(one.body, [it.body for it in gone if (times.get(one.message) or it.at) <= it.at])
    ]
    reasons = [(one.message, "it was saved once and taken back") for one in away]
    return replace(
        found,
        drafts=tuple(one for one in found.drafts if one not in away),
        skipped=(*found.skipped, *reasons),
    )


def _says_again(body: str, texts: Sequence[str]) -> bool:
    lead = body.partition("\n\n")[0].strip()
    return any(lead == text.partition("\n\n")[0].strip() for text in texts) or is_echo(lead, texts)


def _taken_back(recorder: Recorder) -> Iterator[_TakenBack]:
    """Yield the texts of extractions that were undone, and of memories that a person forgot."""
    undone: dict[str, str] = {}
    taken: list[tuple[HistoryEntry | Operation, str]] = []
    # Newest first, and what is not in history yet before it: an undo that was undone takes nothing back.
    every: list[HistoryEntry | Operation] = [
        *reversed(recorder.journal.pending()),
        *recorder.history.entries(),
    ]
    for done in every:
        if done.id in undone:
            taken += [(done, undone[done.id])] if done.verb == "extract" else []
        elif done.undoes:
            undone[done.undoes] = done.at
        elif done.verb == "forget" and done.by.actor != "extractor":
            taken.append((done, done.at))
    for done, at in taken[:_MOST]:
        operation = done if isinstance(done, Operation) else recorder.history.operation(done)
        for change in operation.changes:
            text = change.text_before if done.verb == "forget" else change.text_after
            if text is not None:
                moment = datetime.fromisoformat(at)
                yield _TakenBack(topic_from(change.file, text, moment).body, moment)
