"""Agent types as they are defined in Markdown or JSON, and the directory in which each keeps its memory."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum

from memdir.config.identity import checkout_root
from memdir.config.layout import Layout
from memdir.config.safe_path import Refused, contain
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import NoSuchMemory, Rejected
from memdir.text.frontmatter.header import parse
from memdir.text.value import value_class

__all__ = [
    "AgentDefinition",
    "AgentPlaces",
    "AgentScope",
    "agent_scope",
    "definition_named",
    "definitions",
    "definitions_in_json",
    "folder_name",
    "with_memory_tools",
]

_LARGEST = 1_000_000
_MEMORY_TOOLS = ("Read", "Edit", "Write")
_FOLDERS = {"user": "agent-memory", "project": "agent-memory", "local": "agent-memory-local"}
_SNAPSHOTS = "agent-memory-snapshots"


class AgentScope(StrEnum):
    """Where the memory of an agent type holds."""

    USER = "user"
    """In every project of this user."""
    PROJECT = "project"
    """In this project, for everyone who has it: the directory is checked in."""
    LOCAL = "local"
    """In this project, on this machine."""


@value_class(frozen=True, slots=True)
class AgentDefinition:
    """One agent type."""

    name: str
    description: str
    memory: AgentScope | None
    """None where it keeps no memory."""
    tools: tuple[str, ...] | None
    """The tools that it may use; None where it has those of its host."""
    place: str
    """The file that defines it; empty for one that was given as JSON."""


@value_class(frozen=True, slots=True)
class AgentPlaces:
    """The folders of agent types: their definitions, memories and snapshots.

    The project is the directory in which a conversation began, as in Claude Code, not its repository's root.
    """

    layout: Layout
    config_home: str
    project: str

    def memory(self, name: str, scope: AgentScope) -> str:
        """Return the memory directory of an agent type; a link that leads out of the project is refused."""
        if scope is AgentScope.USER:
            return os.path.join(self.config_home, _FOLDERS[scope], folder_name(name))
        return self._safe_directory(_FOLDERS[scope], folder_name(name))

    def snapshot(self, name: str) -> str:
        """Return the folder of the snapshot that the project carries of an agent type's memory."""
        return self._safe_directory(_SNAPSHOTS, folder_name(name))

    def existing_directories(self) -> dict[tuple[AgentScope, str], str]:
        """Return the memory directories of agent types that are there, by scope and type."""
        found: dict[tuple[AgentScope, str], str] = {}
        for scope in AgentScope:
            try:
                top = os.path.dirname(self.memory("x", scope))
            except Rejected:  # a link that leads out of the project: nothing of ours is there
                continue
            names = sorted(os.listdir(top)) if os.path.isdir(top) else []
            for name in filter(_NAME.fullmatch, names):
                path = self.memory(name, scope)
                found |= {(scope, name): path} if os.path.isdir(path) else {}
        return found

    def definition_folders(self) -> list[str]:
        """Return where definitions lie: the user's own, then those of the project, the nearest last."""
        last, above = checkout_root(self.project), [os.path.realpath(self.project)]
        while above[-1] not in (last, os.path.dirname(above[-1])):
            above.append(os.path.dirname(above[-1]))
        folders = [os.path.join(one, self.layout.dot_folder, "agents") for one in reversed(above)]
        return [os.path.join(self.config_home, "agents"), *folders]

    def _safe_directory(self, *names: str) -> str:
        path = os.path.join(self.project, self.layout.dot_folder, *names)
        found = contain(os.path.realpath(self.project), os.path.relpath(path, self.project))
        if isinstance(found, Refused):
            raise Rejected(f"{path} cannot hold the memory of an agent type: {found.because}.")
        return found


def folder_name(name: str) -> str:
    """Return the folder of an agent type: a colon becomes a dash; what could be a path is refused."""
    made = name.replace(":", "-")
    if not _NAME.fullmatch(made):
        raise Rejected(
            f"{name[:60]!r} is no name of an agent type: use letters, digits, dots, - and _, at most 100."
        )
    return made


def agent_scope(word: str) -> AgentScope:
    """Return the scope of that name; raise for another word."""
    with suppress(ValueError):
        return AgentScope(word)
    raise Rejected(f"{word!r} is not a scope of agent memory. Use one of {', '.join(AgentScope)}.")


def definitions(places: AgentPlaces) -> list[AgentDefinition]:
    """Return the agent types that are defined in files, by name; one of the project outranks the user's."""
    found: dict[str, AgentDefinition] = {}
    for folder in places.definition_folders():
        names = list[str]()
        with suppress(OSError):
            names = sorted(os.listdir(folder))
        for path in [os.path.join(folder, name) for name in names if name.endswith(".md")]:
            data = regular_bytes(path, _LARGEST)
            fields = {} if isinstance(data, Unread) else parse(data.decode("utf-8", "replace")).fields
            if name := fields.get("name"):
                found[name] = _definition(name, fields, path)
    return sorted(found.values(), key=lambda one: one.name)


def definitions_in_json(text: str) -> list[AgentDefinition]:
    """Return the agent types of a JSON object by name, as hosts take them on their command line."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"The agent types are no JSON: {error}.") from error
    rows = content.items() if isinstance(content, dict) else ()
    return [_definition(str(name), row, "") for name, row in rows if isinstance(row, dict)]


def definition_named(known: Sequence[AgentDefinition], name: str) -> AgentDefinition:
    """Return one agent type by its name."""
    found = next((one for one in known if one.name == name), None)
    if found is None:
        raise NoSuchMemory(
            f"No agent type is called {name!r}. `memdir agent list` shows those that there are."
        )
    return found


def with_memory_tools(tools: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return a list of tools with those that memory needs; a host's own set is left as it is."""
    if tools is None:
        return None
    named = [tool.partition("(")[0] for tool in tools]
    return (*tools, *[tool for tool in _MEMORY_TOOLS if tool not in named and "*" not in named])


def _definition(name: str, row: Mapping[str, object], place: str) -> AgentDefinition:
    word, tools = row.get("memory"), row.get("tools")
    scope = AgentScope(word) if isinstance(word, str) and word in set(AgentScope) else None
    return AgentDefinition(name, str(row.get("description") or ""), scope, _tools(tools), place)


def _tools(value: object) -> tuple[str, ...] | None:
    """Read a list of tools, also one in a header: names between commas, in brackets or behind dashes."""
    if value is None:
        return None
    if isinstance(value, list):
        return tuple(str(one) for one in value)
    words = re.split(r",(?![^()]*\))|\n", str(value).strip().strip("[]"))
    return tuple(word for one in words if (word := one.strip().lstrip("- ").strip("\"' ")))


_NAME = re.compile(r"(?!\.)[A-Za-z0-9._-]{1,100}(?<!\.)")
