"""`memory.agent`: the memories of agent types, their prompts and tools, and the snapshots of a project."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from memdir.agents.definition import (
    AgentDefinition,
    AgentPlaces,
    AgentScope,
    agent_scope,
    definition_named,
    definitions,
    definitions_in_json,
    with_memory_tools,
)
from memdir.agents.snapshot import (
    AgentSnapshot,
    SnapshotState,
    SnapshotUse,
    record_taken,
    snapshot_at,
    snapshot_times,
    write_snapshot,
)
from memdir.build import Parts
from memdir.config.location import state_for
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.change import Change, file_bytes, shown_text
from memdir.prompt.guide import Reader
from memdir.prompt.templates import filled
from memdir.text.secrets.search import find_secrets
from memdir.text.value import replace, value_class
from memdir.transfer.plan import (
    Imported,
    ImportSource,
    OnExisting,
    PlannedFile,
    apply_import,
    memory_folder,
    plan_import,
)

if TYPE_CHECKING:
    from memdir.memory import Memory

__all__ = ["AgentPrompt", "AgentsHandle", "TakenSnapshot", "WrittenSnapshot", "agent_parts", "agent_places"]


@value_class(frozen=True, slots=True)
class AgentPrompt:
    """What an agent type is told about its memory, and the tools that it needs for it."""

    text: str
    """Mechanics, the line on its scope, and the index."""
    directory: str
    scope: AgentScope
    tools: tuple[str, ...] | None
    """Its own list with those of memory added; None where it has the tools of its host."""


@value_class(frozen=True, slots=True)
class WrittenSnapshot:
    """A snapshot that was made."""

    folder: str
    timestamp: str
    files: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """Files with credentials: a snapshot is checked in."""


@value_class(frozen=True, slots=True)
class TakenSnapshot:
    """What was done with a snapshot."""

    snapshot: AgentSnapshot
    imported: Imported
    files: tuple[PlannedFile, ...] = ()


@value_class(frozen=True, slots=True)
class AgentsHandle:
    """The agent types that a conversation here can start."""

    _parts: Parts
    _memory: Callable[[Parts], Memory]

    def __call__(self, name: str, scope: str = "") -> Memory:
        """Return the memory of one agent type; without a scope, that of its definition."""
        return self._memory(agent_parts(self._parts, name, self._scope(name, scope)))

    def list(self, agents: str = "") -> list[AgentDefinition]:
        """Return the agent types of files, and of a JSON object if given, which outranks them."""
        known = {one.name: one for one in definitions(agent_places(self._parts))}
        known |= {one.name: one for one in (definitions_in_json(agents) if agents else ())}
        return sorted(known.values(), key=lambda one: one.name)

    def prompt(self, name: str, scope: str = "", *, agents: str = "", preview: bool = False) -> AgentPrompt:
        """Return what a host that does not do so itself adds to the prompt and tools of an agent type."""
        chosen = self._scope(name, scope, agents)
        parts = agent_parts(self._parts.usable, name, chosen)
        defined = next((one for one in self.list(agents) if one.name == name), None)
        tools = with_memory_tools(defined.tools if defined else None)
        line = filled(f"agent_scope_{chosen}", name=name)
        reader = Reader(tools=tools or (), guidelines=(line,))
        text = parts.context.prompt(mode="private", with_index=True, reader=reader, preview=preview)
        return AgentPrompt(text, os.path.join(parts.directory, ""), chosen, tools)

    def create_snapshot(self, name: str) -> WrittenSnapshot:
        """Put the memory that an agent type has for its user into the project, for others to begin with."""
        parts = agent_parts(self._parts, name, AgentScope.USER)
        if not parts.memories.exists():
            raise NoSuchMemory(
                f"The agent type {name!r} has no memory yet: {parts.directory} is not there. "
                "`memdir agent list` shows where each keeps its own."
            )
        source = memory_folder(parts.directory)
        secret = [one.file for one in source.topics if find_secrets(one.text)]
        kept = [one for one in source.topics if one.file not in secret]
        index = [source.index] if source.index and not find_secrets(source.index.text) else []
        files = {one.file: (file_bytes(one.text), one.saved_ns or 0) for one in (*kept, *index)}
        folder = agent_places(self._parts).snapshot(name)
        stamp = write_snapshot(folder, files, parts.world.clock())
        record_taken(parts.state, AgentSnapshot(folder, stamp, SnapshotState.CURRENT))
        return WrittenSnapshot(folder, stamp, tuple(files), tuple(secret))

    def snapshot(self, name: str) -> AgentSnapshot:
        """Return the snapshot that the project carries, and whether it begins, offers or adds nothing."""
        parts = agent_parts(self._parts, name, AgentScope.USER)
        has = bool(parts.memories.scan(1))
        return snapshot_at(agent_places(self._parts).snapshot(name), parts.state, has_memory=has)

    def apply_snapshot(self, name: str, use: str = "merge") -> TakenSnapshot:
        """Take the project's snapshot in as one step that can be undone; without a memory it is the first."""
        parts, found = agent_parts(self._parts.usable, name, AgentScope.USER), self.snapshot(name)
        if found.state is SnapshotState.NONE:
            raise NoSuchMemory(
                f"There is no snapshot of {name!r}: {found.folder} holds none. "
                f"`memdir agent snapshot create {name}` makes one."
            )
        how = SnapshotUse(use)
        if how is SnapshotUse.KEEP and found.state is not SnapshotState.INITIALISE:
            record_taken(parts.state, found)
            return TakenSnapshot(found, Imported("", ()))
        existing = OnExisting.REPLACE if how is SnapshotUse.REPLACE else OnExisting.RENAME
        source = _snapshot_source(found.folder)
        plan = plan_import(parts.writer, source, existing, reason=f"snapshot of {found.timestamp}")
        if how is SnapshotUse.REPLACE:
            kept = {one.file for one in source.topics} | {edit.file for edit in plan.edits}
            plan = replace(plan, files=(*plan.files, *_surplus(parts, kept)))
        by = parts.provenance("user", "import", plan.reason)
        done = apply_import(parts.writer, plan, by, parts.world.clock(), "snapshot")
        record_taken(parts.state, found)
        return TakenSnapshot(found, done, plan.files)

    def _scope(self, name: str, scope: str, agents: str = "") -> AgentScope:
        if scope:
            return agent_scope(scope)
        found = definition_named(self.list(agents), name)
        if found.memory is None:
            raise Rejected(
                f"The agent type {name!r} keeps no memory: its definition has no `memory:`. "
                "Add `memory: user`, `project` or `local` to it, or name a scope."
            )
        return found.memory


def agent_places(parts: Parts) -> AgentPlaces:
    """Return the folders that agent types have to do with, seen from where a conversation began."""
    setup = parts.effective_setup
    return AgentPlaces(setup.layout, setup.place.config_home, parts.world.cwd)


def agent_parts(own: Parts, name: str, scope: AgentScope) -> Parts:
    """Return the parts of the memory of one agent type; it is on when that of the project is."""
    directory = os.path.realpath(agent_places(own).memory(name, scope))
    state = state_for(directory, own.world, own.effective_setup.place.config_home)
    return Parts(own.world, directory, state, own.verdict, options=own.options)


def _snapshot_source(folder: str) -> ImportSource:
    times, source = snapshot_times(folder), memory_folder(folder, "snapshot")
    topics = tuple(replace(one, saved_ns=times.get(one.file, one.saved_ns)) for one in source.topics)
    return replace(source, topics=topics, logs=())


def _surplus(parts: Parts, kept: set[str]) -> Iterator[PlannedFile]:
    """Yield the removal of what the snapshot does not have."""
    for header in parts.memories.scan():
        version = None if header.file in kept else parts.writer.version_now(header.file)
        if version is not None:
            edit = Change(header.file, shown_text(version.text), None)
            yield PlannedFile(header.file, "forget", "the snapshot has none", edit)
