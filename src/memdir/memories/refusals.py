"""What is refused before anything is written: credentials, texts that no memory can be, unusable values."""

import re
from collections.abc import Mapping
from datetime import date

from memdir.errors import Rejected, SecretFound
from memdir.memories.kinds import Kind, kind_named
from memdir.memories.topic import ACTORS, SOURCES, Draft
from memdir.text.secrets.search import find_secrets

__all__ = [
    "MAX_BODY_BYTES",
    "refuse_secrets",
    "refuse_told_secrets",
    "refuse_unknown_writer",
    "refuse_unusable",
    "refuse_unusable_name",
    "required_kind",
    "text_problem",
]

MAX_BODY_BYTES = 250_000
"""What team memory can carry; a larger text is a document, and a memory should point at it."""

MAX_NAME = 100
"""Characters of a name that somebody gives: it is typed, and its file is called by it."""


def refuse_secrets(text: str) -> None:
    """Raise when a text holds a credential; the message names the rule, never the value."""
    if found := find_secrets(text):
        rules = ", ".join(sorted({finding.rule for finding in found}))
        raise SecretFound(
            f"Not saved: the text holds what looks like a credential ({rules}). Take it out and say "
            "where it is kept, or pass --allow-secret (allow_secret=True) to keep it in the private file."
        )


def refuse_told_secrets(told: Mapping[str, str]) -> None:
    """Raise when a credential stands in what every conversation is told of a memory: all but its text."""
    for label, text in told.items():
        if text and (found := find_secrets(text)):
            raise SecretFound(
                f"Not saved: the {label} holds what looks like a credential ({found[0].rule}), and the index "
                "shows it to every conversation. Take it out; --allow-secret (allow_secret=True) keeps a "
                "credential in the text alone."
            )


def required_kind(text: str) -> Kind:
    """Return the kind of that name; raise for another word."""
    kind = kind_named(text)
    if kind is None:
        raise Rejected(f"{text!r} is not a kind of memory. Use one of {', '.join(Kind)}.")
    return kind


def refuse_unusable_name(name: str) -> None:
    """Raise for what a memory cannot be called from now on."""
    if not name.strip():
        raise Rejected("The new name is empty. Say what the memory shall be called.")
    _refuse_long_name(name)
    refuse_told_secrets({"new name": name})


def refuse_unknown_writer(actor: str, source: str) -> None:
    """Raise for a writer or a source that nothing knows: history and trust go by these words."""
    for label, word, known in (("actor", actor, ACTORS), ("source", source, SOURCES)):
        if word not in known:
            raise Rejected(f"{word!r} is not a known {label}. Use one of {', '.join(known)}.")


def refuse_unusable(draft: Draft, body: str) -> None:
    """Raise for a draft without a text, with an unusable value, or with a credential outside its text."""
    if not body:
        raise Rejected("There is nothing to remember: the text is empty. Say what should be kept.")
    told = {
        "name": draft.name,
        "title": draft.title,
        "description": draft.description,
        "rule": draft.enforce,
        "name it supersedes": draft.supersedes,
    }
    for label, text in {**told, "text": body, "why": draft.why, "how": draft.how}.items():
        if problem := text_problem(text):
            raise Rejected(f"The {label} {problem}")
    _refuse_long_name(draft.name)
    refuse_unknown_writer("user", draft.source or "user")
    if draft.expires and not _is_day(draft.expires):
        raise Rejected(f"{draft.expires[:40]!r} is not a day. Write `expires` as 2030-12-31.")
    refuse_told_secrets(told)


def _refuse_long_name(name: str) -> None:
    if len(name.strip()) > MAX_NAME:
        raise Rejected(
            f"The name has {len(name.strip()):,} characters, and {MAX_NAME} is the most. "
            "Give a few words, and put the rest into the description or the text."
        )


def _is_day(text: str) -> bool:
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


_UPPER_HALVES, _HALVES = r"[\ud800-\udbff]", r"[\ud800-\udfff]"


def text_problem(text: str, most: int = MAX_BODY_BYTES, *, odd_bytes: bool = False) -> str:
    """Return why a text cannot be that of a memory, as the end of a sentence; empty if it can.

    `odd_bytes` allows what stands for bytes of a file that are not UTF-8.
    """
    if len(text.encode("utf-8", "surrogatepass")) > most:
        return f"is over {most:,} bytes. Save what is worth recalling and point at the rest."
    if "\0" in text:
        return "contains a NUL character. Remove it and save again."
    if not text.isascii() and re.search(_UPPER_HALVES if odd_bytes else _HALVES, text):
        return "contains half of a surrogate pair. Save it as valid Unicode text."
    return ""
