"""One conversation of a host: what it is told and what is done for it at each event."""

import os
from collections.abc import Callable, Mapping, Sequence

from memdir.config.location import Setup
from memdir.config.safe_path import Refused, contain
from memdir.config.variables import variable
from memdir.config.world import World
from memdir.conversation.state import Conversation
from memdir.hosts.host import Answer
from memdir.memories.names import INDEX_NAME, is_topic_file
from memdir.memories.topic import Provenance
from memdir.recall.picks import Pick, Picks
from memdir.text.program_names import SHELL_TOOLS, WRITING_TOOLS
from memdir.text.value import replace, value_class

TYPE_CHECKING = False  # as in typing, whose import a hook must not wait for
if TYPE_CHECKING:  # each event needs a part of this, and a hook lives for milliseconds
    from threading import Event
    from typing import Any

    from memdir.context import ContextBuilder
    from memdir.instructions.project import ProjectInstructions
    from memdir.memories.writer import Writer
    from memdir.recall.recaller import Recaller
    from memdir.rules.book import RuleBook
    from memdir.rules.compiler import CompiledRules
    from memdir.rules.judge import Decision
    from memdir.verify.project import Project
    from memdir.workers.queue import JobRequest

__all__ = ["ASK_SECONDS", "HostSession"]

ASK_SECONDS = 10.0
"""How long a prompt may wait for a model to be asked about it; later picks are for what is long answered."""

_STALE_SECONDS = 0.3
"""How long the start of a conversation may look for memories whose claims no longer hold."""


@value_class(frozen=True, slots=True)
class HostSession:
    """Serves one conversation; every method is one event, in whatever process the host starts for it."""

    setup: Setup
    world: World
    writer: "Callable[[], Writer]"
    context: "Callable[[], ContextBuilder]"
    instructions: "Callable[[], ProjectInstructions]"
    recaller: "Callable[[bool], Recaller]"
    """Given whether a model may be asked."""
    project: "Callable[[], Project]"
    notes: Callable[[], str]
    """The notes of this conversation as a compaction can begin from them; empty when there are none."""

    def below(self, cwd: str) -> "HostSession":
        """Return the same for an event that takes place in another directory."""
        return replace(self, world=replace(self.world, cwd=cwd))

    def begin(self, source: str, *, uninstructed: bool = False, tools: Sequence[str] = ()) -> Answer:
        """Make the directory, and return what the host does not load itself.

        That is how memory works and its index, instructions where it reads none, news, and notes. One that
        keeps this memory itself is told what our settings change in it.
        """
        from memdir.config.location import host_loads_it
        from memdir.prompt.guide import Reader

        context = self.context()
        if not self.setup.verdict.on:
            context.prompt()  # empty, and leaves a line that says which rule switched memory off
            return Answer()
        told = []
        if uninstructed:
            reader = Reader(tools=tuple(tools))
            told += [context.prompt(reader=reader), self._load()]
        elif host_loads_it(self.setup, env=self.world.env, cwd=self.world.cwd, home=self.world.home):
            told.append(context.additions())
        else:
            told.append(context.prompt(with_index=True, reader=Reader(explained=True)))
        if source == "compact":
            self.compacted()
            told.append(self._notes())
        else:
            told.append(self._news())
        return Answer("\n\n".join([text for text in told if text]))

    def prompt(self, query: str, *, uninstructed: bool = False, spent: float = 0.0) -> Answer:
        """Return the memories that fit a prompt, and what a model picked for an earlier one.

        Where the host reads no instructions, also those of the folders whose files the prompt names. `spent`
        are seconds that the prompt has waited already; half of its time is for recall in any case.
        """
        nested = self._nested(query) if uninstructed else ""
        recaller = self.recaller(False)
        if self._asks_model():
            recaller.conversation.begin_turn()
        picks, budget, room = self._picks(), recaller.limits.budget, self._room(recaller)
        recall = recaller.recall(query, limit=room, budget=max(budget - spent, budget / 2))
        if self._asks_model():
            recaller.conversation.add_to_turn(len(recall.files))
        return replace(_joined(picks, nested, recall.text), jobs=("prepare",) if recall.unfinished else ())

    def prepare(self) -> None:
        """Do what a prompt had no time for, unless another process is at it."""
        from memdir.errors import LockTimeout
        from memdir.text.suppress import suppress
        from memdir.workers.queue import RequestQueue

        with suppress(LockTimeout), RequestQueue(self.setup.place.state, "prepare").alone(0):
            self.recaller(False).prepare()

    def saw_memories(self) -> bool:
        """Tell whether the prompt was answered from any memory; this looks at no file again."""
        return self.setup.verdict.on and len(self.recaller(False).memories.catalog) > 0

    def wants_model(self, query: str, transcript: str = "") -> bool:
        """Tell whether a model should be asked about a prompt too, by another process; leave the request."""
        from memdir.recall.skip import skipped

        if not self._asks_model() or skipped(query):
            return False
        from memdir.text.secrets.search import mask_secrets
        from memdir.workers.queue import RequestQueue

        at = str(int(self.world.clock().timestamp()))
        asked = {"query": mask_secrets(query), "at": at, "transcript": transcript}
        RequestQueue(self.setup.place.state, "ask").ask(self.world.session, asked)
        return True

    def ask_model(self, seconds: float, cancel: "Event | None" = None) -> int:
        """Have a model choose for the prompts that wait, and leave its picks for the next event."""
        from memdir.workers.queue import RequestQueue

        return RequestQueue(self.setup.place.state, "ask").work(
            lambda request: self._asked(request, seconds, cancel)
        )

    def silent_events(self, known: "CompiledRules") -> tuple[str, ...]:
        """Return the events that need no answer as long as neither settings nor memories change.

        `rules` stands for tool calls to which the rules of this directory have no objection. While these are
        not settled, there are none.
        """
        if not self.setup.verdict.on:
            return ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")
        if not known.settled or known.unknown:
            return ()
        tools = "rules" if known.rows else "PreToolUse"
        if not known.memories:
            return ("UserPromptSubmit", tools, "PostToolUse")
        return (tools, "PostToolUse")

    def known_rules(self) -> "CompiledRules":
        """Return the rules of this directory as they are now, and why there may be more."""
        from memdir.rules.compiler import CompiledRules

        place = self.setup.place
        if not self.setup.verdict.on:
            return CompiledRules()
        if _leads_nowhere(place.directory):
            return CompiledRules(unknown=f"{place.directory} is a link that leads nowhere", settled=False)
        try:
            return self._rule_book().compile(self.writer)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, there may be a rule
            return CompiledRules(unknown=f"{type(error).__name__}: {error}", settled=False)

    def before_tool(
        self, tool: str, given: "Mapping[str, Any]", known: "CompiledRules | None" = None
    ) -> Answer:
        """Return what enforced memories say about a call, and how a write of a memory is taken.

        Whoever compiled the rules already hands them over.
        """
        if not self.setup.verdict.on:
            return Answer()
        verdict, because = self._verdict(tool, given, known or self.known_rules())
        picks = self._picks()
        stopped = None if verdict == "allow" else Answer(picks, verdict, because)
        path = self._path(tool, given)
        if path is None or tool.lower() not in WRITING_TOOLS or verdict == "deny":
            return stopped or Answer(picks)
        from memdir.hosts.host_writes import review_write

        review = review_write(path, self._file(path), tool, given, holds_rule=self._holds_rule(path))
        if stopped and review.decision != "deny":
            return stopped
        return Answer(
            "\n".join([text for text in (picks, review.context) if text]), review.decision, review.because
        )

    def after_tool(self, tool: str, given: "Mapping[str, Any]", *, uninstructed: bool = False) -> Answer:
        """Record and mend what the host wrote, say how old a memory is that it read, and load instructions.

        The last only where the host does not: those of the folder that a tool touched, once a conversation.
        """
        path = self._path(tool, given) if self.setup.verdict.on else None
        if self.setup.verdict.on and tool.lower() in SHELL_TOOLS:
            self._record_shell(given)
        if path is None:
            return _joined(self._picks(), self._touched(given) if uninstructed else "")
        if tool.lower() in WRITING_TOOLS:
            from memdir.hosts.host_writes import contradiction_hint

            self._record(path)
            return _joined(self._picks(), contradiction_hint(self.writer().memories, self._file(path)))
        return _joined(self._picks(), self._freshness(path))

    def compacted(self) -> None:
        """Let instructions load and memories be shown again: the model no longer sees them."""
        self.context().after_compaction()

    def _news(self) -> str:
        from memdir.conversation.outcomes import Outcomes
        from memdir.errors import MemdirError
        from memdir.inbox.inbox import Inbox
        from memdir.prompt.news import News

        try:
            outside = self.writer().note_outside(self.world.clock())
        except MemdirError:
            outside = None
        changed = tuple(outside.files) if outside else ()
        state = self.setup.place.state
        came = Outcomes(state).take()
        wrote = tuple([(one.job, one.said, one.operation) for one in came if one.wrote])
        failed = tuple([(one.job, one.said) for one in came if not one.wrote])
        return News(Inbox(state).count(), changed, self._stale(), wrote, failed).told()

    def _stale(self) -> tuple[str, ...]:
        from memdir.verify.check import stale_memories

        found = stale_memories(
            self.writer().memories.topics(), self.project(), self.world.clock(), _STALE_SECONDS
        )
        return tuple([checked.file for checked in found])

    def _notes(self) -> str:
        from memdir.prompt.news import notes_text

        return notes_text(self.notes())

    def _asked(self, request: "JobRequest", seconds: float, cancel: "Event | None") -> bool:
        """Ask about one prompt; one that waited for too long is answered by now, and dropped."""
        asked_at = request.details.get("at", "")
        late = not asked_at.isdecimal() or self.world.clock().timestamp() - int(asked_at) > ASK_SECONDS
        talk = Conversation(self.setup.place.state, request.session)
        recaller = replace(self.recaller(True), conversation=talk, session=request.session)
        room = self._room(recaller)
        if recaller.model is not None and not late and room > 0:
            from memdir.conversation.transcripts import tools_in_use

            query, tools = (
                request.details.get("query", ""),
                tools_in_use(request.details.get("transcript", "")),
            )
            recall = recaller.recall(query, limit=room, recent_tools=tools, budget=seconds, called_off=cancel)
            if recall.files:
                picks = map(Pick, recall.files, recall.blocks)
                Picks(self.setup.place.state, request.session).leave([*picks])
        return True

    def _asks_model(self) -> bool:
        """Tell whether a model is to choose too, so that a turn is shown memories at more than one event."""
        named = self.setup.settings["model"].value or variable(self.world.env, "MEMDIR_MODEL")
        return bool(named) and self.setup.verdict.on

    def _room(self, recaller: "Recaller") -> int:
        """Return how many memories the present turn may still be shown."""
        return recaller.limits.files - recaller.conversation.shown_in_turn()

    def _verdict(self, tool: str, given: "Mapping[str, Any]", known: "CompiledRules") -> tuple[str, str]:
        """Return what the rules say about a call and why; where they cannot be asked, the user is."""
        from memdir.hosts.denial import denial_text, unknown_rules_text

        try:
            judged = self._judged(tool, given, known)
        except Exception as error:  # noqa: BLE001 - a call that cannot be judged is not let through
            return "ask", unknown_rules_text(f"{type(error).__name__}: {error}")
        if judged.verdict != "allow":
            return judged.verdict, denial_text(judged)
        return ("ask", unknown_rules_text(known.unknown)) if known.unknown else ("allow", "")

    def _judged(self, tool: str, given: "Mapping[str, Any]", known: "CompiledRules") -> "Decision":
        from memdir.rules.book import decide

        book, place = self._rule_book(), self.setup.place
        rules = book.rules(known.rows, f"{self.world.clock():%Y-%m-%d}")
        return decide(
            rules,
            tool,
            given,
            self.world.cwd,
            root=place.root,
            home=self.world.home,
            protected=book.protected(rules),
        )

    def _holds_rule(self, path: str) -> bool:
        """Tell whether a memory holds a rule, or may: no host may edit its own rules away."""
        from memdir.errors import MemdirError
        from memdir.memories.enforce import holds_rule

        try:
            return holds_rule(self.writer().memories.read_file(self._file(path)).text)
        except MemdirError:
            return os.path.lexists(path)

    def _file(self, path: str) -> str:
        """Return a real path below the memory directory as its memories are called."""
        return os.path.relpath(path, os.path.realpath(self.setup.place.directory)).replace(os.sep, "/")

    def _rule_book(self) -> "RuleBook":
        from memdir.rules.book import RuleBook

        place = self.setup.place
        return RuleBook(os.path.realpath(place.directory), place.state, place.config_home)

    def _path(self, tool: str, given: "Mapping[str, Any]") -> str | None:
        """Return the real path of a file in the memory directory that a call is about; None for any other."""
        path = given.get("file_path") or given.get("notebook_path")
        if not isinstance(path, str) or tool.lower() not in (*WRITING_TOOLS, "read"):
            return None
        found = contain(self.setup.place.directory, os.path.join(self.world.cwd, path))
        return None if isinstance(found, Refused) else found

    def _record(self, *paths: str) -> None:
        """Write down in the host's name what it wrote, and bring the index up to date."""
        from contextlib import suppress

        from memdir.errors import HistoryError

        if not self.writer().memories.exists():
            return
        by = Provenance("host", "assistant", session=self.world.session, reason="written by the host itself")
        for file in [self._file(path) for path in paths]:
            with suppress(HistoryError):  # without history it is pointed at all the same
                if is_topic_file(file):
                    self.writer().note_outside(self.world.clock(), by, file=file)
        self.writer().heal(self.world.clock())

    def _record_shell(self, given: "Mapping[str, Any]") -> None:
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
            self._record(*map(os.path.realpath, written))

    def _touched(self, given: "Mapping[str, Any]") -> str:
        """Return the instructions that a call adds: by the file it is about, or those its command names."""
        command, path = given.get("command"), given.get("file_path") or given.get("notebook_path")
        path = path or given.get("path")
        if isinstance(path, str):
            return self._loaded([os.path.join(self.world.cwd, path)])
        return self._nested(" ".join(map(str, command)) if isinstance(command, list) else str(command or ""))

    def _nested(self, text: str) -> str:
        """Return the instructions of the folders whose files a prompt or a command names."""
        from memdir.hosts.tools import named_files

        return self._loaded(named_files(text, self.world.cwd))

    def _loaded(self, paths: list[str]) -> str:
        return self._load(paths) if paths else ""

    def _load(self, paths: Sequence[str] = ()) -> str:
        instructions = self.instructions()
        return instructions.render(instructions.load(paths))

    def _freshness(self, path: str) -> str:
        from memdir.memories.catalog.row import saved_time
        from memdir.memories.topic import days_old, freshness_note

        try:
            saved = saved_time(os.stat(path).st_mtime_ns)
        except OSError:
            return ""
        is_memory = path.endswith(".md") and os.path.basename(path) != INDEX_NAME
        return freshness_note(days_old(saved, self.world.clock())) if is_memory else ""

    def _picks(self) -> str:
        """Return what a model picked, as much as the turn has room for; the rest counts as never shown."""
        picks = Picks(self.setup.place.state, self.world.session).take() if self.setup.verdict.on else []
        if not picks:
            return ""
        recaller = self.recaller(False)
        room = max(0, self._room(recaller))
        recaller.conversation.give_back(pick.file for pick in picks[room:])
        recaller.conversation.add_to_turn(len(picks[:room]))
        return "\n".join([pick.text for pick in picks[:room]])


def _leads_nowhere(path: str) -> bool:
    """Tell a path that ends in a link to what is not there, such as a disk, from one that was never made."""
    path = path.rstrip(os.sep)
    while path != os.path.dirname(path) and not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.islink(path) and not os.path.exists(path)


def _joined(*texts: str) -> Answer:
    return Answer("\n".join([text for text in texts if text]))
