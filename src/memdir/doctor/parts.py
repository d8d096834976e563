"""Checks of what is around a memory directory: hooks that failed, and recall that could be better."""

from collections.abc import Iterator

from memdir.config.location import Setup
from memdir.conversation.logs import HookLog
from memdir.doctor.finding import Finding
from memdir.recall.semantic.model import semantic_missing

__all__ = ["part_findings"]

_FAILURES = 3
"""Failures of hooks that are shown: the newest tell what is wrong."""


def part_findings(setup: Setup) -> Iterator[Finding]:
    """Report the last failures of hooks, and why recall goes by words alone where it does."""
    for line in HookLog(setup.place.config_home).newest(_FAILURES):
        yield Finding(
            "hook",
            line,
            "Hooks never stop their host; this is where they say what failed. To dismiss it, delete "
            f"{setup.place.config_home}/memdir/hooks.log",
            severity="advice",
        )
    if missing := semantic_missing(setup.place.config_home):
        yield Finding("semantic", f"Recall goes by words alone. {missing}", severity="advice")
