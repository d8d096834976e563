"""What a memory holds: its index file, memories by their names, the rules in force, and its inner parts."""

from pathlib import Path

from memdir.build import Parts
from memdir.memory import Memory
from memdir.rules.compiler import CompiledRules, compile_rules

__all__ = ["compiled_rules", "index_path", "memory_names", "parts_of"]


def index_path(memory: Memory) -> Path:
    """Return the path of its index file."""
    return Path(memory.directory) / "MEMORY.md"


def memory_names(memory: Memory) -> list[str]:
    """Return the names of all memories, in order."""
    return sorted(header.name for header in memory.list())


def parts_of(memory: Memory) -> Parts:
    """Return the parts that it is made of, for tests of promises about the inside."""
    return memory._parts


def compiled_rules(memory: Memory) -> CompiledRules:
    """Return the lines of rules of all its memories."""
    return compile_rules(lambda: parts_of(memory).recorder, memory.directory, memory.state)
