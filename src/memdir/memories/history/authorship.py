"""Who wrote a memory and its rules: history decides by the bytes of the file, not by what its header claims.

Restoring a text, moving it or mending its header does not count as writing it: its writer stays the one
before. Where history has a gap, the writer is not known.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, dropwhile, islice
from typing import TYPE_CHECKING

from memdir.errors import HistoryError, NoSuchMemory, Rejected
from memdir.memories.change import Operation
from memdir.memories.history.commits import HistoryEntry
from memdir.memories.topic import Draft, Provenance
from memdir.text.frontmatter.header import parse
from memdir.text.value import replace

if TYPE_CHECKING:
    from memdir.memories.history.recorder import Recorder

__all__ = [
    "SAVED_BY_AGENT",
    "as_agents",
    "in_agents_shell",
    "is_pinned_by_user",
    "known_writer",
    "refuse_agents",
    "rules_writer",
]

_AGENTS_SHELL = "in its own shell"
"""The reason in history, which stands behind the name of the writer."""

SAVED_BY_AGENT = (
    "An agent's shell saved this, so the rule only asks until you approve it in your own terminal: "
    "memdir rules approve NAME"
)

_SHELLS = ("CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT")
"""Variables that agents set for the commands they run."""


def in_agents_shell(env: Mapping[str, str]) -> bool:
    """Tell whether an agent runs this command, and no person."""
    return any(env.get(name) for name in _SHELLS)


def refuse_agents(env: Mapping[str, str], what: str, command: str = "") -> None:
    """Raise in the shell of an agent: what a repository says could talk it into what only a person may do."""
    if in_agents_shell(env):
        hint = f"Run `{command}` in a terminal of your own." if command else "Use your own terminal."
        raise Rejected(f"Only a person may {what}, and this is an agent's shell. {hint}")


def as_agents(
    env: Mapping[str, str], drafts: Sequence[Draft], by: Provenance
) -> tuple[Sequence[Draft], Provenance] | None:
    """Return drafts of rules and their writer as they count in an agent's shell; None elsewhere."""
    if by.actor != "user" or not in_agents_shell(env):
        return None
    by = replace(by, actor="host", source="assistant", reason=_AGENTS_SHELL)
    return [replace(draft, source="assistant") for draft in drafts], by


_BACK = frozenset({"undo", "restore", "recover"})
"""Verbs that bring a text back that somebody wrote before."""
_MENDED, _MOVED = "doctor", "rename"
"""Verbs that change how a text is stored, but add nobody's words."""
_AHEAD = 255
"""Versions that are asked for together: each question starts git once, and a hook has a few seconds."""

_Act = Operation | HistoryEntry


def known_writer(
    recorder: Recorder, file: str, entries: Sequence[HistoryEntry] | None = None
) -> Provenance | None:
    """Return who wrote the present bytes through memdir; None when nobody is known to have.

    Whoever asks about many files gives all entries of the history, so that git is not asked for each.
    """
    try:
        version = recorder.version_now(file)
        act = version and _Trail(recorder, file, version.sha, entries).author()
    except (HistoryError, NoSuchMemory):
        return None
    return act.by if act else None


def is_pinned_by_user(recorder: Recorder, file: str) -> bool:
    """Tell whether history knows the present text of a file as the user's, so that its pin counts."""
    by = known_writer(recorder, file)
    return bool(by and by.actor == by.source == "user")


def rules_writer(
    recorder: Recorder,
    file: str,
    rules: Iterable[str],
    readable: Callable[[str], Iterable[str]],
    known: tuple[str, Iterable[str]] = ("", ()),
) -> str:
    """Return who wrote these rules of a file, in words; empty when the user wrote each of them.

    A rule that was in a text before the user changed the text keeps its writer. The text with the hash
    `known` is not looked up: its rules are known to be the user's. A history that cannot be read raises.
    """
    repository = recorder.history.git.repository
    with suppress(FileNotFoundError):  # one that is there and cannot be read would look like none
        os.scandir(repository).close()
        os.stat(os.path.join(repository, "refs", "heads"))
    version, left = recorder.version_now(file), set(rules)
    trail = version and _Trail(recorder, file, version.sha)
    while left:
        act = trail and trail.author()
        if not trail or not act or not act.by.actor == act.by.source == "user":
            return _in_words(act.by if act else None)
        before = trail.step_back(act)
        if before is None or (trail.sha == known[0] and left.issubset(known[1])):
            break
        said = parse(before).metadata
        words, stood = " ".join(before.split()), set(readable(said.get("enforce", "")))
        hidden = "[secret: " in before  # what is masked cannot be compared
        left = {rule for rule in left if hidden or rule in stood or rule in words}
        # Of several memories saved in one step, only the header may say that one is not the user's.
        claimed = said.get("source") or "user"
        if left and claimed != "user":
            return f"another source ({claimed})"
    return ""


def _in_words(by: Provenance | None) -> str:
    """Return the words for a writer that follow "written by"."""
    if by is None:
        return "somebody outside memdir"
    if by.actor == "user":
        return f"another source ({by.source})"
    how = f" ({by.reason})" if by.reason in _WAYS else ""
    return _WRITERS.get(by.actor, by.actor) + how


_WRITERS = {"host": "an agent", "extractor": "the extractor", "dream": "a dream", "sync": "a team-mate"}
_WAYS = ("through MCP", "through the memory tool", "written by the host itself", _AGENTS_SHELL)
"""Reasons that memdir words itself: any other one may be words of the rule's writer."""


class _Trail:
    """Follows one text back through the operations that made it."""

    def __init__(
        self, recorder: Recorder, file: str, sha: str, entries: Sequence[HistoryEntry] | None = None
    ) -> None:
        self._recorder, self._file, self.sha, self._entries = recorder, file, sha, entries
        self._texts: dict[str, str | None] = {}
        self._ahead = 0
        self._acts = _acts(recorder, file, entries)

    def author(self) -> _Act | None:
        """Return the operation that really wrote the text; None when that was not memdir, or is not known."""
        while act := next(self._acts, None):
            after, before = _shas(act, self._file)
            if after != self.sha or act.by.actor == "outside":
                return None
            if act.verb in _BACK:
                self._go_to_first(act)
            elif act.by.actor != "user":
                return act  # whatever its verb: under one of upkeep a host could hide words of its own
            elif act.verb == _MOVED:
                self._go_to(act, [file for file in act.files if not _shas(act, file)[0]])
            elif act.verb == _MENDED:
                self.sha = before
            else:
                return act
        return None

    def step_back(self, act: _Act) -> str | None:
        """Return the text that an operation replaced, and follow it from now on; None when there was none."""
        self.sha = _shas(act, self._file)[1]
        if isinstance(act, Operation):
            return next(change.before for change in act.changes if change.file == self._file)
        if act.commit not in self._texts:
            ahead = [act, *islice(self._acts, self._ahead)]
            self._ahead = min(_AHEAD, 4 * self._ahead + 3)
            self._acts = chain(ahead[1:], self._acts)
            entries = [one for one in ahead if isinstance(one, HistoryEntry)]
            found = self._recorder.history.operations([one.only(self._file) for one in entries])
            texts = [one.changes[0].before for one in found]
            self._texts = dict(zip([one.commit for one in entries], texts, strict=True))
        return self._texts[act.commit]

    def _go_to_first(self, act: _Act) -> None:
        """Go to what first wrote these bytes, or else to the text that the undone operation replaced."""
        older = list(self._acts)
        same = [number for number, one in enumerate(older) if _shas(one, self._file)[0] == self.sha]
        self._acts = iter(older[same[-1] :] if same else ())
        if not same and act.undoes:  # under another name, or with a secret masked
            undone = self._recorder.history.entry(act.undoes)
            self._go_to(undone, [file for file in undone.files if _shas(undone, file)[1]])

    def _go_to(self, act: _Act, files: list[str]) -> None:
        """Go on with the text that one file held before an operation; with several, nobody knows which."""
        if len(files) != 1:
            self._acts = iter(())
            return
        (self._file,) = files
        self._texts = {}
        self.sha = _shas(act, self._file)[1]
        later = dropwhile(lambda one: one.id != act.id, _acts(self._recorder, self._file, self._entries))
        self._acts = islice(later, 1, None)


def _acts(recorder: Recorder, file: str, entries: Sequence[HistoryEntry] | None) -> Iterator[_Act]:
    """Yield what was done to a file, newest first; history is asked only as far as needed."""
    seen = set[str]()
    history = recorder.history
    # Mostly the newest is enough, and all of a long history take seconds.
    asked = (one for limit in (1, 16, 0) for one in history.entries(file=file, limit=limit))
    recorded: Iterable[_Act] = asked if entries is None else entries
    for act in chain(reversed(recorder.pending()), recorded):
        if file in act.files and act.id not in seen:  # after a crash, journal and history both have it
            seen.add(act.id)
            yield act


def _shas(act: _Act, file: str) -> tuple[str, str]:
    """Return the hashes of what a file held after an operation and before; empty where there was none."""
    if isinstance(act, HistoryEntry):
        return act.mark(file).sha, act.mark(file).before_sha
    change = next(change for change in act.changes if change.file == file)
    return change.sha, change.before_sha
