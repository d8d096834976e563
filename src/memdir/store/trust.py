"""Who really wrote a memory and its rules: what history says of these very bytes, not what a header claims.

To bring a text back, to move it or to mend its header is not to write it: the answer is then whoever wrote
the text before. Where the trail breaks, nobody is known.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import dropwhile

from memdir.core.frontmatter import parse
from memdir.core.topic import Provenance
from memdir.errors import HistoryError, NoSuchMemory
from memdir.store.history import Entry
from memdir.store.journal import Operation
from memdir.store.writer import Writer

__all__ = ["are_the_users", "known_writer"]

_BACK = frozenset({"undo", "restore", "recover"})
"""Verbs that bring a text back that somebody wrote before."""
_MENDED, _MOVED = "doctor", "rename"
"""Verbs that change how a text is kept, by rule and not in anybody's words."""
_NONE = "-"
"""Stands in a mark where there was no file."""

_Act = Operation | Entry


def known_writer(writer: Writer, file: str) -> Provenance | None:
    """Return who wrote the present bytes through memdir; None when nobody is known to have."""
    try:
        trail = _Trail.of(writer, file)
        act = trail and trail.author()
    except (HistoryError, NoSuchMemory):
        return None
    return act.by if act else None


def are_the_users(
    writer: Writer, file: str, rules: Iterable[str], readable: Callable[[str], Iterable[str]]
) -> bool:
    """Tell whether the user wrote each of these rules of a file.

    A rule that already stood in a text which the user changed is not the user's by that: it is whose it was.
    """
    try:
        trail = _Trail.of(writer, file)
        left = set(rules)
        while left:
            act = trail and trail.author()
            if not trail or not act or not act.by.actor == act.by.source == "user":
                return False
            before = trail.step_back(act)
            if before is None:
                return True
            said = parse(before).metadata
            words, known = " ".join(before.split()), set(readable(said.get("enforce", "")))
            hidden = "[secret: " in before  # what is masked cannot be compared
            left = {rule for rule in left if hidden or rule in known or rule in words}
            # Of several memories saved in one step, only the header may say that one is not the user's.
            if left and (said.get("source") or "user") != "user":
                return False
    except (HistoryError, NoSuchMemory):
        return False
    return True


class _Trail:
    """One text on its way back through what was done."""

    def __init__(self, writer: Writer, file: str, sha: str) -> None:
        self._writer, self._file, self._sha = writer, file, sha
        self._acts = _acts(writer, file)

    @classmethod
    def of(cls, writer: Writer, file: str) -> "_Trail | None":
        """Begin with what a file holds now; None when it is not there."""
        version = writer.version_now(file)
        return cls(writer, file, version.sha) if version else None

    def author(self) -> _Act | None:
        """Go back to what really wrote the text; None when that was not memdir, or is not known."""
        while act := next(self._acts, None):
            after, before = _shas(act, self._file)
            if after != self._sha or act.by.actor == "outside":
                return None
            if act.verb in _BACK:
                self._go_to_first(act)
            elif act.by.actor != "user":
                return act  # whatever it calls itself: with a verb of upkeep a host could pass off its words
            elif act.verb == _MOVED:
                self._go_to(act, [file for file in act.files if _shas(act, file)[0] == _NONE])
            elif act.verb == _MENDED:
                self._sha = before
            else:
                return act
        return None

    def step_back(self, act: _Act) -> str | None:
        """Go on with the text that an operation replaced, and return it; None when there was none."""
        if isinstance(act, Entry):
            act = self._writer.recorder.history.operation(act)
        change = next(change for change in act.changes if change.file == self._file)
        self._sha = change.before.sha if change.before else _NONE
        return change.text_before

    def _go_to_first(self, act: _Act) -> None:
        """Go to what first wrote these bytes, or else to the text that the undone operation replaced."""
        older = list(self._acts)
        same = [number for number, one in enumerate(older) if _shas(one, self._file)[0] == self._sha]
        self._acts = iter(older[same[-1] :] if same else ())
        if not same and act.undoes:  # under another name, or with a secret masked
            undone = self._writer.recorder.history.entry(act.undoes)
            self._go_to(undone, [file for file in undone.files if _shas(undone, file)[1] != _NONE])

    def _go_to(self, act: _Act, files: list[str]) -> None:
        """Go on with the text that one file held before an operation; with several, nobody knows which."""
        if len(files) != 1:
            self._acts = iter(())
            return
        (self._file,) = files
        self._sha = _shas(act, self._file)[1]
        later = dropwhile(lambda one: one.id != act.id, _acts(self._writer, self._file))
        self._acts = (one for one in later if one.id != act.id)


def _acts(writer: Writer, file: str) -> Iterator[_Act]:
    """Yield what was done to a file, newest first; history is asked only as far as needed."""
    seen = set[str]()
    for act in _recorded(writer, file):
        if file in act.files and act.id not in seen:  # after a crash, journal and history both have it
            seen.add(act.id)
            yield act


def _recorded(writer: Writer, file: str) -> Iterator[_Act]:
    yield from reversed(writer.recorder.journal.pending())
    yield from writer.recorder.history.entries(file=file, limit=1)  # mostly that is enough
    yield from writer.recorder.history.entries(file=file)


def _shas(act: _Act, file: str) -> tuple[str, str]:
    """Return the hashes of what a file held after an operation and before."""
    if isinstance(act, Entry):
        after, _, before, _ = act.marks[act.files.index(file)].split(" ")
        return after, before
    change = next(change for change in act.changes if change.file == file)
    return change.after.sha if change.after else _NONE, change.before.sha if change.before else _NONE
