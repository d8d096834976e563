"""What pages need to know of all memories at once: headers, writers, recalls, links, verdicts on claims."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import compress, groupby
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from memdir.conversation.receipts import Receipt
from memdir.disk.watch import FolderWatch
from memdir.doctor.finding import Finding
from memdir.errors import MemdirError
from memdir.hook_paths import file_signature
from memdir.inbox.proposals import Proposal
from memdir.memories.history.commits import HistoryEntry
from memdir.memories.topic import Header, Provenance
from memdir.memory import Memory
from memdir.recall.limits import LISTED
from memdir.recall.recaller import Recall
from memdir.rules.decisions import PastDecision
from memdir.text.markdown import links_in
from memdir.text.value import value_class
from memdir.verify.verdicts import MemoryVerdict
from memdir.viewer.answer_cache import FRESH, CachedAnswer

__all__ = ["ORDERS", "MemoryRow", "MemoryTable", "Survey"]

ORDERS = ("newest", "oldest", "name", "recalled", "stale")
"""How a list of memories may be sorted."""

_CHECK = 3.0
"""Seconds for the claims of one memory."""

_PROMPTS = 16
"""Prompts whose answers are kept: a person asks, judges what came, and asks again."""

_CLAIMS_LAST, _FINDINGS_LAST = 60.0, 300.0
"""Seconds after which claims are checked again, and the doctor asked: the project may have changed."""

_FINDINGS = 20
"""Findings of one sort that the doctor's page lists."""

_DECISIONS = 5
"""Decisions that are shown of each rule."""


@value_class(frozen=True, slots=True)
class MemoryRow:
    """One memory as the list shows it."""

    header: Header
    by: Provenance | None
    recalled: int
    verdict: MemoryVerdict | None
    """None while its claims are not checked yet."""


class MemoryTable:
    """All headers, ready to be searched and sorted."""

    def __init__(self, headers: Sequence[Header]) -> None:
        self.headers = headers
        self.by_file = {header.file: header for header in headers}
        self._names = {header.name: header.file for header in reversed(headers)}
        self._texts = [f"{h.name}\n{h.title}\n{h.description}\n{h.file}".lower() for h in headers]

    @cached_property
    def kinds(self) -> Mapping[str, int]:
        """Return how many memories there are of each kind."""
        return Counter(header.kind or "none" for header in self.headers)

    def file_called(self, link: str) -> str:
        """Return the file that a link means, by name or file; empty when there is none."""
        last = link.rpartition("/")[2]
        for name in (link, last, f"{last}.md"):
            if found := name if name in self.by_file else self._names.get(name.removesuffix(".md"), ""):
                return found
        return ""

    def find_headers(
        self, words: str, kind: str, order: str, rank: Callable[[Header], float]
    ) -> Sequence[Header]:
        """Return the headers that hold all the words, in the order asked for."""
        chosen, texts = self.headers, self._texts
        for word in words.lower().split():
            hits = [word in text for text in texts]
            chosen, texts = [*compress(chosen, hits)], [*compress(texts, hits)]
        if kind:
            chosen = [header for header in chosen if (header.kind or "none") == kind]
        if order == "name":
            return sorted(chosen, key=lambda header: header.name)
        if order == "oldest":
            return chosen[::-1]
        return chosen if order == "newest" else sorted(chosen, key=rank)


@value_class(frozen=True, slots=True)
class FindingGroup:
    """Findings of one sort: the first of them, how many there are, and how many can be mended."""

    found: tuple[Finding, ...]
    count: int
    fixable: int

    @property
    def said(self) -> str:
        """The sentence that is the same for each file; empty where they differ."""
        said = {one.message.removeprefix(f"{one.file}:").strip() if one.file else "" for one in self.found}
        return said.pop() if len(said) == 1 and self.count > 1 else ""


class _Recalls:
    """The receipts, by the memories they showed."""

    def __init__(self, receipts: Sequence[Receipt]) -> None:
        self.receipts = receipts
        self.of: dict[str, list[Receipt]] = {}
        for receipt in receipts:
            for file in receipt.given:
                self.of.setdefault(file, []).append(receipt)


class Survey:
    """What is known of one memory; it is kept until the memory's files or records change."""

    def __init__(self, opened: Callable[[], Memory], *, watched: bool = False) -> None:
        """Take a function that opens the memory; `watched` costs a descriptor and overlooks no change."""
        self.opened, self.memory = opened, (memory := opened())
        self._watch = FolderWatch(self.memory.directory) if watched else None
        self.table: CachedAnswer[MemoryTable] = CachedAnswer(lambda: MemoryTable(memory.list()), self._places)
        self.changes: CachedAnswer[Sequence[HistoryEntry]] = CachedAnswer(
            lambda: memory.history.list() if memory.verdict.on else [], self._history
        )
        self.recalls = CachedAnswer(
            lambda: _Recalls(memory.recalls.list() if memory.verdict.on else []),
            lambda: self._signatures("receipts", "receipts.1"),
        )
        self.inbox: CachedAnswer[Sequence[Proposal]] = CachedAnswer(
            lambda: memory.inbox.list() if memory.verdict.on else [],
            lambda: (*self._places(), *self._signatures("inbox")),
        )
        self.links = CachedAnswer(self._links, self._places, fresh=60)
        # A handle reads instructions once, so each bill is that of a new one.
        self.bill = CachedAnswer(lambda: opened().context.bill())  # noqa: PLW0108
        self.findings = CachedAnswer(lambda: _finding_groups(opened()), fresh=_FINDINGS_LAST)
        self.rules = CachedAnswer(lambda: _rules(opened()))
        self._previews: dict[tuple[str, int | None], CachedAnswer[Recall]] = {}
        self._writers: dict[str, tuple[object, Provenance | None]] = {}
        self._verdicts = _Verdicts(self.memory)

    def rows(self, headers: Iterable[Header]) -> list[MemoryRow]:
        """Return what the list shows of some memories."""
        headers = [*headers]
        writers, recalls = self.writers(headers), self.recalls.certain().of
        return [
            MemoryRow(one, writers[one.file], len(recalls.get(one.file, ())), self._verdicts.of(one))
            for one in headers
        ]

    def rank(self, order: str) -> Callable[[Header], float]:
        """Return what sorts memories by how often they were recalled, or by how stale they are."""
        if order == "recalled":
            recalls = self.recalls.certain().of
            return lambda header: -len(recalls.get(header.file, ()))
        return self._verdicts.rank

    def writers(self, headers: Sequence[Header]) -> dict[str, Provenance | None]:
        """Return who wrote each of these; history is asked only about those that changed."""
        new = [h for h in headers if self._writers.get(h.file, (None,))[0] != h.saved_at]
        if new:
            found = self.memory.history.writers([h.file for h in new], self.changes.certain())
            self._writers.update({h.file: (h.saved_at, found[h.file]) for h in new})
        return {header.file: self._writers[header.file][1] for header in headers}

    def preview(self, prompt: str, most_listed: int | None = LISTED) -> Recall:
        """Return what a prompt would be shown, kept while no memory changes: ranking thousands takes time.

        It lists so many candidates; with None, all of them.
        """
        asked = (prompt, most_listed)
        kept = self._previews.pop(asked, None) or CachedAnswer(lambda: self._preview(*asked), self._history)
        self._previews[asked] = kept
        for old in [*self._previews][:-_PROMPTS]:
            self._previews.pop(old, None)
        recall = kept.certain()
        self.table.now(0.0)  # beside the page, each file is looked at after all
        return recall

    def verdict(self, header: Header, seconds: float) -> MemoryVerdict | None:
        """Return what a check of its claims found, if it takes no longer than that."""
        return self._verdicts.of(header, seconds)

    def forget_cached(self) -> None:
        """Forget all answers: somebody changed the memory through a page."""
        for kept in (self.table, self.changes, self.recalls, self.inbox, self.links):
            kept.drop()
        self._previews.clear()
        self._writers.clear()

    def _preview(self, prompt: str, most_listed: int | None) -> Recall:
        """Ask for a recall; the files are looked at if something may have changed since that was done."""
        quiet = self._watch.quiet_seconds() if self._watch else None
        recent = FRESH if quiet is None else quiet
        return self.memory.recalls.preview(prompt, recent=recent, most_listed=most_listed)

    def _links(self) -> dict[str, set[str]]:
        """Return for each memory the memories that it links to."""
        table, found = self.table.certain(), dict[str, set[str]]()
        for header in table.headers:
            with suppress(MemdirError, OSError):
                text = self.memory.read(header.file).text
                if "[[" in text or "](" in text:
                    files = {table.file_called(name) for name in links_in(text)}
                    found[header.file] = files - {"", header.file}
        return found

    def _places(self) -> tuple[object, ...]:
        folder, changes = self.memory.directory, self._watch.changes() if self._watch else None
        if changes is not None:
            return ("changes", changes)
        return tuple(
            map(file_signature, (folder, os.path.join(folder, "team"), os.path.join(folder, "MEMORY.md")))
        )

    def _history(self) -> tuple[object, ...]:
        names = ("journal", "history.git/refs/heads/main", "history.git/packed-refs")
        return (*self._places(), *self._signatures(*names))

    def _signatures(self, *names: str) -> list[str]:
        return [file_signature(os.path.join(self.memory.state, name)) for name in names]


class _Verdicts:
    """Checks claims one memory after the other, beside the requests."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._known: dict[str, tuple[object, CachedAnswer[MemoryVerdict | None]]] = {}
        self._waiting: SimpleQueue[CachedAnswer[MemoryVerdict | None]] = SimpleQueue()
        self._lock, self._working = Lock(), False

    def of(self, header: Header, seconds: float = 0.0) -> MemoryVerdict | None:
        """Return the verdict on a memory; None while there is none, and then it is checked soon."""
        mark, kept = self._known.get(header.file, (None, None))
        if kept is None or mark != header.saved_at:
            kept = CachedAnswer(lambda: self._check(header.file), fresh=_CLAIMS_LAST)
            self._known[header.file] = (header.saved_at, kept)
        if seconds:
            return kept.now(seconds)
        if kept.is_old:
            with self._lock:
                self._waiting.put(kept)
                if not self._working:
                    self._working = True
                    Thread(target=self._work, daemon=True).start()
        return kept.last

    def rank(self, header: Header) -> float:
        """Return 0 for a stale memory, more for those that are not, and most where nobody knows yet."""
        _, kept = self._known.get(header.file, (None, None))
        verdict = kept.last if kept else None
        return _RANKS.get(verdict.verdict, 3) if verdict else 4

    def _check(self, file: str) -> MemoryVerdict | None:
        try:
            return self._memory.doctor.verify(file, seconds=_CHECK)[0]
        except (MemdirError, OSError):
            return None

    def _work(self) -> None:
        while True:
            with self._lock:
                if self._waiting.empty():
                    self._working = False
                    return
            self._waiting.get().now(_CHECK)


_RANKS = {"stale": 0, "passed": 1, "fresh": 2}


def _finding_groups(memory: Memory) -> list[FindingGroup]:
    ordered = sorted(memory.doctor.examine().findings, key=lambda one: (one.severity != "problem", one.code))
    groups = [tuple(some) for _, some in groupby(ordered, key=lambda one: one.code)]
    fixable = [sum(one.fixable and not one.fixed for one in group) for group in groups]
    return [FindingGroup(some[:_FINDINGS], len(some), n) for some, n in zip(groups, fixable, strict=True)]


def _rules(memory: Memory) -> dict[str, Any]:
    """Return each rule with whether it is approved and what it decided last, and whether hooks are there."""
    rules, approved = memory.rules.list(), memory.rules.list_approved()
    last: dict[tuple[str, str], list[PastDecision]] = {}
    for one in memory.rules.decisions():
        last.setdefault((one.memory, one.rule), []).append(one)
    rows = [(rule, rule in approved, last.get((rule.memory, rule.text), [])[:_DECISIONS]) for rule in rules]
    return {"rules": rows, "hooked": memory.hosts.setup().has_hooks()}
