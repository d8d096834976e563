"""What more than one command reports: the objects of `--json`, what was saved and how to take it back.

The objects are documented in docs/cli.md; keys are added, never renamed.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from memdir.cli.output import hint, one_line, say, say_json
from memdir.cli.target import Target
from memdir.errors import MissingExtra
from memdir.text.dates.calendar import utc_stamp
from memdir.text.secrets.fast_search import without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memdir.memories.change import Saved
    from memdir.memories.enforce import Rule
    from memdir.memories.history.commits import HistoryEntry
    from memdir.memories.topic import Header
    from memdir.memory import Memory

__all__ = [
    "WRITER",
    "change_shape",
    "fields",
    "hint_at_rules",
    "memory_shape",
    "packages_of",
    "report_saved",
    "saved_shape",
    "tell_orphans",
    "undo_lines",
]

WRITER = "by.actor by.source by.method by.session by.reason"
"""The fields of a change that say who made it."""


def fields(value: Any, names: str = "") -> dict[str, Any]:
    """Return fields of a value, all if none are named; `by.actor` is called actor, and `rule=text` rule.

    `edits[file verb]` is a list, with these fields of each edit.
    """
    shape = dict[str, Any]()
    for key, path, inner in _FIELD.findall(names or " ".join(value.__match_args__)):
        found = attrgetter(path)(value)
        shape[key or path.rpartition(".")[2]] = [fields(one, inner) for one in found] if inner else found
    return shape


_FIELD = re.compile(r"(?:(\w+)=)?([\w.]+)(?:\[([^]]+)\])?")


def memory_shape(header: Header) -> dict[str, Any]:
    """Return one memory as `list` and `show` print it, without a credential that its header may hold."""
    return {
        **fields(header, "file name title kind description saved_at pinned expires"),
        "title": without_secrets(header.title),
        "description": without_secrets(header.description),
        "saved_at": utc_stamp(header.saved_at),
    }


def saved_shape(saved: Saved) -> dict[str, Any]:
    """Return a memory that was just written, and how to take that back."""
    return {**memory_shape(saved.header), **fields(saved, "path created operation warnings")}


def change_shape(entry: HistoryEntry) -> dict[str, Any]:
    """Return one operation of the history."""
    return fields(entry, f"id at verb {WRITER} files undoes commit")


def report_saved(target: Target, memory: Memory, verb: str, saved: Saved) -> None:
    """Print what was written and how to take it back."""
    header = saved.header
    about = f"{saved.file} ({header.kind or 'no kind'}): {header.description}"
    say_json(saved_shape(saved))
    say(f"{verb} {one_line(about)}", *undo_lines(target, memory, saved.operation))
    hint(*saved.warnings)


def undo_lines(target: Target, memory: Memory, *operations: str, word: str = "Undo") -> list[str]:
    """Return how to take changes back, where that can be done: history needs git and its own folder."""
    done = [one for one in operations if one and memory.history.undo_works]
    return [f"{word}: {target.command('undo', one)}" for one in done]


def hint_at_rules(memory: Memory, rules: Iterable[Rule]) -> None:
    """Say what keeps rules from doing anything: a tool that is not known, or no hooks to ask them."""
    from memdir.hosts.tools import unknown_tool_hint

    hint(*filter(None, dict.fromkeys(unknown_tool_hint(rule.tools) for rule in rules)))
    if not memory.hosts.setup().has_hooks():
        hint("Rules bind where hooks run; none are installed: memdir init claude-code")


def tell_orphans(memory: Memory) -> None:
    """Say once that memories were found that may belong to this project."""
    hint(*memory.transfer.notice().splitlines())


@contextmanager
def packages_of(extra: str) -> Iterator[None]:
    """Say how the packages of an extra are installed, where what needs them cannot be imported."""
    try:
        yield
    except ModuleNotFoundError as error:
        from memdir.config.package import extra_command

        missing = (error.name or "").partition(".")[0]
        raise MissingExtra(
            f"The {extra} needs packages that are not installed ({missing}). Install its extra `{extra}` "
            f"with: {extra_command(extra)}"
        ) from error
