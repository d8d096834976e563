"""Commands of background jobs: extract, dream, notes; and of the inbox, where their changes wait."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import command, completed_argument, flag, group, piped_data
from memdir.cli.failure import ExitCode
from memdir.cli.output import (
    advise,
    answer,
    columns,
    one_line,
    say,
    say_diff,
    say_exactly,
    say_json,
    show_progress,
    style,
)
from memdir.cli.report import WRITER, fields, saved_shape, undo_lines
from memdir.cli.target import Target
from memdir.errors import Rejected
from memdir.text.dates.calendar import utc_stamp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir.dream.dreamer import Dreamed
    from memdir.extract.result import Extracted
    from memdir.inbox.proposals import Proposal

__all__ = ["dream", "extract", "inbox", "notes"]


@command("memdir extract --dry-run", "memdir extract session.jsonl")
@click.argument("transcript", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@flag("--dry-run", "Only show what would be saved; nothing is written.")
@flag("--literal", "Add no dates to the days that the messages name.")
def extract(target: Target, transcript: str | None, dry_run: bool, literal: bool) -> None:
    """Save what a conversation is worth.

    TRANSCRIPT is a session file of the host, or JSONL with a message a line: role, content, timestamp. By
    default it is the newest conversation here. What was looked at before is not looked at again. `-` reads
    standard input.
    """
    messages = _read_stdin() if transcript == "-" else None
    memory = target.memory()
    with show_progress("Extracting"):  # not while a person may still type
        result = memory.extract(transcript, dry_run=dry_run, messages=messages, literal=literal)
    written = {
        "saved": [saved_shape(saved) for saved in result.saved],
        **fields(result, "forgotten inbox operation method because"),
    }
    say_json(result.shape if dry_run else result.shape | written)
    if result.because:
        say(one_line(f"Nothing to extract: {result.because}."))
    else:
        say(*columns(_extracted_rows(result), empty="Nothing is worth saving."))
    if not dry_run:
        say(*([one_line(result.line)] if result.line else []), *undo_lines(target, memory, result.operation))
        say(*(f"Look: {target.command('inbox', 'show', one)}" for one in result.inbox[:1]))


def _read_stdin() -> list[dict[str, Any]]:
    """Return the messages on standard input, one a line."""
    messages: list[dict[str, Any]] = []
    for number, line in enumerate(piped_data(_MOST_PIPED, _AS_FILE).splitlines(), 1):
        try:
            found = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise Rejected(f"Line {number} of standard input is no JSON object. Pipe a message a line.")
        messages.append(found)
    return messages


_MOST_PIPED, _AS_FILE = 64 << 20, "Save them as a file and name that."


def _extracted_rows(result: Extracted) -> Iterator[tuple[str, str, str]]:
    for draft in result.drafts:
        what = "inbox" if draft.inbox else "save"
        yield what, str(draft.kind), one_line(f"{draft.name}: {draft.description}")
    for name in result.forget:
        yield "forget", "", one_line(name)
    for message, because in result.skipped:
        what = "line" if because.startswith("the line ") else "message"
        yield "skip", one_line(f"{what} {message}"), one_line(because)


@command("memdir dream --dry-run", "memdir dream --now")
@flag("--dry-run", "Show what would be done and the ledger; write nothing.")
@flag("--now", "Do not wait until it is time.")
def dream(target: Target, dry_run: bool, now: bool) -> int:
    """Consolidate the memories: merge, correct, tidy up.

    It works on a copy. Every statement of a memory that changes is accounted for in a ledger, a program
    checks the result, and what passes is applied in one step that `memdir undo` takes back. What does not
    pass waits in the inbox. Without a model it works by rules.
    """
    memory = target.memory()
    with show_progress("Dreaming") as tell:
        dreamed = memory.jobs.dream(now=now, dry_run=dry_run, said=tell)
    answer(
        fields(dreamed, _DREAM),
        *_dream_report(dreamed, target),
        *undo_lines(target, memory, dreamed.operation),
    )
    if dreamed.ended == "skipped" and not memory.list():
        advise(f'Save one first: {target.command("remember")} "..."')
    elif dreamed.ended == "skipped":
        again = f"Dream all the same: {target.command('dream', '--now')}"
        advise("Try again when that is over." if now else again)
    return ExitCode.ERROR if dreamed.ended == "failed" else ExitCode.OK


@command("memdir notes", "memdir --session 3f0c notes --json")
def notes(target: Target) -> None:
    """Show the notes of a conversation.

    Which one the global option --session says; without it, the one whose notes were written last.
    """
    found = target.memory().notes.read()
    say_json(fields(found, "session path text"))
    off = "" if found.on else " They are off; `notes.enabled` switches them on."
    say_exactly(found.text or f"There are no notes.{off}\n")


_DREAM = (
    "ended because method operation changes[file verb] "
    "ledger=ledger.entries[statement.id statement.file statement.text fate into because] "
    "objections proposals reports"
)


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
            where = f" in {entry.into}" if entry.into else ""
            because = f": {entry.because}" if entry.because else ""
            said = f"{entry.fate}{where}{because} | {entry.statement.id} {entry.statement.text}"
            yield f"  {one_line(said)}"


_ENDS = {
    "applied": "Applied as {id}{because}.",
    "inbox": "Nothing was changed; it waits for you.",
    "nothing": "Everything is in order.",
    "would": "This is what a dream would do{because}.",
    "failed": "The dream failed, and nothing was changed{because}.",
    "skipped": "Not now{because}.",
}


_id_argument = completed_argument(
    "proposal", metavar="ID", words=lambda memory: [(one.id, one.because) for one in memory.inbox.list()]
)


@group("memdir inbox", "memdir inbox apply 261115-1a2b3c")
def inbox(target: Target) -> None:
    """Decide about changes that nobody confirmed yet.

    They come from tools, from the assistant, or failed a check. Nothing of them is in memory until you apply
    it. Without a command it lists them.
    """
    _list(target)


@command("memdir inbox list", of=inbox, name="list")
@flag("--rejected", "List what was rejected instead: it can still be applied.")
def list_proposals(target: Target, rejected: bool) -> None:
    """List what waits, oldest first."""
    _list(target, rejected=rejected)


def _list(target: Target, *, rejected: bool = False) -> None:
    kept = target.memory().inbox
    listed = kept.rejections() if rejected else kept.list()
    rows = [(one.id, one_line(", ".join(one.files)), one_line(one.because)) for one in listed]
    shape = {"proposals": [_shape(one) for one in listed]}
    answer(shape, *columns(rows, bold=0, empty="Nothing was rejected." if rejected else "Nothing waits."))


@command("memdir inbox show 261115-1a2b3c", of=inbox)
@_id_argument
def show(target: Target, proposal: str) -> None:
    """Show why it waits, and what would be written, byte for byte.

    ID is that of `memdir inbox list`, or its beginning.
    """
    one = target.memory().inbox.show(proposal)
    answer(_shape(one), f"Waits because: {one_line(one.because)}")
    say_diff(one.diff)
    say(*(f"{word}: {target.command('inbox', word.lower(), one.id)}" for word in ("Apply", "Reject")))


@command("memdir inbox apply 261115-1a2b3c", of=inbox, doing="Saving")
@_id_argument
def apply(target: Target, proposal: str) -> None:
    """Write what is shown, in one step that can be undone."""
    memory = target.memory()
    applied, operation = memory.inbox.apply(proposal)
    done = f"Applied {applied.id}: {one_line(', '.join(applied.files))}"
    answer({**_shape(applied), "operation": operation}, done, *undo_lines(target, memory, operation))
    if operation:
        advise("An undo takes back what was written; it does not bring the proposal back.")


@command("memdir inbox reject 261115-1a2b3c", of=inbox)
@_id_argument
def reject(target: Target, proposal: str) -> None:
    """Put a proposal aside; memory stays as it is.

    The same is not proposed again. `memdir inbox list --rejected` still shows it, and `memdir inbox apply`
    writes it all the same.
    """
    memory = target.memory()
    rejected, operation = memory.inbox.reject(proposal)
    done = f"Rejected {rejected.id}: {one_line(', '.join(rejected.files))}"
    answer({**_shape(rejected), "operation": operation}, done, *undo_lines(target, memory, operation))
    if not operation:
        advise(f"To write it all the same: {target.command('inbox', 'apply', rejected.id)}")


def _shape(one: Proposal) -> dict[str, Any]:
    shape = fields(one, f"id at because {WRITER} edits[file before after]")
    return shape | {"at": utc_stamp(one.at)}
