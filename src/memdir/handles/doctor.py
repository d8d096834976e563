"""`memory.doctor`: what is wrong with a memory directory, and the repairs."""

from collections.abc import Sequence

from memdir.build import Parts
from memdir.doctor.examination import Examination, examine
from memdir.doctor.finding import DoctorReport, findings_of
from memdir.doctor.status import Status, status_line, status_of
from memdir.doctor.surroundings import sync_findings, token_findings, with_team
from memdir.handles.audiences import all_headers, all_topics, from_private, resolve_audience
from memdir.handles.hosts import HostsHandle
from memdir.handles.team import TeamHandle
from memdir.inbox.proposals import Proposals
from memdir.memories.contradiction.rivals import rival_hints, team_rival_hints
from memdir.recall.semantic.weights import weights_folder
from memdir.sync.remotes import Remotes
from memdir.text.value import replace, value_class
from memdir.verify.check import verify_all
from memdir.verify.verdicts import MemoryVerdict

__all__ = ["DoctorHandle"]


@value_class(frozen=True, slots=True)
class DoctorHandle:
    """The checks of one memory directory and of all that leads to it."""

    _parts: Parts

    def examine(self, *, fix: bool = False) -> DoctorReport:
        """Look for everything that is wrong or could be better, and mend what can be mended."""
        parts, setup = self._parts, self._parts.setup
        around = (parts.instructions.discover, parts.project, HostsHandle(parts).setup) if setup else ()
        own = Examination(parts.writer, setup, weights_folder(parts.world.env), *around)
        own = replace(own, orphans=parts.identity.likely_orphans) if setup else own
        report, now = examine(own, parts.world.clock(), fix=fix), parts.world.clock()
        remotes = Remotes(parts.effective_setup.place.config_home)
        chosen = (remotes.of(parts.directory, audience) for audience in ("private", "team"))
        tokens = findings_of("the tokens of hubs", lambda: token_findings(chosen))
        report = replace(report, findings=(*report.findings, *tokens))
        if parts.team is None:
            return report
        shared = examine(Examination(parts.team.writer, shared=True), now, fix=fix)
        team = TeamHandle(parts).status()
        more = sync_findings(team.failed_at, team.failed, len(team.waiting))
        return with_team(report, shared, more)

    def status(self) -> Status:
        """Return the figures of this directory: place, counts, sizes, what waits."""
        setup = self._parts.setup
        warnings = setup.warnings if setup else ()
        return status_of(self._parts.writer, self._parts.effective_setup.place.config_home, warnings)

    def status_line(self) -> str:
        """Return one short line, for prompts of shells and status lines."""
        parts = self._parts
        if not parts.verdict.on:
            return status_line(on=False)
        waiting = Proposals(parts.writer, parts.world.clock).list()
        return status_line(on=True, memories=len(all_headers(parts)), waiting=len(waiting))

    def verify(self, name: str = "", *, seconds: float = 60.0) -> list[MemoryVerdict]:
        """Check what one memory, or each of them, claims about the project: newest first, no model asked."""
        parts = self._parts
        parts.verdict.require_on()
        one, inside = resolve_audience(parts, name, reads=True) if name else (parts, "")
        topics = [from_private(parts, one, one.memories.read(inside))] if name else all_topics(parts)
        return verify_all(topics, parts.project(), parts.world.clock(), seconds)

    def contradictions(self, name: str) -> Sequence[str]:
        """Return hints at what a memory may contradict, each with how to replace that."""
        parts, inside = resolve_audience(self._parts, name)
        file, team = parts.memories.file_of(inside), self._parts.team
        hints = rival_hints(parts.memories, file)
        if team is None or team is parts:
            return hints
        return [*hints, *team_rival_hints(parts.memories, file, team.memories)]
