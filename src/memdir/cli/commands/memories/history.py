"""Commands about what was done: history, diff, undo, restore."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from memdir.cli import json_shapes as shapes
from memdir.cli.arguments import example, id_argument, json_option, name_argument
from memdir.cli.output import columns, hint, moment, one_line, say, say_diff, say_json, working
from memdir.cli.report import report_saved, undo_lines
from memdir.cli.target import Target
from memdir.text.diff import unified

if TYPE_CHECKING:
    from memdir.memories.history.history import HistoryEntry

__all__ = ["diff", "history", "restore", "undo"]

_FEW = 3
"""Files of one change that are named: a dream may have changed hundreds, and `--json` has them all."""


@click.command(epilog=example("memdir history terse-replies --limit 5"))
@name_argument("name", default="")
@click.option("--limit", type=click.IntRange(min=1), help="Only the newest so many.")
@json_option
@click.pass_obj
def history(target: Target, name: str, limit: int | None, as_json: bool) -> None:
    """List what was done, newest first.

    NAME, a memory's name or file, lists what was done to that one; it may be forgotten by now.
    """
    memory = target.memory()
    with working("Reading history"):
        entries = memory.history.list(name, limit=limit or 0)
    if as_json:
        say_json({"changes": [shapes.change(entry) for entry in entries]})
    elif entries:
        say(*columns([_row(entry) for entry in entries], bold=0))
    else:
        say("Nothing was done yet.")


@click.command(epilog=example("memdir diff", "memdir diff 1a2b3c4d"))
@id_argument
@json_option
@click.pass_obj
def diff(target: Target, named: str | None, as_json: bool) -> None:
    """Show what a change did to the files, line by line.

    ID is that of `memdir history`, or its beginning; without it the newest change is shown.
    """
    memory = target.memory()
    with working("Reading history"):
        text = memory.history.diff(named)
    if as_json:
        say_json({"diff": text})
    elif text:
        say_diff(text)
    else:
        say("Nothing was changed.")


@click.command(epilog=example("memdir undo", "memdir undo 1a2b3c4d --both"))
@id_argument
@click.option(
    "--overwrite", "how", flag_value="overwrite", help="Where a file changed since: bring the old text back."
)
@click.option(
    "--both", "how", flag_value="both", help="Where a file changed since: put the old text beside it."
)
@json_option
@click.pass_obj
def undo(target: Target, named: str | None, how: str | None, as_json: bool) -> None:
    """Take back a change.

    An undo is a change too and can be undone.

    ID is that of `memdir history`, or its beginning. Without it the newest change that was not undone is
    taken back, also one that was made outside memdir, so that repeating it goes further back.
    """
    memory = target.memory()
    with _both_texts_shown(target, as_json=as_json), working("Undoing"):
        done = memory.undo(named, on_collision=how or "stop")
    if as_json:
        say_json(shapes.undo_result(done))
    else:
        say(f"Undid {done.undid.id}: {done.undid.verb} {_files(done.undid.files)}")
        if set(done.files) != set(done.undid.files):
            say(f"Changed: {_files(done.files) or 'nothing, it was like that already'}")
        say(*undo_lines(target, memory, done.operation, word="Redo"))
    for warning in done.warnings:
        hint(warning)


@click.command(epilog=example("memdir restore terse-replies", "memdir restore terse-replies 1a2b3c4d"))
@name_argument("name")
@id_argument
@json_option
@click.pass_obj
def restore(target: Target, name: str, named: str | None, as_json: bool) -> None:
    """Bring back a memory as a change left it.

    ID is that of `memdir history`, or its beginning. Without it: the last text of a memory that was
    forgotten, or the one before the present text. It keeps the name of today.
    """
    memory = target.memory()
    with working("Restoring"):
        saved = memory.history.restore(name, named)
    if saved.operation or as_json:
        report_saved(target, memory, "Restored", saved, as_json=as_json)
    else:
        say(f"Nothing changed: {one_line(saved.file)} holds that text already.")


@contextmanager
def _both_texts_shown(target: Target, *, as_json: bool) -> Iterator[None]:
    """When files changed since, show both texts and the ways on, in the words of this command."""
    from memdir.memories.history.collision import ChangedSince

    try:
        yield
    except ChangedSince as conflict:
        for collision in conflict.collisions if not as_json else ():
            say_diff(unified(collision.file, collision.now, collision.then))
        overwrite, both = (
            target.command("undo", conflict.operation, f"--{way}") for way in ("overwrite", "both")
        )
        conflict.args = (conflict.fact,)
        if conflict.newer:
            conflict.add_note(
                f"`{target.command('undo', conflict.newer)}` takes back the newer change first."
            )
        conflict.add_note(f"`{overwrite}` {conflict.overwriting}.")
        if not conflict.made_new:
            conflict.add_note(f"`{both}` puts the old text beside the present one.")
        raise


def _row(entry: HistoryEntry) -> tuple[str, str, str, str, str]:
    verb = f"undo of {entry.undoes}" if entry.undoes else entry.verb
    reason = f"  ({one_line(entry.by.reason)})" if entry.by.reason else ""
    files = f"{_files(entry.files)}{reason}"
    return _short(entry), moment(entry.at), one_line(verb), _who(entry), files


def _short(entry: HistoryEntry) -> str:
    """Return eight characters that `diff` and `undo` know; of `1a2b3c4d-outside` those of its commit."""
    return one_line(entry.commit[:8] if "-" in entry.id and entry.commit else entry.id)


def _who(entry: HistoryEntry) -> str:
    """Return who did it, and whose words they were where those differ."""
    actor, source = entry.by.actor, entry.by.source
    return one_line(actor if source in {"", actor} else f"{actor}/{source}")


def _files(files: tuple[str, ...]) -> str:
    """Return the files of a change; of many the first, and how many more there are."""
    more = len(files) - _FEW
    shown = files if more <= 1 else (*files[:_FEW], f"… and {more:,} more")
    return one_line(", ".join(shown))
