"""`memory.recalls`: recalls explained, a recall beside the caller, and past conversations."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from memdir.build import Parts
from memdir.conversation.receipts import Receipt, Receipts
from memdir.conversation.search import TranscriptMatches, search_past
from memdir.conversation.state import Conversation
from memdir.handles.audiences import all_headers, from_private, resolve_audience
from memdir.memories.names import TEAM_FOLDER
from memdir.recall.prefetch import Prefetch
from memdir.recall.rank import Ranked
from memdir.recall.recaller import LISTED, Recall
from memdir.recall.review import (
    Example,
    ExampleScore,
    Stats,
    WhyNot,
    add_example,
    read_examples,
    score_examples,
    stats_of,
    why_not,
)
from memdir.recall.search import Hit, search
from memdir.recall.surface import rebuild
from memdir.text.value import replace, value_class

__all__ = ["RecallsHandle"]

Rankings = list[Ranked]


@value_class(frozen=True, slots=True)
class RecallsHandle:
    """The recalls of one memory."""

    _parts: Parts

    def receipt(self, recall: str | None = None) -> Receipt:
        """Return the receipt of a recall by its id, or of the newest."""
        self._parts.verdict.require_on()
        return Receipts(self._parts.state).one(recall)

    def text(self, receipt: Receipt) -> str:
        """Return the very text that a recall gave; a `Conflict` when a file changed since."""
        self._parts.verdict.require_on()
        return rebuild(self._parts.memories, receipt)

    def list(self) -> "Sequence[Receipt]":
        """Return the receipts that are kept, newest first."""
        self._parts.verdict.require_on()
        return Receipts(self._parts.state).all()

    def preview(
        self, query: str, *, seconds: float = 10.0, recent: float = 0.0, most_listed: int | None = LISTED
    ) -> Recall:
        """Return what a new conversation would be shown; nothing is recorded, and no model is asked.

        The files are looked at only if that was done longer than `recent` seconds ago. The receipt lists so
        many candidates; with None, all of them.
        """
        self._parts.verdict.require_on()
        alone: dict[str, Any] = {"model": None, "no_model": "", "conversation": Conversation("", "")}
        how = {**alone, "records": False, "recent": recent, "most_listed": most_listed}
        return replace(self._parts.recaller, **how).recall(query, budget=seconds)

    def search(
        self, pattern: str, *, plain: bool = False, exact_case: bool = False, context: int = 0
    ) -> "Sequence[Hit]":
        """Return the lines of all memories that match a regular expression or a plain text."""
        parts = self._parts
        parts.verdict.require_on()
        return [
            from_private(parts, one, hit)
            for one in parts.audiences
            for hit in search(one.memories, pattern, plain=plain, exact_case=exact_case, context=context)
        ]

    def why_not(self, name: str, query: str) -> WhyNot:
        """Return which rule keeps a memory from being recalled for a query."""
        self._parts.verdict.require_on()
        return why_not(self._parts.recaller, self._file(name), query)

    def stats(self) -> Stats:
        """Return what was recalled and what never was, and how long it took."""
        self._parts.verdict.require_on()
        files = [header.file for header in all_headers(self._parts)]
        return stats_of(Receipts(self._parts.state).all(), files)

    def judge(self, query: str = "", *, missing: Sequence[str] = (), wrong: Sequence[str] = ()) -> Example:
        """Write down which memories a prompt should be given, and which not; the newest recall's by default.

        The example stays on this machine; `score` measures recall by all of them.
        """
        self._parts.verdict.require_on()
        prompt = query or Receipts(self._parts.state).one().query
        wanted, unwanted = (tuple([self._file(name) for name in names]) for names in (missing, wrong))
        example = Example(prompt, wanted, unwanted)
        add_example(self._parts.state, example)
        return example

    def examples(self) -> "Sequence[Example]":
        """Return what was said about each prompt; what was said last about a file counts."""
        return read_examples(self._parts.state)

    def score(self) -> ExampleScore:
        """Score today's recall by the examples; nothing is recorded and nothing counts as shown."""
        self._parts.verdict.require_on()
        ask = partial(why_not, self._parts.recaller)
        return score_examples(self.examples(), lambda file, prompt: not ask(file, prompt).because)

    def rank(self, query: str) -> Rankings:
        """Return all memories, the one that fits the query best first."""
        self._parts.verdict.require_on()
        return self._parts.recaller.rank(query)

    def _file(self, name: str) -> str:
        """Return the file of a memory as recall names it."""
        parts, inside = resolve_audience(self._parts, name, reads=True)
        file = parts.memories.read(inside).header.file
        return file if parts is self._parts else f"{TEAM_FOLDER}{file}"

    def prefetch(self, query: str, *, limit: int | None = None, recent_tools: Sequence[str] = ()) -> Prefetch:
        """Start a recall that runs beside the caller; cancelling it cancels what it asks a model."""
        recall, conversation = self._parts.recaller.recall, self._parts.conversation
        return Prefetch(
            lambda off: recall(query, limit=limit, recent_tools=recent_tools, called_off=off),
            lambda unseen: conversation.give_back((*unseen.files, *unseen.likely)),
        )

    def search_transcripts(self, pattern: str, *, limit: int = 10) -> TranscriptMatches:
        """Return the newest messages of past conversations here that hold all the words of a pattern."""
        self._parts.verdict.require_on()
        return search_past(self._parts.effective_setup, self._parts.world.cwd, pattern, limit)
