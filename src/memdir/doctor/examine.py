"""The examination: every check in order, and with `fix` the repairs before they are checked again."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from memdir.config.locate import Setup
from memdir.core.topic import Provenance
from memdir.doctor.finding import Finding, Report
from memdir.doctor.index import index_findings
from memdir.doctor.place import mend_modes, place_findings
from memdir.doctor.records import record_findings
from memdir.doctor.topics import mend_topics, topic_findings
from memdir.store.memory_dir import MemoryDir

__all__ = ["examined"]

_BY = Provenance(actor="user", source="user", reason="doctor --fix")


def examined(memories: MemoryDir, now: datetime, *, setup: Setup | None = None, fix: bool = False) -> Report:
    """Run every check; with `fix`, mend what can be mended and mark it so."""
    found = list(_findings(memories, now, setup))
    if not fix or not memories.exists():
        return Report(tuple(found))
    mend_modes(memories)
    mend_topics(memories, _BY, now)
    memories.heal(now)
    left = {(f.code, f.file) for f in _findings(memories, now, setup)}
    return Report(tuple(replace(f, fixed=f.fixable and (f.code, f.file) not in left) for f in found))


def _findings(memories: MemoryDir, now: datetime, setup: Setup | None) -> Iterator[Finding]:
    checks: list[Callable[[], Iterator[Finding]]] = [
        lambda: place_findings(memories, setup),
        lambda: record_findings(memories, now),
        lambda: topic_findings(memories, now),
        lambda: index_findings(memories),
    ]
    for check in checks:
        yield from check()
