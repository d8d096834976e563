"""Commands that bring memories elsewhere and back: adopt, import, export, and those of agent types."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import command, example, flag, option
from memdir.cli.failure import ExitCode
from memdir.cli.output import (
    advise,
    answer,
    columns,
    confirm,
    hint,
    one_line,
    say,
    say_exactly,
    say_json,
    show_progress,
    wants_json,
)
from memdir.cli.report import fields, undo_lines
from memdir.cli.target import Target
from memdir.text.numbers import count

if TYPE_CHECKING:
    from memdir.memory import Memory
    from memdir.transfer.orphans import Orphan
    from memdir.transfer.plan import Imported, ImportPlan

__all__ = ["adopt", "agent", "export_memories", "import_memories"]

FORMS = ("bundle", "claude-code", "mcp", "markdown")
"""What an import can be read as."""

_SHOWN = 20
"""Files that are listed before the rest is counted."""

existing_option = option(
    "--existing",
    "What to do with a memory whose name is used here by another text.",
    type=click.Choice(["keep", "rename", "replace"]),
    default="keep",
)


@command("memdir adopt ~/src/old-name")
@click.argument("old", metavar="[OLDPATH]", default="")
@flag("--yes", "Do not ask; only with OLDPATH.")
@flag("--make-id", "Put a .memdir-id here, by which the project is recognised.")
@existing_option
def adopt(target: Target, *, old: str, yes: bool, make_id: bool, existing: str) -> None:
    """Bring in the memories of this project from its old path.

    OLDPATH is where the project was, or a memory directory. Without it, every directory that may belong here
    is shown with the reason, also those of Claude Code and Codex; each is asked about. Nothing is taken away
    from the old place.
    """
    memory = target.memory()
    if yes and not old:
        raise click.UsageError("--yes needs OLDPATH: name what you want to bring in.")
    if make_id:
        say(f"This project is {memory.transfer.make_id()}", always=True)
        return
    found = [memory.transfer.orphan(os.path.abspath(old))] if old else memory.transfer.orphans()
    if wants_json() and not yes:
        keys = "directory root memories evidence gone likely host"
        say_json({"orphans": [fields(one, keys) for one in found]})
        return
    if not found:
        say("No memories were found that may belong to this project.", "Name its old path: memdir adopt PATH")
    for one in found:
        _offer(target, memory, one, existing, yes=yes)


@command("memdir import backup.memdir", name="import")
@click.argument("path", type=click.Path(exists=True))
@option("--as form", "Read it as this; found out if left out.", type=click.Choice(FORMS))
@option("--section", "Which section of a bundle: private, team, agents/...", default="private")
@flag("--yes", "Write without asking.")
@flag("--dry-run", "Only show what would be written.")
@flag("--allow-secret", "Take texts with credentials in too.")
@existing_option
def import_memories(
    target: Target, /, *, path: str, form: str | None, yes: bool, dry_run: bool, **options: Any
) -> int:
    """Bring in memories from a file or folder, shown first.

    PATH is a bundle of `memdir export`, a memory directory of Claude Code, the JSONL file of the MCP memory
    server, or a folder of Markdown notes. What comes in counts as imported: it binds nobody.
    Ends with 6 when every text is refused.
    """
    memory = target.memory()
    with show_progress("Reading"):
        plan = memory.transfer.plan(path, form or "", **options)
    say(*_plan_lines(plan))
    done, is_new = None, not dry_run and (plan.edits or plan.logs)
    if is_new and (yes or wants_json() or confirm("Bring these in?")):
        with show_progress("Saving"):
            done = memory.transfer.apply(plan)
    _report(target, memory, plan, done)
    refused = plan.files and all(one.verb == "refuse" for one in plan.files) and not dry_run
    return ExitCode.REFUSED if refused else ExitCode.OK


@command("memdir export backup.memdir", name="export", doing="Exporting")
@click.argument("path", metavar="FILE", type=click.Path())
@flag("--team", "With the team's memories.")
@flag("--agents", "With the memories of agent types.")
@flag("--history", "With all that was done, as a git bundle.")
def export_memories(target: Target, *, path: str, team: bool, agents: bool, history: bool) -> None:
    """Write all memories into one file, byte for byte.

    A FILE that is a folder, or ends in a slash, becomes a memory directory that Claude Code reads.
    """
    sections = [name for name, wanted in (("team", team), ("agents", agents)) if wanted]
    done = target.memory().transfer.export(path, sections=sections, history=history)
    exported = f"Exported {done.files} files to {one_line(done.path)} ({', '.join(done.sections)})"
    answer(fields(done, "path files sections"), exported)
    hint(*[f"{left.file} was left out: {left.because}." for left in done.left_out])
    if done.secrets:
        hint(
            f"It holds what looks like a credential, in {', '.join(done.secrets[:_SHOWN])}. Keep it private."
        )


def _offer(target: Target, memory: Memory, one: Orphan, existing: str, *, yes: bool) -> None:
    """Show one directory, why it may belong here and what would come in; then ask."""
    plan = memory.transfer.adoption(one, existing)
    say(*_orphan_lines(one), *_plan_lines(plan))
    if yes or confirm("Does this belong to this project? Bring it in?"):
        with show_progress("Saving"):
            done = memory.transfer.apply(plan)
        _report(target, memory, plan, done)
    else:
        memory.transfer.decline(one)
        say("It is not suggested again. Name it to bring it in after all: memdir adopt PATH")


def _orphan_lines(one: Orphan) -> Iterator[str]:
    where = one.root or "a project that nothing names"
    yield f"{one_line(where)}{' (gone)' if one.gone else ''}: {count(one.memories, 'memory')}, by {one.host}"
    yield f"  in {one_line(one.directory)}"
    alone = "its project is gone; nothing else speaks for it" if one.gone else "you named it"
    yield from (f"  because: {one_line(words)}" for words in one.evidence or (alone,))


def _plan_lines(plan: ImportPlan) -> Iterator[str]:
    rows = [(one.verb, one_line(one.file), one_line(one.because)) for one in plan.files]
    rows += [("add", one_line(log.file), "") for log in plan.logs]
    if rows:
        yield from columns(rows[:_SHOWN], bold=1)
    if len(rows) > _SHOWN:
        counts = Counter(verb for verb, *_ in rows[_SHOWN:])
        yield f"and {', '.join(f'{count} more to {verb}' for verb, count in counts.items())}"


def _report(target: Target, memory: Memory, plan: ImportPlan, done: Imported | None) -> None:
    shape = fields(plan, "form=source.form files[file verb because]")
    shape |= {"logs": [log.file for log in plan.logs], "operation": done.operation if done else ""}
    if done is None:
        answer(shape, "Nothing was written.")
        return
    undo = undo_lines(target, memory, done.operation)
    answer(shape, f"Brought in {count(len(done.files), 'memory')}", *undo)
    if done.history:
        advise(f"The history that came along is kept aside: git clone {done.history}")


agents_option = option("--agents", "Further agent types, as JSON.", metavar="JSON", default="")


@click.group(epilog=example("memdir agent list"))
def agent() -> None:
    """Show agent types that keep a memory of their own.

    That is a sub-agent whose definition says `memory: user`, `project` or `local`. Every other command works
    on its memory with the global option --directory.
    """


@command("memdir agent list", of=agent, name="list")
@agents_option
def list_agents(target: Target, agents: str) -> None:
    """List agent types and where each keeps its memory."""
    known = target.memory().agent.list(agents)
    shape = {"agents": [fields(one, "name description memory tools place") for one in known]}
    rows = [(one.name, one.memory or "no memory", one_line(one.description)) for one in known]
    answer(shape, *columns(rows, bold=0, empty="No agent type is defined here."))


@command("memdir agent prompt reviewer", of=agent)
@click.argument("name")
@option(
    "--scope",
    "Whose memory it is, in place of what its definition says.",
    type=click.Choice(["user", "project", "local"]),
)
@agents_option
def prompt(target: Target, name: str, scope: str | None, agents: str) -> None:
    """Print what an agent type is told about its memory.

    A host that gives agent types their memory itself, as Claude Code does, needs nothing of this.
    """
    told = target.memory().agent.prompt(name, scope or "", agents=agents, preview=True)
    say_json(fields(told, "text directory scope tools"))
    say_exactly(f"{told.text}\n")


@agent.group(epilog=example("memdir agent snapshot status reviewer"))
def snapshot() -> None:
    """Give and take what an agent type knows, through the project."""


@command("memdir agent snapshot create reviewer", of=snapshot, doing="Writing")
@click.argument("name")
def create(target: Target, name: str) -> None:
    """Write the memory of an agent type into the project, for others to begin with.

    That of scope user. Texts with credentials are left out.
    """
    made = target.memory().agent.create_snapshot(name)
    wrote = f"Wrote {len(made.files)} files to {one_line(made.folder)}"
    answer(fields(made, "folder timestamp files left_out"), wrote)
    why = "holds what looks like a credential and was left out: a snapshot is checked in."
    hint(*[f"{file} {why}" for file in made.left_out])


@command("memdir agent snapshot status reviewer", of=snapshot)
@click.argument("name")
def status(target: Target, name: str) -> None:
    """Say whether the project carries something newer."""
    found = target.memory().agent.snapshot(name)
    meaning = _MEANING[found.state].format(at=found.timestamp or "none")
    answer(fields(found, "folder timestamp state taken"), f"{found.state}: {meaning}")


@command("memdir agent snapshot apply reviewer --use merge", of=snapshot, doing="Saving")
@click.argument("name")
@option(
    "--use",
    "Have both, exactly the snapshot, or only what is here.",
    type=click.Choice(["keep", "replace", "merge"]),
    default="merge",
)
def apply(target: Target, name: str, use: str) -> None:
    """Take the snapshot of the project in."""
    memory = target.memory()
    taken = memory.agent.apply_snapshot(name, use)
    files, operation = taken.files, taken.imported.operation
    lines = columns([(one.verb, one_line(one.file), one_line(one.because)) for one in files], bold=1)
    lines += [f"Took the snapshot of {taken.snapshot.timestamp} ({use})"]
    if operation:
        directory = memory.agent(name, scope="user").directory
        lines += [f"Undo: memdir --directory {one_line(directory)} undo {operation}"]
    about = "timestamp=snapshot.timestamp operation=imported.operation files[file verb because]"
    answer(fields(taken, about), *lines)


_MEANING = {
    "none": "the project carries no snapshot.",
    "initialise": "there is no memory yet; `memdir agent snapshot apply` begins with that of {at}.",
    "offer": "the snapshot of {at} was not taken yet: apply it with --use keep, replace or merge.",
    "current": "the snapshot of {at} is known here.",
}
