"""Check one memory: a broken header, a vague description, relative dates, missing reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from memdir.memories.proposed_names import propose_description, propose_kind
from memdir.memories.topic import MAX_DESCRIPTION, Header, Kind, Topic, header_from, kind_named
from memdir.resources import read_table, rows_of
from memdir.text.dates.relative_dates import relative_dates, with_absolute_dates
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import TOO_LONG, parse, render_header, span
from memdir.text.frontmatter.lines import HeaderEntry, entries, is_metadata_block, lines_between, read_value
from memdir.text.value import value_class

__all__ = ["HINTS", "Remark", "is_vague", "remarks", "repair_text"]


def repair_text(topic: Topic, saved_on: date) -> str | None:
    """Return a better text for the file, or None when there is nothing to mend by rule."""
    text = _with_sound_header(topic)
    header = header_from(topic.header.file, text, topic.header.saved_at)
    kind = header.kind or kind_named(parse(text).fields.get("type", ""))
    if kind is None and topic.body.strip():
        kind = propose_kind(topic.body)
        text = with_value(text, "type", kind)
    if not parse(text).fields.get("name"):
        text = with_value(text, "name", header.name)
    better = propose_description(topic.body)
    if is_vague(header.description, header.name) and not is_vague(better, header.name):
        text = with_value(text, "description", better)
    if kind is Kind.PROJECT and "actor" not in parse(text).metadata:
        # What memdir saved itself got its dates then, or was not to get any.
        described = parse(text).fields.get("description", "")
        if (dated := with_absolute_dates(described, saved_on)) != described:
            text = with_value(text, "description", dated)
        start = parse(text).body
        text = text[:start] + with_absolute_dates(text[start:], saved_on)
    return None if text == topic.text else text


def _with_sound_header(topic: Topic) -> str:
    """Write a header that readers stumble over anew, with every key that could be read; none may get lost."""
    front, header = parse(topic.text), topic.header
    if not front.problems or TOO_LONG in front.problems:
        return topic.text
    fields, metadata = _cut_values(topic.text)
    fields = {"name": header.name, "description": header.description, **front.fields, **fields}
    line_end = re.search(r"\r\n?|\n", topic.text)
    new = render_header(fields, {**front.metadata, **metadata})
    return new.replace("\n", line_end[0] if line_end else "\n") + topic.text[front.body :]


def _cut_values(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return values, at the top and under `metadata:`, that YAML cuts at a # which begins no comment."""
    where = span(text)
    lines = lines_between(text, where.first, where.stop) if where else []
    found, metadata = entries(lines)[0], list[HeaderEntry]()
    for entry in found:
        below = lines[entry.first + 1 : entry.stop]
        metadata = entries(below)[0] if is_metadata_block(entry, below) else metadata
    return _cut(found), _cut(metadata)


def _cut(found: list[HeaderEntry]) -> dict[str, str]:
    last = {entry.key: entry.value for entry in found if entry.stop == entry.first + 1}
    return {key: text for key, text in last.items() if _is_cut(text)}


def _is_cut(text: str) -> bool:
    value, _ = read_value(text)
    return isinstance(value, str) and text.startswith(value) and bool(_NO_COMMENT.match(text, len(value)))


_NO_COMMENT = re.compile(r"[ \t]++#[^ \t]")


MIN_CONTENT_WORDS = 3
"""Words that say something: with fewer, a description fits many memories and recall cannot choose by it."""
MAX_SHOWN = 3
"""Examples in one remark: the first few are enough to see what is meant."""


@value_class(frozen=True, slots=True)
class Remark:
    """One thing that could be better, and how."""

    code: str
    message: str
    hint: str


def remarks(topic: Topic, saved_on: date, today: date) -> list[Remark]:
    """Return what could be better in a memory saved on a day; what keeps it from being read comes first."""
    found = [
        *_header_remarks(topic),
        *_body_remarks(topic),
        *_description_remarks(topic.header),
        *_date_remarks(topic, saved_on),
        *_expiry_remarks(topic.header, today),
    ]
    return [Remark(code, message, HINTS[code]) for code, message in found]


_TABLE = read_table(__file__, "review.txt")
HINTS = rows_of(_TABLE["hints"])
"""What to do, by the code of a remark."""
_Found = Iterator[tuple[str, str]]
"""Codes of remarks, each with its message."""


def is_vague(description: str, name: str = "") -> bool:
    """Whether a description says too little to choose by: nothing, the name again, or just anything."""
    words = _WORD.findall(description.lower())
    if not words or words == _WORD.findall(name.lower()):
        return True
    # Scripts without spaces: two characters make about one word.
    telling = sum(1 for word in words if not _EMPTY_WORD.fullmatch(word) and not _UNSPACED.match(word))
    return telling + len(_UNSPACED.findall(description)) // 2 < MIN_CONTENT_WORDS


def _header_remarks(topic: Topic) -> _Found:
    front = parse(topic.text)
    if front.problems:
        more = f" (and {len(front.problems) - 1} more)" if len(front.problems) > 1 else ""
        yield "broken-header", f"The header is broken: {front.problems[0]}{more}."
    if "enforce" in front.fields:
        yield "idle-rule", "`enforce` stands outside `metadata`, so its rule binds nobody."
    if topic.header.kind is None:
        said = front.fields.get("type") or front.metadata.get("type") or ""
        yield "kind", f"{said!r} is not a kind of memory." if said else "It has no kind."


def _body_remarks(topic: Topic) -> _Found:
    if not topic.body.strip():
        yield "empty-body", "There is no text below the header."
    elif topic.header.kind in {Kind.FEEDBACK, Kind.PROJECT}:
        if not _WHY.search(topic.body):
            yield "missing-why", "It does not say why."
        if not _HOW.search(topic.body):
            yield "missing-how", "It does not say how to apply it."


def _description_remarks(header: Header) -> _Found:
    told = header.description
    if is_vague(told, header.name):
        yield "vague-description", f"The description {told!r} is vague." if told else "It has no description."
    if len(told) > MAX_DESCRIPTION:
        message = f"The description has {len(told)} characters, more than {MAX_DESCRIPTION}."
        yield "long-description", message


def _date_remarks(topic: Topic, saved_on: date) -> _Found:
    if topic.header.kind is not Kind.PROJECT:
        return
    found = [*relative_dates(topic.header.description, saved_on), *relative_dates(topic.body, saved_on)]
    days = [*dict.fromkeys(f"{one.words!r} ({one.absolute if one.day else 'unclear'})" for one in found)]
    shown, more = days[:MAX_SHOWN], f" and {len(days) - MAX_SHOWN} more" if len(days) > MAX_SHOWN else ""
    if found:
        yield "relative-date", f"It names days relative to {saved_on}: {', '.join(shown)}{more}."


def _expiry_remarks(header: Header, today: date) -> _Found:
    if header.expires and header.last_day is None:
        yield "expires", f"{header.expires!r} is not a date."
    elif header.is_over(today):
        yield "expired", f"It expired on {header.last_day}."


_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
_EMPTY_WORD = re.compile("|".join(_TABLE["empty words"][0].split()))

_LABEL = r"^[ \t>*-]*+{}[ \t]*+\**+[ \t]*+:[ \t]*+\**+\s*+(?!\**(?:why|how)\b)\S"
_WHY = re.compile(_LABEL.format("why"), re.IGNORECASE | re.MULTILINE)
_HOW = re.compile(_LABEL.format("how(?: to apply)?"), re.IGNORECASE | re.MULTILINE)
