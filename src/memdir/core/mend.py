"""What can be put right in a memory by rule alone: its header, a description that says nothing, relative dates."""

from datetime import date

from memdir.core.dates import with_absolute_dates
from memdir.core.frontmatter import parse, rendered, with_value
from memdir.core.kinds import Kind, proposed_description
from memdir.core.review import is_vague
from memdir.core.topic import Topic

__all__ = ["mended"]


def mended(topic: Topic, saved_on: date) -> str | None:
    """Return a better text for the file, or None when there is nothing to mend by rule."""
    header = topic.header
    text = _with_sound_header(topic)
    if is_vague(header) and not is_vague_text(better := proposed_description(topic.body), header.name):
        text = with_value(text, "description", better)
    if header.kind is Kind.PROJECT:
        start = parse(text).body
        text = text[:start] + with_absolute_dates(text[start:], saved_on)
    return None if text == topic.text else text
