"""Judges what a host writes into the memory directory itself: allow, ask or deny."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from memdir.errors import MemdirError
from memdir.hosts.protocol import HostAnswer
from memdir.memories.contradiction.candidates import rivals
from memdir.memories.names import is_topic_file
from memdir.prompt.templates import filled
from memdir.team.admission import admission_problem
from memdir.team.audience import team_name
from memdir.text.frontmatter.header import parse
from memdir.text.secrets.search import secret_names

if TYPE_CHECKING:
    from memdir.memories.directory import MemoryDir

__all__ = ["contradiction_hint", "review_write"]

_NAMED = 3
"""Memories that a host is told its text may contradict."""


def review_write(
    path: str, file: str, tool: str, given: Mapping[str, Any], *, holds_rule: bool
) -> HostAnswer:
    """Refuse credentials, ask about what is no Markdown or holds a rule, and allow the rest with a hint.

    A call in a form that no host is known to use is left to the host.
    """
    new = _new_parts(given)
    texts = [part for part in new if isinstance(part, str)]
    if rules := secret_names(*texts):
        return HostAnswer("", "deny", filled("write_secret", rules=rules))
    if problem := next(filter(None, map(partial(_team_problem, file), texts)), ""):
        return HostAnswer("", "deny", filled("write_not_for_team", problem=problem))
    if not path.endswith(".md"):
        return HostAnswer("", "ask", filled("write_not_markdown", file=os.path.basename(path)))
    if holds_rule:
        return HostAnswer("", "ask", filled("write_rule", file=os.path.basename(path)))
    if not new or texts != new:
        return HostAnswer()
    return HostAnswer(_hint(file, texts[0]) if tool == "Write" else "", "allow", filled("write_allowed"))


def _team_problem(file: str, text: str) -> str:
    """Return why a text must not be written into team memory; empty for files of private memory."""
    inside = team_name(file)
    return admission_problem(inside, text.encode("utf-8", "replace")) if is_topic_file(inside or ".") else ""


def contradiction_hint(memories: MemoryDir, file: str) -> str:
    """Return which older memories a text that the host wrote may contradict, in words for a model."""
    if not is_topic_file(file):
        return ""
    try:
        memories.scan()
        topic = memories.read_file(file)
        found = rivals(memories, f"{topic.header.description}\n{topic.body}", {file})
    except (MemdirError, OSError):  # the host has it written all the same
        return ""
    older = [header for header, _ in found if header.saved_at <= topic.header.saved_at]
    return "\n".join([filled("write_contradicts", file=one.file, name=one.name) for one in older[:_NAMED]])


def _new_parts(given: Mapping[str, Any]) -> list[object]:
    """Return the texts that a call writes, under all names that hosts use; None for unknown forms."""
    new = [given[key] for key in ("content", "new_string", "new_source") if key in given]
    edits = given.get("edits", [])
    if not isinstance(edits, list):
        return [*new, None]
    return [*new, *[edit.get("new_string") if isinstance(edit, dict) else None for edit in edits]]


def _hint(name: str, text: str) -> str:
    """Say what is missing in the header of a new memory, by which it is listed and found."""
    if not is_topic_file(name):
        return ""
    front = parse(text)
    kind = front.fields.get("type") or front.metadata.get("type")
    present = {"name": front.fields.get("name"), "description": front.fields.get("description"), "type": kind}
    missing = [key for key, value in present.items() if not value]
    return filled("write_header", missing=", ".join(missing)) if missing else ""
