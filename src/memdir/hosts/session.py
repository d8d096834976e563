"""One conversation of a host: what it is told and what is done for it at each event.

A host waits for this module: it imports late and does without `typing`.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from memdir.build import Parts
from memdir.config.world import variable
from memdir.conversation.state import Conversation
from memdir.disk.files import drop_expired, make_folder, read_once
from memdir.hook_paths import picks_path
from memdir.hosts.protocol import HostAnswer
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Event
    from typing import Any

    from memdir.hosts.tool_calls import ToolCalls
    from memdir.recall.recaller import Recaller
    from memdir.rules.compiler import CompiledRules
    from memdir.workers.queue import JobRequest

__all__ = ["ASK_SECONDS", "HostSession", "Pick", "leave_picks", "take_picks"]

ASK_SECONDS = 10.0
"""How long a prompt may wait for a model: later its picks would come after the answer."""

_MOST = 20
"""Picks that wait for one conversation, the newest: a turn is shown a quarter of them at the most."""

_STALE_SECONDS = 0.3
"""How long the start of a conversation may look for memories whose claims no longer hold."""


@value_class(frozen=True, slots=True)
class HostSession:
    """Serves one conversation: one method for each event. Each event may run in a process of its own."""

    parts: Parts
    cwd: str
    """Where the conversation is now: a command may have led it elsewhere."""

    def begin(self, source: str, *, uninstructed: bool = False, tools: Sequence[str] = ()) -> HostAnswer:
        """Make the directory, and return what the host does not load itself.

        These are the guide to memory and its index, instructions if the host reads none, news, and notes. A
        host that loads this memory itself is told only what our settings change.
        """
        from memdir.config.location import host_loads_it
        from memdir.prompt.guide import Reader
        from memdir.prompt.news import notes_text, orphans_text

        parts, context = self.parts, self.parts.context
        if not parts.verdict.on:
            context.prompt()  # empty, and leaves a line that says which rule switched memory off
            return HostAnswer()
        told = []
        if uninstructed:
            told += [context.prompt(reader=Reader(tools=tuple(tools))), self._load()]
        elif host_loads_it(parts.effective_setup, parts.world):
            told.append(context.additions())
        else:
            told.append(context.prompt(with_index=True, reader=Reader(explained=True)))
        if source == "compact":
            context.after_compaction()
            told.append(notes_text(parts.notes.read().for_compaction))
        else:
            told += [_news(parts), orphans_text(parts.identity.notice())]
        return _join_texts(*told, between="\n\n")

    def prompt(self, query: str, *, uninstructed: bool = False, spent: float = 0.0) -> HostAnswer:
        """Return the memories that fit a prompt, and what a model picked for an earlier one.

        If the host reads no instructions, add those of the folders whose files the prompt names. `spent` is
        how many seconds the prompt has waited already; recall gets at least half of its budget.
        """
        nested = self._nested_instructions(query) if uninstructed else ""
        recaller = self.parts.recaller_for(asks=False)
        if self._asks_model():
            recaller.conversation.begin_turn()
        picks, budget, room = self._picks(), recaller.limits.budget, _room(recaller)
        recall = recaller.recall(query, limit=room, budget=max(budget - spent, budget / 2))
        if self._asks_model():
            recaller.conversation.add_to_turn(len(recall.files) + len(recall.likely))
        jobs = ("prepare",) if recall.unfinished else ()
        return replace(_join_texts(picks, nested, recall.text), jobs=jobs)

    def prepare(self) -> None:
        """Compute what a prompt had no time for, unless another process does it."""
        from memdir.errors import LockTimeout
        from memdir.workers.queue import RequestQueue

        with suppress(LockTimeout), RequestQueue(self.parts.state, "prepare").hold_lock(0):
            self.parts.recaller_for(asks=False).prepare()

    def wants_model(self, query: str, transcript: str = "") -> bool:
        """Tell whether another process should ask a model about a prompt; if so, leave the request."""
        from memdir.recall.limits import skip_reason

        if not self._asks_model() or skip_reason(query):
            return False
        from memdir.text.secrets.search import mask_secrets
        from memdir.workers.queue import RequestQueue

        at = str(int(self.parts.world.clock().timestamp()))
        asked = {"query": mask_secrets(query), "at": at, "transcript": transcript}
        RequestQueue(self.parts.state, "ask").ask(self.parts.world.session, asked)
        return True

    def ask_model(self, seconds: float, cancel: "Event | None" = None) -> int:
        """Have a model choose for the prompts that wait, and leave its picks for the next event."""
        from memdir.workers.queue import RequestQueue

        return RequestQueue(self.parts.state, "ask").work(lambda request: self._ask(request, seconds, cancel))

    def silent_events(self, known: "CompiledRules") -> tuple[str, ...]:
        """Return the events that need no answer as long as neither settings nor memories change.

        `rules` stands for tool calls that the rules allow. While rules may still change unseen, return none.
        """
        if not self.parts.verdict.on:
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

        return ToolCalls(self.parts, self.cwd)

    def before_tool(
        self, tool: str, given: "Mapping[str, Any]", known: "CompiledRules | None" = None
    ) -> HostAnswer:
        """Return the decision of the rules about a call, and of the review if it writes a memory.

        `known` are the rules, if the caller has compiled them already.
        """
        if not self.parts.verdict.on:
            return HostAnswer()
        calls = self.tool_calls
        verdict, because = calls.judge(tool, given, known or calls.known_rules())
        picks = self._picks()
        decided = HostAnswer(picks) if verdict == "allow" else HostAnswer(picks, verdict, because)
        review = calls.review_write(tool, given) if verdict != "deny" else HostAnswer()
        if decided.decision and review.decision != "deny":
            return decided
        return replace(review, context=_join_texts(picks, review.context).context)

    def after_tool(self, tool: str, given: "Mapping[str, Any]", *, uninstructed: bool = False) -> HostAnswer:
        """Record what the host wrote, say how old a memory is that it read, and load nested instructions.

        Instructions only if the host loads none: those of the folder that the tool touched, once.
        """
        from memdir.text.program_names import SHELL_TOOLS, WRITING_TOOLS

        calls, name, on = self.tool_calls, tool.lower(), self.parts.verdict.on
        path = calls.memory_path(tool, given) if on else None
        if on and name in SHELL_TOOLS:
            calls.record_shell(given)
        if path is None:
            text = self._touched_instructions(given) if uninstructed else ""
        elif name in WRITING_TOOLS:
            text = calls.record_write(path)
        else:
            text = calls.freshness(path)
        return _join_texts(self._picks(), text)

    def _ask(self, request: "JobRequest", seconds: float, cancel: "Event | None") -> bool:
        """Ask a model about one prompt; drop a request that is too old to be of use."""
        parts, asked, asked_at = self.parts, request.details, request.details.get("at", "")
        late = not asked_at.isdecimal() or parts.world.clock().timestamp() - int(asked_at) > ASK_SECONDS
        talk, recaller = Conversation(parts.state, request.session), parts.recaller
        room = recaller.limits.files - talk.shown_in_turn()
        if recaller.model is not None and not late and room > 0:
            from memdir.conversation.transcripts import tools_in_use

            recall = recaller.recall(
                asked.get("query", ""),
                limit=room,
                recent_tools=tools_in_use(asked.get("transcript", "")),
                budget=seconds,
                called_off=cancel,
                conversation=talk,
            )
            if recall.files:
                leave_picks(parts.state, request.session, [*map(Pick, recall.files, recall.blocks)])
        return True

    def _asks_model(self) -> bool:
        """Tell whether a model chooses memories too; then one turn is shown memories at several events."""
        settings, env = self.parts.effective_setup.settings, self.parts.world.env
        return self.parts.verdict.on and bool(settings["model"].value or variable(env, "MEMDIR_MODEL"))

    def _touched_instructions(self, given: "Mapping[str, Any]") -> str:
        """Return the instructions that a call adds: by the file it is about, or those its command names."""
        command = given.get("command", given.get("cmd"))
        path = given.get("file_path") or given.get("notebook_path") or given.get("path")
        if isinstance(path, str):
            return self._load([os.path.join(self.cwd, path)])
        words = command if isinstance(command, list) else [command or ""]
        return self._nested_instructions(" ".join(map(str, words)))

    def _nested_instructions(self, text: str) -> str:
        """Return the instructions of the folders whose files a prompt or a command names."""
        from memdir.hosts.tools import named_files

        paths = named_files(text, self.cwd)
        return self._load(paths) if paths else ""

    def _load(self, paths: Sequence[str] = ()) -> str:
        instructions = self.parts.instructions
        return instructions.render(instructions.load(paths))

    def _picks(self) -> str:
        """Return what a model picked, as much as the turn has room for; the rest counts as never shown."""
        parts = self.parts
        picks = take_picks(parts.state, parts.world.session) if parts.verdict.on else []
        if not picks:
            return ""
        recaller = parts.recaller_for(asks=False)
        room = max(0, _room(recaller))
        recaller.conversation.give_back(pick.file for pick in picks[room:])
        recaller.conversation.add_to_turn(len(picks[:room]))
        return "\n".join([pick.text for pick in picks[:room]])


def _room(recaller: "Recaller") -> int:
    """Return how many memories the present turn may still be shown."""
    return recaller.limits.files - recaller.conversation.shown_in_turn()


def _news(parts: Parts) -> str:
    """Return what happened since the last conversation: proposals, outside changes, jobs, stale memories."""
    from memdir.conversation.outcomes import Outcomes
    from memdir.errors import MemdirError
    from memdir.inbox.proposals import Inbox
    from memdir.memories.names import TEAM_FOLDER
    from memdir.prompt.news import News
    from memdir.verify.check import stale_memories

    changed, now = list[str](), parts.world.clock()
    for one, folder in zip(parts.audiences, ("", TEAM_FOLDER), strict=False):
        with suppress(MemdirError):
            outside = one.writer.note_outside(now)
            changed += [f"{folder}{file}" for file in outside.files] if outside else []
    stale = stale_memories(parts.memories.topics(), parts.project(), now, _STALE_SECONDS)
    came = Outcomes(parts.state).take()
    wrote = tuple([(one.job, one.said, one.operation) for one in came if one.wrote])
    failed = tuple([(one.job, one.said) for one in came if not one.wrote])
    files = tuple([checked.file for checked in stale])
    return News(Inbox(parts.state).count(), tuple(changed), files, wrote, failed).render_news()


def _join_texts(*texts: str, between: str = "\n") -> HostAnswer:
    return HostAnswer(between.join([text for text in texts if text]))


@value_class(frozen=True, slots=True)
class Pick:
    """One memory that waits to be shown."""

    file: str
    text: str


def leave_picks(state: str, session: str, picks: Sequence[Pick]) -> None:
    """Leave what to show in a conversation, after what nobody took yet.

    One asker works at a time, so nobody else leaves anything between the two steps.
    """
    import json

    place, name = os.path.split(picks_path(state, session))
    rows = [[pick.file, pick.text] for pick in (*take_picks(state, session), *picks)]
    with make_folder(place) as folder:
        folder.replace_cache(name, json.dumps(rows[-_MOST:]).encode())
    drop_expired(place, name, lambda name: name.startswith("picks-"))


def take_picks(state: str, session: str) -> list[Pick]:
    """Return what waits to be shown in a conversation, once, the oldest first."""
    data = read_once(*os.path.split(picks_path(state, session)))
    if not data:
        return []
    import json

    with suppress(ValueError, TypeError):
        return [Pick(str(file), str(text)) for file, text in json.loads(data)]
    return []
