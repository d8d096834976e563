"""The ledger of losses: what became of every statement of the memories that a dream changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from memdir.dream.marks import SAME, SentenceMarks, common_share, exchanged_words, lost_marks
from memdir.dream.sources import Sources
from memdir.dream.statements import MemoryStatement, statements, wordings
from memdir.memories.topic import header_from
from memdir.text.value import value_class

__all__ = [
    "DROPPED",
    "FATES",
    "KEPT",
    "LOST",
    "MERGED",
    "SUPERSEDED",
    "Fate",
    "LedgerEntry",
    "LossLedger",
    "build_ledger",
]

KEPT, MERGED, SUPERSEDED, DROPPED, LOST = "kept", "merged", "superseded", "dropped", "unaccounted"
FATES = (MERGED, SUPERSEDED, DROPPED)
"""What a model may say became of a statement; whether it was kept is looked up."""

_ABOUT_IT = 0.2
"""The share of a statement's telling words that its replacement must have."""

_SHORTEST_REASON = 8
"""The least characters of a reason; a shorter one explains nothing."""


@value_class(frozen=True, slots=True)
class Fate:
    """What the dream itself says about one statement."""

    fate: str
    into: str = ""
    because: str = ""


@value_class(frozen=True, slots=True)
class LedgerEntry:
    """One old statement and what became of it."""

    statement: MemoryStatement
    fate: str
    into: str = ""
    """The memory that holds or replaces it."""
    because: str = ""


@value_class(frozen=True, slots=True)
class LossLedger:
    """Every statement of the memories that a patch changes or removes."""

    entries: tuple[LedgerEntry, ...] = ()

    def of(self, *fates: str) -> list[LedgerEntry]:
        """Return the entries with one of these fates."""
        return [entry for entry in self.entries if entry.fate in fates]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many statements met which fate."""
        return {fate: len(self.of(fate)) for fate in (KEPT, MERGED, SUPERSEDED, DROPPED, LOST)}

    @property
    def emptied(self) -> list[str]:
        """Return the memories of which nothing is left anywhere: all they said was dropped or lost."""
        gone = {entry.statement.file for entry in self.of(DROPPED, LOST)}
        left = {entry.statement.file for entry in self.of(KEPT, MERGED, SUPERSEDED)}
        return sorted(gone - left)


def build_ledger(
    before: Mapping[str, str], after: Mapping[str, str], fates: Mapping[str, Fate], sources: Sources
) -> LossLedger:
    """Account for each statement of the changed texts, from the new texts and the fates a dream names."""
    places, entries = defaultdict[str, list[str]](list), list[LedgerEntry]()
    for file, text in after.items():
        for statement in statements(file, text):
            places[statement.key].append(file)
    for file, text in before.items():
        for statement in statements(file, text):
            files = places[statement.key]
            if lasting := [one for one in files if one == file or not _ends(one, after[one], text)]:
                entries.append(LedgerEntry(statement, KEPT, file if file in lasting else lasting[0]))
            else:
                entries.append(_account_for(statement, text, fates.get(statement.id), after, sources))
    return LossLedger(tuple(entries))


def _account_for(
    statement: MemoryStatement, was: str, fate: Fate | None, after: Mapping[str, str], sources: Sources
) -> LedgerEntry:
    """Return what the dream says about a statement of a text, as far as it can be true."""
    if fate is None:
        return LedgerEntry(statement, LOST, because="nothing was said about it")
    if fate.fate == DROPPED:
        if len(fate.because.strip()) < _SHORTEST_REASON:
            return LedgerEntry(statement, LOST, because="it was dropped without a reason")
        return LedgerEntry(statement, DROPPED, because=fate.because)
    if problem := _claim_problem(statement, was, fate, after, sources):
        return LedgerEntry(statement, LOST, because=problem)
    return LedgerEntry(statement, fate.fate, fate.into, fate.because)


def _claim_problem(
    statement: MemoryStatement, was: str, fate: Fate, after: Mapping[str, str], sources: Sources
) -> str:
    """Say why a memory does not hold or replace a statement, as a dream says it does; empty when it does."""
    if fate.into not in after:
        return f"it is said to be in {fate.into or 'no file'}, which is not there"
    claim = f"it is said to be {fate.fate} in {fate.into}"
    if fate.into != statement.file and _ends(fate.into, after[fate.into], was):
        return f"{claim}, which ends sooner"
    olds = wordings(statement, was)

    def share(new: SentenceMarks) -> float:
        return max(common_share(old, new) for old in olds)

    def missing(new: SentenceMarks) -> list[str]:
        return min((lost_marks(old, new) + exchanged_words(old, new) for old in olds), key=len)

    news = [one.marks for one in statements(fate.into, after[fate.into])]
    about = [new for new in news if share(new) >= _ABOUT_IT]
    # A newer fact comes from a log, and may differ from the statement that it replaces.
    if fate.fate == SUPERSEDED and any(map(sources.say, about)):
        return ""
    if not about:
        return f"{claim}, which has hardly a word of it"
    if any(share(new) >= SAME and not missing(new) for new in about):
        return ""
    differing = list(dict.fromkeys(missing(max(about, key=share)))) or ["too many words"]
    return f"{claim}, which differs in {', '.join(differing[:5])}"


def _ends(file: str, text: str, was: str) -> bool:
    """Tell whether a memory expires earlier than `was`, the text whose statement it holds."""
    ends, ended = (header_from(file, one).last_day for one in (text, was))
    return ends is not None and (ended is None or ends < ended)
