"""The command that saves what a conversation is worth: extract."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from memdir.surfaces.cli import shapes
from memdir.surfaces.cli.output import columns, say, say_json
from memdir.surfaces.cli.printable import one_line
from memdir.surfaces.cli.progress import working
from memdir.surfaces.cli.target import Target, example, json_option

if TYPE_CHECKING:
    from memdir.workers.extract_result import Extracted

__all__ = ["extract"]


@click.command(epilog=example("memdir extract --dry-run", "memdir extract session.jsonl"))
@click.argument("transcript", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--dry-run", is_flag=True, help="Only show what would be saved; nothing is written.")
@json_option
@click.pass_obj
def extract(target: Target, transcript: str | None, dry_run: bool, as_json: bool) -> None:
    """Save what a conversation is worth.

    TRANSCRIPT is a session file of the host, or JSONL with a message a line: role, content, timestamp. By
    default it is the newest conversation here. What was looked at before is not looked at again.
    """
    memory = target.memory()
    with working("Extracting"):
        result = memory.extract(transcript, dry_run=dry_run)
    if as_json:
        say_json(result.shape if dry_run else {**result.shape, **_written(result)})
        return
    rows = list(_rows(result))
    if result.because:
        say(one_line(f"Nothing to extract: {result.because}."))
    else:
        say(*(columns(rows) if rows else ["Nothing is worth saving."]))
    if not dry_run:
        _say_written(target, result)


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
        yield "skip", one_line(message), one_line(because)


def _say_written(target: Target, result: "Extracted") -> None:
    if result.line:
        say(one_line(result.line))
    if result.operation:
        say(f"Undo: {target.command('undo', result.operation)}")
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
