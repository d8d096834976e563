"""One message of a conversation, in the shape of either vendor, read as what was said."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memdir.text.value import replace, value_class

__all__ = [
    "LONGEST_RESULT",
    "LONGEST_TEXT",
    "RECENT_TOOLS",
    "RECENT_TURNS",
    "ROLES",
    "Spoken",
    "ToolUse",
    "moment",
    "recent_tools",
    "spoken_in",
    "text_in",
]


@value_class(frozen=True, slots=True)
class ToolUse:
    """One call of a tool by the host's model."""

    id: str
    name: str
    input: Mapping[str, Any]


@value_class(frozen=True, slots=True)
class Spoken:
    """One message of a conversation: a person's words, the model's, or what a tool gave back."""

    id: str
    """The transcript's own id of it, or its line number."""
    role: str
    """user (typed by a person), assistant, or tool."""
    text: str
    at: datetime | None = None
    uses: tuple[ToolUse, ...] = ()
    """What the assistant called in this message."""
    answers: str = ""
    """For a tool's result: the id of the call."""
    recalled: bool = False
    """Whether the text was put there from memory; it is never extracted again."""
    failed: bool = False
    """For a tool's result: whether the call was refused or went wrong."""
    left_out: int = 0
    """Characters of a long text that are not kept."""


LONGEST_TEXT = 64_000
"""Characters kept of one message: somebody pasted a file; of a longer one the middle is left out."""

LONGEST_RESULT = 16_000
"""Characters kept of a tool's result, which nothing is learned from except what is being talked about."""


def spoken_in(message: Mapping[str, Any], known_as: str, at: datetime | None = None) -> tuple[Spoken, ...]:
    """Return what a message says: words, results of tools, and, apart, what was put there for the model.

    System text, thinking, pictures, and what a host writes in a person's name say nothing.
    """
    role = ROLES.get(_text(message.get("role")), "")
    when = at or moment(message.get("timestamp"))
    content = message.get("content")
    if role == "assistant":
        said = text_in(content)
        uses = (*_uses(content), *_function_calls(message.get("tool_calls")))
        one = Spoken(known_as, role, said, when, uses)
        return (_shorten(one, LONGEST_TEXT),) if said or uses else ()
    if role == "tool":
        call = _text(message.get("tool_call_id") or message.get("tool_use_id"))
        failed = bool(message.get("is_error"))
        return _separate(Spoken(known_as, role, text_in(content), when, answers=call, failed=failed))
    if role == "user":
        own = _separate(Spoken(known_as, role, _words(content), when))
        return (*_results(content, known_as, when), *own)
    return ()


def text_in(content: object) -> str:
    """Return the words of a content: a string, or its blocks of text one below the other."""
    if isinstance(content, str):
        return content
    texts = [_text(block.get("text")) for block in _blocks(content) if block.get("type") in _TEXTS]
    return "\n\n".join(text for text in texts if text)


def moment(stamp: object) -> datetime | None:
    """Return the time a message says it is of: ISO 8601, or a number of seconds or milliseconds."""
    try:
        if isinstance(stamp, str):
            when = datetime.fromisoformat(stamp)
            return when if when.tzinfo else when.replace(tzinfo=UTC)
        if isinstance(stamp, int | float) and not isinstance(stamp, bool):
            return datetime.fromtimestamp(stamp / 1000 if stamp > _MILLISECONDS else stamp, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


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


def _separate(message: Spoken) -> tuple[Spoken, ...]:
    """Separate what a host or we put into a message from what it says itself."""
    rest, notes = _without_reminders(message.text)
    typed = message.role == "user"
    put = [
        Spoken(message.id, "tool", note, message.at, recalled=True) for note in map(str.strip, notes) if note
    ]
    kept = tuple([_shorten(one, LONGEST_TEXT) for one in put])
    if typed and not rest:
        return kept
    return (*kept, _shorten(replace(message, text=rest), LONGEST_TEXT if typed else LONGEST_RESULT))


def _without_reminders(text: str) -> tuple[str, list[str]]:
    """Return a text without its reminders, and those; one that is never closed is text like any other."""
    rest, notes, at = list[str](), list[str](), 0
    while (start := text.find(_OPEN, at)) >= 0 and (end := text.find(_CLOSE, start)) >= 0:
        rest.append(text[at:start])
        notes.append(text[start + len(_OPEN) : end])
        at = end + len(_CLOSE)
    return "".join([*rest, text[at:]]).strip(), notes


def _results(content: object, known_as: str, when: datetime | None) -> Iterator[Spoken]:
    for block in _blocks(content):
        if block.get("type") == "tool_result":
            text, failed = text_in(block.get("content")), bool(block.get("is_error"))
            call = _text(block.get("tool_use_id"))
            yield from _separate(Spoken(known_as, "tool", text, when, answers=call, failed=failed))


def _uses(content: object) -> tuple[ToolUse, ...]:
    return tuple(
        ToolUse(_text(block.get("id")), _text(block.get("name")), _mapping(block.get("input")))
        for block in _blocks(content)
        if block.get("type") == "tool_use"
    )


def _function_calls(calls: object) -> tuple[ToolUse, ...]:
    found = [(_text(call.get("id")), _mapping(call.get("function"))) for call in _blocks(calls)]
    return tuple(
        ToolUse(call, _text(function.get("name")), _arguments(function.get("arguments")))
        for call, function in found
    )


def _arguments(written: object) -> Mapping[str, Any]:
    """Return the arguments of a call, which one vendor writes as JSON inside a string."""
    if isinstance(written, str):
        try:
            return _mapping(json.loads(written))
        except (ValueError, RecursionError):
            return {}
    return _mapping(written)


def _words(content: object) -> str:
    """Return what a person typed, and reminders; other text beside a tool's result is the host's."""
    if any(block.get("type") == "tool_result" for block in _blocks(content)):
        return "".join(f"{_OPEN}{note}{_CLOSE}" for note in _without_reminders(text_in(content))[1])
    texts = [content] if isinstance(content, str) else [text_in([block]) for block in _blocks(content)]
    return "\n\n".join(text for text in texts if text and not text.lstrip().startswith(_NOT_TYPED))


def _blocks(content: object) -> list[Mapping[str, Any]]:
    return (
        [block for block in content if isinstance(block, dict)] if isinstance(content, list | tuple) else []
    )


def _mapping(found: object) -> Mapping[str, Any]:
    return found if isinstance(found, dict) else {}


def _text(found: object) -> str:
    return found if isinstance(found, str) else ""


def _shorten(one: Spoken, limit: int) -> Spoken:
    """Return a message of which the middle is left out if it is too long."""
    text, half = one.text, limit // 2
    if len(text) <= limit:
        return one
    return replace(one, text=f"{text[:half]}\n…\n{text[-half:]}", left_out=len(text) - limit)


RECENT_TURNS = 3
"""Turns whose tools count as in use: what was called before that may be long forgotten."""

RECENT_TOOLS = 12
"""Tools named to a selector; more would be a list of what the host can do, not of what it does."""


def recent_tools(
    messages: Sequence[Spoken], *, turns: int = RECENT_TURNS, limit: int = RECENT_TOOLS
) -> tuple[str, ...]:
    """Return the names of the tools that the last turns used, newest first, each once."""
    names: dict[str, None] = {}
    for message in reversed(messages):
        names.update(dict.fromkeys(use.name for use in reversed(message.uses)))
        turns -= message.role == "user" and not message.recalled
        if turns <= 0 or len(names) >= limit:
            break
    return tuple(names)[:limit]
