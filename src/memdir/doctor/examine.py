"""The examination: every check in order, and with `fix` the repairs before they are checked again."""

from collections.abc import Iterator
from datetime import datetime

from memdir.config.locate import Setup
from memdir.core.topic import Provenance
from memdir.core.value import replace, value_class
from memdir.doctor.claims import claim_findings
from memdir.doctor.credentials import without_credentials
from memdir.doctor.finding import Finding, Report
from memdir.doctor.hosts import host_findings
from memdir.doctor.index import index_findings
from memdir.doctor.instructions import instruction_findings
from memdir.doctor.parts import part_findings
from memdir.doctor.place import mend_modes, place_findings
from memdir.doctor.records import record_findings
from memdir.doctor.topics import mend_topics, topic_findings
from memdir.doctor.vectors import vector_findings
from memdir.errors import StorageError
from memdir.hosts.setup import HostSetup
from memdir.instructions.instruction import Discovery
from memdir.recall.verify.project import Project
from memdir.store.writer import Writer

__all__ = ["Patient", "examined"]

_BY = Provenance(actor="user", source="user", reason="doctor --fix")


@value_class(frozen=True, slots=True)
class Patient:
    """All that is examined: the directory, how it was found, the project with its instructions, the hosts."""

    writer: Writer
    setup: Setup | None = None
    discovery: Discovery | None = None
    project: Project | None = None
    hosts: HostSetup | None = None


def examined(patient: Patient, now: datetime, *, fix: bool = False) -> Report:
    """Run every check; with `fix`, mend what can be mended and mark it so."""
    found = list(map(without_credentials, _findings(patient, now)))
    writer = patient.writer
    if not fix or not writer.memories.exists():
        return Report(tuple(found))
    mend_modes(writer.memories)
    operations: list[str] = []
    for mend in (mend_topics, Writer.mend_index):
        try:
            operations.append(mend(writer, _BY, now))
        except StorageError as error:
            found.append(without_credentials(Finding("not-mended", error.strerror or str(error))))
    left = {(f.code, f.file) for f in map(without_credentials, _findings(patient, now))}
    mended = tuple(replace(f, fixed=f.fixable and (f.code, f.file) not in left) for f in found)
    return Report(mended, tuple(operation for operation in reversed(operations) if operation))


def _findings(patient: Patient, now: datetime) -> Iterator[Finding]:
    writer = patient.writer
    yield from place_findings(writer.memories, patient.setup)
    if patient.setup is not None:
        yield from part_findings(patient.setup)
        yield from vector_findings(writer.memories, patient.setup)
    if patient.hosts is not None:
        yield from host_findings(patient.hosts)
    yield from record_findings(writer, now)
    yield from topic_findings(writer, now)
    if patient.project is not None:
        yield from claim_findings(writer.memories, patient.project, now)
    yield from index_findings(writer.memories)
    if patient.discovery is not None:
        yield from instruction_findings(patient.discovery, writer.memories)
