"""Which hosts are set up, as `status` shows it, and what to say of rules where none is."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from memdir.cli.output import hint
from memdir.cli.printable import one_line
from memdir.cli.short_path import short_path
from memdir.memories.age import age_in_words
from memdir.text.dates.calendar import utc_stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memdir.hosts.presence import HostEntry
    from memdir.hosts.setup import HostSetup
    from memdir.memories.enforce import Rule
    from memdir.memory import Memory

__all__ = ["hint_at_rules", "host_lines", "hosts_shape"]


def host_lines(memory: "Memory", last: datetime | None, here: str) -> "Iterator[str]":
    """Yield for each host that is set up what of us its files name, and when it last told of an event."""
    setup = memory.hosts.setup()
    entries = setup.entries()
    for host in dict.fromkeys(entry.host for entry in entries):
        own = [entry for entry in entries if entry.host == host]
        parts = {f"{e.part} in {short_path(e.path, here)}{_problem(setup, e)}": e.part for e in own}
        events = [] if {*parts.values()} == {"server"} else [_events(last)]
        yield f"{one_line(host)}: {', '.join([*parts, *events])}"
    if not entries:
        yield "none: memdir init claude-code" if last is None else f"none in their settings, {_events(last)}"


def hosts_shape(memory: "Memory", last: datetime | None) -> dict[str, object]:
    """Return the same for programs."""
    setup = memory.hosts.setup()
    return {
        "set_up": [
            {
                "host": entry.host,
                "part": entry.part,
                "path": entry.path,
                "command": entry.command,
                "problem": setup.problem(entry),
            }
            for entry in setup.entries()
        ],
        "last_event": utc_stamp(last) if last else None,
    }


def hint_at_rules(memory: "Memory", rules: "Iterable[Rule]") -> None:
    """Say what keeps rules from doing anything: a tool that is not known, or no hooks to ask them."""
    from memdir.hosts.tools import unknown_tool_hint

    for sentence in dict.fromkeys(unknown_tool_hint(rule.tools) for rule in rules):
        if sentence:
            hint(sentence)
    if not memory.hosts.setup().hooked():
        hint("Rules bind where hooks run; none are installed: memdir init claude-code")


def _problem(setup: "HostSetup", entry: "HostEntry") -> str:
    problem = setup.problem(entry)
    return f", which {one_line(problem)}" if problem else ""


def _events(last: datetime | None) -> str:
    return f"last event {_ago(datetime.now(UTC) - last)}" if last else "no event yet"


def _ago(age: timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} minute{'s' if minutes > 1 else ''} ago"
    hours = minutes // 60
    return f"{hours} hour{'s' if hours > 1 else ''} ago" if hours < 24 else age_in_words(hours // 24)
