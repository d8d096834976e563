"""The tools of an extraction: each change names the messages it rests on, and those decide about it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from memdir.config.safe_path import Refused
from memdir.conversation.messages import Spoken
from memdir.extract.model.excerpt import Excerpt
from memdir.extract.model.origin import Origin, objection, origin_of
from memdir.memories.kinds import Kind
from memdir.memories.topic import header_from, topic_from
from memdir.models.protocol import Cancel, Message, Tool, ToolCall
from memdir.text.templates import Templates
from memdir.text.value import replace
from memdir.workers.policy import CHANGING, Policy
from memdir.workers.shell import SHELL_SECONDS
from memdir.workers.tools import Toolbox
from memdir.workers.workbench import Workbench

__all__ = ["CitingTools"]

_TEXTS = Templates(__file__)

_EPOCH = datetime.fromtimestamp(0, UTC)


class CitingTools(Toolbox):
    """A toolbox whose changes take a further argument, `message`."""

    def __init__(self, policy: Policy, bench: Workbench, excerpt: Excerpt, heard: Sequence[Spoken]) -> None:
        """Bind the tools to the messages that may be cited, among all that were heard."""
        super().__init__(policy, bench)
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
        """Answer the calls of one turn in their order; those that rest on nothing are refused."""
        judged = [self._check_origin(call) for call in calls]
        allowed = [replace(call, arguments=_plain(call)) for call in calls]
        taken = [call for call, verdict in zip(allowed, judged, strict=True) if not isinstance(verdict, str)]
        given = iter(super().answers(taken, seconds=seconds, cancel=cancel))
        results: list[Message] = []
        for call, verdict in zip(allowed, judged, strict=True):
            if isinstance(verdict, str):
                results.append(Message("tool", verdict, call_id=call.id, failed=True))
                continue
            results.append(next(given))
            if isinstance(verdict, Origin) and not results[-1].failed:
                self._note(call, verdict)
        return tuple(results)

    def _check_origin(self, call: ToolCall) -> Origin | str | None:
        """Return where a change comes from, or why it is refused; None for looks and malformed calls."""
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
            topic = topic_from("memory.md", text, _EPOCH)
            return topic.body, topic.header.kind
        file = self.policy.file(arguments["path"])
        known = None if isinstance(file, Refused) else self.bench.text(file)
        return str(arguments.get("new") or ""), header_from("memory.md", known or "", _EPOCH).kind

    def _note(self, call: ToolCall, origin: Origin) -> None:
        """Remember where a change comes from; of several to one file, the least trusted decides."""
        file = self.policy.file(call.arguments["path"])
        if isinstance(file, Refused):
            return
        earlier = self.origins.get(file)
        self.origins[file] = earlier if earlier and not earlier.is_confirmed else origin


def _with_citation(tool: Tool) -> Tool:
    message = {"type": "string", "description": _TEXTS.fill_plain("message")}
    schema = {
        **tool.schema,
        "properties": {**tool.schema["properties"], "message": message},
        "required": [*tool.schema["required"], "message"],
    }
    return replace(tool, schema=schema)


def _plain(call: ToolCall) -> Any:
    """Return the arguments without the citation, as the tools themselves take them."""
    if call.name not in CHANGING or not isinstance(call.arguments, dict):
        return call.arguments
    return {name: value for name, value in call.arguments.items() if name != "message"}
