"""The part of `memdir forget` that removes a memory for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memdir.cli.output import hint, one_line, say, say_json, working

if TYPE_CHECKING:
    from memdir.memory import Memory

__all__ = ["purge_memory"]

_SHOWN = 5


def purge_memory(memory: Memory, name: str, *, yes: bool, as_json: bool) -> None:
    """Show what goes, ask, remove it everywhere, and say what was searched and what is left."""
    if as_json and not yes:
        raise click.UsageError("With --json nobody is asked, and a purge cannot be undone. Add --yes.")
    with working("Searching"):
        target = memory.transfer.purge_target(name)
    if not as_json:
        say(f"For good: {', '.join(map(one_line, target.files))}, and these words wherever they are kept:")
        say(*[f"  {one_line(word)[:100]}" for word in target.words[:_SHOWN]])
        if len(target.words) > _SHOWN:
            say(f"  and {len(target.words) - _SHOWN} more")
    if not (yes or as_json or click.confirm("This cannot be undone. Remove it everywhere?")):
        say("Nothing was removed.")
        return
    with working("Removing"):
        done = memory.transfer.purge(name)
    if as_json:
        keys = ("searched", "removed", "left")
        say_json({"files": list(target.files), **{key: list(getattr(done, key)) for key in keys}})
        return
    say("Removed:", *[f"  {one_line(one)}" for one in done.removed])
    say("Searched:", *[f"  {one_line(one)}" for one in done.searched])
    for one in done.left:
        hint(f"Left: {one_line(one)}")
