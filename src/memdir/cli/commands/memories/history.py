"""Commands about what was done: history, diff, undo, restore."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdir.cli.arguments import command, flag, id_argument, limit_option, name_argument
from memdir.cli.output import answer, columns, hint, moment, one_line, say, say_diff, say_json, wants_json
from memdir.cli.report import change_shape, fields, report_saved, undo_lines
from memdir.cli.target import Target
from memdir.text.diff import file_diff

if TYPE_CHECKING:
    from memdir.memories.history.commits import HistoryEntry
    from memdir.memories.history.undo import ChangedSince

__all__ = ["diff", "history", "restore", "undo"]

_FEW = 3
"""Files of one change that are named: a dream may have changed hundreds, and `--json` has them all."""


@command("memdir history terse-replies --limit 5", doing="Reading history")
@name_argument("name", default="")
@limit_option
def history(target: Target, name: str, limit: int | None) -> None:
    """List what was done, newest first.

    NAME, a memory's name or file, lists what was done to that one; it may be forgotten by now.
    """
    entries = target.memory().history.list(name, limit=limit or 0)
    shape = {"changes": [change_shape(entry) for entry in entries]}
    answer(shape, *columns(map(_row, entries), bold=0, empty="Nothing was done yet."))


@command("memdir diff", "memdir diff 1a2b3c4d", doing="Reading history")
@id_argument
def diff(target: Target, named: str | None) -> None:
    """Show what a change did to the files, line by line.

    ID is that of `memdir history`, or its beginning; without it the newest change is shown.
    """
    text = target.memory().history.diff(named)
    say_json({"diff": text})
    say_diff(text or "Nothing was changed.\n")


@command("memdir undo", "memdir undo 1a2b3c4d --both", doing="Undoing")
@id_argument
@flag("--overwrite how", "Where a file changed since: bring the old text back.", flag_value="overwrite")
@flag("--both how", "Where a file changed since: put the old text beside it.", flag_value="both")
def undo(target: Target, named: str | None, how: str | None) -> None:
    """Take back a change.

    An undo is a change too and can be undone.

    ID is that of `memdir history`, or its beginning. Without it the newest change that was not undone is
    taken back, also one that was made outside memdir, so that repeating it goes further back.
    """
    from memdir.memories.history.undo import ChangedSince

    memory = target.memory()
    try:
        done = memory.undo(named, on_collision=how or "stop")
    except ChangedSince as conflict:
        _show_both_texts(target, conflict)
        raise
    lines = [f"Undid {done.undid.id}: {done.undid.verb} {_files(done.undid.files)}"]
    if set(done.files) != set(done.undid.files):
        lines += [f"Changed: {_files(done.files) or 'nothing, it was like that already'}"]
    lines += undo_lines(target, memory, done.operation, word="Redo")
    answer({"undid": change_shape(done.undid), **fields(done, "operation files warnings")}, *lines)
    hint(*done.warnings)


@command("memdir restore terse-replies", "memdir restore terse-replies 1a2b3c4d", doing="Restoring")
@name_argument("name")
@id_argument
def restore(target: Target, name: str, named: str | None) -> None:
    """Bring back a memory as a change left it.

    ID is that of `memdir history`, or its beginning. Without it: the last text of a memory that was
    forgotten, or the one before the present text. It keeps the name of today.
    """
    memory = target.memory()
    saved = memory.history.restore(name, named)
    if saved.operation or wants_json():
        report_saved(target, memory, "Restored", saved)
    else:
        say(f"Nothing changed: {one_line(saved.file)} holds that text already.")


def _show_both_texts(target: Target, conflict: ChangedSince) -> None:
    """Where files changed since, show both texts, and note the ways on in the words of this command."""
    for collision in conflict.collisions:
        say_diff(file_diff(collision.file, collision.before, collision.after))
    conflict.args = (conflict.fact,)
    if conflict.newer:
        conflict.add_note(f"`{target.command('undo', conflict.newer)}` takes back the newer change first.")
    overwrite, both = (target.command("undo", conflict.operation, way) for way in ("--overwrite", "--both"))
    conflict.add_note(f"`{overwrite}` {conflict.overwriting}.")
    if not conflict.made_new:
        conflict.add_note(f"`{both}` puts the old text beside the present one.")


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
