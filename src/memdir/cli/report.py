"""What more than one command reports: what was saved, how to take it back, and what to know about hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from memdir.cli.json_shapes import saved_memory
from memdir.cli.output import hint, one_line, say, say_json
from memdir.cli.target import Target
from memdir.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memdir.memories.change import Saved
    from memdir.memories.enforce import Rule
    from memdir.memory import Memory

__all__ = ["hint_at_rules", "report_saved", "tell_orphans", "undo_lines", "with_extra"]

_Given = TypeVar("_Given")


def report_saved(target: Target, memory: Memory, verb: str, saved: Saved) -> None:
    """Print what was written and how to take it back."""
    header = saved.header
    about = f"{saved.file} ({header.kind or 'no kind'}): {header.description}"
    say_json(saved_memory(saved))
    say(f"{verb} {one_line(about)}", *undo_lines(target, memory, saved.operation))
    for warning in saved.warnings:
        hint(warning)


def undo_lines(target: Target, memory: Memory, *operations: str, word: str = "Undo") -> list[str]:
    """Return how to take changes back, where that can be done: history needs git and its own folder."""
    done = [one for one in operations if one and memory.history.undo_works]
    return [f"{word}: {target.command('undo', one)}" for one in done]


def hint_at_rules(memory: Memory, rules: Iterable[Rule]) -> None:
    """Say what keeps rules from doing anything: a tool that is not known, or no hooks to ask them."""
    from memdir.hosts.tools import unknown_tool_hint

    for sentence in dict.fromkeys(unknown_tool_hint(rule.tools) for rule in rules):
        if sentence:
            hint(sentence)
    if not memory.hosts.setup().hooked():
        hint("Rules bind where hooks run; none are installed: memdir init claude-code")


def tell_orphans(memory: Memory) -> None:
    """Say once that memories were found that may belong to this project."""
    for line in memory.transfer.notice().splitlines():
        hint(line)


def with_extra(extra: str, made: Callable[[], _Given]) -> _Given:
    """Return what needs the packages of an extra, or say how they are installed."""
    try:
        return made()
    except ModuleNotFoundError as error:
        from memdir.config.package import extra_command

        missing = (error.name or "").partition(".")[0]
        raise MissingExtra(
            f"The {extra} needs packages that are not installed ({missing}). Install its extra `{extra}` "
            f"with: {extra_command(extra)}"
        ) from error
