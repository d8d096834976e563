"""Commands about changes that wait for a person: inbox list, show, apply, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import completed_argument, example, json_option
from memdir.cli.json_shapes import WRITER, fields
from memdir.cli.output import columns, hint, one_line, say, say_diff, say_json, working
from memdir.cli.report import undo_lines
from memdir.cli.target import Target
from memdir.text.dates.calendar import utc_stamp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir.inbox.proposals import Proposal
    from memdir.memory import Memory

__all__ = ["inbox"]


def _ids(memory: Memory) -> Iterator[tuple[str, str]]:
    return ((one.id, one.because) for one in memory.inbox.list())


@click.group(invoke_without_command=True, epilog=example("memdir inbox", "memdir inbox apply 261115-1a2b3c"))
@json_option
@click.pass_context
def inbox(context: click.Context, as_json: bool) -> None:
    """Decide about changes that nobody confirmed yet.

    They come from tools, from the assistant, or failed a check. Nothing of them is in memory until you apply
    it. Without a command it lists them.
    """
    if not context.invoked_subcommand:
        _list(context.obj, as_json=as_json)


@inbox.command("list", epilog=example("memdir inbox list"))
@json_option
@click.pass_obj
def list_proposals(target: Target, as_json: bool) -> None:
    """List what waits, oldest first."""
    _list(target, as_json=as_json)


def _list(target: Target, *, as_json: bool) -> None:
    waiting = target.memory().inbox.list()
    if as_json:
        say_json({"proposals": [_shape(one) for one in waiting]})
    elif waiting:
        say(
            *columns(
                [(one.id, one_line(", ".join(one.files)), one_line(one.because)) for one in waiting], bold=0
            )
        )
    else:
        say("Nothing waits.")


@inbox.command(epilog=example("memdir inbox show 261115-1a2b3c"))
@completed_argument("proposal", metavar="ID", words=_ids)
@json_option
@click.pass_obj
def show(target: Target, proposal: str, as_json: bool) -> None:
    """Show why it waits, and what would be written, byte for byte.

    ID is that of `memdir inbox list`, or its beginning.
    """
    from memdir.inbox.proposals import proposal_diff

    one = target.memory().inbox.show(proposal)
    if as_json:
        say_json(_shape(one))
        return
    say(f"Waits because: {one_line(one.because)}")
    say_diff(proposal_diff(one))
    say(*(f"{word}: {target.command('inbox', word.lower(), one.id)}" for word in ("Apply", "Reject")))


@inbox.command(epilog=example("memdir inbox apply 261115-1a2b3c"))
@completed_argument("proposal", metavar="ID", words=_ids)
@json_option
@click.pass_obj
def apply(target: Target, proposal: str, as_json: bool) -> None:
    """Write what is shown, in one step that can be undone."""
    memory = target.memory()
    with working("Saving"):
        applied, operation = memory.inbox.apply(proposal)
    if as_json:
        say_json({**_shape(applied), "operation": operation})
        return
    say(f"Applied {applied.id}: {one_line(', '.join(applied.files))}")
    if operation:
        say(*undo_lines(target, memory, operation))
        hint("An undo takes back what was written; it does not bring the proposal back.")


@inbox.command(epilog=example("memdir inbox reject 261115-1a2b3c"))
@completed_argument("proposal", metavar="ID", words=_ids)
@json_option
@click.pass_obj
def reject(target: Target, proposal: str, as_json: bool) -> None:
    """Drop a proposal; memory stays as it is."""
    rejected = target.memory().inbox.reject(proposal)
    if as_json:
        say_json(_shape(rejected))
    else:
        say(f"Rejected {rejected.id}: {one_line(', '.join(rejected.files))}")


def _shape(one: Proposal) -> dict[str, Any]:
    edits = [fields(edit, "file before after") for edit in one.edits]
    return {**fields(one, f"id at because {WRITER}"), "at": utc_stamp(one.at), "edits": edits}
