"""One dream about a memory directory: a draft, checked, becomes a patch that is applied whole or not at all.

What does not pass its checks waits in the inbox.
"""

from __future__ import annotations

from collections.abc import Sequence

from memdir.dream.checks import build_patch
from memdir.dream.daily_log import MAX_DAYS, LogCursor, LogCursors, log_days
from memdir.dream.inputs import DreamContext, DreamDraft, DreamInput
from memdir.dream.ledger import LossLedger
from memdir.dream.lock import DreamLock, OtherDream
from memdir.dream.model import model_draft
from memdir.dream.offline import offline_draft
from memdir.dream.patch import Patch, apply_patch, repair_torn_patch
from memdir.dream.reversals import PastDreams, without_reversals
from memdir.errors import Conflict
from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change, shown_text
from memdir.memories.enforce import holds_rule
from memdir.memories.history.authorship import known_writer
from memdir.memories.topic import Provenance, Topic, topic_from
from memdir.memories.writer import Writer
from memdir.text.numbers import count
from memdir.text.value import replace, value_class

__all__ = ["APPLIED", "FAILED", "INBOX", "NOTHING", "SKIPPED", "WOULD", "Dreamed", "Dreamer"]

APPLIED, INBOX, NOTHING, WOULD, FAILED, SKIPPED = "applied", "inbox", "nothing", "would", "failed", "skipped"


@value_class(frozen=True, slots=True)
class Dreamed:
    """How a dream ended."""

    ended: str
    """applied, inbox, nothing, would (a dry run), failed or skipped."""
    because: str
    method: str = ""
    """model or offline."""
    ledger: LossLedger = LossLedger()
    changes: tuple[Change, ...] = ()
    """What was or would be changed in one step."""
    objections: tuple[str, ...] = ()
    operation: str = ""
    proposals: tuple[str, ...] = ()
    """Ids in the inbox; in a dry run the reasons for which something would go there."""
    reports: tuple[str, ...] = ()
    """What a person may want to look at."""


class Dreamer:
    """Dreams about one directory, whether it is time or not."""

    def __init__(self, writer: Writer, context: DreamContext) -> None:
        self._writer, self._context = writer, context
        self._lock = DreamLock(writer.memories.path, writer.memories.state)
        self._cursors = LogCursors(writer.memories.state)
        method = "offline" if context.model is None else "model"
        self._by = Provenance("dream", "assistant", method, context.world.session, "consolidation")

    def preview(self) -> Dreamed:
        """Return what a dream would do; nothing is written and no lock is taken."""
        inputs = self._inputs()
        draft = self._draft(inputs)
        if draft.failed:
            return self._failure(draft, draft.failed)
        patch = self._patch(draft, inputs)
        reasons = tuple(because for _, because in patch.proposals)
        ended = WOULD if patch.edits or reasons else NOTHING
        return replace(self._result(ended, draft, patch), proposals=reasons)

    def dream(self) -> Dreamed:
        """Dream under the shared lock; a failure leaves directory and lock as they were."""
        context = self._context
        taken = self._lock.take(context.now, context.stale_seconds)
        if isinstance(taken, OtherDream):
            return Dreamed(SKIPPED, f"process {taken.pid} dreams already", self._by.method)
        failed = True
        try:
            repair_torn_patch(self._writer, context.now)
            dreamed = self._dream()
            failed = dreamed.ended == FAILED
        finally:
            self._lock.release(taken, failed=failed)
        return dreamed

    def _dream(self) -> Dreamed:
        inputs = self._inputs()
        draft = self._draft(inputs)
        patch = Patch() if draft.failed else self._patch(draft, inputs)
        cancel = self._context.cancel
        if draft.failed or (cancel is not None and cancel.is_set()):
            return self._failure(draft, draft.failed or "The dream was called off.")
        try:
            operation = self._apply(patch)
        except Conflict as error:
            return self._failure(draft, f"{error} Dream again.")
        done = self._propose(draft, patch, operation)
        read = {log.file: log.read(draft.dealt_with) for log in inputs.logs}
        self._cursors.put(dict.fromkeys(inputs.waiting, LogCursor()) | read)
        return done

    def _inputs(self) -> DreamInput:
        writer = self._writer
        headers = writer.memories.scan()
        self._context.progress(f"reading {count(len(headers), 'memory')}")
        texts = _texts(writer)
        topics = [topic_from(one.file, texts[one.file], one.saved_at) for one in headers if one.file in texts]
        logs = log_days(writer.memories.path, self._lock.last(), self._cursors.all())
        older, newer = logs[:-MAX_DAYS], tuple(logs[-MAX_DAYS:])
        return DreamInput(
            tuple(topics), texts, newer, _protected_files(writer, topics), tuple(log.file for log in older)
        )

    def _draft(self, inputs: DreamInput) -> DreamDraft:
        past, model = PastDreams(self._writer), self._context.model
        if model is None:
            draft = offline_draft(inputs, self._writer, self._context, self._by, past.holds)
        else:
            draft = model_draft(model, inputs, self._writer.memories.path, self._context)
        return without_reversals(draft, past)

    def _patch(self, draft: DreamDraft, inputs: DreamInput) -> Patch:
        # Read again: the model took its time, and a statement may have been kept where it is no more.
        texts = _texts(self._writer) if draft.edits else inputs.texts
        return build_patch(draft, inputs, self._context, texts, self._by)

    def _apply(self, patch: Patch) -> str:
        """Apply a patch that passed its checks; return the operation, which is empty without one."""
        if not patch.edits or patch.objections:
            return ""
        self._context.progress(f"applying changes to {count(len(patch.edits), 'file')}")
        return apply_patch(self._writer, patch, self._by, self._context.now)

    def _propose(self, draft: DreamDraft, patch: Patch, operation: str) -> Dreamed:
        """Leave what was not applied to a person, and mend the index."""
        writer, by, now = self._writer, self._by, self._context.now
        inbox = Inbox(writer.memories.state)
        asked = [inbox.add(Proposal(_inbox_edits(edits), by, why, now)) for edits, why in patch.proposals]
        ids = tuple(filter(None, asked))  # what a person rejected before is not asked again
        reports = [*draft.reports]
        if writer.heal(now) and not operation:
            reports.append("The index was mended.")
        if rejected := len(asked) - len(ids):
            reports.append(f"Not asked again, because a person rejected it before: {rejected}.")
        done = self._result(APPLIED if operation else INBOX if ids else NOTHING, draft, patch)
        return replace(done, operation=operation, proposals=ids, reports=tuple(reports))

    def _result(self, ended: str, draft: DreamDraft, patch: Patch) -> Dreamed:
        method, about = self._by.method, (patch.ledger, patch.edits, patch.objections)
        return Dreamed(ended, draft.summary, method, *about, reports=draft.reports)

    def _failure(self, draft: DreamDraft, because: str) -> Dreamed:
        return Dreamed(FAILED, because, self._by.method, reports=draft.reports)


def _inbox_edits(edits: Sequence[Change]) -> tuple[Change, ...]:
    """Return changes as the inbox keeps them: their old texts as they are shown."""
    return tuple(Change(one.file, one.before and shown_text(one.before), one.after) for one in edits)


def _texts(writer: Writer) -> dict[str, str]:
    """Return every memory as it stands on disk; what cannot be read is left out, and so never touched."""
    files = [header.file for header in writer.memories.scan()]
    return {file: version.text for file in files if (version := writer.version_now(file)) is not None}


def _protected_files(writer: Writer, topics: Sequence[Topic]) -> frozenset[str]:
    """Return the memories whose pin or rules count, because they were written through memdir."""
    marked = [topic.header.file for topic in topics if topic.header.pinned or holds_rule(topic.text)]
    return frozenset(file for file in marked if known_writer(writer.recorder, file) is not None)
