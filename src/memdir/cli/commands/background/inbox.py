"""Commands about changes that wait for a person: inbox list, show, apply, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdir.cli.arguments import command, completed_argument, group
from memdir.cli.output import advise, columns, one_line, say, say_diff, say_json, working
from memdir.cli.report import WRITER, fields, undo_lines
from memdir.cli.target import Target
from memdir.text.dates.calendar import utc_stamp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir.inbox.proposals import Proposal
    from memdir.memory import Memory

__all__ = ["inbox"]


def _ids(memory: Memory) -> Iterator[tuple[str, str]]:
    return ((one.id, one.because) for one in memory.inbox.list())


_id_argument = completed_argument("proposal", metavar="ID", words=_ids)


@group("memdir inbox", "memdir inbox apply 261115-1a2b3c")
def inbox(target: Target) -> None:
    """Decide about changes that nobody confirmed yet.

    They come from tools, from the assistant, or failed a check. Nothing of them is in memory until you apply
    it. Without a command it lists them.
    """
    _list(target)


@command("memdir inbox list", of=inbox, name="list")
def list_proposals(target: Target) -> None:
    """List what waits, oldest first."""
    _list(target)


def _list(target: Target) -> None:
    waiting = target.memory().inbox.list()
    say_json({"proposals": [_shape(one) for one in waiting]})
    rows = [(one.id, one_line(", ".join(one.files)), one_line(one.because)) for one in waiting]
    say(*columns(rows, bold=0, empty="Nothing waits."))


@command("memdir inbox show 261115-1a2b3c", of=inbox)
@_id_argument
def show(target: Target, proposal: str) -> None:
    """Show why it waits, and what would be written, byte for byte.

    ID is that of `memdir inbox list`, or its beginning.
    """
    from memdir.inbox.proposals import proposal_diff

    one = target.memory().inbox.show(proposal)
    say_json(_shape(one))
    say(f"Waits because: {one_line(one.because)}")
    say_diff(proposal_diff(one))
    say(*(f"{word}: {target.command('inbox', word.lower(), one.id)}" for word in ("Apply", "Reject")))


@command("memdir inbox apply 261115-1a2b3c", of=inbox)
@_id_argument
def apply(target: Target, proposal: str) -> None:
    """Write what is shown, in one step that can be undone."""
    memory = target.memory()
    with working("Saving"):
        applied, operation = memory.inbox.apply(proposal)
    say_json({**_shape(applied), "operation": operation})
    say(f"Applied {applied.id}: {one_line(', '.join(applied.files))}")
    if operation:
        say(*undo_lines(target, memory, operation))
        advise("An undo takes back what was written; it does not bring the proposal back.")


@command("memdir inbox reject 261115-1a2b3c", of=inbox)
@_id_argument
def reject(target: Target, proposal: str) -> None:
    """Drop a proposal; memory stays as it is."""
    rejected = target.memory().inbox.reject(proposal)
    say_json(_shape(rejected))
    say(f"Rejected {rejected.id}: {one_line(', '.join(rejected.files))}")


def _shape(one: Proposal) -> dict[str, Any]:
    edits = [fields(edit, "file before after") for edit in one.edits]
    return {**fields(one, f"id at because {WRITER}"), "at": utc_stamp(one.at), "edits": edits}
