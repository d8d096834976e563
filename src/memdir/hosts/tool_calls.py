"""Tool calls of a host: the rules judge them, and what they write into memory is recorded.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Mapping

from memdir.build import Parts
from memdir.config.safe_path import Refused, contain
from memdir.errors import MemdirError
from memdir.hosts.protocol import UNREADABLE, HostAnswer
from memdir.memories.names import INDEX_NAME, is_topic_file
from memdir.memories.topic import Provenance
from memdir.text.program_names import SHELL_TOOLS, WRITING_TOOLS
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memdir.rules.compiler import CompiledRules

__all__ = ["ToolCalls"]


@value_class(frozen=True, slots=True)
class ToolCalls:
    """The tool calls of one conversation."""

    parts: Parts
    cwd: str
    """Where the conversation is now."""

    def known_rules(self) -> "CompiledRules":
        """Return the rules of this directory as they are now, and why there may be more."""
        from memdir.rules.compiler import CompiledRules

        directory = self._directory
        if not self.parts.verdict.on:
            return CompiledRules()
        if not os.path.exists(directory) and _leads_nowhere(directory):
            return CompiledRules(unknown=f"{directory} is a link that leads nowhere", settled=False)
        try:
            return self.parts.compiled_rules()
        except (OSError, MemdirError) as error:  # there may be a rule
            return CompiledRules(unknown=f"{type(error).__name__}: {error}", settled=False)

    def judge(self, tool: str, given: "Mapping[str, Any]", known: "CompiledRules") -> tuple[str, str]:
        """Return the decision of the rules about a call, and why; `ask` where rules cannot be read."""
        from memdir.hosts.protocol import denial_text, unknown_rules_text, unreadable_input_text
        from memdir.rules.decisions import RuleDecisions
        from memdir.rules.store import RuleStore

        parts, place, world = self.parts, self.parts.effective_setup.place, self.parts.world
        try:
            store = RuleStore(parts.directory, parts.state, place.config_home)
            now = f"{world.clock():%Y-%m-%dT%H:%M:%SZ}"
            rules = store.rules(known.rows, now[:10])
            judged = store.decide(rules, tool, given, self.cwd, root=place.root, home=world.home)
        except (MemdirError, OSError, ValueError) as error:  # not let through; others ask in `full_reply`
            return "ask", unknown_rules_text(f"{type(error).__name__}: {error}")
        if rules and judged.verdict == "allow" and _is_unreadable(tool, given):
            return "ask", unreadable_input_text()
        if judged.verdict != "allow":
            RuleDecisions(parts.state).add(judged, tool, given, world.session, at=now)
            return judged.verdict, denial_text(judged)
        return ("ask", unknown_rules_text(known.unknown)) if known.unknown else ("allow", "")

    def memory_path(self, tool: str, given: "Mapping[str, Any]") -> str | None:
        """Return the real path of a file in the memory directory that a call is about; None for any other."""
        path = given.get("file_path") or given.get("notebook_path")
        if not isinstance(path, str) or tool.lower() not in (*WRITING_TOOLS, "read"):
            return None
        found = contain(self._directory, os.path.join(self.cwd, path))
        return None if isinstance(found, Refused) else found

    def review_write(self, tool: str, given: "Mapping[str, Any]") -> HostAnswer:
        """Return how a write into the memory directory is taken; empty for any other call."""
        path = self.memory_path(tool, given)
        if path is None or tool.lower() not in WRITING_TOOLS:
            return HostAnswer()
        from memdir.hosts.memory_writes import review_write

        return review_write(path, self._file(path), tool, given, holds_rule=self._holds_rule(path))

    def record_write(self, path: str) -> str:
        """Record a file that the host wrote; return which memories its text may contradict, in words."""
        from memdir.hosts.memory_writes import contradiction_hint

        self._record([path])
        owner, file = self.parts.owner(self._file(path))
        return contradiction_hint(owner.memories, file)

    def record_shell(self, given: "Mapping[str, Any]") -> None:
        """Record the memories that a shell command wrote, as far as its words tell.

        What a script or program wrote gets its pointer too, and is recorded later as an outside change. A
        disk error is ignored here: the end of the conversation tries again and reports it.
        """
        if not os.path.exists(self._directory):
            return
        from contextlib import suppress

        from memdir.extract.memory_use import command_text, shell_writes

        written = shell_writes(command_text(given), self._directory, self.parts.world.home, self.cwd)
        with suppress(MemdirError):
            self._record([os.path.realpath(path) for path in written])

    def freshness(self, path: str) -> str:
        """Return how old a memory is that the host read, where that is worth a word."""
        from memdir.memories.topic import days_old, freshness_note, saved_time

        try:
            saved = saved_time(os.stat(path).st_mtime_ns)
        except OSError:
            return ""
        is_memory = path.endswith(".md") and os.path.basename(path) != INDEX_NAME
        return freshness_note(days_old(saved, self.parts.world.clock())) if is_memory else ""

    def _record(self, paths: list[str]) -> None:
        """Write down in the host's name what it wrote, and bring the index up to date."""
        from contextlib import suppress

        from memdir.errors import HistoryError

        world = self.parts.world
        by = Provenance("host", "assistant", session=world.session, reason="written by the host itself")
        written = [self.parts.owner(self._file(path)) for path in paths]
        for owner, file in written:
            with suppress(HistoryError):  # without history it is pointed at all the same
                if is_topic_file(file) and owner.memories.exists():
                    owner.writer.note_outside(world.clock(), by, file=file)
        for parts in dict.fromkeys([self.parts, *[owner for owner, _ in written]]):
            if parts.memories.exists():
                parts.writer.heal(world.clock())

    def _holds_rule(self, path: str) -> bool:
        """Tell whether a memory holds a rule, or may: no host may edit its own rules away."""
        from memdir.memories.enforce import holds_rule

        try:
            return holds_rule(self.parts.memories.read_file(self._file(path)).text)
        except MemdirError:
            return os.path.lexists(path)

    @property
    def _directory(self) -> str:
        """The memory directory as it was named: links on the way are not followed."""
        return self.parts.setup.place.directory if self.parts.setup else self.parts.directory

    def _file(self, path: str) -> str:
        """Return a real path below the memory directory as its memories are called."""
        return os.path.relpath(path, self.parts.directory).replace(os.sep, "/")


def _is_unreadable(tool: str, given: "Mapping[str, Any]") -> bool:
    """Tell whether a call does not say what its tool is to do: no object, or no command for a shell."""
    command = given.get("command", given.get("cmd"))
    return UNREADABLE in given or (tool.lower() in SHELL_TOOLS and not isinstance(command, str | list))


def _leads_nowhere(path: str) -> bool:
    """Tell whether a path, or the part of it that exists, ends in a link to nothing (a missing disk)."""
    path = path.rstrip(os.sep)
    while path != os.path.dirname(path) and not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.islink(path) and not os.path.exists(path)
