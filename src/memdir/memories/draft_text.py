"""The text of the file that holds a draft: new, or in place of the memory that it updates."""

import re
from collections.abc import Mapping
from datetime import datetime

from memdir.memories.names import slug
from memdir.memories.topic import Draft, Provenance, has_how, has_why, one_line
from memdir.text.dates.calendar import utc_stamp
from memdir.text.frontmatter.header import Frontmatter, parse, rendered, with_value

__all__ = ["body_text", "is_made_title", "rendered_draft"]


def rendered_draft(draft: Draft, provenance: Provenance, now: datetime, previous: str | None) -> str:
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
    return rendered(_present(fields), _present(metadata))


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
    if is_made_title(was.metadata.get("title", ""), was.fields.get("description", "")):
        traces["metadata.title"] = None  # made from the text that gives way
    if draft.anchors or "anchors" in was.metadata:
        traces["metadata.anchors"] = draft.anchors or None
    return {
        **_present(fields),
        **traces,
        **{f"metadata.{key}": value for key, value in _present(metadata).items()},
    }


def is_made_title(title: str, description: str) -> bool:
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
