"""Extraction by a model: it reads and edits for changes; what is left after the checks is the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from memdir.conversation.messages import Spoken
from memdir.errors import Cancelled, CapReached, ModelError
from memdir.extract.heuristics.credentials import CREDENTIAL, holds_credential
from memdir.extract.heuristics.drafting import nearest, update_draft
from memdir.extract.model.tools import CitingTools, Origin, excerpt_of
from memdir.extract.result import Extracted
from memdir.memories.change import Change
from memdir.memories.index.pointer import manifest
from memdir.memories.names import slug
from memdir.memories.repetition import Echoes
from memdir.memories.topic import Draft, Kind, Topic, topic_from
from memdir.models.protocol import Cancel, Message, Model, Prefix, Question
from memdir.text.dates.relative_dates import with_absolute_dates
from memdir.text.templates import Templates
from memdir.text.value import replace
from memdir.workers.loop import FAILED, WorkerLimits, run_worker
from memdir.workers.overlay import Overlay
from memdir.workers.policy import Policy

__all__ = ["ask_model"]

_TEXTS = Templates(__file__)

_MOST_HEADERS = 200
"""Memories that are listed up front, as a selector sees them; grep finds the others."""

_MAX_TOKENS = 8_000
_CAP = f"{CapReached.__name__}: "
"""How a run that a cap ended says so."""


def ask_model(
    model: Model,
    heard: Sequence[Spoken],
    known: Sequence[Topic],
    directory: str,
    *,
    limits: WorkerLimits,
    timer: Callable[[], float],
    now: datetime,
    roots: tuple[str, ...] = (),
    prefix: Prefix | None = None,
    cancel: Cancel | None = None,
    literal: bool = False,
) -> Extracted:
    """Return what a model found in the messages, checked; raises when it came to no end.

    It may read the memory directory and the `roots`. A `literal` extraction adds no dates to days.
    """
    excerpt = excerpt_of(heard)
    toolbox = CitingTools(Policy(directory, roots=roots), Overlay(directory), excerpt, heard)
    newest = sorted(known, key=lambda topic: topic.header.saved_at, reverse=True)[:_MOST_HEADERS]
    request = _TEXTS.fill_plain(
        "request",
        today=f"{now:%A %Y-%m-%d}",
        manifest=manifest(topic.header for topic in newest) or _TEXTS.fill_plain("no_memories"),
        messages=excerpt.text,
    )
    head = Question(
        (Message("user", request),),
        system=_TEXTS.fill_plain("system"),
        max_tokens=_MAX_TOKENS,
        timeout=limits.seconds,
        cached=True,
        prefix=prefix,
        job="extract",
    )
    done = run_worker(model, head, toolbox, clock=timer, limits=limits, cancel=cancel)
    if cancel is not None and cancel.is_set():
        raise Cancelled("The extraction was called off. Nothing was saved.")
    if done.ended == FAILED:
        if done.because.startswith(_CAP):
            raise CapReached(done.because.removeprefix(_CAP))
        raise ModelError(f"Nothing was extracted, and it will be tried again. {done.because}")
    return _Check(known, heard, toolbox, literal=literal).result(done.edits)


class _Check:
    """Turns edits into drafts, and leaves out what may not be saved or is known."""

    def __init__(
        self, known: Sequence[Topic], heard: Sequence[Spoken], toolbox: CitingTools, *, literal: bool
    ) -> None:
        self._known, self._toolbox, self._literal = known, toolbox, literal
        shown = [one.text for one in heard if one.recalled]
        self._echoes = Echoes([*shown, *(topic.text for topic in known)])

    def result(self, edits: Sequence[Change]) -> Extracted:
        """Return what is to be saved, forgotten and left out."""
        drafts, forget, skipped = list[Draft](), list[str](), list(self._toolbox.refused)
        for edit in edits:
            origin = self._toolbox.origins.get(edit.file)
            if origin is None:
                continue  # a change that was never answered with yes
            if edit.after is None:
                forget.append(self._name(topic_from(edit.file, edit.before or "")))
                continue
            draft = self._draft(edit, topic_from(edit.file, edit.after), origin)
            if isinstance(draft, str):
                skipped.append((origin.message.id, draft))
            else:
                drafts.append(draft)
        return Extracted(tuple(drafts), tuple(forget), tuple(skipped))

    def _draft(self, edit: Change, topic: Topic, origin: Origin) -> Draft | str:
        header, body, description = topic.header, topic.body.strip(), topic.header.description
        if header.kind is None or not body:
            return "it has no kind or no text"
        if header.kind is Kind.PROJECT and origin.message.at and not self._literal:
            said = origin.message.at.date()
            body, description = with_absolute_dates(body, said), with_absolute_dates(description, said)
        if holds_credential(f"{header.name}\n{description}\n{body}"):
            return CREDENTIAL
        draft = Draft(
            body,
            header.kind,
            slug(header.name),
            description,
            source=origin.source,
            literal=True,
            message=origin.message.id,
            inbox=not origin.is_confirmed,
        )
        if edit.before is None:
            return self._new(draft)
        before = topic_from(edit.file, edit.before)
        if before.body.strip() == draft.body and before.header.description == draft.description:
            return "nothing in it would change"
        return replace(draft, name=self._name(before))

    def _new(self, draft: Draft) -> Draft | str:
        """Return a draft for a new file, as an update where a memory is about the same thing already."""
        if self._echoes.repeats(draft.body, typed=not draft.inbox):
            return "memory says this already"
        named = next((topic for topic in self._known if topic.header.name == draft.name), None)
        same_kind = [topic for topic in self._known if topic.header.kind in {draft.kind, None}]
        twin = named or nearest(draft.body.partition("\n\n")[0], same_kind, changes=False)
        if twin and twin.body.strip() == draft.body:
            return "memory says this already"
        return update_draft(draft, twin) if twin else draft

    def _name(self, topic: Topic) -> str:
        """Return the name of a memory, or its file when another has the same name."""
        same = [one for one in self._known if one.header.name == topic.header.name]
        return topic.header.name if len(same) < 2 else topic.header.file
