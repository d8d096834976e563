"""What verification says about one memory on a repository of its own."""

import shutil
from datetime import datetime
from pathlib import Path

from bench.verify.histories import NOW, SAVED, History, Step, built

from memdir.memories.topic import topic_from
from memdir.text.frontmatter.header import render_header
from memdir.verify.check import verify
from memdir.verify.project import Project
from memdir.verify.verdicts import MemoryVerdict

__all__ = ["GIT", "claim_verdicts", "is_stale", "memory_verdict", "project"]

GIT = shutil.which("git")


def project(folder: Path, files: dict[str, str], *steps: Step) -> Project:
    """Make a repository with a history."""
    return Project(built(History("one", files, steps), folder), GIT)


def memory_verdict(text: str, where: Project, marks: str = "", *, at: datetime = SAVED) -> MemoryVerdict:
    """Check one memory with this text, these anchors and this age."""
    metadata = {"anchors": marks} if marks else {}
    header = render_header({"name": "one", "description": "", "type": "project"}, metadata)
    return verify(topic_from("one.md", f"{header}\n{text}\n", at), where, NOW, 30.0)


def claim_verdicts(text: str, where: Project, marks: str = "") -> list[tuple[str, str]]:
    """Return the verdict on each claim of a memory, and what is there now."""
    return [(one.verdict, one.now) for one in memory_verdict(text, where, marks).claims]


def is_stale(text: str, where: Project, marks: str = "") -> bool:
    """Tell whether a reader who relies on a memory with this text is misled."""
    return memory_verdict(text, where, marks).verdict == "stale"
