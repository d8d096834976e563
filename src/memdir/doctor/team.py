"""The checks of team memory: of its directory like those of the private one, and of its last sync."""

from collections.abc import Iterator

from memdir.doctor.finding import DoctorReport, Finding
from memdir.memories.names import TEAM_FOLDER
from memdir.text.value import replace

__all__ = ["sync_findings", "with_team"]


def with_team(private: DoctorReport, team: DoctorReport, more: Iterator[Finding]) -> DoctorReport:
    """Return both reports as one; what is said of the team's directory says so."""
    known = {(one.code, one.message) for one in private.findings}
    shared = [_of_team(one) for one in team.findings if (one.code, one.message) not in known]
    found = [*private.findings, *[one for one in shared if one.code != "permissions"], *more]
    ordered = sorted(found, key=lambda one: one.severity != "problem")
    return DoctorReport(tuple(ordered), (*private.operations, *team.operations))


def sync_findings(failed_at: str, failed: str, waiting: int) -> Iterator[Finding]:
    """Report that the last sync of team memory did not work; nobody waited for it."""
    if failed:
        count = f" {waiting} changes wait to be sent." if waiting else ""
        hint = "`memdir sync` tries again; so does the next conversation."
        message = f"Team memory was not synced on {failed_at[:10]}: {failed}{count}"
        yield Finding("team-sync", message, hint, severity="advice")


def _of_team(one: Finding) -> Finding:
    file = f"{TEAM_FOLDER}{one.file}" if one.file else ""
    return replace(one, message=f"In team memory: {one.message}", file=file)
