"""Tool calls of a host: judged by the rules, and what they wrote into the memory directory recorded.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Callable, Mapping

from memdir.config.location import Setup
from memdir.config.safe_path import Refused, contain
from memdir.config.world import World
from memdir.memories.names import INDEX_NAME, TEAM_FOLDER, is_team_file, is_topic_file
from memdir.memories.topic import Provenance
from memdir.text.program_names import WRITING_TOOLS
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memdir.memories.history.recorder import Recorder
    from memdir.memories.writer import Writer
    from memdir.rules.compiler import CompiledRules

__all__ = ["ToolCalls"]


@value_class(frozen=True, slots=True)
class ToolCalls:
    """The tool calls of one conversation."""

    setup: Setup
    world: World
    writer: "Callable[[], Writer]"
    team: "Callable[[], Writer | None]" = lambda: None
    """What changes team memories; None while team memory is off."""

    def known_rules(self) -> "CompiledRules":
        """Return the rules of this directory as they are now, and why there may be more."""
        from memdir.rules.compiler import CompiledRules, compile_rules

        place = self.setup.place
        if not self.setup.verdict.on:
            return CompiledRules()
        if not os.path.exists(place.directory) and _leads_nowhere(place.directory):
            return CompiledRules(unknown=f"{place.directory} is a link that leads nowhere", settled=False)
        try:
            directory = os.path.realpath(place.directory)
            return compile_rules(self._recorder, directory, place.state, self.team)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, there may be a rule
            return CompiledRules(unknown=f"{type(error).__name__}: {error}", settled=False)

    def judge(self, tool: str, given: "Mapping[str, Any]", known: "CompiledRules") -> tuple[str, str]:
        """Return what the rules say about a call and why; where they cannot be asked, the user is."""
        from memdir.hosts.host import denial_text, unknown_rules_text
        from memdir.rules.book import RuleBook, decide
        from memdir.rules.decisions import RuleDecisions

        place, cwd, home = self.setup.place, self.world.cwd, self.world.home
        try:
            book = RuleBook(os.path.realpath(place.directory), place.state, place.config_home)
            rules = book.rules(known.rows, f"{self.world.clock():%Y-%m-%d}")
            protected = book.protected_files(rules)
            judged = decide(rules, tool, given, cwd, root=place.root, home=home, protected=protected)
        except Exception as error:  # noqa: BLE001 - a call that cannot be judged is not let through
            return "ask", unknown_rules_text(f"{type(error).__name__}: {error}")
        if judged.verdict != "allow":
            RuleDecisions(place.state).add(judged, tool, given, self.world.session)
            return judged.verdict, denial_text(judged)
        return ("ask", unknown_rules_text(known.unknown)) if known.unknown else ("allow", "")

    def holds_rule(self, path: str) -> bool:
        """Tell whether a memory holds a rule, or may: no host may edit its own rules away."""
        from memdir.errors import MemdirError
        from memdir.memories.enforce import holds_rule

        try:
            return holds_rule(self.writer().memories.read_file(self.file_name(path)).text)
        except MemdirError:
            return os.path.lexists(path)

    def file_name(self, path: str) -> str:
        """Return a real path below the memory directory as its memories are called."""
        return os.path.relpath(path, os.path.realpath(self.setup.place.directory)).replace(os.sep, "/")

    def _recorder(self) -> "Recorder":
        from memdir.memories.history.git import git_path
        from memdir.memories.history.recorder import Recorder

        place = self.setup.place
        return Recorder(os.path.realpath(place.directory), place.state, git_path(self.world.env))

    def memory_path(self, tool: str, given: "Mapping[str, Any]") -> str | None:
        """Return the real path of a file in the memory directory that a call is about; None for any other."""
        path = given.get("file_path") or given.get("notebook_path")
        if not isinstance(path, str) or tool.lower() not in (*WRITING_TOOLS, "read"):
            return None
        found = contain(self.setup.place.directory, os.path.join(self.world.cwd, path))
        return None if isinstance(found, Refused) else found

    def record(self, *paths: str) -> None:
        """Write down in the host's name what it wrote, and bring the index up to date."""
        from contextlib import suppress

        from memdir.errors import HistoryError

        by = Provenance("host", "assistant", session=self.world.session, reason="written by the host itself")
        writers = [self.writer()]
        for writer, file in [self.owner(self.file_name(path)) for path in paths]:
            writers += [writer] if writer not in writers else []
            with suppress(HistoryError):  # without history it is pointed at all the same
                if is_topic_file(file) and writer.memories.exists():
                    writer.note_outside(self.world.clock(), by, file=file)
        for writer in writers:
            if writer.memories.exists():
                writer.heal(self.world.clock())

    def owner(self, file: str) -> "tuple[Writer, str]":
        """Return what changes a file below the memory directory, and how it is called there."""
        team = self.team() if is_team_file(file) else None
        return (team, file[len(TEAM_FOLDER) :]) if team else (self.writer(), file)

    def record_shell(self, given: "Mapping[str, Any]") -> None:
        """Record the memories that a shell command wrote, as far as its words tell.

        What they do not tell, a script or a program of its own, is pointed at too, and told as an outside
        change. A disk that refuses is tried again, and reported, at the end of the conversation.
        """
        from contextlib import suppress

        from memdir.errors import MemdirError
        from memdir.extract.memory_use import shell_writes

        command = given.get("command")
        text = command if isinstance(command, str) else ""
        written = shell_writes(text, self.setup.place.directory, self.world.home, self.world.cwd)
        with suppress(MemdirError):
            self.record(*map(os.path.realpath, written))

    def freshness(self, path: str) -> str:
        """Return how old a memory is that the host read, where that is worth a word."""
        from memdir.memories.topic import days_old, freshness_note, saved_time

        try:
            saved = saved_time(os.stat(path).st_mtime_ns)
        except OSError:
            return ""
        is_memory = path.endswith(".md") and os.path.basename(path) != INDEX_NAME
        return freshness_note(days_old(saved, self.world.clock())) if is_memory else ""


def _leads_nowhere(path: str) -> bool:
    """Tell a path that ends in a link to what is not there, such as a disk, from one that was never made."""
    path = path.rstrip(os.sep)
    while path != os.path.dirname(path) and not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.islink(path) and not os.path.exists(path)
