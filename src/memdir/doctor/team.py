"""The checks of what is shared: the directory and the last sync of team memory, and the tokens of hubs."""

import os
from collections.abc import Iterable, Iterator

from memdir.doctor.finding import DoctorReport, Finding
from memdir.memories.names import TEAM_FOLDER
from memdir.sync.remotes import RemoteSettings
from memdir.text.value import replace

__all__ = ["sync_findings", "token_findings", "with_team"]


def with_team(private: DoctorReport, team: DoctorReport, more: Iterator[Finding]) -> DoctorReport:
    """Return both reports as one; what is said of the team's directory says so."""
    known = {(one.code, one.message) for one in private.findings}
    shared = [
        replace(
            one, message=f"In team memory: {one.message}", file=f"{TEAM_FOLDER}{one.file}" if one.file else ""
        )
        for one in team.findings
        if (one.code, one.message) not in known and one.code != "permissions"
    ]
    found = [*private.findings, *shared, *more]
    ordered = sorted(found, key=lambda one: one.severity != "problem")
    return DoctorReport(tuple(ordered), (*private.operations, *team.operations))


def sync_findings(failed_at: str, failed: str, waiting: int) -> Iterator[Finding]:
    """Report that the last sync of team memory did not work; nobody waited for it."""
    if failed:
        count = f" {waiting} changes wait to be sent." if waiting else ""
        hint = "`memdir sync` tries again; so does the next conversation."
        message = f"Team memory was not synced on {failed_at[:10]}: {failed}{count}"
        yield Finding("team-sync", message, hint, severity="advice")


def token_findings(remotes: Iterable[RemoteSettings | None]) -> Iterator[Finding]:
    """Report a token of a hub that is gone, or that others on this machine can read."""
    for one in remotes:
        if one is None or one.kind != "hub":
            continue
        try:
            mode = os.stat(one.token_file).st_mode
        except OSError:
            hint = f"Get one, then: memdir sync init {one.title}"
            yield Finding("hub-token", f"The token for {one.title} is gone: nothing is synced.", hint)
            continue
        if mode & 0o077:
            hint = f"chmod 600 {one.token_file}, and ask for a new token: somebody may have read this one."
            yield Finding("hub-token", f"Others on this machine can read the token for {one.title}.", hint)
