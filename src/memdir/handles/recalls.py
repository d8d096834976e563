"""`memory.recalls`: recalls explained, a recall beside the caller, and past conversations.

It imports late and does without `typing`: a process that only ranks loads nothing else.
"""

from collections.abc import Sequence

from memdir.build import Parts, all_headers, from_private, topic_called
from memdir.conversation.receipts import Receipt, Receipts
from memdir.recall.limits import LISTED
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.conversation.search import TranscriptMatches
    from memdir.recall.evaluation import Example, ExampleScore, Stats
    from memdir.recall.fusion import Ranked
    from memdir.recall.prefetch import Prefetch
    from memdir.recall.recaller import Recall, WhyNot
    from memdir.recall.search import Hit

    Rankings = list[Ranked]

__all__ = ["RecallsHandle"]


@value_class(frozen=True, slots=True)
class RecallsHandle:
    """The recalls of one memory."""

    _parts: Parts

    def receipt(self, recall: str | None = None) -> Receipt:
        """Return the receipt of a recall by its id, or of the newest."""
        return Receipts(self._parts.usable.state).one(recall)

    def text(self, receipt: Receipt) -> str:
        """Return the very text that a recall gave; a `Conflict` when a file changed since."""
        from memdir.recall.surface import rebuild

        return rebuild(self._parts.usable.memories, receipt)

    def list(self) -> "Sequence[Receipt]":
        """Return the receipts that are kept, newest first."""
        return Receipts(self._parts.usable.state).all()

    def preview(
        self, query: str, *, seconds: float = 10.0, recent: float = 0.0, most_listed: int | None = LISTED
    ) -> "Recall":
        """Return what a new conversation would be shown; nothing is recorded, and no model is asked.

        The files are looked at only if that was done longer than `recent` seconds ago. The receipt lists so
        many candidates; with None, all of them.
        """
        recaller = self._parts.usable.recaller
        return recaller.preview(query, seconds=seconds, recent=recent, most_listed=most_listed)

    def search(
        self, pattern: str, *, plain: bool = False, exact_case: bool = False, context: int = 0
    ) -> "Sequence[Hit]":
        """Return the lines of all memories that match a regular expression or a plain text."""
        from memdir.recall.search import search

        parts = self._parts.usable
        return [
            from_private(one, hit)
            for one in parts.audiences
            for hit in search(one.memories, pattern, plain=plain, exact_case=exact_case, context=context)
        ]

    def why_not(self, name: str, query: str) -> "WhyNot":
        """Return which rule keeps a memory from being recalled for a query."""
        parts = self._parts.usable
        return parts.recaller.why_not(topic_called(parts, name).header.file, query)

    def stats(self) -> "Stats":
        """Return what was recalled and what never was, and how long it took."""
        from memdir.recall.evaluation import stats_of

        files = [header.file for header in all_headers(self._parts.usable)]
        return stats_of(Receipts(self._parts.state).all(), files)

    def judge(self, query: str = "", *, missing: Sequence[str] = (), wrong: Sequence[str] = ()) -> "Example":
        """Write down which memories a prompt should be given, and which not; the newest recall's by default.

        The example stays on this machine; `score` measures recall by all of them.
        """
        from memdir.recall.evaluation import Example, add_example

        parts = self._parts.usable
        prompt = query or Receipts(parts.state).one().query
        wanted, unwanted = (
            tuple([topic_called(parts, name).header.file for name in names]) for names in (missing, wrong)
        )
        example = Example(prompt, wanted, unwanted)
        add_example(parts.state, example)
        return example

    def examples(self) -> "Sequence[Example]":
        """Return what was said about each prompt; what was said last about a file counts."""
        from memdir.recall.evaluation import read_examples

        return read_examples(self._parts.state)

    def score(self) -> "ExampleScore":
        """Score today's recall by the examples; nothing is recorded and nothing counts as shown."""
        from memdir.recall.evaluation import score_examples

        why_not = self._parts.usable.recaller.why_not
        return score_examples(self.examples(), lambda file, prompt: not why_not(file, prompt).because)

    def rank(self, query: str) -> "Rankings":
        """Return all memories, the one that fits the query best first."""
        return self._parts.usable.recaller.rank(query)

    def prefetch(
        self, query: str, *, limit: int | None = None, recent_tools: Sequence[str] = ()
    ) -> "Prefetch":
        """Start a recall that runs beside the caller; cancelling it cancels what it asks a model."""
        from memdir.recall.prefetch import Prefetch

        recall, conversation = self._parts.recaller.recall, self._parts.conversation
        return Prefetch(
            lambda off: recall(query, limit=limit, recent_tools=recent_tools, called_off=off),
            lambda unseen: conversation.give_back((*unseen.files, *unseen.likely)),
        )

    def search_transcripts(self, pattern: str, *, limit: int = 10) -> "TranscriptMatches":
        """Return the newest messages of past conversations here that hold all the words of a pattern."""
        from memdir.conversation.search import search_past

        parts = self._parts.usable
        return search_past(parts.effective_setup, parts.world.cwd, pattern, limit)
