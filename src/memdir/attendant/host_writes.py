"""How a host's own write into the memory directory is taken: allowed, asked about, or refused."""

import os
from collections.abc import Mapping
from typing import Any

from memdir.core.frontmatter import parse
from memdir.core.names import is_topic_file
from memdir.core.secrets import find_secrets
from memdir.hosts.host import Answer
from memdir.prompt.sections import filled

__all__ = ["reviewed"]


def reviewed(path: str, file: str, tool: str, given: Mapping[str, Any], *, holds_rule: bool) -> Answer:
    """Allow Markdown, ask about anything else, refuse credentials, and hint at what a header lacks."""
    if not path.endswith(".md"):
        return Answer("", "ask", filled("write_not_markdown", file=os.path.basename(path)))
    texts = [str(text) for key, text in given.items() if key in _NEW_TEXTS]
    texts += [str(edit.get("new_string", "")) for edit in given.get("edits") or () if isinstance(edit, dict)]
    if rules := sorted({finding.rule for text in texts for finding in find_secrets(text)}):
        return Answer("", "deny", filled("write_secret", rules=", ".join(rules)))
    if holds_rule:
        return Answer("", "ask", filled("write_rule", file=os.path.basename(path)))
    hint = "" if tool != "Write" else _hint(file, str(given.get("content") or ""))
    return Answer(hint, "allow", filled("write_allowed"))


_NEW_TEXTS = frozenset({"content", "new_string", "new_source"})


def _hint(name: str, text: str) -> str:
    """Say what is missing in the header of a new memory; recall sees nothing else of it."""
    if not is_topic_file(name):
        return ""
    front = parse(text)
    kind = front.fields.get("type") or front.metadata.get("type")
    present = {"name": front.fields.get("name"), "description": front.fields.get("description"), "type": kind}
    missing = [key for key, value in present.items() if not value]
    return filled("write_header", missing=", ".join(missing)) if missing else ""
