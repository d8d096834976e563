"""`memory.doctor`: what is wrong with a memory directory and with all that leads to it, and the repairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from memdir.build import Parts, all_headers, all_topics, topic_called
from memdir.doctor.directory import (
    admission_findings,
    claim_findings,
    history_findings,
    index_findings,
    mend_topics,
    topic_findings,
)
from memdir.doctor.environment import (
    extract_findings,
    hook_findings,
    host_findings,
    instruction_findings,
    mend_modes,
    orphan_findings,
    place_findings,
    recall_findings,
    sync_findings,
    token_findings,
)
from memdir.doctor.finding import DoctorReport, Finding, finding, findings_of, shown_finding
from memdir.doctor.status import Status, status_of
from memdir.hosts.setup import HostsHandle
from memdir.inbox.proposals import Proposals
from memdir.memories.contradiction.candidates import rival_hints
from memdir.memories.names import TEAM_FOLDER
from memdir.memories.topic import Provenance
from memdir.memories.writer import Writer
from memdir.sync.remotes import Remotes
from memdir.team.remote import TeamLink
from memdir.text.value import replace, value_class
from memdir.verify.check import verify_all
from memdir.verify.verdicts import MemoryVerdict

__all__ = ["Doctor"]

_BY = Provenance(actor="user", source="user", reason="doctor --fix")

_WORST_FIRST = ("place", "check-failed", "not-mended", "host-command", "index-folder", "setting", "not-read")
"""Problems that keep the rest from working or from being found, in this order; other problems follow."""


@value_class(frozen=True, slots=True)
class Doctor:
    """The checks of one memory directory and of all that leads to it."""

    _parts: Parts

    def examine(self, *, fix: bool = False) -> DoctorReport:
        """Look for everything that is wrong or could be better, and mend what can be mended."""
        parts, report = self._parts, _examine(self._parts, fix=fix)
        found, operations = [*report.findings], report.operations
        found += findings_of("the tokens of hubs", _hub_findings(parts))
        if parts.team is None:
            return DoctorReport(tuple(found), operations)
        theirs = _examine(parts.team, fix=fix)
        known = {(one.code, one.message) for one in found}
        for one in theirs.findings:
            if (one.code, one.message) not in known and one.code != "permissions":
                file = f"{TEAM_FOLDER}{one.file}" if one.file else ""
                found += [replace(one, message=f"In team memory: {one.message}", file=file)]
        found += findings_of("the sync of team memory", _team_findings(parts, parts.team))
        found.sort(key=lambda one: one.severity != "problem")
        return DoctorReport(tuple(found), (*operations, *theirs.operations))

    def status(self) -> Status:
        """Return the figures of this directory: place, counts, sizes, what waits."""
        return status_of(self._parts)

    def status_line(self) -> str:
        """Return one short line, for prompts of shells and status lines."""
        if not self._parts.verdict.on:
            return "memdir off"
        waiting = len(Proposals(self._parts.writer, self._parts.world.clock).list())
        return f"memdir {len(all_headers(self._parts))}" + (f", inbox {waiting}" if waiting else "")

    def verify(self, name: str = "", *, seconds: float = 60.0) -> list[MemoryVerdict]:
        """Check what one memory, or each of them, claims about the project: newest first, no model asked."""
        parts = self._parts
        parts.verdict.require_on()
        topics = [topic_called(parts, name)] if name else all_topics(parts)
        return verify_all(topics, parts.project(), parts.world.clock(), seconds)

    def contradictions(self, name: str) -> Sequence[str]:
        """Return hints at what a memory may contradict, each with how to replace that."""
        parts, inside = self._parts.owner(name)
        file, team = parts.memories.file_of(inside), self._parts.team
        return rival_hints(parts.memories, file, team.memories if team and team is not parts else None)


def _hub_findings(parts: Parts) -> Iterator[Finding]:
    """Report tokens of private and team memory; the file of remotes may be damaged."""
    remotes = Remotes(parts.effective_setup.place.config_home)
    yield from token_findings([remotes.of(parts.directory, audience) for audience in ("private", "team")])


def _team_findings(parts: Parts, team: Parts) -> Iterator[Finding]:
    """Report the last sync of team memory, where it has a remote."""
    if chosen := Remotes(parts.effective_setup.place.config_home).of(parts.directory, "team"):
        link = TeamLink(team.writer, chosen, parts.world)
        yield from sync_findings(*link.trouble(), len(link.status().waiting))


def _examine(parts: Parts, *, fix: bool) -> DoctorReport:
    """Run every check of one directory; with `fix`, mend what can be mended and mark it so."""
    now = parts.world.clock()
    found, operations = _findings(parts, now), list[str]()
    if fix and parts.memories.exists():
        mend_modes(parts.memories)
        for mend in (Writer.set_index_folder_aside, mend_topics, Writer.mend_index):
            try:
                operations.insert(0, mend(parts.writer, _BY, now))
            except Exception as error:  # noqa: BLE001 - what could not be mended is a finding too
                told = getattr(error, "strerror", None) or f"{error} ({type(error).__name__})"
                found.append(shown_finding(finding("not-mended", told)))
        left = {(f.code, f.file) for f in _findings(parts, now)}
        found = [replace(f, fixed=f.fixable and (f.code, f.file) not in left) for f in found]
    ranks = {code: rank for rank, code in enumerate(_WORST_FIRST)}
    found.sort(key=lambda f: (f.severity != "problem", ranks.get(f.code, len(ranks))))
    return DoctorReport(tuple(found), tuple(filter(None, operations)))


def _findings(parts: Parts, now: datetime) -> list[Finding]:
    checks = _checks(parts, now)
    return [shown_finding(one) for name, check in checks for one in findings_of(name, check)]


def _checks(parts: Parts, now: datetime) -> Iterator[tuple[str, Iterable[Finding]]]:
    """Yield each check with its subject; a check does nothing before its findings are asked for."""
    writer, memories, setup = parts.writer, parts.memories, None if parts.shared else parts.setup
    yield "the place", place_findings(memories, setup)
    if setup:
        yield "orphans", orphan_findings(memories, parts.identity)
        yield "the hooks", hook_findings(setup)
        yield "recall", recall_findings(parts)
        yield "extraction", extract_findings()
        yield "the agents", host_findings(HostsHandle(parts).setup())
    yield "the history", history_findings(writer, now)
    yield "the memories", topic_findings(writer, now)
    if parts.shared:
        yield "what may be shared", admission_findings(memories)
    if setup:
        yield "what memories claim", claim_findings(parts, now)
    yield "the index", index_findings(memories)
    if setup:
        yield "the instructions", instruction_findings(parts)
