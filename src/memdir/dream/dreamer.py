"""The dreams of one memory directory: whether it is time, and one dream as a patch that is built and checked.

The cheapest question about the time comes first, and each answer has its reason. A patch is applied whole or
goes to the inbox.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from memdir.config.location import Setup
from memdir.config.variables import switch
from memdir.config.world import World
from memdir.conversation.transcripts import newest_first, transcript_folder
from memdir.disk.files import make_folder
from memdir.dream.daily_log import MAX_DAYS, LogCursor, LogCursors, log_days
from memdir.dream.ledger import LossLedger
from memdir.dream.lock import DreamLock, OtherDream
from memdir.dream.material import DreamContext, DreamDraft, Material
from memdir.dream.model import model_draft
from memdir.dream.offline import offline_draft
from memdir.dream.patch import Patch, apply_patch, build_patch, repair_torn_patch
from memdir.dream.reversals import PastDreams, without_reversals
from memdir.errors import Conflict
from memdir.inbox.proposals import Inbox, Proposal
from memdir.instructions.project import ProjectInstructions
from memdir.memories.change import Change, shown_text
from memdir.memories.enforce import holds_rule
from memdir.memories.history.authorship import known_writer
from memdir.memories.topic import Provenance, Topic, saved_time, topic_from
from memdir.memories.writer import Writer
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model
from memdir.text.value import replace, value_class
from memdir.verify.check import verify_all
from memdir.verify.project import Project
from memdir.workers.queue import NotNow, Now

__all__ = ["APPLIED", "FAILED", "INBOX", "NOTHING", "SKIPPED", "WOULD", "Dreamed", "Dreamer", "Dreams"]

APPLIED, INBOX, NOTHING, WOULD, FAILED, SKIPPED = "applied", "inbox", "nothing", "would", "failed", "skipped"

_SCANNED = "dream.scan"
"""The time when too few sessions were last counted, in the state folder; may be deleted at any time."""

_CHECK_SECONDS = 5.0
"""For the claims of all memories together."""


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


@value_class(frozen=True, slots=True)
class Dreams:
    """The dreams of one directory."""

    writer: Writer
    setup: Setup
    world: World
    model: Callable[[], Model | NoModel]
    """Returns the model to ask; called only when it is time to dream."""
    instructions: ProjectInstructions
    project: Callable[[], Project] | None
    """Opens the checkout that memories speak about; None where only a directory is known."""

    def due(self, *, hurried: bool = False) -> NotNow | Now:
        """Say whether it is time to dream; a person who asks for it waits for nothing but another dream."""
        verdict, memories, now = self.setup.verdict, self.writer.memories, self.world.clock()
        if not verdict.on or not memories.exists():
            return NotNow(verdict.off or "there is no memory yet")
        lock = DreamLock(memories.path, memories.state)
        last = None if hurried else lock.last()
        if not hurried and (because := self._too_soon(last, now) or self._too_little(last, now)):
            return NotNow(because)
        if pid := lock.holder(now, 60.0 * self.setup.settings.number("dream.staleMinutes")):
            return NotNow(f"process {pid} dreams already")
        if hurried:
            return Now("it was asked for")
        before = f"the last consolidation was on {last:%Y-%m-%d}" if last else ""
        return Now(before or "there was no consolidation before")

    def dream(
        self,
        *,
        hurried: bool = False,
        dry_run: bool = False,
        cancel: Cancel | None = None,
        said: Callable[[str], object] = str,
    ) -> Dreamed:
        """Dream if it is time, or at once; a dry run shows what would be done at any time."""
        due = self.due(hurried=hurried or dry_run)
        if isinstance(due, NotNow):
            return Dreamed(SKIPPED, due.because)
        model = self.model()
        dreamer = Dreamer(self.writer, self._context(model, cancel, said))
        dreamed = dreamer.preview() if dry_run else dreamer.dream()
        if isinstance(model, NoModel) and model.wrong:
            return replace(dreamed, reports=(f"No model was asked: {model.because}", *dreamed.reports))
        return dreamed

    def _context(
        self, model: Model | NoModel, cancel: Cancel | None, said: Callable[[str], object]
    ) -> DreamContext:
        settings = self.setup.settings
        searched = settings.flag("searchPastContext")
        return DreamContext(
            self.world,
            self.world.clock(),
            model=None if isinstance(model, NoModel) else model,
            seconds=float(settings.number("worker.maxSeconds")),
            stale_seconds=60.0 * settings.number("dream.staleMinutes"),
            max_deletes=settings.number("dream.maxDeletes"),
            instructions=lambda: "\n\n".join([one.text for one in self.instructions.discover().loaded]),
            transcripts=tuple(filter(os.path.isdir, self._folders())) if searched else (),
            drifted=self._drift,
            cancel=cancel,
            progress=said,
        )

    def _drift(self) -> tuple[str, ...]:
        """Return what memories claim about the project and no longer holds, one line a claim."""
        if self.project is None:
            return ()
        topics, now = self.writer.memories.topics(), self.world.clock()
        checks = verify_all(topics, self.project(), now, _CHECK_SECONDS)
        claims = [(one.file, claim) for one in checks if one.verdict == "stale" for claim in one.claims]
        return tuple(
            f"{file}: {judged.claim.text} is {judged.verdict}{f' (now: {judged.now})' if judged.now else ''}"
            for file, judged in claims
            if judged.stale
        )

    def _folders(self) -> list[str]:
        """Return where the host keeps the conversations of this directory and of the project's root."""
        home, paths = self.setup.place.config_home, (self.world.cwd, self.setup.place.root)
        return list(dict.fromkeys(transcript_folder(home, path) for path in paths))

    def _too_soon(self, last: datetime | None, now: datetime) -> str:
        settings, remote = self.setup.settings, switch(self.world.env, "MEMDIR_REMOTE")
        if not settings.flag("dream.enabled"):
            return 'the setting "dream.enabled" is off'
        if remote and remote.on:
            return "this machine is not kept (MEMDIR_REMOTE), so another one dreams"
        hours, minutes = settings.number("dream.hours"), settings.number("dream.scanMinutes")
        if last is not None and now - last < timedelta(hours=hours):
            return f"the last consolidation is less than {hours} hours ago"
        path = os.path.join(self.writer.memories.state, _SCANNED)
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:
            scanned = datetime.fromisoformat(file.read(64).strip())
            if timedelta(0) <= now - scanned < timedelta(minutes=minutes):
                return f"sessions were counted less than {minutes} minutes ago"
        return ""

    def _too_little(self, last: datetime | None, now: datetime) -> str:
        """Say that too few conversations changed since, and remember the time of this count."""
        settings, memories = self.setup.settings, self.writer.memories
        if settings.text("mode") == "daily-log" and log_days(memories.path, last):
            return ""
        after, own = last.timestamp() if last else 0.0, f"{self.world.session}.jsonl"
        paths = [path for folder in self._folders() for path in newest_first(folder)]
        count = sum(_is_newer(path, after) for path in paths if os.path.basename(path) != own)
        enough = settings.number("dream.sessions")
        if count >= enough:
            return ""
        with make_folder(memories.state) as state:
            state.replace_cache(_SCANNED, now.isoformat().encode())
        return f"{count} of {enough} conversations were touched since the last consolidation"


def _is_newer(path: str, after: float) -> bool:
    try:
        return os.stat(path).st_mtime > after
    except OSError:
        return False


class Dreamer:
    """Dreams about one directory."""

    def __init__(self, writer: Writer, context: DreamContext) -> None:
        self._writer, self._context = writer, context
        self._lock = DreamLock(writer.memories.path, writer.memories.state)
        self._cursors = LogCursors(writer.memories.state)
        method = "offline" if context.model is None else "model"
        self._by = Provenance("dream", "assistant", method, context.world.session, "consolidation")

    def preview(self) -> Dreamed:
        """Return what a dream would do; nothing is written and no lock is taken."""
        draft, patch, _ = self._work_out(self._lock.last())
        if draft.failed:
            return self._result(FAILED, draft.failed, patch, draft)
        reasons = tuple(because for _, because in patch.proposals)
        ended = WOULD if patch.edits or reasons else NOTHING
        return replace(self._result(ended, draft.summary, patch, draft), proposals=reasons)

    def dream(self) -> Dreamed:
        """Dream under the shared lock; a failure leaves directory and lock as they were."""
        context = self._context
        taken = self._lock.take(context.now, context.stale_seconds)
        if isinstance(taken, OtherDream):
            return Dreamed(SKIPPED, f"process {taken.pid} dreams already", self._by.method)
        failed = True
        try:
            repair_torn_patch(self._writer, context.now)
            previous = taken.previous_ns
            dreamed = self._dream(None if previous is None else saved_time(previous))
            failed = dreamed.ended == FAILED
        finally:
            self._lock.release(taken, failed=failed)
        return dreamed

    def _dream(self, last: datetime | None) -> Dreamed:
        draft, patch, material = self._work_out(last)
        cancel = self._context.cancel
        if draft.failed or (cancel is not None and cancel.is_set()):
            return self._result(FAILED, draft.failed or "The dream was called off.", Patch(), draft)
        done = self._put(draft, patch)
        if done.ended != FAILED:
            read = {log.file: log.read(draft.dealt_with) for log in material.logs}
            self._cursors.put(dict.fromkeys(material.waiting, LogCursor()) | read)
        return done

    def _work_out(self, last: datetime | None) -> tuple[DreamDraft, Patch, Material]:
        """Return what a dream would change, checked; the patch of a draft that failed is empty."""
        material = self._material(last)
        draft = self._draft(material)
        if draft.failed:
            return draft, Patch(), material
        # Read again: the model took its time, and a statement may have been kept where it is no more.
        texts = _texts(self._writer) if draft.edits else material.texts
        return draft, build_patch(draft, material, self._context, texts, self._by), material

    def _put(self, draft: DreamDraft, patch: Patch) -> Dreamed:
        """Apply what passed, and leave the rest to a person."""
        writer, by, now = self._writer, self._by, self._context.now
        operation = ""
        if patch.edits and not patch.objections:
            files = "1 file" if len(patch.edits) == 1 else f"{len(patch.edits)} files"
            self._context.progress(f"applying changes to {files}")
            try:
                operation = apply_patch(writer, patch, by, now)
            except Conflict as error:
                return self._result(FAILED, f"{error} Dream again.", Patch(), draft)
        inbox = Inbox(writer.memories.state)
        asked = [inbox.add(Proposal(_inbox_edits(edits), by, why, now)) for edits, why in patch.proposals]
        ids = [one for one in asked if one]  # what a person rejected before is not asked again
        healed = writer.heal(now)
        reports = [*draft.reports, *(["The index was mended."] if healed and not operation else [])]
        if rejected := len(asked) - len(ids):
            reports.append(f"Not asked again, because a person rejected it before: {rejected}.")
        ended = APPLIED if operation else INBOX if ids else NOTHING
        done = self._result(ended, draft.summary, patch, draft)
        return replace(done, operation=operation, proposals=tuple(ids), reports=tuple(reports))

    def _draft(self, material: Material) -> DreamDraft:
        past = PastDreams(self._writer)
        if self._context.model is None:
            draft = offline_draft(material, self._writer, self._context, self._by, past.holds)
        else:
            draft = model_draft(self._context.model, material, self._writer.memories.path, self._context)
        return without_reversals(draft, past)

    def _material(self, last: datetime | None) -> Material:
        writer = self._writer
        headers = writer.memories.scan()
        self._context.progress(f"reading {len(headers)} memories")
        texts = _texts(writer)
        topics = [topic_from(one.file, texts[one.file], one.saved_at) for one in headers if one.file in texts]
        logs = log_days(writer.memories.path, last, self._cursors.all())
        older, newer = logs[:-MAX_DAYS], tuple(logs[-MAX_DAYS:])
        return Material(
            tuple(topics), texts, newer, _protected_files(writer, topics), tuple(log.file for log in older)
        )

    def _result(self, ended: str, because: str, patch: Patch, draft: DreamDraft) -> Dreamed:
        done = patch.ledger, patch.edits, patch.objections
        return Dreamed(ended, because, self._by.method, *done, reports=draft.reports)


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
