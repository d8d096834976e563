"""Check a draft and fill in what is missing, or say why it cannot be saved."""

import re
from collections.abc import Iterable, Sequence
from datetime import date

from memdir.errors import Rejected
from memdir.memories.echo import Echoes
from memdir.memories.enforce import rules_in
from memdir.memories.kinds import Kind, propose_kind
from memdir.memories.names import slug
from memdir.memories.proposed_names import propose_description, propose_name, propose_title
from memdir.memories.refusals import refuse_unusable, required_kind
from memdir.memories.review import derivable_hint
from memdir.memories.topic import SOURCES, Draft
from memdir.text.dates.relative_dates import relative_dates, with_absolute_dates
from memdir.text.value import replace

__all__ = ["compare_with_instructions", "complete", "is_instructed", "least_trusted", "without_filled"]


LONG_DESCRIPTION = 150
"""Characters of a description from which on a hint is due: what a pointer of the index has room for."""


def complete(draft: Draft, today: date, *, strict: bool = False) -> Draft:
    """Fill in kind, name and description, resolve relative dates, and collect hints.

    Dates count from the day of the draft, or from today where it has none.
    """
    # Blank lines around it go; a first line that is indented may be code.
    body = re.sub(r"\A(?:[^\S\n]*+\n)++", "", draft.body).rstrip() if draft.body.strip() else ""
    refuse_unusable(draft, body)
    if draft.enforce.strip():
        rules_in(draft.enforce)
    kind = _kind(draft)
    hints = [hint] if (hint := derivable_hint(body)) else []
    if hints and strict:
        raise Rejected(f"Not saved: {hints[0]}")
    if kind in _DATED and not draft.literal:
        on = draft.saved_at.date() if draft.saved_at else today
        draft, added, left = _dated(replace(draft, body=body), on)
        body, hints = draft.body, hints + added + (left if kind is Kind.PROJECT else [])
    named = draft.name.strip()
    name = slug(named) if named else propose_name(body)
    title = draft.title or (named if named not in ("", name) else "")
    description = " ".join(draft.description.split())
    given = {"kind": draft.kind is not None, "name": named, "title": title, "description": description}
    title, description = title or propose_title(body, name), description or propose_description(body)
    return replace(
        draft,
        body=body,
        kind=kind,
        name=name,
        title=title,
        description=description,
        filled=frozenset(field for field, value in given.items() if not value),
        hints=(*hints, *_length_hint(description)),
    )


def without_filled(draft: Draft) -> Draft:
    """Return a draft as it was given, without what `complete` filled in."""
    blank = {field: None if field == "kind" else "" for field in draft.filled}
    return replace(draft, **blank, filled=frozenset(), hints=())  # type: ignore[arg-type]


def compare_with_instructions(
    drafts: Sequence[Draft], instructions: Sequence[str], *, strict: bool = False
) -> list[Draft]:
    """Return them with a hint at each that only repeats what the instructions say; `strict` refuses it."""
    echoes, compared = Echoes(instructions), list[Draft]()
    for draft in drafts:
        known = is_instructed(f"{draft.body} {draft.why} {draft.how}", echoes)
        if known and strict:
            raise Rejected(f"Not saved: {_INSTRUCTED}")
        compared.append(replace(draft, hints=(*draft.hints, _INSTRUCTED)) if known else draft)
    return compared


def is_instructed(body: str, instructions: Echoes) -> bool:
    """Tell whether the text of a memory says nothing but what the instructions say, its reason included."""
    text = _LABEL.sub(", ", body)
    return instructions.repeats(text, typed=True) or instructions.hold(text)


_LABEL = re.compile(r"[.!]?\s*\*\*(?:Why|How to apply):\*\*\s*")
_INSTRUCTED = (
    "The instruction files say this already, and every conversation is given them. "
    "What about it do they not say? Keep that instead."
)

_DATED = frozenset({Kind.PROJECT, Kind.USER, Kind.REFERENCE})
"""Kinds whose days get dates; how to work holds on any day."""
_MOST_SHOWN = 3
_ADDED = "{}. --literal (literal=True) adds no dates."
_DOUBTFUL = "No date was added to {}: more than one day can be meant. Write the date if it is one."


def _dated(draft: Draft, on: date) -> tuple[Draft, list[str], list[str]]:
    """Return the draft with dates beside the days it names, a hint on what was added, and one on what not."""
    texts = [draft.body, draft.title, draft.description, draft.why, draft.how]
    found = {item.words: item for text in texts for item in relative_dates(text, on)}
    if not found:
        return draft, [], []
    body, title, description, why, how = (with_absolute_dates(text, on) for text in texts)
    dated = replace(draft, body=body, title=title, description=description, why=why, how=how)
    added = [f'"{item.words}" is {item.absolute}' for item in found.values() if item.day]
    doubtful = [f'"{item.words}"' for item in found.values() if not item.day]
    return dated, _hint(_ADDED, added), _hint(_DOUBTFUL, doubtful)


def _hint(sentence: str, days: list[str]) -> list[str]:
    return [sentence.format(", ".join(days[:_MOST_SHOWN]))] if days else []


def _length_hint(description: str) -> list[str]:
    told = (
        f"The description has {len(description):,} characters, and the index gives it one line. "
        f"Keep it under {LONG_DESCRIPTION}, and put the rest into the text."
    )
    return [told] if len(description) > LONG_DESCRIPTION else []


def least_trusted(sources: Iterable[str]) -> str:
    """Return whose words a step counts as that holds those of several: the user's only if all are."""
    ranks = {source: rank for rank, source in enumerate(SOURCES)}
    return max(sources, key=lambda source: ranks.get(source, len(ranks)), default="user")


def _kind(draft: Draft) -> Kind:
    if draft.kind is not None:
        return required_kind(str(draft.kind))
    # What hosts are held to is how work is to be done, however it is put.
    return Kind.FEEDBACK if draft.enforce.strip() else propose_kind(draft.body)
