"""One conversation of a host: what it is told and what is done for it at each event.

A host waits for this module: it imports late and does without `typing`.
"""

import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from memdir.config.location import Setup
from memdir.config.variables import variable
from memdir.config.world import World
from memdir.conversation.state import Conversation
from memdir.disk.files import drop_expired, make_folder, read_once
from memdir.hosts.host import HostAnswer
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event
    from typing import Any

    from memdir.context import ContextBuilder
    from memdir.hosts.tool_calls import ToolCalls
    from memdir.instructions.project import ProjectInstructions
    from memdir.memories.writer import Writer
    from memdir.recall.recaller import Recaller
    from memdir.rules.compiler import CompiledRules
    from memdir.verify.project import Project
    from memdir.workers.queue import JobRequest

__all__ = ["ASK_SECONDS", "HostSession", "Pick", "Picks"]

ASK_SECONDS = 10.0
"""How long a prompt may wait for a model to be asked about it; later picks are for what is long answered."""

_FOLDER, _PREFIX = "conversations", "picks-"
_MOST = 20
"""Picks that wait for one conversation, the newest: a turn is shown a quarter of them at the most."""

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
    team: "Callable[[], Writer | None]" = lambda: None
    """What changes team memories; None while team memory is off."""
    orphans: Callable[[], str] = str
    """What to tell about memories that may belong to this project; empty when that is nothing new."""

    def in_directory(self, cwd: str) -> "HostSession":
        """Return the same for an event that takes place in another directory."""
        return replace(self, world=replace(self.world, cwd=cwd))

    def begin(self, source: str, *, uninstructed: bool = False, tools: Sequence[str] = ()) -> HostAnswer:
        """Make the directory, and return what the host does not load itself.

        That is how memory works and its index, instructions where it reads none, news, and notes. One that
        keeps this memory itself is told what our settings change in it.
        """
        from memdir.config.location import host_loads_it
        from memdir.prompt.guide import Reader
        from memdir.prompt.news import notes_text, orphans_text

        context = self.context()
        if not self.setup.verdict.on:
            context.prompt()  # empty, and leaves a line that says which rule switched memory off
            return HostAnswer()
        told = []
        if uninstructed:
            reader = Reader(tools=tuple(tools))
            told += [context.prompt(reader=reader), self._load()]
        elif host_loads_it(self.setup, env=self.world.env, cwd=self.world.cwd, home=self.world.home):
            told.append(context.additions())
        else:
            told.append(context.prompt(with_index=True, reader=Reader(explained=True)))
        if source == "compact":
            self.after_compaction()
            told.append(notes_text(self.notes()))
        else:
            told += [_news(self), orphans_text(self.orphans())]
        return HostAnswer("\n\n".join([text for text in told if text]))

    def prompt(self, query: str, *, uninstructed: bool = False, spent: float = 0.0) -> HostAnswer:
        """Return the memories that fit a prompt, and what a model picked for an earlier one.

        Where the host reads no instructions, also those of the folders whose files the prompt names. `spent`
        are seconds that the prompt has waited already; half of its time is for recall in any case.
        """
        nested = self._nested_instructions(query) if uninstructed else ""
        recaller = self.recaller(False)
        if self._asks_model():
            recaller.conversation.begin_turn()
        picks, budget, room = self._picks(), recaller.limits.budget, self._room(recaller)
        recall = recaller.recall(query, limit=room, budget=max(budget - spent, budget / 2))
        if self._asks_model():
            recaller.conversation.add_to_turn(len(recall.files) + len(recall.likely))
        return replace(
            _join_texts(picks, nested, recall.text), jobs=("prepare",) if recall.unfinished else ()
        )

    def prepare(self) -> None:
        """Do what a prompt had no time for, unless another process is at it."""
        from contextlib import suppress

        from memdir.errors import LockTimeout
        from memdir.workers.queue import RequestQueue

        with suppress(LockTimeout), RequestQueue(self.setup.place.state, "prepare").hold_lock(0):
            self.recaller(False).prepare()

    def wants_model(self, query: str, transcript: str = "") -> bool:
        """Tell whether a model should be asked about a prompt too, by another process; leave the request."""
        from memdir.recall.turn import skip_reason

        if not self._asks_model() or skip_reason(query):
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
            lambda request: self._ask(request, seconds, cancel)
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

    @property
    def tool_calls(self) -> "ToolCalls":
        """What judges and records tool calls."""
        from memdir.hosts.tool_calls import ToolCalls

        return ToolCalls(self.setup, self.world, self.writer, self.team)

    def before_tool(
        self, tool: str, given: "Mapping[str, Any]", known: "CompiledRules | None" = None
    ) -> HostAnswer:
        """Return what enforced memories say about a call, and how a write of a memory is taken.

        Whoever compiled the rules already hands them over.
        """
        from memdir.text.program_names import WRITING_TOOLS

        if not self.setup.verdict.on:
            return HostAnswer()
        calls = self.tool_calls
        verdict, because = calls.judge(tool, given, known or calls.known_rules())
        picks = self._picks()
        decided = HostAnswer(picks) if verdict == "allow" else HostAnswer(picks, verdict, because)
        path = calls.memory_path(tool, given) if verdict != "deny" else None
        if path is None or tool.lower() not in WRITING_TOOLS:
            return decided
        from memdir.hosts.host_writes import review_write

        review = review_write(path, calls.file_name(path), tool, given, holds_rule=calls.holds_rule(path))
        if decided.decision and review.decision != "deny":
            return decided
        return HostAnswer(
            "\n".join([text for text in (picks, review.context) if text]), review.decision, review.because
        )

    def after_tool(self, tool: str, given: "Mapping[str, Any]", *, uninstructed: bool = False) -> HostAnswer:
        """Record and mend what the host wrote, say how old a memory is that it read, and load instructions.

        The last only where the host does not: those of the folder that a tool touched, once a conversation.
        """
        from memdir.text.program_names import SHELL_TOOLS, WRITING_TOOLS

        calls = self.tool_calls
        path = calls.memory_path(tool, given) if self.setup.verdict.on else None
        if self.setup.verdict.on and tool.lower() in SHELL_TOOLS:
            calls.record_shell(given)
        if path is None:
            return _join_texts(self._picks(), self._touched_instructions(given) if uninstructed else "")
        if tool.lower() in WRITING_TOOLS:
            from memdir.hosts.host_writes import contradiction_hint

            calls.record(path)
            writer, file = calls.owner(calls.file_name(path))
            return _join_texts(self._picks(), contradiction_hint(writer.memories, file))
        return _join_texts(self._picks(), calls.freshness(path))

    def after_compaction(self) -> None:
        """Let instructions load and memories be shown again: the model no longer sees them."""
        self.context().after_compaction()

    def _ask(self, request: "JobRequest", seconds: float, cancel: "Event | None") -> bool:
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

    def _touched_instructions(self, given: "Mapping[str, Any]") -> str:
        """Return the instructions that a call adds: by the file it is about, or those its command names."""
        command, path = given.get("command"), given.get("file_path") or given.get("notebook_path")
        path = path or given.get("path")
        if isinstance(path, str):
            return self._load([os.path.join(self.world.cwd, path)])
        return self._nested_instructions(
            " ".join(map(str, command)) if isinstance(command, list) else str(command or "")
        )

    def _nested_instructions(self, text: str) -> str:
        """Return the instructions of the folders whose files a prompt or a command names."""
        from memdir.hosts.tools import named_files

        paths = named_files(text, self.world.cwd)
        return self._load(paths) if paths else ""

    def _load(self, paths: Sequence[str] = ()) -> str:
        instructions = self.instructions()
        return instructions.render(instructions.load(paths))

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


def _news(session: HostSession) -> str:
    """Return what happened since the last conversation: proposals, outside changes, jobs, stale memories."""
    from memdir.conversation.outcomes import Outcomes
    from memdir.inbox.proposals import Inbox
    from memdir.memories.names import TEAM_FOLDER
    from memdir.prompt.news import News

    team = session.team()
    changed = [*_outside(session, session.writer()), *(_outside(session, team, TEAM_FOLDER) if team else ())]
    state = session.setup.place.state
    came = Outcomes(state).take()
    wrote = tuple([(one.job, one.said, one.operation) for one in came if one.wrote])
    failed = tuple([(one.job, one.said) for one in came if not one.wrote])
    return News(Inbox(state).count(), tuple(changed), _stale(session), wrote, failed).render_news()


def _outside(session: HostSession, writer: "Writer", folder: str = "") -> list[str]:
    """Return the files of a directory that others changed, and record them."""
    from memdir.errors import MemdirError

    try:
        outside = writer.note_outside(session.world.clock())
    except MemdirError:
        outside = None
    return [f"{folder}{file}" for file in outside.files] if outside else []


def _stale(session: HostSession) -> tuple[str, ...]:
    from memdir.verify.check import stale_memories

    found = stale_memories(
        session.writer().memories.topics(), session.project(), session.world.clock(), _STALE_SECONDS
    )
    return tuple([checked.file for checked in found])


def _join_texts(*texts: str) -> HostAnswer:
    return HostAnswer("\n".join([text for text in texts if text]))


@value_class(frozen=True, slots=True)
class Pick:
    """One memory that waits to be shown."""

    file: str
    text: str


class Picks:
    """The picks that wait for one conversation; whoever takes them first is the only one."""

    def __init__(self, state: str, session: str) -> None:
        """Remember where they lie; `hooks.reply_cache` looks for this name too."""
        self._folder = os.path.join(state, _FOLDER)
        self._name = f"{_PREFIX}{zlib.crc32(session.encode('utf-8', 'surrogatepass')):08x}"

    def leave(self, picks: Sequence[Pick]) -> None:
        """Leave what to show, after what nobody took yet.

        One asker works at a time, so nobody else leaves anything between the two steps.
        """
        import json

        rows = [[pick.file, pick.text] for pick in (*self.take(), *picks)]
        with make_folder(self._folder) as folder:
            folder.replace_cache(self._name, json.dumps(rows[-_MOST:]).encode())
        drop_expired(self._folder, self._name, lambda name: name.startswith(_PREFIX))

    def take(self) -> list[Pick]:
        """Return what waits, once, the oldest first."""
        data = read_once(self._folder, self._name)
        if not data:
            return []
        import json

        with suppress(ValueError, TypeError):
            return [Pick(str(file), str(text)) for file, text in json.loads(data)]
        return []
