"""The examination of a memory directory: every check by itself, repairs, and the checks again."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from memdir.config.location import Setup
from memdir.doctor.contents import (
    admission_findings,
    claim_findings,
    history_findings,
    index_findings,
    mend_topics,
    topic_findings,
)
from memdir.doctor.finding import DoctorReport, Finding, findings_of, shown_finding
from memdir.doctor.surroundings import (
    extract_findings,
    hook_findings,
    host_findings,
    instruction_findings,
    mend_modes,
    orphan_findings,
    place_findings,
    recall_findings,
)
from memdir.hosts.setup import HostSetup
from memdir.instructions.instruction import Discovery
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.text.value import replace, value_class
from memdir.transfer.orphans import Orphan
from memdir.verify.project import Project

__all__ = ["Examination", "examine"]

_BY = Provenance(actor="user", source="user", reason="doctor --fix")

_WORST_FIRST = ("place", "check-failed", "not-mended", "host-command", "index-folder", "setting", "not-read")
"""Problems that keep the rest from working or from being found, in this order; other problems follow."""


@value_class(frozen=True, slots=True)
class Examination:
    """What is examined: the directory, how it was found, and what the checks ask of its project."""

    writer: Writer
    setup: Setup | None = None
    weights: str = ""
    """The folder of the weights by which recall knows meanings."""
    discovery: Callable[[], Discovery] | None = None
    project: Callable[[], Project] | None = None
    hosts: Callable[[], HostSetup] | None = None
    shared: bool = False
    """Whether it is the directory of a team."""
    orphans: Callable[[], list[Orphan]] | None = None


def examine(examination: Examination, now: datetime, *, fix: bool = False) -> DoctorReport:
    """Run every check; with `fix`, mend what can be mended and mark it so."""
    found = _findings(examination, now)
    writer = examination.writer
    if not fix or not writer.memories.exists():
        return DoctorReport(_sort_by_severity(found))
    mend_modes(writer.memories)
    operations: list[str] = []
    for mend in (Writer.set_index_folder_aside, mend_topics, Writer.mend_index):
        try:
            operations.append(mend(writer, _BY, now))
        except Exception as error:  # noqa: BLE001 - what could not be mended is a finding too
            told = getattr(error, "strerror", None) or f"{error} ({type(error).__name__})"
            found.append(shown_finding(Finding("not-mended", told)))
    left = {(f.code, f.file) for f in _findings(examination, now)}
    mended = [replace(f, fixed=f.fixable and (f.code, f.file) not in left) for f in found]
    return DoctorReport(
        _sort_by_severity(mended), tuple(operation for operation in reversed(operations) if operation)
    )


def _sort_by_severity(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return what is broken first; within one sort the order of the checks stays."""
    ranks = {code: rank for rank, code in enumerate(_WORST_FIRST)}
    return tuple(sorted(findings, key=lambda f: (f.severity != "problem", ranks.get(f.code, len(ranks)))))


def _findings(examination: Examination, now: datetime) -> list[Finding]:
    found = [one for name, check in _checks(examination, now) for one in findings_of(name, check)]
    return list(map(shown_finding, found))


def _checks(examination: Examination, now: datetime) -> Iterator[tuple[str, Callable[[], Iterable[Finding]]]]:
    """Yield each check with what it is about; nothing is read before one is called."""
    writer, setup = examination.writer, examination.setup
    discovery, project, hosts = examination.discovery, examination.project, examination.hosts
    yield "the place", lambda: place_findings(writer.memories, setup)
    if examination.orphans is not None:
        yield "orphans", lambda: orphan_findings(writer.memories, examination.orphans)
    if setup is not None:
        yield "the hooks", lambda: hook_findings(setup)
        yield "recall", lambda: recall_findings(writer.memories, examination.weights)
        yield "extraction", extract_findings
    if hosts is not None:
        yield "the agents", lambda: host_findings(hosts())
    yield "the history", lambda: history_findings(writer, now)
    yield "the memories", lambda: topic_findings(writer, now)
    if examination.shared:
        yield "what may be shared", lambda: admission_findings(writer.memories)
    if project is not None:
        yield "what memories claim", lambda: claim_findings(writer.memories, project(), now)
    yield "the index", lambda: index_findings(writer.memories)
    if discovery is not None:
        yield "the instructions", lambda: instruction_findings(discovery(), writer.memories)
