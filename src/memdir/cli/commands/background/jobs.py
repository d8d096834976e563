"""Commands of background jobs: extract, dream, notes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from memdir.cli import json_shapes as shapes
from memdir.cli.arguments import example, json_option
from memdir.cli.failure import ExitCode
from memdir.cli.output import columns, hint, one_line, say, say_exactly, say_json, style, working
from memdir.cli.report import undo_lines
from memdir.cli.target import Target
from memdir.errors import Rejected

if TYPE_CHECKING:
    from memdir.dream.dreamer import Dreamed
    from memdir.dream.ledger import LedgerEntry
    from memdir.extract.result import Extracted
    from memdir.memory import Memory

__all__ = ["dream", "extract", "notes"]


@click.command(epilog=example("memdir extract --dry-run", "memdir extract session.jsonl"))
@click.argument("transcript", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--dry-run", is_flag=True, help="Only show what would be saved; nothing is written.")
@click.option("--literal", is_flag=True, help="Add no dates to the days that the messages name.")
@json_option
@click.pass_obj
def extract(target: Target, transcript: str | None, dry_run: bool, literal: bool, as_json: bool) -> None:
    """Save what a conversation is worth.

    TRANSCRIPT is a session file of the host, or JSONL with a message a line: role, content, timestamp. By
    default it is the newest conversation here. What was looked at before is not looked at again. `-` reads
    standard input.
    """
    messages = _piped() if transcript == "-" else None
    memory = target.memory()
    with working("Extracting"):
        result = memory.extract(transcript, dry_run=dry_run, messages=messages, literal=literal)
    if as_json:
        say_json(result.shape if dry_run else {**result.shape, **_written(result)})
        return
    rows = list(_extracted_rows(result))
    if result.because:
        say(one_line(f"Nothing to extract: {result.because}."))
    else:
        say(*(columns(rows) if rows else ["Nothing is worth saving."]))
    if not dry_run:
        _say_written(target, memory, result)


def _piped() -> list[dict[str, Any]]:
    """Return the messages on standard input, one a line."""
    data = b"" if sys.stdin is None else sys.stdin.buffer.read(_MOST_PIPED + 1)
    if len(data) > _MOST_PIPED:
        raise Rejected(f"More than {_MOST_PIPED >> 20} MB were piped. Save it as a file and name that.")
    messages: list[dict[str, Any]] = []
    for number, line in enumerate(data.splitlines(), 1):
        try:
            found = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise Rejected(f"Line {number} of standard input is no JSON object. Pipe a message a line.")
        messages.append(found)
    return messages


_MOST_PIPED = 64 << 20
"""Bytes read from a pipe, so that an endless one is refused."""


def _extracted_rows(result: Extracted) -> Iterator[tuple[str, str, str]]:
    for draft in result.drafts:
        yield (
            "inbox" if draft.inbox else "save",
            str(draft.kind),
            one_line(f"{draft.name}: {draft.description}"),
        )
    for name in result.forget:
        yield "forget", "", one_line(name)
    for message, because in result.skipped:
        what = "line" if because.startswith("the line ") else "message"
        yield "skip", one_line(f"{what} {message}"), one_line(because)


def _say_written(target: Target, memory: Memory, result: Extracted) -> None:
    if result.line:
        say(one_line(result.line))
    if result.operation:
        say(*undo_lines(target, memory, result.operation))
    if result.inbox:
        say(f"Look: {target.command('inbox', 'show', result.inbox[0])}")


def _written(result: Extracted) -> dict[str, Any]:
    return {
        "saved": [shapes.saved_memory(saved) for saved in result.saved],
        "forgotten": list(result.forgotten),
        "inbox": list(result.inbox),
        "operation": result.operation,
        "method": result.method,
        "because": result.because,
    }


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
    with working("Dreaming") as tell:
        dreamed = memory.jobs.dream(now=now, dry_run=dry_run, said=tell)
    if as_json:
        say_json(_dream_shape(dreamed))
    else:
        say(*_dream_report(dreamed, target), *undo_lines(target, memory, *filter(None, [dreamed.operation])))
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
    found = target.memory().jobs.notes.read()
    if as_json:
        say_json({"session": found.session, "path": found.path, "text": found.text})
    elif found.text:
        say_exactly(found.text)
    else:
        say("There are no notes." if found.on else _NOTES_OFF)


_NOTES_OFF = "There are no notes. They are off; `notes.enabled` switches them on."


def _way_on(target: Target, memory: Memory, *, now: bool) -> str:
    """Return what to do when it is not the time to dream."""
    if not memory.list():
        return f'Save one first: {target.command("remember")} "..."'
    if now:
        return "Try again when that is over."
    return f"Dream all the same: {target.command('dream', '--now')}"


def _dream_report(dreamed: Dreamed, target: Target) -> Iterator[str]:
    because = f": {one_line(dreamed.because.rstrip('.'))}" if dreamed.because else ""
    yield _ENDS[dreamed.ended].format(because=because, id=dreamed.operation)
    for edit in dreamed.changes:
        yield f"  {edit.verb:6}  {one_line(edit.file)}"
    yield from _ledger_lines(dreamed)
    for objection in dreamed.objections:
        yield f"{style('check:', fg='yellow')} {one_line(objection)}"
    if dreamed.proposals and dreamed.ended != "would":
        yield f"Waiting for you: {', '.join(dreamed.proposals)}. See `{target.command('inbox', 'list')}`."
    elif dreamed.proposals:
        yield from (f"to the inbox: {one_line(because)}" for because in dreamed.proposals)
    yield from (f"note: {one_line(report)}" for report in dreamed.reports)


def _ledger_lines(dreamed: Dreamed) -> Iterator[str]:
    """Yield what became of the statements: what is gone in full, what was kept as a number."""
    if not dreamed.ledger.entries:
        return
    counts = [f"{count} {fate}" for fate, count in dreamed.ledger.counts.items() if count]
    yield f"Ledger: {', '.join(counts)}"
    for entry in dreamed.ledger.entries:
        if entry.fate != "kept" or entry.into != entry.statement.file:
            yield f"  {_fate_line(entry)}"


def _fate_line(entry: LedgerEntry) -> str:
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


def _dream_shape(dreamed: Dreamed) -> dict[str, Any]:
    ledger = [
        shapes.fields(entry, "statement.id statement.file statement.text fate into because")
        for entry in dreamed.ledger.entries
    ]
    return {
        **shapes.fields(dreamed, "ended because method operation"),
        "changes": [shapes.fields(edit, "file verb") for edit in dreamed.changes],
        "ledger": ledger,
        **shapes.fields(dreamed, "objections proposals reports"),
    }
