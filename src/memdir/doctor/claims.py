"""Checks of what memories claim about the project, against its files and its git."""

from collections.abc import Iterator
from datetime import datetime

from memdir.doctor.finding import Finding
from memdir.memories.directory import MemoryDir
from memdir.verify.check import stale_memories
from memdir.verify.project import Project
from memdir.verify.verdicts import finding_lines

__all__ = ["claim_findings"]

_SECONDS = 20.0
"""For all memories together: an examination may take a while, not a coffee."""


def claim_findings(memories: MemoryDir, project: Project, now: datetime) -> Iterator[Finding]:
    """Report memories that name what the project no longer has as they describe it."""
    for checked in stale_memories(memories.topics(), project, now, _SECONDS):
        said = "; ".join(finding_lines(checked))
        hint = "Correct or forget it; `memdir verify NAME` shows every claim."
        yield Finding("stale", f"{checked.file}: {said}", hint, checked.file, severity="advice")
