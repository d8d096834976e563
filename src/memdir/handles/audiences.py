"""Private and team memory seen as one: which directory a name means, and both listed together.

It imports late and does without `typing`: a verb loads its own feature alone.
"""

from contextlib import suppress

from memdir.build import Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeVar

    from memdir.memories.topic import Header, Kind, Topic

    T = TypeVar("T")

__all__ = ["all_headers", "all_topics", "from_private", "resolve_audience"]


def resolve_audience(parts: Parts, name: str, *, reads: bool = False) -> "tuple[Parts, str]":
    """Return whose memory a name means and what it is called there: `team/x` is x in team memory.

    To be read, a memory of the team is also found by its bare name where no private one has it.
    """
    team = parts.team
    if team is None:
        return parts, name
    from memdir.errors import NoSuchMemory
    from memdir.team.audience import team_name

    if inside := team_name(name):
        return team, inside
    for one in (parts, team) if reads else ():
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
    found = [
        one.memories.scan(limit) if kind is None else one.memories.of_kind(kind, limit)
        for one in parts.audiences
    ]
    if len(found) == 1:
        return found[0]
    from memdir.team.audience import as_team

    both = [*found[0], *map(as_team, found[1])]
    return sorted(both, key=lambda header: header.saved_at, reverse=True)[:limit]


def all_topics(parts: Parts) -> "Iterator[Topic]":
    """Yield every memory read whole, the private ones first."""
    for one in parts.audiences:
        yield from (from_private(parts, one, topic) for topic in one.memories.topics())
