"""Messages of a conversation: what a message of either vendor, or a line of a transcript, says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from memdir.text.value import replace, value_class

__all__ = [
    "LONGEST_TEXT",
    "ROLES",
    "Spoken",
    "ToolUse",
    "TranscriptEntry",
    "entry_in",
    "entry_of",
    "moment",
    "recent_tools",
    "spoken_in",
]


@value_class(frozen=True, slots=True)
class ToolUse:
    """One call of a tool by the host's model."""

    id: str
    name: str
    input: Mapping[str, Any]


@value_class(frozen=True, slots=True)
class Spoken:
    """One message of a conversation: a person's words, the model's, or a tool's result."""

    id: str
    """The id that the transcript gives it, or its line number."""
    role: str
    """user (typed by a person), assistant, or tool."""
    text: str
    at: datetime | None = None
    uses: tuple[ToolUse, ...] = ()
    """The tools that the assistant called in this message."""
    answers: str = ""
    """For a tool's result: the id of the call."""
    recalled: bool = False
    """Whether the text came from memory; it is never extracted again."""
    failed: bool = False
    """For a tool's result: whether the call was refused or failed."""
    left_out: int = 0
    """Characters of a long text that are not kept."""

    @property
    def is_prompt(self) -> bool:
        """Tell whether a person typed it."""
        return self.role == "user" and not self.recalled


@value_class(frozen=True, slots=True)
class TranscriptEntry:
    """The messages that one line of a transcript adds."""

    id: str = ""
    said: tuple[Spoken, ...] = ()
    parent: str = ""
    """For a person's prompt: the id it follows. A second prompt with the same parent replaces the first."""
    joins: str = ""
    """For a block of a reply: the id of the reply it is a part of."""
    foreign: bool = False
    """Whether it is a JSON object that no host writes into a transcript."""


LONGEST_TEXT = 64_000
"""Characters kept of one message: somebody pasted a file; of a longer one the middle is left out."""

LONGEST_RESULT = 16_000
"""Characters kept of a tool's result: it only shows what is being talked about."""


def spoken_in(message: Mapping[str, Any], known_as: str, at: datetime | None = None) -> tuple[Spoken, ...]:
    """Return what a message says: words, results of tools, and apart from them the reminders for the model.

    System text, thinking, pictures and what a host writes in a person's name say nothing.
    """
    role = ROLES.get(_text(message, "role"), "")
    when, content = at or moment(message.get("timestamp")), message.get("content")
    spoken = Spoken(known_as, role, _text_in(content), when)
    if role == "assistant":
        uses = tuple(_tool_uses(content, message.get("tool_calls")))
        return (_shorten(replace(spoken, uses=uses)),) if spoken.text or uses else ()
    if role == "tool":
        call = _text(message, "tool_call_id") or _text(message, "tool_use_id")
        return _separate(replace(spoken, answers=call, failed=bool(message.get("is_error"))))
    return _user_messages(spoken, content) if role == "user" else ()


def entry_in(data: bytes, number: int, *, closed: bool = True) -> TranscriptEntry | None:
    """Return what a line adds; None when it is no JSON object, as an unfinished line often is not."""
    # Most of a host's file is bookkeeping in long lines: their first bytes tell.
    if closed and (_OTHER_TYPE.match(data) or _OTHER_ATTACHMENT.match(data)):
        return TranscriptEntry()
    try:
        line = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return entry_of(line, number) if isinstance(line, dict) else None


def entry_of(line: Mapping[str, Any], number: int) -> TranscriptEntry:
    """Return what a line adds: a host's own, or a plain message."""
    uuid, when, message = _text(line, "uuid"), moment(line.get("timestamp")), line.get("message")
    if line.get("type") == "attachment":
        attachment = _mapping(line.get("attachment")) if line.get("isSidechain") is not True else {}
        return TranscriptEntry(uuid, tuple(_attached_messages(attachment, uuid, when)))
    if not isinstance(message, dict) and "subtype" not in line:
        known_as = _text(line, "id") or str(number)
        foreign = line.keys().isdisjoint(("type", "role", "message"))
        return TranscriptEntry(known_as, spoken_in(line, known_as), foreign=foreign)
    kind = line.get("type")
    if kind not in ("user", "assistant") or not isinstance(message, dict) or _is_unheard(line, message):
        return TranscriptEntry(uuid)
    # The host says who typed, not the message: a line of type "user" is never the model's.
    said = spoken_in({**message, "role": kind}, uuid, when)
    parent = _text(line, "parentUuid") if any(one.role == "user" for one in said) else ""
    return TranscriptEntry(uuid, said, parent, _text(message, "id") if kind == "assistant" else "")


def moment(stamp: object) -> datetime | None:
    """Return the time of a message: ISO 8601, or a number of seconds or milliseconds."""
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(stamp, str):
            when = datetime.fromisoformat(stamp)
            return when if when.tzinfo else when.replace(tzinfo=UTC)
        if isinstance(stamp, int | float) and not isinstance(stamp, bool):
            return datetime.fromtimestamp(stamp / 1000 if stamp > _MILLISECONDS else stamp, UTC)
    return None


_RECENT_TURNS = 3
"""Turns whose tools count as in use: what was called before that may be long forgotten."""

_RECENT_TOOLS = 12
"""Tools named to a selector; more would be a list of what the host can do, not of what it does."""


def recent_tools(messages: Sequence[Spoken]) -> tuple[str, ...]:
    """Return the names of the tools that the last turns used, newest first, each once."""
    names, turns = dict[str, None](), 0
    for message in reversed(messages):
        names.update(dict.fromkeys(use.name for use in reversed(message.uses)))
        turns += message.is_prompt
        if turns >= _RECENT_TURNS or len(names) >= _RECENT_TOOLS:
            break
    return tuple(names)[:_RECENT_TOOLS]


ROLES = {"user": "user", "human": "user", "assistant": "assistant", "tool": "tool", "function": "tool"}
"""What a message may call its speaker, and who that is."""
_TEXTS = frozenset({"text", "input_text", "output_text"})
_MILLISECONDS = 1e11
"""As seconds this is the year 5138; as milliseconds it is 1973."""
_OPEN, _CLOSE = "<system-reminder>", "</system-reminder>"
_NOT_TYPED = (
    "<task-notification>",
    "<command-",
    "<local-command-",
    "<bash-",
    "<user-prompt-submit-hook>",
    "<ide_",
    "[Request interrupted by user",
)


def _user_messages(whole: Spoken, content: object) -> tuple[Spoken, ...]:
    """Return what a message in the user's role says; text beside a tool's result is the host's."""
    blocks = _blocks(content)
    said = list[Spoken]()
    for block in blocks:
        if block.get("type") == "tool_result":
            text, call = _text_in(block.get("content")), _text(block, "tool_use_id")
            failed = bool(block.get("is_error"))
            said += _separate(replace(whole, role="tool", text=text, answers=call, failed=failed))
    if said:
        return (*said, *(part for part in _separate(whole) if part.recalled))
    texts = [content] if isinstance(content, str) else [_text_in([block]) for block in blocks]
    typed = [text for text in texts if text and not text.lstrip().startswith(_NOT_TYPED)]
    return _separate(replace(whole, text="\n\n".join(typed)))


def _text_in(content: object) -> str:
    """Return the words of a content: a string, or its blocks of text one below the other."""
    if isinstance(content, str):
        return content
    texts = [_text(block, "text") for block in _blocks(content) if block.get("type") in _TEXTS]
    return "\n\n".join(text for text in texts if text)


def _separate(whole: Spoken) -> tuple[Spoken, ...]:
    """Separate the reminders that a host or memdir put into a message from its own text.

    A reminder that is never closed is text like any other.
    """
    text, rest, at = whole.text, list[str](), 0
    said = list[Spoken]()
    while (start := text.find(_OPEN, at)) >= 0 and (end := text.find(_CLOSE, start)) >= 0:
        rest.append(text[at:start])
        if note := text[start + len(_OPEN) : end].strip():
            said.append(Spoken(whole.id, "tool", note, whole.at, recalled=True))
        at = end + len(_CLOSE)
    own = "".join([*rest, text[at:]]).strip()
    if own or whole.role == "tool":
        said.append(replace(whole, text=own))
    return tuple(map(_shorten, said))


def _shorten(spoken: Spoken) -> Spoken:
    """Return a message without the middle of its text if that is too long."""
    limit = LONGEST_RESULT if spoken.role == "tool" and not spoken.recalled else LONGEST_TEXT
    text, half = spoken.text, limit // 2
    if len(text) <= limit:
        return spoken
    return replace(spoken, text=f"{text[:half]}\n…\n{text[-half:]}", left_out=len(text) - limit)


def _tool_uses(content: object, calls: object) -> Iterator[ToolUse]:
    """Yield the calls of tools: as blocks of the content, or beside it as the other vendor writes them."""
    for block in _blocks(content):
        if block.get("type") == "tool_use":
            yield ToolUse(_text(block, "id"), _text(block, "name"), _mapping(block.get("input")))
    for call in _blocks(calls):
        function = _mapping(call.get("function"))
        given = function.get("arguments")
        if isinstance(given, str):  # JSON inside a string
            with suppress(ValueError, RecursionError):
                given = json.loads(given)
        yield ToolUse(_text(call, "id"), _text(function, "name"), _mapping(given))


_OTHER_TYPE = re.compile(
    rb'\s*\{\s*"type"\s*:\s*"(?!user"|assistant"|system"|attachment"|message"|human")[^"\\]*"\s*,'
)
_OTHER_ATTACHMENT = re.compile(
    rb'\s*\{\s*(?:"\w+"\s*:\s*(?:null|true|false|"[^"\\]*")\s*,\s*)*+"attachment"\s*:\s*\{\s*"type"\s*:\s*'
    rb'"(?!relevant_memories"|hook_additional_context"|queued_command")[^"\\]*"'
)
_UNHEARD = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")


def _is_unheard(line: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    """Tell whether a line is a sub-agent's, the host's own, or an error shown as a reply."""
    if any(line.get(mark) is True for mark in _UNHEARD) or message.get("model") == "<synthetic>":
        return True
    origin = line.get("origin")
    return isinstance(origin, dict) and origin.get("kind") not in (None, "human")


def _attached_messages(attachment: Mapping[str, Any], uuid: str, when: datetime | None) -> Iterator[Spoken]:
    """Yield what an attachment says: recalled memories, texts of hooks, or a prompt.

    A prompt that was typed while the model worked stands nowhere else.
    """
    kind, content = attachment.get("type"), attachment.get("content")
    if kind == "relevant_memories":
        memories = attachment.get("memories")
        for memory in _blocks(memories if isinstance(memories, list) else [memories]):
            yield Spoken(uuid, "tool", _text(memory, "content"), when, recalled=True)
    elif kind == "hook_additional_context":
        for text in content if isinstance(content, list) else [content]:
            if isinstance(text, str):
                wrapped = text if _OPEN in text else f"{_OPEN}{text}{_CLOSE}"
                said = spoken_in({"role": "user", "content": wrapped}, uuid, when)
                yield from (one for one in said if one.recalled)
    elif kind == "queued_command":
        is_prompt = attachment.get("commandMode") in (None, "prompt")
        if is_prompt and not _is_unheard(attachment, {}):
            yield from spoken_in({"role": "user", "content": attachment.get("prompt")}, uuid, when)


def _blocks(content: object) -> list[Mapping[str, Any]]:
    return [one for one in content if isinstance(one, dict)] if isinstance(content, list | tuple) else []


def _mapping(found: object) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}


def _text(found: Mapping[str, Any], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""
