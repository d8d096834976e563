"""What can be put right in a memory by rule: a broken header, a vague description, relative dates."""

from datetime import date

from memdir.core.dates import with_absolute_dates
from memdir.core.frontmatter import parse, rendered, with_value
from memdir.core.kinds import Kind, kind_named, proposed_description, proposed_kind
from memdir.core.review import is_vague
from memdir.core.topic import Topic

__all__ = ["mended"]


def mended(topic: Topic, saved_on: date) -> str | None:
    """Return a better text for the file, or None when there is nothing to mend by rule."""
    header = topic.header
    text = _with_sound_header(topic)
    better = proposed_description(topic.body)
    if is_vague(header.description, header.name) and not is_vague(better, header.name):
        text = with_value(text, "description", better)
    if header.kind is Kind.PROJECT:
        start = parse(text).body
        text = text[:start] + with_absolute_dates(text[start:], saved_on)
    return None if text == topic.text else text


def _with_sound_header(topic: Topic) -> str:
    """Write a header that readers stumble over anew, with every key that could be read."""
    front, header = parse(topic.text), topic.header
    if front.problems:
        fields = {"name": header.name, "description": header.description, **front.fields}
        return rendered(fields, front.metadata) + topic.text[front.body :]
    text = topic.text
    if header.kind is None and topic.body.strip() and not kind_named(front.fields.get("type", "")):
        text = with_value(text, "type", proposed_kind(topic.body))
    return text if front.fields.get("name") else with_value(text, "name", header.name)
