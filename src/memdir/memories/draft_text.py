"""The text of the file that holds a draft, and what it takes over from the memory that it updates."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime

from memdir.memories.draft import complete, without_filled
from memdir.memories.names import slug
from memdir.memories.proposed_names import propose_description, propose_title
from memdir.memories.topic import Draft, Provenance, Topic, has_how, has_why, one_line, topic_from
from memdir.text.dates.calendar import utc_stamp
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import Frontmatter, parse, render_header
from memdir.text.value import replace

__all__ = ["body_text", "render_draft", "says_the_same", "update_draft", "update_edited"]

_EPOCH = datetime.fromtimestamp(0, UTC)


def render_draft(draft: Draft, provenance: Provenance, now: datetime, previous: str | None) -> str:
    """Return the complete text of the file that holds this draft.

    With a previous text its header stays, line by line, except for the keys that the draft and its provenance
    speak about; when it was created stays too, and the body is replaced.
    """
    when = utc_stamp(draft.saved_at or now)
    if previous is None:
        return _joined(_new_header(draft, provenance, when), body_text(draft))
    text = previous
    for key, value in _changes(draft, provenance, when, parse(previous)).items():
        text = with_value(text, key, value)
    return _joined(text[: parse(text).body], body_text(draft))


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


def update_draft(draft: Draft, previous: str, today: date) -> Draft:
    """Return a draft with kind and description of the memory it updates, where none was given.

    A description that was made from the old text is made again; one that somebody gave stays, with a hint.
    """
    was = topic_from("", previous, _EPOCH)
    if "kind" in draft.filled and was.header.kind not in (None, draft.kind):
        again = complete(replace(without_filled(draft), kind=was.header.kind), today)
        draft = replace(again, name=draft.name, anchors=draft.anchors)
    hints, body = list(draft.hints), body_text(draft)
    if "description" in draft.filled and was.header.description and not _is_made_description(was):
        draft = replace(draft, description=was.header.description)
        hints += [_KEPT.format(description=was.header.description)] if body != was.body else []
    return replace(draft, hints=(*hints, *_lost_lines(was.body, body)))


def update_edited(was: Topic, text: str, now: datetime) -> tuple[str, list[str]]:
    """Return a memory as somebody edited it, with what was made from the old words made from the new ones."""
    new = topic_from(was.header.file, text, now)
    hints = [_NO_KIND.format(kind=was.header.kind)] if was.header.kind and not new.header.kind else []
    if new.body == was.body:
        return text, hints
    told = new.header.description
    if told and told == was.header.description:
        if _is_made_description(was) and new.body.strip():
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
    return topic.header.description in {propose_description(lead), propose_description(topic.body)}


def _lost_lines(was: str, now: str) -> list[str]:
    lost = [
        what for what, has in (("why", has_why), ("how to apply it", has_how)) if has(was) and not has(now)
    ]
    return [_LOST.format(what=" and on ".join(lost))] if lost else []


def _joined(header: str, body: str) -> str:
    header = header if header.endswith(("\n", "\r")) else f"{header}\n"
    return f"{header}\n{body}\n" if body else header


def _new_header(draft: Draft, provenance: Provenance, when: str) -> str:
    fields = {
        "name": slug(draft.name),
        "description": one_line(draft.description),
        "type": str(draft.kind or ""),
    }
    metadata = {
        "title": one_line(draft.title),
        **_traces(provenance),
        "created": when,
        "modified": when,
        **_extras(draft),
        "anchors": draft.anchors,
    }
    return render_header(_present(fields), _present(metadata))


def _changes(draft: Draft, provenance: Provenance, when: str, was: Frontmatter) -> Mapping[str, str | None]:
    """Return the keys an update sets, or removes with None: the last change's traces are not this one's."""
    described = one_line(draft.description)
    fields = {"description": described} if described != was.fields.get("description") else {}
    if draft.name and slug(was.fields.get("name", "")) != slug(draft.name):
        fields["name"] = slug(draft.name)
    kind_key = "metadata.type" if "type" in was.metadata and "type" not in was.fields else "type"
    fields[kind_key] = str(draft.kind or "")
    metadata = {"title": one_line(draft.title), "modified": when, **_extras(draft)}
    traces = {f"metadata.{key}": value or None for key, value in _traces(provenance).items()}
    if _is_made_title(was.metadata.get("title", ""), was.fields.get("description", "")):
        traces["metadata.title"] = None  # made from the text that gives way
    if draft.anchors or "anchors" in was.metadata:
        traces["metadata.anchors"] = draft.anchors or None
    return {
        **_present(fields),
        **traces,
        **{f"metadata.{key}": value for key, value in _present(metadata).items()},
    }


def _is_made_title(title: str, description: str) -> bool:
    """Tell whether a title is the beginning of its text, as `proposed_title` makes it."""
    beginning = description.startswith(title[:-1]) if title.endswith("…") else title == description
    return bool(title) and beginning


def _traces(provenance: Provenance) -> dict[str, str]:
    return {
        "source": provenance.source,
        "actor": provenance.actor,
        "session": provenance.session,
        "method": provenance.method,
    }


def _extras(draft: Draft) -> dict[str, str]:
    pinned = "true" if draft.pinned else ""
    rules = "; ".join(draft.enforce.split("\n"))  # a value is one line
    return {"supersedes": draft.supersedes, "expires": draft.expires, "pinned": pinned, "enforce": rules}


def _present(values: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in values.items() if value}
