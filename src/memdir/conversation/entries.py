"""One line of a transcript, a host's own or a plain message, read as what it adds to the conversation."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memdir.conversation.messages import Spoken, moment, spoken_in
from memdir.text.value import value_class

__all__ = ["TranscriptEntry", "entry_in"]


@value_class(frozen=True, slots=True)
class TranscriptEntry:
    """What one line adds: messages, or nothing."""

    id: str
    said: tuple[Spoken, ...] = ()
    parent: str = ""
    """For a person's prompt: what it follows. Two with one parent mean that the first was taken back."""
    joins: str = ""
    """For a block of a reply: the reply that it is a part of."""


def entry_in(data: bytes, number: int, *, closed: bool = True) -> TranscriptEntry | None:
    """Return what a line adds; None when it is no JSON object, as one that is not closed yet often is not."""
    if closed and _is_bookkeeping(data):
        return TranscriptEntry("")
    try:
        line = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return _entry(line, number) if isinstance(line, dict) else None


def _entry(line: Mapping[str, Any], number: int) -> TranscriptEntry:
    if line.get("type") == "attachment":
        return _attachment_entry(line)
    if isinstance(line.get("message"), dict) or "subtype" in line:
        return _hosts(line)
    known_as = _text(line, "id") or str(number)
    return TranscriptEntry(known_as, spoken_in(line, known_as))


_OTHER_TYPE = re.compile(
    rb'\s*\{\s*"type"\s*:\s*"(?!user"|assistant"|system"|attachment"|message"|human")[^"\\]*"\s*,'
)
_OTHER_ATTACHMENT = re.compile(
    rb'\s*\{\s*(?:"\w+"\s*:\s*(?:null|true|false|"[^"\\]*")\s*,\s*)*+"attachment"\s*:\s*\{\s*"type"\s*:\s*'
    rb'"(?!relevant_memories"|hook_additional_context"|queued_command")[^"\\]*"'
)
_REMINDER = "<system-reminder>"
_UNHEARD = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")


def _is_bookkeeping(data: bytes) -> bool:
    """Tell from the first bytes that a line is bookkeeping: most of a host's file is, and it is long."""
    return bool(_OTHER_TYPE.match(data) or _OTHER_ATTACHMENT.match(data))


def _hosts(line: Mapping[str, Any]) -> TranscriptEntry:
    uuid, kind, message = _text(line, "uuid"), line.get("type"), line.get("message")
    if kind not in ("user", "assistant") or not isinstance(message, dict) or _is_unheard(line, message):
        return TranscriptEntry(uuid)
    # The host says who typed, not the message: a line of type "user" is never the model's.
    said = spoken_in({**message, "role": kind}, uuid, moment(line.get("timestamp")))
    typed = any(one.role == "user" for one in said)
    parent = _text(line, "parentUuid") if typed else ""
    return TranscriptEntry(uuid, said, parent, _text(message, "id") if kind == "assistant" else "")


def _is_unheard(line: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    """Tell whether a line is a sub-agent's, the host's own, or an error shown as a reply."""
    if any(line.get(mark) is True for mark in _UNHEARD) or message.get("model") == "<synthetic>":
        return True
    origin = line.get("origin")
    return isinstance(origin, dict) and origin.get("kind") not in (None, "human")


def _attachment_entry(line: Mapping[str, Any]) -> TranscriptEntry:
    attachment, uuid, when = line.get("attachment"), _text(line, "uuid"), moment(line.get("timestamp"))
    if not isinstance(attachment, dict) or line.get("isSidechain") is True:
        return TranscriptEntry(uuid)
    kind = attachment.get("type")
    if kind == "relevant_memories":
        found = [memory for memory in _list(attachment, "memories") if isinstance(memory, dict)]
        said = [Spoken(uuid, "tool", _text(one, "content"), when, recalled=True) for one in found]
        return TranscriptEntry(uuid, tuple(said))
    if kind == "hook_additional_context":
        return TranscriptEntry(uuid, tuple(_hook_messages(attachment, uuid, when)))
    return TranscriptEntry(uuid, _queued_prompts(attachment, uuid, when))


def _hook_messages(attachment: Mapping[str, Any], uuid: str, when: datetime | None) -> Iterator[Spoken]:
    """Return what hooks put before the model: ours from memory, others' from elsewhere, nobody's words."""
    for text in _list(attachment, "content"):
        if isinstance(text, str):
            wrapped = text if _REMINDER in text else f"{_REMINDER}{text}</system-reminder>"
            yield from (one for one in spoken_in(_user_message(wrapped), uuid, when) if one.recalled)


def _queued_prompts(attachment: Mapping[str, Any], uuid: str, when: datetime | None) -> tuple[Spoken, ...]:
    """Return what a person typed while the model was at work: it is written nowhere else."""
    is_prompt = attachment.get("type") == "queued_command" and attachment.get("commandMode") in (
        None,
        "prompt",
    )
    if not is_prompt or _is_unheard(attachment, {}):
        return ()
    return spoken_in(_user_message(attachment.get("prompt")), uuid, when)


def _user_message(content: object) -> Mapping[str, Any]:
    return {"role": "user", "content": content}


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""


def _list(found: Mapping[str, Any], key: str) -> list[Any]:
    value = found.get(key)
    return value if isinstance(value, list) else [value]
