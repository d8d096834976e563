"""The commands that tidy up: dream, which consolidates memories, and notes, which shows a session's."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.commands.remember import undo_lines
from memdir.cli.failure import ExitCode
from memdir.cli.output import hint, say, say_exactly, say_json, styled
from memdir.cli.printable import one_line
from memdir.cli.target import Target, example, json_option

if TYPE_CHECKING:
    from memdir.dream.dreamer import Dreamed
    from memdir.dream.ledger import LedgerEntry
    from memdir.memory import Memory

__all__ = ["dream", "notes"]


@click.command(epilog=example("memdir dream --dry-run", "memdir dream --now"))
@click.option("--dry-run", is_flag=True, help="Show what would be done and the ledger; write nothing.")
@click.option("--now", is_flag=True, help="Do not wait until it is time.")
@json_option
@click.pass_context
def dream(context: click.Context, dry_run: bool, now: bool, as_json: bool) -> None:
    """Consolidate the memories: merge, correct, tidy up.

    It works on a copy. Every statement of a memory that changes is accounted for in a ledger, a program
    checks the result, and what passes is applied in one step that `memdir undo` takes back. What does not
    pass waits in the inbox. Without a model it works by rules.
    """
    target: Target = context.obj
    memory = target.memory()
    dreamed = memory.jobs.dream(now=now, dry_run=dry_run, said=_tell)
    if as_json:
        say_json(_shape(dreamed))
    else:
        say(*_report(dreamed, target), *undo_lines(target, memory, *filter(None, [dreamed.operation])))
    if dreamed.ended == "skipped" and not as_json:
        hint(_way_on(target, memory, now=now))
    if dreamed.ended == "failed":
        context.exit(ExitCode.ERROR)


@click.command(epilog=example("memdir notes", "memdir --session 3f0c notes --json"))
@json_option
@click.pass_obj
def notes(target: Target, as_json: bool) -> None:
    """Show the notes of a conversation.

    Which one the global option --session says; without it, the one whose notes were written last.
    """
    found = target.memory().notes.read()
    if as_json:
        say_json({"session": found.session, "path": found.path, "text": found.text})
    elif found.text:
        say_exactly(found.text)
    else:
        say("There are no notes." if found.on else _NOTES_OFF)


_NOTES_OFF = "There are no notes. They are off; `notes.enabled` switches them on."


def _way_on(target: Target, memory: "Memory", *, now: bool) -> str:
    """Return what to do when it is not the time to dream."""
    if not memory.list():
        return f'Save one first: {target.command("remember")} "..."'
    if now:
        return "Try again when that is over."
    return f"Dream all the same: {target.command('dream', '--now')}"


def _tell(doing: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"{one_line(doing)}\n")
        sys.stderr.flush()


def _report(dreamed: "Dreamed", target: Target) -> Iterator[str]:
    because = f": {one_line(dreamed.because.rstrip('.'))}" if dreamed.because else ""
    yield _ENDS[dreamed.ended].format(because=because, id=dreamed.operation)
    for edit in dreamed.changes:
        yield f"  {edit.verb:6}  {one_line(edit.file)}"
    yield from _ledger(dreamed)
    for objection in dreamed.objections:
        yield f"{styled('check:', fg='yellow')} {one_line(objection)}"
    if dreamed.proposals and dreamed.ended != "would":
        yield f"Waiting for you: {', '.join(dreamed.proposals)}. See `{target.command('inbox', 'list')}`."
    elif dreamed.proposals:
        yield from (f"to the inbox: {one_line(because)}" for because in dreamed.proposals)
    yield from (f"note: {one_line(report)}" for report in dreamed.reports)


def _ledger(dreamed: "Dreamed") -> Iterator[str]:
    """Yield what became of the statements: what is gone in full, what was kept as a number."""
    if not dreamed.ledger.entries:
        return
    counts = [f"{count} {fate}" for fate, count in dreamed.ledger.counts.items() if count]
    yield f"LossLedger: {', '.join(counts)}"
    for entry in dreamed.ledger.entries:
        if entry.fate != "kept" or entry.into != entry.statement.file:
            yield f"  {_line(entry)}"


def _line(entry: "LedgerEntry") -> str:
    where = f" in {entry.into}" if entry.into else ""
    because = f": {entry.because}" if entry.because else ""
    return one_line(f"{entry.fate}{where}{because} | {entry.statement.id} {entry.statement.text}")


_ENDS = {
    "applied": "Applied as {id}{because}.",
    "inbox": "Nothing was changed; it waits for you.",
    "nothing": "Everything is in order.",
    "would": "This is what a dream would do{because}.",
    "failed": "The dream failed, and nothing was changed{because}.",
    "skipped": "Not now{because}.",
}


def _shape(dreamed: "Dreamed") -> dict[str, Any]:
    ledger = [
        {
            "id": entry.statement.id,
            "file": entry.statement.file,
            "text": entry.statement.text,
            "fate": entry.fate,
            "into": entry.into,
            "because": entry.because,
        }
        for entry in dreamed.ledger.entries
    ]
    return {
        "ended": dreamed.ended,
        "because": dreamed.because,
        "method": dreamed.method,
        "operation": dreamed.operation,
        "changes": [{"file": edit.file, "verb": edit.verb} for edit in dreamed.changes],
        "ledger": ledger,
        "objections": list(dreamed.objections),
        "proposals": list(dreamed.proposals),
        "reports": list(dreamed.reports),
    }
