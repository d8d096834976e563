"""Turns what someone wants remembered into a complete draft, or says why it cannot be taken."""

import re
from collections.abc import Mapping
from datetime import date

from memdir.core.dates import relative_dates, with_absolute_dates
from memdir.core.kinds import (
    Kind,
    kind_named,
    proposed_description,
    proposed_kind,
    proposed_name,
    proposed_title,
)
from memdir.core.names import slug
from memdir.core.review import derivable_hint
from memdir.core.secrets import find_secrets
from memdir.core.topic import Draft
from memdir.core.value import replace, value_class
from memdir.errors import Rejected, SecretFound

__all__ = [
    "MAX_BODY_BYTES",
    "Intake",
    "completed",
    "refuse_secrets",
    "refuse_told_secrets",
    "refuse_unwritable",
]

MAX_BODY_BYTES = 250_000
"""What team memory can carry (SPEC 13.3); a larger text is a document, and a memory should point at it."""


@value_class(frozen=True, slots=True)
class Intake:
    """A draft with nothing left open."""

    draft: Draft
    kind: Kind
    named: bool
    """Whether the caller chose the name; only then does an existing memory of that name get updated."""
    warnings: tuple[str, ...] = ()


def completed(draft: Draft, today: date, *, strict: bool = False) -> Intake:
    """Fill in kind, name and description, resolve relative dates, and collect hints."""
    body = draft.body.strip()
    _refuse_unusable(draft, body)
    refuse_told_secrets(_told(draft))
    if draft.enforce.strip():
        from memdir.core.enforce import rules_in

        rules_in(draft.enforce)
    kind = _kind(draft)
    hints = [hint] if (hint := derivable_hint(body)) else []
    if hints and strict:
        raise Rejected(f"Not saved: {hints[0]}")
    if kind in _DATED and (dated := with_absolute_dates(body, today, weekdays=_DATED[kind])) != body:
        hints.append(_dates_hint(body, today, weekdays=_DATED[kind]))
        body = dated
    name = slug(draft.name) if draft.name.strip() else proposed_name(body)
    title = draft.title or (draft.name.strip() if draft.name.strip() not in ("", name) else "")
    title = title or proposed_title(body, name)
    description = " ".join(draft.description.split()) or proposed_description(body)
    full = replace(draft, body=body, kind=kind, name=name, title=title, description=description)
    return Intake(full, kind, bool(draft.name.strip()), tuple(hints))


_DATED = {Kind.PROJECT: True, Kind.USER: False}
"""Kinds whose days become dates, and whether weekdays do: of a person they mostly tell a habit."""


_BEFORE_DATE = re.compile(r"\A(?:on|am|le|el) (?=\d)", re.IGNORECASE)
_MOST_SHOWN = 3


def _dates_hint(body: str, today: date, *, weekdays: bool) -> str:
    """Return which words gave way to which days, and how to say what may have been meant instead."""
    found = [item for item in relative_dates(body, today) if item.day and (weekdays or not item.bare)]
    became = dict.fromkeys(
        f'"{item.words}" became {_BEFORE_DATE.sub("", item.absolute)}' for item in found[:_MOST_SHOWN]
    )
    days = [item.words for item in found if item.bare and re.fullmatch("[a-z]+day", item.words.lower())]
    every = f'; write "{days[0].capitalize()}s" for every week' if days else ""
    return f"{', '.join(became)}{every}."


def refuse_secrets(text: str) -> None:
    """Raise when a text holds a credential; the message names the rule, never the value."""
    if found := find_secrets(text):
        rules = ", ".join(sorted({finding.rule for finding in found}))
        raise SecretFound(
            f"Not saved: the text holds what looks like a credential ({rules}). Take it out and say "
            "where it is kept, or pass --allow-secret (allow_secret=True) to keep it in the private file."
        )


def refuse_told_secrets(told: Mapping[str, str]) -> None:
    """Raise when a credential stands in what every conversation is told of a memory: all but its text."""
    for label, text in told.items():
        if found := find_secrets(text):
            raise SecretFound(
                f"Not saved: the {label} holds what looks like a credential ({found[0].rule}), and the index "
                "shows it to every conversation. Take it out; --allow-secret (allow_secret=True) keeps a "
                "credential in the text alone."
            )


def _kind(draft: Draft) -> Kind:
    if draft.kind is None:
        return proposed_kind(draft.body)
    kind = kind_named(str(draft.kind))
    if kind is None:
        known = ", ".join(Kind)
        raise Rejected(f"{str(draft.kind)!r} is not a kind of memory. Use one of {known}.")
    return kind


def _told(draft: Draft) -> dict[str, str]:
    """Return what every conversation is told of a memory: all but its text."""
    return {
        "name": draft.name,
        "title": draft.title,
        "description": draft.description,
        "rule": draft.enforce,
        "name it supersedes": draft.supersedes,
    }


def _refuse_unusable(draft: Draft, body: str) -> None:
    if not body:
        raise Rejected("There is nothing to remember: the text is empty. Say what should be kept.")
    if len(body.encode("utf-8", "surrogatepass")) > MAX_BODY_BYTES:
        raise Rejected(
            f"The text is over {MAX_BODY_BYTES:,} bytes. Save what is worth recalling and point at the rest."
        )
    fields = {
        **_told(draft),
        "text": body,
        "why": draft.why,
        "how": draft.how,
    }
    for label, text in fields.items():
        refuse_unwritable(text, label)


def refuse_unwritable(text: str, label: str = "text") -> None:
    """Raise for what no reader of Markdown files takes: NUL, and halves of letters."""
    if "\0" in text:
        raise Rejected(f"The {label} contains a NUL character. Remove it and save again.")
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        raise Rejected(f"The {label} contains half of a surrogate pair. Save it as valid Unicode text.")
