"""Memories that a text may contradict: those that share most words with it are read and judged."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress

from memdir.errors import MemdirError
from memdir.memories.contradiction.judge import may_contradict
from memdir.memories.directory import MemoryDir
from memdir.memories.names import TEAM_FOLDER
from memdir.memories.topic import Header
from memdir.text.word_starts import word_starts

__all__ = ["rival_hints", "rivals"]

_READ = 12
"""Memories that are read and judged, those with the most words in common."""

_SHOWN = 3
"""Memories that a hint names: one that contradicts more of them is better looked at by a person."""


def rivals(memories: MemoryDir, text: str, without: Container[str] = ()) -> list[tuple[Header, str]]:
    """Return the memories, as the catalog last saw them, that a text may contradict, each with the reason."""
    words = word_starts(text)
    counted = [
        (len(words & word_starts(header.description)), header)
        for header in memories.catalog.headers()
        if header.file not in without
    ]
    near = sorted((pair for pair in counted if pair[0]), key=lambda pair: -pair[0])
    found = list[tuple[Header, str]]()
    for _, header in near[:_READ]:
        with suppress(MemdirError):
            topic = memories.read_file(header.file)
            if because := may_contradict(text, f"{header.description}\n{topic.body}"):
                found.append((header, because))
    return found


def rival_hints(memories: MemoryDir, file: str, team: MemoryDir | None = None) -> list[str]:
    """Return a hint for each memory that the one in a file may contradict, and what to do about it.

    One of the same directory can be replaced; against one of the team the private one counts.
    """
    hints, topic = list[str](), memories.read_file(file)
    text = f"{topic.header.description}\n{topic.body}"
    memories.scan()
    for header, because in rivals(memories, text, {file})[:_SHOWN]:
        hints.append(
            f"This may contradict {header.name} ({because}). Save it with --supersedes {header.name} "
            f'(supersedes="{header.name}") to replace that one.'
        )
    if team:
        team.scan()
        for header, because in rivals(team, text)[:_SHOWN]:
            hints.append(
                f"This may contradict the team's {TEAM_FOLDER}{header.name} ({because}). For you yours comes "
                "first; say in it that it overrides the team's."
            )
    return hints
