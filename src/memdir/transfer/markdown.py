"""Read memories that others keep: a folder of Markdown notes, and the graph of the MCP memory server."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from memdir.disk.files import Folder
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import Rejected
from memdir.memories.draft import complete, render_draft
from memdir.memories.names import INDEX_NAME, file_name, slug
from memdir.memories.proposed_names import propose_description, propose_kind
from memdir.memories.scan import Skipped
from memdir.memories.topic import Draft, Kind, Provenance, kind_named, topic_from
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import parse
from memdir.text.value import replace
from memdir.transfer.plan import MOST_FILES, ImportSource, IncomingFile, read_topics

__all__ = ["knowledge_graph", "markdown_folder"]

_LARGEST = 64_000_000
"""Bytes of a graph: some hundred thousand observations."""

_TRUST_KEYS = ("enforce", "pinned", "source", "actor")
"""Keys of a header that claim something; notes of others have them only by accident or by intent."""


def markdown_folder(path: str) -> ImportSource:
    """Read a folder of notes (Obsidian, basic-memory, Codex); each note gets the header of a memory."""
    refused: list[Skipped] = []
    with Folder(path) as folder:
        notes = list(read_topics(folder, refused))
        if folder.exists(INDEX_NAME):
            data, status = folder.read(INDEX_NAME)
            whole = f"{os.path.basename(os.path.dirname(os.path.abspath(path))).lstrip('.')}-memory.md"
            text = data.decode("utf-8", "surrogateescape")
            notes.append(IncomingFile(whole, text, status.st_mtime_ns))
    used: set[str] = set()
    topics = tuple(_as_memory(note, used) for note in notes if note.text.strip())
    return ImportSource("markdown", path, topics, refused=tuple(refused))


def knowledge_graph(path: str) -> ImportSource:
    """Read the file of the MCP reference memory server: one memory an entity, its relations as links."""
    data = regular_bytes(path, _LARGEST)
    if isinstance(data, Unread):
        raise Rejected(f"{path} cannot be read: {data.because}.")
    saved_ns = os.stat(path).st_mtime_ns
    entities, links, refused = dict[str, tuple[str, list[str]]](), dict[str, list[str]](), list[Skipped]()
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if line.strip() and (problem := _take(line, entities, links)):
            refused.append(Skipped(f"line {number}", problem))
    unknown = [name for name in links if name not in entities]
    refused += [Skipped(f"relations of {name[:60]!r}", "there is no such entity") for name in unknown]
    for name in list(entities)[MOST_FILES:]:
        refused.append(Skipped(name, f"an import has at most {MOST_FILES:,} files"))
        del entities[name]
    used: set[str] = set()
    topics = tuple(
        _entity(name, sort, (*said, *links.get(name, [])), saved_ns, used)
        for name, (sort, said) in entities.items()
    )
    return ImportSource("mcp", path, topics, refused=tuple(refused))


def _as_memory(note: IncomingFile, used: set[str]) -> IncomingFile:
    """Return a note with name, description and kind in its header; its other lines stay byte for byte."""
    topic = topic_from(note.file, note.text)
    front, header = parse(note.text), topic.header
    stem = note.file.rpartition("/")[2].removesuffix(".md")
    name = slug(front.fields.get("name") or front.fields.get("title") or stem)
    kind = header.kind or propose_kind(topic.body or stem)
    text = note.text
    for key in _TRUST_KEYS:
        text = with_value(text, f"metadata.{key}", None) if key in front.metadata else text
    text = with_value(text, "name", name)
    if not header.description:
        text = with_value(text, "description", propose_description(topic.body or stem))
    if not header.kind:
        key = "metadata.type" if front.fields.get("type") else "type"
        text = with_value(text, key, str(kind))
    file = file_name(str(kind), name, used)
    used.add(file.casefold())
    return IncomingFile(file, text, note.saved_ns)


def _take(line: str, entities: dict[str, tuple[str, list[str]]], links: dict[str, list[str]]) -> str:
    """Take one line of a graph in; return what is wrong with it."""
    try:
        row = json.loads(line)
        if row["type"] == "entity":
            observations = [str(one) for one in row.get("observations", [])]
            _, known = entities.setdefault(str(row["name"]), (str(row.get("entityType", "")), []))
            known += observations
        elif row["type"] == "relation":
            links.setdefault(str(row["from"]), []).append(f"{row['relationType']} [[{slug(str(row['to']))}]]")
        else:
            return f"{str(row['type'])[:40]!r} is neither an entity nor a relation"
    except (ValueError, KeyError, TypeError, RecursionError):
        return "it is no entity and no relation"
    return ""


def _entity(name: str, sort: str, said: Sequence[str], saved_ns: int, used: set[str]) -> IncomingFile:
    lines = [f"- {' '.join(one.split())}" for one in said]
    about = f"{name} ({sort})" if sort else name
    body = "\n".join([f"{about}:", "", *lines]) if lines else f"{about}."
    person = Kind.USER if re.fullmatch("(?i)(default_)?(user|me)", sort) else None
    kind = kind_named(sort) or person or propose_kind(body)
    when = datetime.fromtimestamp(saved_ns // 10**9, UTC)
    told = "; ".join(" ".join(one.split()) for one in said[:2])
    description = f"{about}: {told}"[:150].rstrip(": ")
    draft = Draft(body, kind, name[:100], description, source="import", literal=True)
    done = replace(complete(draft, when.date()), saved_at=when)
    text = render_draft(done, Provenance(actor="user", source="import"), when, None)
    file = file_name(str(kind), done.name, used)
    used.add(file.casefold())
    return IncomingFile(file, text, saved_ns)
