"""Checks of what hosts are told to start: our hooks and our server must be there, and able to run."""

import os
from collections.abc import Iterator

from memdir.doctor.finding import Finding
from memdir.hosts.presence import SERVES, HostEntry
from memdir.hosts.setup import HostSetup

__all__ = ["host_findings"]


def host_findings(hosts: HostSetup) -> Iterator[Finding]:
    """Report commands of ours that a host cannot start."""
    for entry in hosts.entries():
        if problem := hosts.problem(entry):
            yield _unstarted(entry, problem)


def _unstarted(entry: HostEntry, problem: str) -> Finding:
    """Return what it means that a command does not run, and how that is mended."""
    lost = "its tools are missing" if entry.part == SERVES else "no hook runs and no rule binds"
    if os.path.isabs(entry.command):
        mend = f"`memdir init {entry.host}` writes where it is now."
    elif problem.startswith("does not run"):
        mend = (
            f"`memdir init {entry.host} --project` writes a command that runs, or else install memdir again."
        )
    else:
        mend = "Put the folder that `memdir` is installed in on the PATH."
    message = f"{entry.path} has {entry.host} start {entry.command}, which {problem}: {lost}."
    return Finding("host-command", message, f"{mend} `memdir uninstall` takes the entry out.", entry.path)
