"""The context of a conversation in parts, each with its place, side of the cache boundary and price."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from enum import StrEnum

from memdir.prompt.templates import PromptSection, filled
from memdir.text.clip import tokens
from memdir.text.templates import Prose
from memdir.text.value import value_class

__all__ = ["CacheSide", "Context", "HostTexts", "OurTexts", "Part", "PartPlace", "assemble"]


class PartPlace(StrEnum):
    """Where a part is put."""

    SYSTEM = "system"
    FIRST_USER = "first user message"


class CacheSide(StrEnum):
    """On which side of the cache boundary a part lies."""

    BEFORE = "before"
    """The same bytes in every conversation of this host, so that its cache holds."""
    AFTER = "after"
    """Differs between people, projects or days."""


@value_class(frozen=True, slots=True)
class HostTexts:
    """What the host says itself, as it wants it said; empty texts are left out."""

    attribution: str = ""
    prefix: str = ""
    introduction: str = ""
    system: str = ""
    doing_tasks: str = ""
    tools: str = ""
    user_specific: str = ""
    """System text that depends on who works where, other than memory."""
    output_style: str = ""
    language: str = ""
    mcp_instructions: str = ""
    appended: str = ""


@value_class(frozen=True, slots=True)
class OurTexts:
    """What memdir has to say, in sections, so that each can be priced."""

    mechanics: tuple[PromptSection, ...] = ()
    instructions: tuple[PromptSection, ...] = ()
    index: tuple[PromptSection, ...] = ()
    team_index: tuple[PromptSection, ...] = ()


@value_class(frozen=True, slots=True)
class Part:
    """One text of the context."""

    slot: str
    """Where it stands in the order: a field of `HostTexts` or `OurTexts`."""
    name: str
    """The section's own name; that of the slot for a host's text."""
    place: PartPlace
    side: CacheSide
    text: str
    tokens: int
    """Estimated; a provider's count is better."""


@value_class(frozen=True, slots=True)
class Context:
    """All parts in order, and the texts that are ready to be sent."""

    parts: tuple[Part, ...]

    @property
    def before_boundary(self) -> str:
        """What can be cached across conversations; the system text starts with exactly this."""
        return _join_parts(self._at(PartPlace.SYSTEM, CacheSide.BEFORE))

    @property
    def after_boundary(self) -> str:
        """The rest of the system text."""
        return _join_parts(self._at(PartPlace.SYSTEM, CacheSide.AFTER))

    @property
    def system(self) -> str:
        """The whole system text."""
        return _JOINT.join([side for side in (self.before_boundary, self.after_boundary) if side])

    @property
    def first_user(self) -> str:
        """What opens the first user message, in a block that sets it apart from the user's own words."""
        content = _join_parts(self._at(PartPlace.FIRST_USER, CacheSide.AFTER))
        return filled("first_user", content=_unclosing(content)) if content else ""

    @property
    def tokens(self) -> int:
        """The sum of the parts' estimates."""
        return sum(part.tokens for part in self.parts)

    def _at(self, place: PartPlace, side: CacheSide) -> list[Part]:
        return [part for part in self.parts if (part.place, part.side) == (place, side)]


def assemble(host: HostTexts, ours: OurTexts) -> Context:
    """Return the context in its fixed order; nothing of ours lies before the cache boundary."""
    given = {field.name: getattr(host, field.name) for field in fields(host)}
    told = {field.name: getattr(ours, field.name) for field in fields(ours)}
    sections = {slot: (PromptSection(slot, text),) for slot, text in given.items()} | told
    return Context(tuple(_parts(sections)))


_STABLE = ("attribution", "prefix", "introduction", "system", "doing_tasks", "tools")
_VARYING = ("mechanics", "user_specific", "output_style", "language", "mcp_instructions", "appended")
_FIRST_USER = ("instructions", "index", "team_index")
_ORDER = (
    *((slot, PartPlace.SYSTEM, CacheSide.BEFORE) for slot in _STABLE),
    *((slot, PartPlace.SYSTEM, CacheSide.AFTER) for slot in _VARYING),
    *((slot, PartPlace.FIRST_USER, CacheSide.AFTER) for slot in _FIRST_USER),
)

_JOINT = "\n\n"
_CLOSING = re.compile(r"<(?=\s*/\s*system-reminder)", re.IGNORECASE)


def _parts(sections: dict[str, tuple[PromptSection, ...]]) -> Iterator[Part]:
    for slot, place, side in _ORDER:
        for section in sections[slot]:
            if section.text.strip():
                yield Part(slot, section.name, place, side, section.text, tokens(section.text))


def _join_parts(parts: Iterable[Part]) -> str:
    return _JOINT.join([part.text for part in parts])


def _unclosing(content: str) -> Prose:
    """Return the content unable to close the block around it; people's instructions stay as written else."""
    return Prose(_CLOSING.sub("&lt;", content))
