"""Commands about what was done: history, diff, undo, restore."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from memdir.cli.arguments import command, id_argument, name_argument
from memdir.cli.output import columns, hint, moment, one_line, say, say_diff, say_json, wants_json, working
from memdir.cli.report import change_shape, fields, report_saved, undo_lines
from memdir.cli.target import Target
from memdir.text.diff import file_diff

if TYPE_CHECKING:
    from memdir.memories.history.history import HistoryEntry

__all__ = ["diff", "history", "restore", "undo"]

_FEW = 3
"""Files of one change that are named: a dream may have changed hundreds, and `--json` has them all."""


@command("memdir history terse-replies --limit 5")
@name_argument("name", default="")
@click.option("--limit", type=click.IntRange(min=1), help="Only the newest so many.")
def history(target: Target, name: str, limit: int | None) -> None:
    """List what was done, newest first.

    NAME, a memory's name or file, lists what was done to that one; it may be forgotten by now.
    """
    with working("Reading history"):
        entries = target.memory().history.list(name, limit=limit or 0)
    say_json({"changes": [change_shape(entry) for entry in entries]})
    say(*columns(map(_row, entries), bold=0, empty="Nothing was done yet."))


@command("memdir diff", "memdir diff 1a2b3c4d")
@id_argument
def diff(target: Target, named: str | None) -> None:
    """Show what a change did to the files, line by line.

    ID is that of `memdir history`, or its beginning; without it the newest change is shown.
    """
    with working("Reading history"):
        text = target.memory().history.diff(named)
    say_json({"diff": text})
    say_diff(text or "Nothing was changed.\n")


@command("memdir undo", "memdir undo 1a2b3c4d --both")
@id_argument
@click.option(
    "--overwrite", "how", flag_value="overwrite", help="Where a file changed since: bring the old text back."
)
@click.option(
    "--both", "how", flag_value="both", help="Where a file changed since: put the old text beside it."
)
def undo(target: Target, named: str | None, how: str | None) -> None:
    """Take back a change.

    An undo is a change too and can be undone.

    ID is that of `memdir history`, or its beginning. Without it the newest change that was not undone is
    taken back, also one that was made outside memdir, so that repeating it goes further back.
    """
    memory = target.memory()
    with _both_texts_shown(target), working("Undoing"):
        done = memory.undo(named, on_collision=how or "stop")
    say_json({"undid": change_shape(done.undid), **fields(done, "operation files warnings")})
    say(f"Undid {done.undid.id}: {done.undid.verb} {_files(done.undid.files)}")
    if set(done.files) != set(done.undid.files):
        say(f"Changed: {_files(done.files) or 'nothing, it was like that already'}")
    say(*undo_lines(target, memory, done.operation, word="Redo"))
    hint(*done.warnings)


@command("memdir restore terse-replies", "memdir restore terse-replies 1a2b3c4d")
@name_argument("name")
@id_argument
def restore(target: Target, name: str, named: str | None) -> None:
    """Bring back a memory as a change left it.

    ID is that of `memdir history`, or its beginning. Without it: the last text of a memory that was
    forgotten, or the one before the present text. It keeps the name of today.
    """
    memory = target.memory()
    with working("Restoring"):
        saved = memory.history.restore(name, named)
    if saved.operation or wants_json():
        report_saved(target, memory, "Restored", saved)
    else:
        say(f"Nothing changed: {one_line(saved.file)} holds that text already.")


@contextmanager
def _both_texts_shown(target: Target) -> Iterator[None]:
    """When files changed since, show both texts and the ways on, in the words of this command."""
    from memdir.memories.history.undo import ChangedSince

    try:
        yield
    except ChangedSince as conflict:
        for collision in conflict.collisions:
            say_diff(file_diff(collision.file, collision.before, collision.after))
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


def _row(entry: HistoryEntry) -> tuple[str, ...]:
    """Return a change: eight characters of its id that `diff` and `undo` know, when, what, who, which files.

    Of `1a2b3c4d-outside` they are those of its commit. Whose words they were is told where that is another.
    """
    short = entry.commit[:8] if "-" in entry.id and entry.commit else entry.id
    verb = f"undo of {entry.undoes}" if entry.undoes else entry.verb
    actor, source = entry.by.actor, entry.by.source
    who = actor if source in {"", actor} else f"{actor}/{source}"
    reason = f"  ({one_line(entry.by.reason)})" if entry.by.reason else ""
    return one_line(short), moment(entry.at), one_line(verb), one_line(who), f"{_files(entry.files)}{reason}"


def _files(files: tuple[str, ...]) -> str:
    """Return the files of a change; of many the first, and how many more there are."""
    more = len(files) - _FEW
    shown = files if more <= 1 else (*files[:_FEW], f"… and {more:,} more")
    return one_line(", ".join(shown))
