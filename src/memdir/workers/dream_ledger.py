"""What became of every old statement when a dream changed the memories that held it."""

from collections.abc import Iterator, Mapping, Sequence

from memdir.core.value import value_class
from memdir.workers.dream_statements import Statement, statements
from memdir.workers.offline.likeness import held, words

__all__ = ["DROPPED", "FATES", "KEPT", "LOST", "MERGED", "SUPERSEDED", "Entry", "Fate", "Ledger", "ledger_of"]

KEPT, MERGED, SUPERSEDED, DROPPED, LOST = "kept", "merged", "superseded", "dropped", "unaccounted"
FATES = (MERGED, SUPERSEDED, DROPPED)
"""What a dream may say became of a statement; whether it was kept is looked up, not believed."""

_MERGED_SHARE, _SUPERSEDED_SHARE = 0.5, 0.2
"""Shares of a statement's telling words that the memory must have which is said to hold or replace it."""

_SHORTEST_REASON = 8
"""Characters of a reason: with fewer it says nothing to who reads it later."""


@value_class(frozen=True, slots=True)
class Fate:
    """What the dream itself says about one statement."""

    fate: str
    into: str = ""
    because: str = ""


@value_class(frozen=True, slots=True)
class Entry:
    """One old statement and what became of it."""

    statement: Statement
    fate: str
    into: str = ""
    """The memory that holds or replaces it."""
    because: str = ""


@value_class(frozen=True, slots=True)
class Ledger:
    """Every statement of the memories that a patch changes or removes."""

    entries: tuple[Entry, ...] = ()

    def of(self, *fates: str) -> list[Entry]:
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


def ledger_of(before: Mapping[str, str], after: Mapping[str, str], told: Mapping[str, Fate]) -> Ledger:
    """Account for each statement of texts that change, given all texts there will be and what was told."""
    kept = _places(after)
    return Ledger(tuple(_entries(before, after, told, kept)))


def _places(after: Mapping[str, str]) -> dict[str, list[str]]:
    """Return for each statement that there will be the files that hold it."""
    places: dict[str, list[str]] = {}
    for file, text in after.items():
        for statement in statements(file, text):
            places.setdefault(statement.key, []).append(file)
    return places


def _entries(
    before: Mapping[str, str],
    after: Mapping[str, str],
    told: Mapping[str, Fate],
    kept: Mapping[str, Sequence[str]],
) -> Iterator[Entry]:
    for file, text in before.items():
        for statement in statements(file, text):
            if files := kept.get(statement.key):
                yield Entry(statement, KEPT, file if file in files else files[0])
            else:
                yield _accounted(statement, told.get(statement.id), after)


def _accounted(statement: Statement, fate: Fate | None, after: Mapping[str, str]) -> Entry:
    """Return what the dream says about a statement, as far as it can be true."""
    if fate is None:
        return Entry(statement, LOST, because="nothing was said about it")
    if fate.fate == DROPPED:
        if len(fate.because.strip()) < _SHORTEST_REASON:
            return Entry(statement, LOST, because="it was dropped without a reason")
        return Entry(statement, DROPPED, because=fate.because)
    if fate.fate not in FATES or fate.into not in after:
        return Entry(
            statement, LOST, because=f"it is said to be in {fate.into or 'no file'}, which is not there"
        )
    telling = words(statement.text)
    share = _MERGED_SHARE if fate.fate == MERGED else _SUPERSEDED_SHARE
    if telling and held(telling, words(after[fate.into])) < share:
        because = f"it is said to be {fate.fate} in {fate.into}, which has hardly a word of it"
        return Entry(statement, LOST, because=because)
    return Entry(statement, fate.fate, fate.into, fate.because)
