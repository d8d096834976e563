"""Private and team memory seen as one: which directory a name means, both listed together, drafts saved.

It imports late and does without `typing`: a verb loads its own feature alone.
"""

from contextlib import suppress

from memdir.build import Parts
from memdir.text.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from memdir.memories.change import Saved
    from memdir.memories.topic import Draft, Header, Kind, Topic

    T = TypeVar("T")

__all__ = ["all_headers", "all_topics", "from_private", "readable", "save_drafts"]


def readable(parts: Parts, name: str) -> "tuple[Parts, str]":
    """Return whose memory a name means and what it is called there, to read it.

    A memory of the team is also found by its bare name where no private one has it.
    """
    owner, inside = parts.owner(name)
    if parts.team is None or owner is not parts:
        return owner, inside
    from memdir.errors import NoSuchMemory

    for one in parts.audiences:
        with suppress(NoSuchMemory):
            one.memories.scan()
            return one, one.memories.file_of(name)
    return parts, name


def from_private(private: Parts, parts: Parts, value: "T") -> "T":
    """Return a value as private memory sees it: a file of the team lies in its folder."""
    if parts is private:
        return value
    from memdir.team.audience import as_team

    return as_team(value)


def all_headers(parts: Parts, kind: "Kind | str | None" = None, limit: int | None = None) -> "list[Header]":
    """Return the headers of private and team memories, newest first."""
    found = [one.memories.scan(limit, kind) for one in parts.audiences]
    if len(found) == 1:
        return found[0]
    from memdir.team.audience import as_team

    both = [*found[0], *map(as_team, found[1])]
    return sorted(both, key=lambda header: header.saved_at, reverse=True)[:limit]


def all_topics(parts: Parts) -> "Iterator[Topic]":
    """Yield every memory read whole, the private ones first."""
    for one in parts.audiences:
        yield from (from_private(parts, one, topic) for topic in one.memories.topics())


def save_drafts(
    parts: Parts, drafts: "Sequence[Draft]", actor: str, reason: str, *, allow_secret: bool, strict: bool
) -> "list[Saved]":
    """Save drafts, and return them as private memory sees them.

    A rule that is saved in an agent's shell counts as the agent's, with a warning.
    """
    from memdir.memories.draft import least_trusted

    writer, world, warnings = parts.usable.writer, parts.world, tuple[str, ...]()
    by = parts.provenance(actor, least_trusted(draft.source for draft in drafts), reason)
    if any(draft.enforce.strip() for draft in drafts):
        from memdir.memories.history.authorship import PLANTED, as_agents

        if planted := as_agents(world.env, drafts, by):
            (drafts, by), warnings = planted, (PLANTED,)
    saved = writer.save(drafts, by, world.clock(), allow_secret=allow_secret, strict=strict)
    if warnings:
        saved = [replace(one, warnings=(*one.warnings, *warnings)) for one in saved]
    if parts.shared:
        from memdir.team.audience import as_team

        return [as_team(one) for one in saved]
    return saved
