"""The past texts of one memory, what each change did to it, and which change each line comes from."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from memdir.memories.history.history import History, HistoryEntry
from memdir.memories.history.versions import trail_of
from memdir.text.diff import file_diff
from memdir.text.value import value_class

__all__ = ["BlamedLine", "PastText", "blamed_lines", "past_texts"]


@value_class(frozen=True, slots=True)
class PastText:
    """What one change left in a memory, and what was there before."""

    entry: HistoryEntry
    file: str
    """Where it was then."""
    before: str | None
    after: str | None

    @property
    def diff(self) -> str:
        """Return what the change did to this memory alone."""
        return file_diff(self.file, self.before, self.after)


@value_class(frozen=True, slots=True)
class BlamedLine:
    """One line of a memory and the change that it comes from; None: nobody recorded that yet."""

    line: str
    entry: HistoryEntry | None


def past_texts(history: History, entries: Sequence[HistoryEntry], file: str, limit: int) -> list[PastText]:
    """Return the newest texts of a memory, newest first, also under earlier names; one question to git."""
    found = [*trail_of(entries, file)][: limit + 1]
    texts = history.texts_after([(entry, then) for entry, then in found])
    older = [*texts[1:], None]
    return [
        PastText(entry, then, before, after)
        for (entry, then), after, before in zip(found, texts, older, strict=True)
    ][:limit]


def blamed_lines(texts: Sequence[PastText], present: str) -> list[BlamedLine]:
    """Return the lines of the present text, each with the change that brought it; newest text first."""
    lines: list[BlamedLine] = []
    for past in reversed(texts):
        if not lines and past.before:  # what is older than the texts at hand is counted to the oldest change
            lines = [BlamedLine(line, past.entry) for line in past.before.splitlines()]
        lines = _moved_on(lines, (past.after or "").splitlines(), past.entry)
    return _moved_on(lines, present.splitlines(), None)


def _moved_on(lines: list[BlamedLine], after: list[str], entry: HistoryEntry | None) -> list[BlamedLine]:
    """Return the lines of the next text: those that stayed keep their change, the others get this one."""
    matcher = SequenceMatcher(None, [one.line for one in lines], after, autojunk=False)
    moved: list[BlamedLine] = []
    for tag, first, last, begin, end in matcher.get_opcodes():
        stayed = tag == "equal"
        moved += lines[first:last] if stayed else [BlamedLine(line, entry) for line in after[begin:end]]
    return moved
