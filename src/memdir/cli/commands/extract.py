"""The command that saves what a conversation is worth: extract."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from memdir.cli import json_shapes as shapes
from memdir.cli.commands.remember import undo_lines
from memdir.cli.output import columns, say, say_json
from memdir.cli.printable import one_line
from memdir.cli.progress import working
from memdir.cli.target import Target, example, json_option
from memdir.errors import Rejected

if TYPE_CHECKING:
    from memdir.extract.result import Extracted
    from memdir.memory import Memory

__all__ = ["extract"]


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
    rows = list(_rows(result))
    if result.because:
        say(one_line(f"Nothing to extract: {result.because}."))
    else:
        say(*(columns(rows) if rows else ["Nothing is worth saving."]))
    if not dry_run:
        _say_written(target, memory, result)


def _piped() -> list[dict[str, Any]]:
    """Return the messages on standard input, one a line."""
    import json

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


def _rows(result: "Extracted") -> Iterator[tuple[str, str, str]]:
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


def _say_written(target: Target, memory: "Memory", result: "Extracted") -> None:
    if result.line:
        say(one_line(result.line))
    if result.operation:
        say(*undo_lines(target, memory, result.operation))
    if result.inbox:
        say(f"Look: {target.command('inbox', 'show', result.inbox[0])}")


def _written(result: "Extracted") -> dict[str, Any]:
    return {
        "saved": [shapes.saved_memory(saved) for saved in result.saved],
        "forgotten": list(result.forgotten),
        "inbox": list(result.inbox),
        "operation": result.operation,
        "method": result.method,
        "because": result.because,
    }
