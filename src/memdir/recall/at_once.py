"""A recall from a sheet: the same answer and the same receipt as a `Recaller` gives, from prepared parts."""

import os
from time import gmtime, strftime

from memdir.core.tokens import tokens
from memdir.core.value import value_class
from memdir.recall.block import content_mark, joined, said_by
from memdir.recall.gates import chosen, chosen_afresh
from memdir.recall.limits import Limits
from memdir.recall.ranked import listed
from memdir.recall.sheet import Line, Sheet
from memdir.recall.skipping import skipped
from memdir.store.conversation import Conversation, Share
from memdir.store.receipt_log import unspoken, write_receipt

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Shown = tuple[str, str, int, str, tuple[str, ...]]

__all__ = ["AtOnce"]

_DAY = 86_400


@value_class(frozen=True, slots=True)
class AtOnce:
    """Answers one prompt of one conversation from a sheet."""

    sheet: Sheet
    state: str
    session: str
    limits: Limits
    now: float
    """Seconds since 1970."""
    timer: "Callable[[], float]"
    file_of: "Callable[[str], tuple[bytes, os.stat_result]]"
    """Return what is in a file of the memory directory, and its stat."""
    writer_of: "Callable[[str, os.stat_result], tuple[str, ...] | None]"
    """Return actor, source and method of a file; None when it takes longer to find out."""

    def recall(self, query: str) -> str | None:
        """Return what the conversation is shown; None, nothing done yet, when it takes a closer look."""
        began = self.timer()
        limit = self.limits.files
        because = skipped(query, limit)
        if because:
            self._write_down(query, began, because=because)
            return ""
        ranked = self.sheet.ranked(query, strftime("%Y-%m-%d", gmtime(self.now)))
        conversation = Conversation(self.state, self.session)
        found, cuts = chosen_afresh(chosen, query, ranked, self._already_shown(conversation), limit)
        blocks = self._blocks([one.header for one in found])  # type: ignore[misc]
        if blocks is None:
            return None
        shares = [Share(row[0], row[1], len(joined([text]).encode())) for row, text in blocks.items()]
        cuts |= conversation.take(shares, self.limits.session_bytes, seconds=self.limits.budget)
        kept = {row: text for row, text in blocks.items() if row[0] not in cuts}
        text = joined(list(kept.values()))
        candidates = listed(ranked, cuts, {row[0] for row in kept})
        self._write_down(
            query,
            began,
            method="lexical",
            shown=tuple(kept),
            candidates=tuple(candidates),
            others=len(ranked) - len(candidates),
            max_lines=self.limits.lines,
            max_bytes=self.limits.bytes,
            tokens=tokens(text),
        )
        return text

    def _already_shown(self, conversation: Conversation) -> set[str]:
        marks = conversation.shown()
        return {line.file for line in self.sheet.memories if marks and marks.get(line.file) == line.mark}

    def _blocks(self, lines: "Sequence[Line]") -> "dict[Shown, str] | None":
        blocks: dict[Shown, str] = {}
        for line in lines:
            if not line.body:
                return None
            data, status = self.file_of(line.file)
            writer = self.writer_of(line.file, status)
            if writer is None or content_mark(data) != line.mark:
                return None
            actor, source, _ = writer
            days, who = max(0, int((self.now - line.saved_at) // _DAY)), said_by(actor, source, line.claim)
            blocks[line.file, line.mark, days, who, ()] = line.piece(data).block(days, who)
        return blocks

    def _write_down(self, query: str, began: float, **about: object) -> None:
        fields = {
            "id": os.urandom(4).hex(),
            "at": strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(self.now)),
            "query": unspoken(query),
            "session": self.session,
            "shown": (),
            "candidates": (),
            "fallbacks": (),
            "milliseconds": round((self.timer() - began) * 1000, 3),
        }
        write_receipt(self.state, fields | about)
