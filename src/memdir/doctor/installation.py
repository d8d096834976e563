"""Checks of the installation: the commands that hosts start, hooks that failed, and the parts of recall."""

import os
from collections.abc import Iterator

from memdir.config.location import Setup
from memdir.conversation.logs import HookLog
from memdir.doctor.finding import Finding, advice
from memdir.extract.tagger import tagger_missing
from memdir.hosts.presence import SERVES
from memdir.hosts.setup import HostSetup
from memdir.memories.directory import MemoryDir
from memdir.recall.semantic.meaning import Meaning
from memdir.recall.semantic.weights import weights_missing

__all__ = ["extract_findings", "hook_findings", "host_findings", "recall_findings"]

_FAILURES = 3
"""Failures of hooks that are shown: the newest tell what is wrong."""


def host_findings(hosts: HostSetup) -> Iterator[Finding]:
    """Report commands of ours that a host cannot start."""
    for entry in hosts.entries():
        problem, init = hosts.problem(entry), f"`memdir init {entry.host}"
        if not problem:
            continue
        lost = "its tools are missing" if entry.part == SERVES else "no hook runs and no rule binds"
        if os.path.isabs(entry.command):
            mend = f"{init}` writes where it is now."
        elif problem.startswith("does not run"):
            mend = f"{init} --project` writes a command that runs, or else install memdir again."
        else:
            mend = "Put the folder that `memdir` is installed in on the PATH."
        message = f"{entry.path} has {entry.host} start {entry.command}, which {problem}: {lost}."
        yield Finding("host-command", message, f"{mend} `memdir uninstall` takes the entry out.", entry.path)


def hook_findings(setup: Setup) -> Iterator[Finding]:
    """Report the last failures of hooks."""
    for line in HookLog(setup.place.config_home).newest(_FAILURES):
        hint = "Hooks never stop their host; this is where they say what failed. To dismiss it, delete "
        yield advice("hook", line, f"{hint}{setup.place.config_home}/memdir/hooks.log.")


def recall_findings(memories: MemoryDir, weights: str) -> Iterator[Finding]:
    """Report why recall uses words alone, and how many memories have no vectors yet."""
    if missing := weights_missing(weights):
        yield advice("semantic", f"Recall goes by words alone. {missing}")
    if count := len(Meaning(memories, weights).missing()):
        memory = "memory is" if count == 1 else "memories are"
        message = f"{count:,} {memory} found by words alone: no vectors were computed yet."
        yield advice("vectors", message, "`memdir models learn` computes them.")


def extract_findings() -> Iterator[Finding]:
    """Report why extraction without a model finds explicit requests alone."""
    if missing := tagger_missing():
        yield advice("tagger", f"Without a model, only explicit requests are extracted. {missing}")
