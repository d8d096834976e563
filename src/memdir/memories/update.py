"""What a new text takes over from the memory that it replaces, and what is worth a second look then."""

import re
from datetime import UTC, date, datetime

from memdir.memories.draft import Intake, completed
from memdir.memories.draft_text import body_text, is_made_title
from memdir.memories.kinds import proposed_description, proposed_title
from memdir.memories.topic import Topic, has_how, has_why, topic_from
from memdir.text.dates.calendar import utc_stamp
from memdir.text.frontmatter.header import parse, with_value
from memdir.text.value import replace

__all__ = ["edited_text", "says_the_same", "updated"]

_EPOCH = datetime.fromtimestamp(0, UTC)


def updated(intake: Intake, previous: str, today: date) -> Intake:
    """Return a draft with kind and description of the memory it updates, where none was given.

    A description that was made from the old text is made again; one that somebody gave stays, with a hint.
    """
    was, draft = topic_from("", previous, _EPOCH), intake.draft
    if intake.given.kind is None and was.header.kind not in (None, intake.kind):
        intake = completed(replace(intake.given, kind=was.header.kind), today)
        draft = replace(intake.draft, name=draft.name, anchors=draft.anchors)
    hints = list(intake.warnings)
    body = body_text(draft)
    if not intake.given.description.strip() and was.header.description and not _is_made_description(was):
        draft = replace(draft, description=was.header.description)
        hints += [_KEPT.format(description=was.header.description)] if body != was.body else []
    hints += _lost_lines(was.body, body)
    return replace(intake, draft=draft, warnings=tuple(hints))


def edited_text(was: Topic, text: str, now: datetime) -> tuple[str, list[str]]:
    """Return a memory as somebody edited it, with what was made from the old words made from the new ones."""
    new = topic_from(was.header.file, text, now)
    hints = [_NO_KIND.format(kind=was.header.kind)] if was.header.kind and not new.header.kind else []
    if new.body == was.body:
        return text, hints
    told = new.header.description
    if told and told == was.header.description:
        if _is_made_description(was) and new.body.strip():
            told = proposed_description(new.body)
            text = with_value(text, "description", told)
        else:
            hints.append(_LEFT.format(description=told))
    title = was.header.title
    if title == new.header.title and is_made_title(title, was.header.description):
        text = with_value(text, "metadata.title", proposed_title(new.body, new.header.name) or None)
    modified = parse(was.text).metadata.get("modified")
    if modified and parse(text).metadata.get("modified") == modified:
        text = with_value(text, "metadata.modified", utc_stamp(now))
    return text, hints


def says_the_same(text: str, body: str) -> bool:
    """Tell whether a memory has this text below its header, however it is spaced and closed."""
    return _plain(topic_from("", text, _EPOCH).body) == _plain(body)


_KEPT = "Its description stays as it was given: {description!r}. --description gives it another."
_LEFT = "Its description is still {description!r}. Change it too if it no longer fits: recall goes by it."
_NO_KIND = "It has no kind any more: the header said `type: {kind}`. Without one, `memdir doctor` reports it."
_LOST = "The text before had a line on {what}, and this one has none. `memdir diff` shows it."


def _plain(body: str) -> str:
    return " ".join(body.split()).rstrip(".!")


def _is_made_description(topic: Topic) -> bool:
    """Tell whether a description was made from the text, with or without the lines on why and how."""
    lead = re.split(r"\n\n\*\*(?:Why|How to apply):\*\* ", topic.body, maxsplit=1)[0]
    return topic.header.description in {proposed_description(lead), proposed_description(topic.body)}


def _lost_lines(was: str, now: str) -> list[str]:
    lost = [
        what for what, has in (("why", has_why), ("how to apply it", has_how)) if has(was) and not has(now)
    ]
    return [_LOST.format(what=" and on ".join(lost))] if lost else []
