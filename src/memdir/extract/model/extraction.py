"""Extraction by a model: it reads and edits for changes; what is left after the checks is the result."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from memdir.conversation.messages import Spoken
from memdir.errors import Cancelled, CapReached, ModelError
from memdir.extract.heuristics.credentials import CREDENTIAL, holds_credential
from memdir.extract.heuristics.drafting import ExtractedDraft as Found
from memdir.extract.heuristics.drafting import nearest, update_draft
from memdir.extract.heuristics.extraction import Extraction
from memdir.extract.model.tools import CitingTools, Excerpt, Origin, excerpt_of
from memdir.memories.change import Edit
from memdir.memories.echo import Echoes
from memdir.memories.index.pointer import manifest
from memdir.memories.names import slug
from memdir.memories.topic import Kind, Topic, header_from, topic_from
from memdir.models.protocol import Cancel, Message, Model, Prefix, Question
from memdir.text.dates.relative_dates import with_absolute_dates
from memdir.text.templates import Templates
from memdir.text.value import replace, value_class
from memdir.workers.loop import FAILED, WorkerLimits, run_worker
from memdir.workers.policy import Policy
from memdir.workers.workbench import Workbench

__all__ = ["Asking", "ask_model"]

_TEXTS = Templates(__file__)

_MOST_HEADERS = 200
"""Memories that are listed up front, as a selector sees them; grep finds the others."""

_MAX_TOKENS = 8_000
_EPOCH = datetime.fromtimestamp(0, UTC)
_CAP = f"{CapReached.__name__}: "
"""How a run that a cap ended says so."""


@value_class(frozen=True, slots=True)
class Asking:
    """What a model is asked with: which one, for how long, and what it may look into."""

    model: Model
    limits: WorkerLimits
    timer: Callable[[], float]
    now: datetime
    roots: tuple[str, ...] = ()
    """Folders besides the memory directory that it may read."""
    prefix: Prefix | None = None
    cancel: Cancel | None = None
    literal: bool = False
    """Whether the days that are named get no dates."""


def ask_model(heard: Sequence[Spoken], known: Sequence[Topic], directory: str, asking: Asking) -> Extraction:
    """Return what a model found in the messages, checked; raises when it came to no end."""
    excerpt = excerpt_of(heard)
    toolbox = CitingTools(Policy(directory, roots=asking.roots), Workbench(directory), excerpt, heard)
    head = _question(excerpt, known, asking)
    done = run_worker(
        asking.model, head, toolbox, clock=asking.timer, limits=asking.limits, cancel=asking.cancel
    )
    if asking.cancel is not None and asking.cancel.is_set():
        raise Cancelled("The extraction was called off. Nothing was saved.")
    if done.ended == FAILED:
        if done.because.startswith(_CAP):
            raise CapReached(done.because.removeprefix(_CAP))
        raise ModelError(f"Nothing was extracted, and it will be tried again. {done.because}")
    return _Check(known, heard, toolbox, literal=asking.literal).result(done.edits)


def _question(excerpt: Excerpt, known: Sequence[Topic], asking: Asking) -> Question:
    newest = sorted(known, key=lambda topic: topic.header.saved_at, reverse=True)[:_MOST_HEADERS]
    request = _TEXTS.fill_plain(
        "request",
        today=f"{asking.now:%A %Y-%m-%d}",
        manifest=manifest(topic.header for topic in newest) or _TEXTS.fill_plain("no_memories"),
        messages=excerpt.text,
    )
    return Question(
        (Message("user", request),),
        system=_TEXTS.fill_plain("system"),
        max_tokens=_MAX_TOKENS,
        timeout=asking.limits.seconds,
        cached=True,
        prefix=asking.prefix,
        job="extract",
    )


class _Check:
    """Turns edits into drafts, and leaves out what may not be saved or is known."""

    def __init__(
        self, known: Sequence[Topic], heard: Sequence[Spoken], toolbox: CitingTools, *, literal: bool
    ) -> None:
        self._known, self._origins, self._literal = known, toolbox.origins, literal
        shown = [one.text for one in heard if one.recalled]
        self._echoes = Echoes([*shown, *(topic.text for topic in known)])
        self._skipped = list(toolbox.refused)

    def result(self, edits: Sequence[Edit]) -> Extraction:
        """Return what is to be saved, forgotten and left out."""
        drafts: list[Found] = []
        forget: list[str] = []
        for edit in edits:
            origin = self._origins.get(edit.file)
            if origin is None:
                continue  # a change that was never answered with yes
            if edit.after is None:
                forget.append(self._name(edit.file, edit.before or ""))
                continue
            draft = self._draft(edit, edit.after, origin)
            if isinstance(draft, str):
                self._skipped.append((origin.message.id, draft))
            else:
                drafts.append(draft)
        return Extraction(tuple(drafts), tuple(forget), tuple(self._skipped))

    def _draft(self, edit: Edit, text: str, origin: Origin) -> Found | str:
        topic = topic_from(edit.file, text, _EPOCH)
        header, body = topic.header, topic.body.strip()
        if header.kind is None or not body:
            return "it has no kind or no text"
        description = header.description
        if header.kind is Kind.PROJECT and origin.message.at and not self._literal:
            said = origin.message.at.date()
            body, description = with_absolute_dates(body, said), with_absolute_dates(description, said)
        if holds_credential(f"{header.name}\n{description}\n{body}"):
            return CREDENTIAL
        said_by = origin.source, origin.message.id, not origin.is_confirmed
        draft = Found(header.kind, slug(header.name), description, body, *said_by)
        return self._new(draft) if edit.before is None else self._updated_draft(draft, edit.file, edit.before)

    def _new(self, draft: Found) -> Found | str:
        """Return a draft for a new file, as an update where a memory is about the same thing already."""
        if self._echoes.repeats(draft.body, typed=not draft.inbox):
            return "memory says this already"
        named = next((topic for topic in self._known if topic.header.name == draft.name), None)
        same_kind = [topic for topic in self._known if topic.header.kind in {draft.kind, None}]
        twin = named or nearest(draft.body.partition("\n\n")[0], same_kind, changes=False)
        if twin is None:
            return draft
        if twin.body.strip() == draft.body:
            return "memory says this already"
        return update_draft(draft, twin)

    def _updated_draft(self, draft: Found, file: str, was: str) -> Found | str:
        """Return a draft for a memory that exists, under the name that it has."""
        before = topic_from(file, was, _EPOCH)
        if before.body.strip() == draft.body and before.header.description == draft.description:
            return "nothing in it would change"
        return replace(draft, name=self._name(file, was))

    def _name(self, file: str, text: str) -> str:
        """Return how a memory is called: by its name, or by its file when another has the same name."""
        name = header_from(file, text, _EPOCH).name
        same = [topic for topic in self._known if topic.header.name == name]
        return name if len(same) < 2 else file
