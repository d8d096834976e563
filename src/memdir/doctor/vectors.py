"""The check whether recall knows the meaning of every memory, where there is a model for it."""

from collections.abc import Iterator

from memdir.config.location import Setup
from memdir.doctor.finding import Finding
from memdir.memories.directory import MemoryDir
from memdir.recall.semantic.meaning import Meaning

__all__ = ["vector_findings"]


def vector_findings(memories: MemoryDir, setup: Setup) -> Iterator[Finding]:
    """Report how many memories have no vectors yet."""
    if count := len(Meaning(memories, setup.place.config_home).missing()):
        memory = "memory is" if count == 1 else "memories are"
        yield Finding(
            "vectors",
            f"{count:,} {memory} found by words alone: no vectors were computed yet.",
            "`memdir models learn` computes them.",
            severity="advice",
        )
