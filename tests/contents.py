"""What a memory directory holds: its index file, and memories by their names."""

from pathlib import Path

from memdir.memory import Memory

__all__ = ["index_path", "memory_names"]


def index_path(memory: Memory) -> Path:
    """Return the path of its index file."""
    return Path(memory.directory) / "MEMORY.md"


def memory_names(memory: Memory) -> list[str]:
    """Return the names of all memories, in order."""
    return sorted(header.name for header in memory.list())
