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
from memdir.store.writer import Writer

__all__ = ["examined"]

_BY = Provenance(actor="user", source="user", reason="doctor --fix")


def examined(writer: Writer, now: datetime, *, setup: Setup | None = None, fix: bool = False) -> Report:
    """Run every check; with `fix`, mend what can be mended and mark it so."""
    found = list(_findings(writer, now, setup))
    if not fix or not writer.memories.exists():
        return Report(tuple(found))
    mend_modes(writer.memories)
    mend_topics(writer, _BY, now)
    writer.heal(now)
    left = {(f.code, f.file) for f in _findings(writer, now, setup)}
    return Report(tuple(replace(f, fixed=f.fixable and (f.code, f.file) not in left) for f in found))


def _findings(writer: Writer, now: datetime, setup: Setup | None) -> Iterator[Finding]:
    checks: list[Callable[[], Iterator[Finding]]] = [
        lambda: place_findings(writer.memories, setup),
        lambda: record_findings(writer, now),
        lambda: topic_findings(writer, now),
        lambda: index_findings(writer.memories),
    ]
    for check in checks:
        yield from check()
