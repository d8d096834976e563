"""The events of a host and our answers, in the JSON of Claude Code or in a generic one.

A host waits for this module: it imports late and does without `typing`.
"""

from _json import encode_basestring_ascii

from memdir.hook_paths import project_folder
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memdir.rules.judge import Decision

__all__ = [
    "UNREADABLE",
    "Call",
    "ClaudeCode",
    "Generic",
    "Host",
    "HostAnswer",
    "denial_text",
    "host_of",
    "unknown_rules_text",
    "unreadable_input_text",
]

UNREADABLE = ""
"""The only key of an input that the host did not give as an object; no parameter of a tool has this name."""

_TAKES_CONTEXT = frozenset(
    {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "SubagentStart"}
)
"""Where Claude Code takes text; elsewhere it is an error for the host, or makes it take another turn."""


@value_class(frozen=True, slots=True)
class Call:
    """One event of a host; fields that the event does not have are empty."""

    event: str
    cwd: str
    """Where the conversation is now: a command may have led it elsewhere."""
    session: str
    transcript: str = ""
    prompt: str = ""
    tool: str = ""
    given: "Mapping[str, Any] | None" = None
    """What the tool is called with."""
    source: str = ""
    """Why a session starts, or ends."""
    again: bool = False
    """Whether the host only goes on because a hook made it."""
    headless: bool = False
    """Whether nobody sits in front of it: a script asked."""
    uninstructed: bool = False
    """Whether the host reads no instruction files, so that we have to."""
    tools: tuple[str, ...] = ()
    """The names of the host's tools, if it tells them."""
    began: str = ""
    """Where the conversation began, if the host tells."""

    @property
    def project(self) -> str:
        """The directory whose memory, settings and rules count: where the conversation began."""
        return self.began or self.cwd


@value_class(frozen=True, slots=True)
class HostAnswer:
    """Our answer to an event: a text for the model, or a decision about a tool call."""

    context: str = ""
    decision: str = ""
    """allow, deny or ask; empty leaves it to the host."""
    because: str = ""
    jobs: tuple[str, ...] = ()
    """What a process of its own has to do once the host has its answer."""

    def __bool__(self) -> bool:
        return bool(self.context or self.decision)


class ClaudeCode:
    """Reads and writes as Claude Code 2 does."""

    name = "claude-code"

    def call(self, event: str, said: "Mapping[str, Any]", env: "Mapping[str, str]") -> Call:
        """Return the event that the host wrote to standard input."""
        prompt = said.get("prompt")
        if isinstance(prompt, list):  # blocks, of which only texts were typed
            texts = [block.get("text", "") for block in prompt if isinstance(block, dict)]
            prompt = "\n".join([text for text in texts if isinstance(text, str)])
        return Call(
            event=event,
            cwd=said["cwd"],
            session=str(said["session_id"]),
            transcript=str(said.get("transcript_path") or ""),
            prompt=prompt if isinstance(prompt, str) else "",
            tool=(tool := str(said.get("tool_name") or "")),
            given=_input(tool, said.get("tool_input")),
            source=str(said.get("source") or said.get("reason") or said.get("trigger") or ""),
            again=said.get("stop_hook_active") is True,
            headless=env.get("CLAUDE_CODE_SESSION_ATTENDED") == "0",
            began=project_folder(env),
        )

    def render_answer(self, call: Call, answer: HostAnswer) -> str:
        """Return the JSON that the host takes for this event; empty where it takes none."""
        told: dict[str, str] = {"hookEventName": call.event}
        if answer.context and call.event in _TAKES_CONTEXT:
            told["additionalContext"] = answer.context
        if answer.decision and call.event == "PreToolUse":
            told |= {"permissionDecision": answer.decision, "permissionDecisionReason": answer.because}
        if len(told) == 1:
            return ""
        pairs = [f'"{key}": {encode_basestring_ascii(text)}' for key, text in told.items()]
        return f'{{"hookSpecificOutput": {{{", ".join(pairs)}}}}}'


class Generic:
    """Reads `{"cwd", "session", "prompt", "tool", "input", "transcript", "tools"}` and writes its answer."""

    name = "generic"

    def call(self, event: str, said: "Mapping[str, Any]", env: "Mapping[str, str]") -> Call:
        """Return the event that the host wrote to standard input."""
        del env
        tools = said.get("tools")
        texts = {key: text for key, text in said.items() if isinstance(text, str)}
        return Call(
            event=event,
            cwd=said["cwd"],
            session=str(said.get("session") or ""),
            transcript=texts.get("transcript", ""),
            prompt=texts.get("prompt", ""),
            tool=(tool := texts.get("tool", "")),
            given=_input(tool, said.get("input")),
            source=texts.get("source", ""),
            again=said.get("again") is True,
            headless=said.get("headless") is True,
            uninstructed=True,
            tools=tuple([one for one in tools if isinstance(one, str)]) if isinstance(tools, list) else (),
        )

    def render_answer(self, call: Call, answer: HostAnswer) -> str:
        """Return one object with context, decision and reason as far as there are any."""
        import json

        del call
        parts = {"context": answer.context, "decision": answer.decision, "because": answer.because}
        return json.dumps({key: text for key, text in parts.items() if text}) if answer else ""


def _input(tool: str, given: "Any") -> "Mapping[str, Any] | None":
    """Return what a tool is called with; an input that is no object is marked, so that rules can ask."""
    if isinstance(given, dict):
        return given
    return {UNREADABLE: ""} if tool else None


Host = ClaudeCode | Generic


def host_of(env: "Mapping[str, str]") -> Host:
    """Return the host that the hook was installed for; Claude Code when nobody says."""
    return Generic() if env.get("MEMDIR_HOST", "") == "generic" else ClaudeCode()


def denial_text(decision: "Decision") -> str:
    """Return why a call is stopped: the words of the rule, or that it would change protected files."""
    if decision.rule is None:
        from memdir.prompt.templates import filled

        return filled("write_kept", found=decision.because)
    because = decision.because
    if because.isascii() and because.isprintable() and "<" not in because and "[" not in because:
        return because  # nothing in it to escape; what escapes takes longer to load than a rule to judge
    from memdir.text.escape import escape

    return escape(because)


def unknown_rules_text(why: str) -> str:
    """Return why the user is asked about a call: rules could not be read, and one may concern it."""
    from memdir.prompt.templates import filled

    return filled("rules_unknown", why=why)


def unreadable_input_text() -> str:
    """Return why the user is asked about a call whose input does not say what the tool does."""
    from memdir.prompt.templates import filled

    return filled("rules_unreadable_input")
