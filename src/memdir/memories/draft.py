"""A draft: what is missing is filled in, or it is said why it cannot be saved; then the text of its file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from memdir.errors import Rejected
from memdir.memories.enforce import rules_in
from memdir.memories.names import slug
from memdir.memories.proposed_names import propose_description, propose_kind, propose_name, propose_title
from memdir.memories.refusals import derivable_hint, refuse_unusable, required_kind
from memdir.memories.repetition import Echoes
from memdir.memories.topic import (
    MAX_DESCRIPTION,
    SOURCES,
    Draft,
    Kind,
    Provenance,
    Topic,
    has_how,
    has_why,
    header_of,
    one_line,
    topic_from,
)
from memdir.text.dates.calendar import utc_stamp
from memdir.text.dates.relative_dates import relative_dates, with_absolute_dates
from memdir.text.frontmatter.edits import with_value, with_values
from memdir.text.frontmatter.header import Frontmatter, body_start, parse, render_header
from memdir.text.value import replace

__all__ = [
    "body_text",
    "compare_with_instructions",
    "complete",
    "is_instructed",
    "least_trusted",
    "render_draft",
    "says_the_same",
    "update_draft",
    "update_edited",
    "without_filled",
]


def complete(draft: Draft, today: date, *, strict: bool = False) -> Draft:
    """Fill in kind, name and description, resolve relative dates, and collect hints.

    Dates count from the day of the draft, or from today where it has none.
    """
    # Blank lines around it go; a first line that is indented may be code.
    body = re.sub(r"\A(?:[^\S\n]*+\n)++", "", draft.body).rstrip() if draft.body.strip() else ""
    refuse_unusable(draft, body)
    if draft.enforce.strip():
        rules_in(draft.enforce)
    if draft.kind is not None:
        kind = required_kind(str(draft.kind))
    else:  # what hosts are held to is how work is to be done, however it is put
        kind = Kind.FEEDBACK if draft.enforce.strip() else propose_kind(draft.body)
    derivable, dated = derivable_hint(body), list[str]()
    if derivable and strict:
        raise Rejected(f"Not saved: {derivable}")
    if kind in _DATED and not draft.literal:
        on = draft.saved_at.date() if draft.saved_at else today
        draft, dated = _add_dates(replace(draft, body=body), kind, on)
        body = draft.body
    named = draft.name.strip()
    name = slug(named) if named else propose_name(body)
    title = draft.title or (named if named not in ("", name) else "")
    description = " ".join(draft.description.split())
    given = {"kind": draft.kind is not None, "name": named, "title": title, "description": description}
    title, description = title or propose_title(body, name), description or propose_description(body)
    too_long = _LONG.format(len(description)) if len(description) > MAX_DESCRIPTION else ""
    return replace(
        draft,
        body=body,
        kind=kind,
        name=name,
        title=title,
        description=description,
        filled=frozenset(field for field, value in given.items() if not value),
        hints=tuple(filter(None, (derivable, *dated, too_long))),
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
_WORDS = ("body", "title", "description", "why", "how")
"""Fields that may name days."""
_MOST_SHOWN = 3
_LONG = (
    "The description has {:,} characters, and the index gives it one line. "
    f"Keep it under {MAX_DESCRIPTION}, and put the rest into the text."
)
_ADDED = "{}. --literal (literal=True) adds no dates."
_DOUBTFUL = "No date was added to {}: more than one day can be meant. Write the date if it is one."


def _add_dates(draft: Draft, kind: Kind, on: date) -> tuple[Draft, list[str]]:
    """Return the draft with dates beside the days it names, and hints on what was added and what was not."""
    texts: dict[str, Any] = {name: getattr(draft, name) for name in _WORDS}
    found = {name: relative_dates(text, on) for name, text in texts.items() if text}
    clear = {name: items for name, items in found.items() if any(item.day for item in items)}
    texts |= {name: with_absolute_dates(texts[name], on, items) for name, items in clear.items()}
    named = {item.words: item for items in found.values() for item in items}.values()
    added = ", ".join([f'"{item.words}" is {item.absolute}' for item in named if item.day][:_MOST_SHOWN])
    doubtful = ", ".join([f'"{item.words}"' for item in named if not item.day][:_MOST_SHOWN])
    hints = [_ADDED.format(added)] if added else []
    if doubtful and kind is Kind.PROJECT:
        hints.append(_DOUBTFUL.format(doubtful))
    return replace(draft, **texts), hints


def least_trusted(sources: Iterable[str]) -> str:
    """Return whose words a step counts as that holds those of several: the user's only if all are."""
    ranks = {source: rank for rank, source in enumerate(SOURCES)}
    return max(sources, key=lambda source: ranks.get(source, len(ranks)), default="user")


def render_draft(
    draft: Draft,
    provenance: Provenance,
    now: datetime,
    previous: str | None = None,
    was: Frontmatter | None = None,
) -> str:
    """Return the complete text of the file that holds this draft.

    With a previous text its header stays, line by line, except for the keys that the draft and its provenance
    speak about; when it was created stays too, and the body is replaced. `was` is that header, if parsed.
    """
    when = utc_stamp(draft.saved_at or now)
    traces = {key: getattr(provenance, key) for key in ("source", "actor", "session", "method")}
    extras = {
        "supersedes": draft.supersedes,
        "expires": draft.expires,
        "pinned": "true" if draft.pinned else "",
        "enforce": "; ".join(draft.enforce.split("\n")),  # a value is one line
    }
    title = one_line(draft.title)
    if previous is None:
        fields = {"name": slug(draft.name), "description": one_line(draft.description)}
        fields["type"] = str(draft.kind or "")
        metadata = {"title": title, **traces, "created": when, "modified": when, **extras}
        metadata["anchors"] = draft.anchors
        parts = [{key: value for key, value in part.items() if value} for part in (fields, metadata)]
        header = render_header(*parts)
    else:
        changed = {"title": title, "modified": when, **extras}
        text = with_values(previous, _changes(draft, traces, changed, was or parse(previous)))
        header = text[: body_start(text)]
    header, body = header if header.endswith(("\n", "\r")) else f"{header}\n", body_text(draft)
    return f"{header}\n{body}\n" if body else header


def body_text(draft: Draft) -> str:
    """Return what stands below the header; why and how follow, unless a line of the text says just that."""
    body = re.sub(r"\r\n?", "\n", draft.body).strip("\n").rstrip()
    why, how = draft.why.strip(), draft.how.strip()
    lines = body.split("\n")
    parts = [body] if body else []
    if why and not any(why in line and has_why(line) for line in lines):
        parts.append(f"**Why:** {why}")
    if how and not any(how in line and has_how(line) for line in lines):
        parts.append(f"**How to apply:** {how}")
    return "\n\n".join(parts)


def update_draft(draft: Draft, previous: str, was: Frontmatter, today: date) -> Draft:
    """Return a draft with kind and description of the memory it updates, where none was given.

    A description that was made from the old text is made again; one that somebody gave stays, with a hint.
    """
    header, old = header_of("", was), previous[was.body :].strip("\r\n")
    if "kind" in draft.filled and header.kind not in (None, draft.kind):
        again = complete(replace(without_filled(draft), kind=header.kind), today)
        draft = replace(again, name=draft.name, anchors=draft.anchors)
    hints, body, told = list(draft.hints), body_text(draft), header.description
    if "description" in draft.filled and told and not _is_made_description(told, old):
        draft = replace(draft, description=told)
        hints += [_KEPT.format(description=told)] if body != old else []
    signs = {"why": has_why, "how to apply it": has_how}
    if lost := [what for what, has in signs.items() if has(old) and not has(body)]:
        hints.append(_LOST.format(what=" and on ".join(lost)))
    return replace(draft, hints=tuple(hints))


def update_edited(was: Topic, text: str, now: datetime) -> tuple[str, list[str]]:
    """Return a memory as somebody edited it, with what was made from the old words made from the new ones."""
    new = topic_from(was.header.file, text, now)
    hints = [_NO_KIND.format(kind=was.header.kind)] if was.header.kind and not new.header.kind else []
    if new.body == was.body:
        return text, hints
    told = new.header.description
    if told and told == was.header.description:
        if _is_made_description(told, was.body) and new.body.strip():
            told = propose_description(new.body)
            text = with_value(text, "description", told)
        else:
            hints.append(_LEFT.format(description=told))
    title = was.header.title
    if title == new.header.title and _is_made_title(title, was.header.description):
        text = with_value(text, "metadata.title", propose_title(new.body, new.header.name) or None)
    modified = parse(was.text).metadata.get("modified")
    if modified and parse(text).metadata.get("modified") == modified:
        text = with_value(text, "metadata.modified", utc_stamp(now))
    return text, hints


def says_the_same(text: str, body: str) -> bool:
    """Tell whether a memory has this text below its header, however it is spaced and closed."""
    was, now = (" ".join(one.split()).rstrip(".!") for one in (topic_from("", text).body, body))
    return was == now


_KEPT = "Its description stays as it was given: {description!r}. --description gives it another."
_LEFT = "Its description is still {description!r}. Change it too if it no longer fits: recall goes by it."
_NO_KIND = "It has no kind any more: the header said `type: {kind}`. Without one, `memdir doctor` reports it."
_LOST = "The text before had a line on {what}, and this one has none. `memdir diff` shows it."


def _is_made_description(description: str, body: str) -> bool:
    """Tell whether a description was made from the text, with or without the lines on why and how."""
    lead = re.split(r"\n\n\*\*(?:Why|How to apply):\*\* ", body, maxsplit=1)[0]
    return description in {propose_description(lead), propose_description(body)}


def _changes(
    draft: Draft, traces: Mapping[str, str], changed: Mapping[str, str], was: Frontmatter
) -> Mapping[str, str | None]:
    """Return the keys an update sets, or removes with None: the last change's traces are not this one's."""
    described = one_line(draft.description)
    fields = {"description": described} if described != was.fields.get("description") else {}
    if draft.name and slug(was.fields.get("name", "")) != slug(draft.name):
        fields["name"] = slug(draft.name)
    kind_key = "metadata.type" if "type" in was.metadata and "type" not in was.fields else "type"
    fields[kind_key] = str(draft.kind or "")
    told = {f"metadata.{key}": value or None for key, value in traces.items()}
    if _is_made_title(was.metadata.get("title", ""), was.fields.get("description", "")):
        told["metadata.title"] = None  # made from the text that is replaced
    if draft.anchors or "anchors" in was.metadata:
        told["metadata.anchors"] = draft.anchors or None
    return {
        **{key: value for key, value in fields.items() if value},
        **told,
        **{f"metadata.{key}": value for key, value in changed.items() if value},
    }


def _is_made_title(title: str, description: str) -> bool:
    """Tell whether a title is the beginning of its text, as `proposed_title` makes it."""
    beginning = description.startswith(title[:-1]) if title.endswith("…") else title == description
    return bool(title) and beginning
