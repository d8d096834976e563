"""The notes of a conversation, `sessions/<session id>.md` in a memory directory, and their sections.

The file is written whole or not at all; headings and descriptions stay as the template has them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from memdir.conversation.state import session_hash
from memdir.conversation.transcripts import newest_first
from memdir.disk.files import Folder, make_folder, storage_errors, sweep
from memdir.disk.lock import DirectoryLock
from memdir.errors import Conflict
from memdir.text.clip import BYTES_PER_TOKEN, tokens
from memdir.text.value import value_class

__all__ = [
    "NotesFile",
    "NotesTemplate",
    "condense",
    "long_sections",
    "newest_session",
    "parse_template",
]

_FOLDER = "sessions"


@value_class(frozen=True, slots=True)
class NotesFile:
    """The notes of one conversation."""

    directory: str
    state: str
    session: str

    @property
    def file(self) -> str:
        """Return the path below the memory directory; an id that cannot be a name is hashed."""
        name = self.session if _PLAIN.fullmatch(self.session) else session_hash(self.session)
        return f"{_FOLDER}/{name}.md"

    @property
    def path(self) -> str:
        """Return the absolute path."""
        return os.path.join(self.directory, *self.file.split("/"))

    def text(self) -> str:
        """Return the notes; empty when there are none."""
        if not os.path.isdir(self.directory):
            return ""
        with storage_errors("The notes could not be read"), Folder(self.directory) as folder:
            return _text(folder, self.file)

    def put(self, was: str, text: str) -> None:
        """Replace the notes if they still read as they were seen; else `Conflict`."""
        fallback = os.path.join(self.state, "directory.lock")
        with (
            storage_errors("The notes were not saved"),
            make_folder(self.directory) as folder,
            DirectoryLock(self.directory, fallback),
        ):
            if _text(folder, self.file) != was:
                raise Conflict(
                    "The notes were changed by someone else meanwhile. Nothing was written. Try again."
                )
            folder.write(self.file, text.encode("utf-8", "replace"))
            sweep(os.path.join(self.directory, _FOLDER))


def newest_session(directory: str) -> str:
    """Return the conversation whose notes were written last; empty when there are none."""
    found = newest_first(os.path.join(directory, _FOLDER), ".md")
    return os.path.basename(found[0]).removesuffix(".md") if found else ""


_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")


def _text(folder: Folder, file: str) -> str:
    found = folder.read_if_there(file)
    return found[0].decode("utf-8", "replace") if found else ""


@value_class(frozen=True, slots=True)
class NotesSection:
    """One section of the template."""

    heading: str
    """The line as it stands, with its marks."""
    about: str = ""
    """The line below it that says what belongs there."""

    @property
    def name(self) -> str:
        """Return the heading in plain words."""
        return self.heading.lstrip("# ").strip()


@value_class(frozen=True, slots=True)
class NotesTemplate:
    """The fixed sections in their order."""

    sections: tuple[NotesSection, ...]

    def render(self, bodies: Mapping[str, str]) -> str:
        """Return notes with these texts, by the names of their sections."""
        parts = []
        for section in self.sections:
            lines = [section.heading, *([section.about] if section.about else [])]
            body = bodies.get(section.name, "").strip()
            parts.append("\n".join([*lines, *(["", body] if body else [])]))
        return "\n\n".join(parts) + "\n"

    def bodies(self, notes: str) -> dict[str, str]:
        """Return the text below each heading; what stands under others belongs to the section before it."""
        marks = {section.about: section for section in self.sections if section.about}
        marks |= {section.heading.strip(): section for section in self.sections}
        found: dict[str, list[str]] = {section.name: [] for section in self.sections}
        current = self.sections[0]
        for line in notes.split("\n"):
            if section := marks.get(line.strip()):
                current = section
            else:
                found[current.name].append(line.rstrip())
        return {name: re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() for name, lines in found.items()}

    def normalise(self, notes: str) -> str:
        """Return the notes with every heading and description as the template has it."""
        return self.render(self.bodies(notes))


def parse_template(text: str) -> NotesTemplate | None:
    """Return the template that a text holds; None when it has no heading at the start of a line."""
    sections: list[NotesSection] = []
    for line in text.split("\n"):
        if re.match(r"#{1,6} +\S", line):
            sections.append(NotesSection(line.rstrip()))
        elif sections and not sections[-1].about and re.fullmatch(r"_.+_", line.strip()):
            sections[-1] = NotesSection(sections[-1].heading, line.strip())
    names = [section.name for section in sections]
    return NotesTemplate(tuple(sections)) if names and len(set(names)) == len(names) else None


def long_sections(template: NotesTemplate, notes: str, section_tokens: int, file_tokens: int) -> list[str]:
    """Return the sections that have to be condensed; when only the whole is too long, the longest ones."""
    sizes = {name: tokens(body) for name, body in template.bodies(notes).items()}
    long = [name for name, size in sizes.items() if size > section_tokens]
    if long or tokens(notes) <= file_tokens:
        return long
    return sorted(sizes, key=lambda name: sizes[name], reverse=True)[:3]


def condense(template: NotesTemplate, notes: str, section_tokens: int, file_tokens: int) -> str:
    """Return notes within their limits: long sections lose their last lines, the log at the end its first."""
    bodies, log = template.bodies(notes), template.sections[-1].name
    limit = section_tokens
    while True:
        short = {name: _cut(body, limit, from_start=name == log) for name, body in bodies.items()}
        text = template.render(short)
        if tokens(text) <= file_tokens or limit <= _FEWEST:
            return text
        limit = limit * 3 // 4


_FEWEST = 16
"""Tokens of a section below which cutting ends: the headings alone may be over a tiny limit."""


def _cut(body: str, limit: int, *, from_start: bool) -> str:
    """Return the lines that fit, at least one, which is cut if it must be."""
    if tokens(body) <= limit:
        return body
    room = limit * BYTES_PER_TOKEN
    kept: list[str] = []
    for line in reversed(body.split("\n")) if from_start else body.split("\n"):
        room -= len(line.encode()) + 1
        if room < 0 and kept:
            break
        kept.append(line)
    text = "\n".join(reversed(kept) if from_start else kept)
    return text.encode()[: limit * BYTES_PER_TOKEN].decode("utf-8", "ignore")
