"""The tools of an extraction: each change cites messages, and who wrote them decides about the change.

A model reads the messages numbered, bounded, and unable to pose as each other. A memory that comes from the
user is saved; one that comes from anybody else is shown to a person first, or refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from memdir.config.safe_path import Refused
from memdir.conversation.messages import Spoken
from memdir.memories.topic import Kind, header_from, topic_from
from memdir.models.protocol import Cancel, Message, Tool, ToolCall
from memdir.text.escape import escape
from memdir.text.similarity import share_held, words
from memdir.text.templates import Templates
from memdir.text.value import replace, value_class
from memdir.workers.overlay import Overlay
from memdir.workers.policy import CHANGING, Policy
from memdir.workers.shell import SHELL_SECONDS
from memdir.workers.tools import Toolbox

__all__ = ["CitingTools", "Excerpt", "Origin", "excerpt_of", "objection", "origin_of"]

_TEXTS = Templates(__file__)


_LONGEST = {"user": 8_000, "assistant": 2_000, "tool": 600}
"""Characters shown of a message: what a person typed counts, a result only shows what it is about."""

_MOST = 60_000
"""Characters shown in all, the newest messages first: some fifteen thousand tokens."""


@value_class(frozen=True, slots=True)
class Excerpt:
    """What is shown, and which message each number means."""

    text: str
    numbered: Mapping[str, Spoken]

    def messages_named(self, names: str) -> tuple[Spoken, ...]:
        """Return the messages that are named, such as `m3` or `m3, m4`, as far as they exist."""
        return tuple(self.numbered[name] for name in _NAME.findall(names) if name in self.numbered)


def excerpt_of(messages: Sequence[Spoken]) -> Excerpt:
    """Return the messages as a model is shown them; what came from memory is left out."""
    shown, numbered, room = list[str](), dict[str, Spoken](), _MOST
    for number, one in reversed(list(enumerate(messages, 1))):
        if one.recalled or not one.text.strip():
            continue
        lines = _lines(f"m{number}", one)
        room -= len(lines)
        if room < 0 and shown:
            break
        shown.append(lines)
        numbered[f"m{number}"] = one
    return Excerpt("\n\n".join(reversed(shown)), numbered)


_NAME = re.compile(r"\bm\d+\b")


def _lines(name: str, one: Spoken) -> str:
    """Return a message below its heading, indented: nothing in it can look like the heading of another."""
    half = _LONGEST[one.role] // 2
    text = one.text if len(one.text) <= 2 * half else f"{one.text[:half]}\n[…]\n{one.text[-half:]}"
    when = f", {one.at:%A %Y-%m-%d}" if one.at else ""
    body = "\n".join(f"    {line}" for line in escape(text).split("\n"))
    return f"{name} ({one.role}{when}):\n{body}"


_FROM_TOOL, _FROM_USER = 0.6, 0.3
"""Shares of a text's words in tool results and in what the user typed: above and below, a tool said it."""

_FEWEST = 4
"""Telling words from which such shares mean something."""


@value_class(frozen=True, slots=True)
class Origin:
    """Whose words, and the message that holds them."""

    source: str
    """user, assistant or tool; memory for what was recalled."""
    message: Spoken

    @property
    def is_confirmed(self) -> bool:
        """Tell whether the user said or accepted it; anything else waits for a person."""
        return self.source == "user"


def origin_of(cited: Sequence[Spoken], text: str, messages: Sequence[Spoken]) -> Origin:
    """Return where a text comes from: the user where one cited message is theirs, unless a tool said it."""
    ranked = sorted(cited, key=lambda one: (one.recalled, _RANK[one.role]))
    best = ranked[0]
    if best.recalled:
        return Origin("memory", best)
    if best.role == "user" and (tool := _tool_that_says(text, messages)):
        return Origin("tool", tool)
    return Origin(best.role, best)


def objection(kind: Kind | None, origin: Origin) -> str:
    """Return why a memory of this kind is not taken from there; empty when it may be."""
    if origin.source == "memory":
        return "It was put there from memory, so it is known already."
    if kind in (Kind.USER, Kind.FEEDBACK) and not origin.is_confirmed:
        return (
            f"Only the user's own words become a {kind} memory, and these are those of the {origin.source}."
        )
    return ""


_RANK = {"user": 0, "assistant": 1, "tool": 2}


def _tool_that_says(text: str, messages: Sequence[Spoken]) -> Spoken | None:
    """Return the tool result that holds a text, if the user said hardly anything of it."""
    telling = words(text)
    typed = frozenset[str]().union(*(words(one.text) for one in messages if one.role == "user"))
    if len(telling) < _FEWEST or share_held(telling, typed) >= _FROM_USER:
        return None
    results = [one for one in messages if one.role == "tool" and not one.recalled]
    return next((one for one in results if share_held(telling, words(one.text)) >= _FROM_TOOL), None)


class CitingTools(Toolbox):
    """A toolbox whose changes take a further argument, `message`."""

    def __init__(self, policy: Policy, overlay: Overlay, excerpt: Excerpt, heard: Sequence[Spoken]) -> None:
        """Bind the tools to the messages that may be cited, among all that were heard."""
        super().__init__(policy, overlay)
        self._excerpt, self._heard = excerpt, heard
        self.origins: dict[str, Origin] = {}
        """The file of each change that was taken, with where it comes from."""
        self.refused: list[tuple[str, str]] = []
        """Ids of messages from which something was refused, with the reason."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools as a model is told of them."""
        return tuple(_with_citation(tool) if tool.name in CHANGING else tool for tool in super().tools)

    def answers(
        self, calls: Sequence[ToolCall], *, seconds: float = SHELL_SECONDS, cancel: Cancel | None = None
    ) -> tuple[Message, ...]:
        """Answer the calls of one turn in their order; changes that cite no message are refused."""
        judged = [(replace(call, arguments=_plain(call)), self._check_origin(call)) for call in calls]
        taken = [call for call, verdict in judged if not isinstance(verdict, str)]
        given = iter(super().answers(taken, seconds=seconds, cancel=cancel))
        results: list[Message] = []
        for call, verdict in judged:
            if isinstance(verdict, str):
                results.append(Message("tool", verdict, call_id=call.id, failed=True))
                continue
            results.append(next(given))
            if isinstance(verdict, Origin) and not results[-1].failed:
                self._note(call, verdict)
        return tuple(results)

    def _check_origin(self, call: ToolCall) -> Origin | str | None:
        """Return the origin of a change, or why it is refused; None for a call that reads or is malformed."""
        arguments: dict[str, Any] = dict(call.arguments) if isinstance(call.arguments, dict) else {}
        if call.name not in CHANGING or not isinstance(arguments.get("path"), str):
            return None
        cited = self._excerpt.messages_named(str(arguments.get("message") or ""))
        if not cited:
            return _TEXTS.fill_plain("uncited")
        text, kind = self._words_and_kind(call.name, arguments)
        origin = origin_of(cited, text, self._heard)
        problem = objection(kind, origin)
        if not problem and call.name == "forget" and not origin.is_confirmed:
            problem = _TEXTS.fill_plain("not_asked")
        if problem:
            self.refused.append((origin.message.id, problem))
        return problem or origin

    def _words_and_kind(self, tool: str, arguments: dict[str, Any]) -> tuple[str, Kind | None]:
        """Return the words that a change brings and the kind of the memory it is about."""
        if tool == "write" and isinstance(text := arguments.get("text"), str):
            topic = topic_from("memory.md", text)
            return topic.body, topic.header.kind
        file = self.policy.file(arguments["path"])
        known = None if isinstance(file, Refused) else self.overlay.text(file)
        return str(arguments.get("new") or ""), header_from("memory.md", known or "").kind

    def _note(self, call: ToolCall, origin: Origin) -> None:
        """Remember where a change comes from; of several to one file, the least trusted decides."""
        file = self.policy.file(call.arguments["path"])
        if isinstance(file, Refused):
            return
        earlier = self.origins.get(file)
        self.origins[file] = earlier if earlier and not earlier.is_confirmed else origin


def _with_citation(tool: Tool) -> Tool:
    message = {"type": "string", "description": _TEXTS.fill_plain("message")}
    properties = {**tool.schema["properties"], "message": message}
    required = [*tool.schema["required"], "message"]
    return replace(tool, schema={**tool.schema, "properties": properties, "required": required})


def _plain(call: ToolCall) -> Any:
    """Return the arguments without the citation, as the tools themselves take them."""
    if call.name not in CHANGING or not isinstance(call.arguments, dict):
        return call.arguments
    return {name: value for name, value in call.arguments.items() if name != "message"}
