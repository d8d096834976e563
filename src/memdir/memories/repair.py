"""Repair a memory by rule: a broken header, a vague description, relative dates."""

import re
from datetime import date

from memdir.memories.kinds import Kind, kind_named, propose_description, propose_kind
from memdir.memories.review import is_vague
from memdir.memories.topic import Topic, header_from
from memdir.text.dates.relative_dates import with_absolute_dates
from memdir.text.frontmatter.header import parse, render_header, with_value
from memdir.text.frontmatter.lines import HeaderEntry, entries, is_metadata_block, lines_between, span
from memdir.text.frontmatter.scalars import read_value

__all__ = ["repair_text"]


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
        text = _with_dates(text, saved_on)
    return None if text == topic.text else text


def _with_dates(text: str, on: date) -> str:
    """Write the days that description and body name as dates."""
    described = parse(text).fields.get("description", "")
    if (dated := with_absolute_dates(described, on)) != described:
        text = with_value(text, "description", dated)
    start = parse(text).body
    return text[:start] + with_absolute_dates(text[start:], on)


def _with_sound_header(topic: Topic) -> str:
    """Write a header that readers stumble over anew, with every key that could be read."""
    front, header = parse(topic.text), topic.header
    if not front.problems:
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
    found, _ = entries(lines)
    metadata = list[HeaderEntry]()
    for entry in found:
        below = lines[entry.first + 1 : entry.stop]
        metadata = entries(below)[0] if is_metadata_block(entry, below) else metadata
    return _cut(found), _cut(metadata)


def _cut(found: list[HeaderEntry]) -> dict[str, str]:
    last = {entry.key: entry for entry in found if entry.stop == entry.first + 1}
    return {key: entry.value for key, entry in last.items() if _is_cut(entry.value)}


def _is_cut(text: str) -> bool:
    value, _ = read_value(text)
    return isinstance(value, str) and text.startswith(value) and bool(_NO_COMMENT.match(text, len(value)))


_NO_COMMENT = re.compile(r"[ \t]++#[^ \t]")
