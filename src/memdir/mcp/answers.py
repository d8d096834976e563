"""The answers of the server's tools and resources: one call of `Memory` each, in words for a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from memdir.conversation.state import ALREADY_SHOWN
from memdir.errors import NoSuchMemory, SecretFound
from memdir.memories.index.pointer import manifest
from memdir.memories.names import TEAM_FOLDER, is_topic_file
from memdir.memories.topic import Topic, age_in_words, days_old, freshness_note
from memdir.memory import Memory
from memdir.memory_tool.tool import MemoryTool, must_be_on, refuse_rule
from memdir.prompt.templates import filled
from memdir.recall.surface import shown_text, who_said
from memdir.text.escape import escape
from memdir.text.secrets.search import secret_names
from memdir.text.templates import Prose

__all__ = ["Answers"]


class Answers:
    """Answer calls; each opens the memory anew, with the settings and files of that moment."""

    def __init__(self, opened: Callable[[], Memory]) -> None:
        """Remember how to open the memory; nothing is opened yet."""
        self._opened = opened

    def recall(self, query: str, limit: int = 5) -> str:
        """Return the memories that bear on a query."""
        found = self._memory().recall(query, limit=limit)
        if found.text:
            return found.text
        before = [one.file for one in found.receipt.candidates if one.cut == ALREADY_SHOWN]
        shown = filled("mcp_shown_before", files=", ".join(before)) if before else Prose()
        why = found.receipt.because
        because = f"{why[:1].upper()}{why[1:]}." if why else ""
        return filled("mcp_recalled_nothing", because=because, shown=shown)

    def remember(self, text: str, *, name: str = "", **draft: Any) -> str:
        """Save or update one memory in the assistant's words; the tool's schema says what may be given."""
        memory = self._memory()
        said = [str(draft.get(key, "")) for key in ("description", "why", "how")]
        with _errors_for_a_model(name, text, *said):
            saved = memory.remember(
                text, name=name, source="assistant", actor="host", reason="through MCP", **draft
            )
        return filled(
            "mcp_saved" if saved.created else "mcp_updated",
            file=saved.file,
            name=saved.name,
            operation=saved.operation,
            warnings="\n".join([*saved.warnings, *memory.doctor.contradictions(saved.file)]),
        )

    def forget(self, name: str, reason: str = "") -> str:
        """Remove one memory."""
        memory = self._memory()
        with _errors_for_a_model(name):
            topic = memory.read(name)
            refuse_rule(topic.header.file, topic.text)
            gone = memory.forget(name, actor="host", source="assistant", reason=reason or "through MCP")
        warnings = "\n".join(gone.warnings)
        return filled("mcp_forgotten", file=gone.file, operation=gone.operation, warnings=warnings)

    def read(self, name: str) -> str:
        """Return one memory in full, with age and origin."""
        memory = self._memory()
        with _errors_for_a_model(name):
            topic = MemoryTool(memory).topic(name) if name.endswith(".md") else memory.read(name)
        return _memory_text(topic, memory)

    def listing(self, kind: str | None = None, limit: int = 100) -> str:
        """Return a line for each memory, newest first."""
        headers = self._memory().list(kind=kind)
        if not headers:
            return filled("mcp_no_memories")
        rest = len(headers) - max(limit, 1)
        more = [filled("mcp_list_more", count=str(rest))] if rest > 0 else []
        return "\n".join([manifest(headers[: max(limit, 1)]), *more])

    def memory(self, **arguments: object) -> str:
        """Do one command of Anthropic's memory tool."""
        return MemoryTool(self._memory()).call(arguments)

    def index(self) -> str:
        """Return the index as a conversation loads it."""
        return escape(self._memory().context.index().content)

    def file(self, path: str) -> str:
        """Return the text of one file, header included."""
        return escape(MemoryTool(self._memory()).topic(path).text)

    def instructions(self) -> str:
        """Return the instruction files as a conversation loads them."""
        parts = self._opened().context.build().parts
        return "\n\n".join([part.text for part in parts if part.slot == "instructions"])

    def _memory(self) -> Memory:
        memory = self._opened()
        must_be_on(memory)
        return memory


def _memory_text(topic: Topic, memory: Memory) -> str:
    header = topic.header
    if not is_topic_file(header.file.removeprefix(TEAM_FOLDER)):
        return filled("mcp_file", file=header.file, body=topic.text)
    days = days_old(header.saved_at, memory.history.now)
    return filled(
        "mcp_memory",
        file=header.file,
        kind=header.kind or "none",
        age=age_in_words(days),
        who=Prose(who_said(topic, memory.history.provenance(header.file))),
        note=Prose(freshness_note(days)),
        body=shown_text(topic),
    )


@contextmanager
def _errors_for_a_model(name: str, *texts: str) -> Iterator[None]:
    """Let errors name what a model has: its tools, not our commands and their options."""
    try:
        yield
    except SecretFound as error:
        rules = secret_names("\n".join([name, *texts]))
        raise SecretFound(filled("write_secret", rules=rules)) from error
    except NoSuchMemory as error:
        raise NoSuchMemory(filled("mcp_no_such_memory", name=name)) from error
