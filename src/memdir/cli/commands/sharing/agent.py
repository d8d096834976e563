"""Commands about agent types: list, prompt, and the snapshots of their memory."""

from __future__ import annotations

import click

from memdir.cli.arguments import command, example
from memdir.cli.output import columns, hint, one_line, say, say_exactly, say_json, working
from memdir.cli.report import fields
from memdir.cli.target import Target

__all__ = ["agent"]

agents_option = click.option("--agents", metavar="JSON", default="", help="Further agent types, as JSON.")


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
    say_json({"agents": [fields(one, "name description memory tools place") for one in known]})
    rows = [(one.name, one.memory or "no memory", one_line(one.description)) for one in known]
    say(*columns(rows, bold=0, empty="No agent type is defined here."))


@command("memdir agent prompt reviewer", of=agent)
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(["user", "project", "local"]),
    help="Whose memory it is, in place of what its definition says.",
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


@command("memdir agent snapshot create reviewer", of=snapshot)
@click.argument("name")
def create(target: Target, name: str) -> None:
    """Write the memory of an agent type into the project, for others to begin with.

    That of scope user. Texts with credentials are left out.
    """
    with working("Writing"):
        made = target.memory().agent.create_snapshot(name)
    say_json(fields(made, "folder timestamp files left_out"))
    say(f"Wrote {len(made.files)} files to {one_line(made.folder)}")
    for file in made.left_out:
        hint(f"{file} holds what looks like a credential and was left out: a snapshot is checked in.")


@command("memdir agent snapshot status reviewer", of=snapshot)
@click.argument("name")
def status(target: Target, name: str) -> None:
    """Say whether the project carries something newer."""
    found = target.memory().agent.snapshot(name)
    say_json(fields(found, "folder timestamp state taken"))
    say(f"{found.state}: {_MEANING[found.state].format(at=found.timestamp or 'none')}")


@command("memdir agent snapshot apply reviewer --use merge", of=snapshot)
@click.argument("name")
@click.option(
    "--use",
    type=click.Choice(["keep", "replace", "merge"]),
    default="merge",
    help="Have both, exactly the snapshot, or only what is here.",
)
def apply(target: Target, name: str, use: str) -> None:
    """Take the snapshot of the project in."""
    memory = target.memory()
    with working("Saving"):
        taken = memory.agent.apply_snapshot(name, use)
    files, operation = taken.files, taken.imported.operation
    about = {"timestamp": taken.snapshot.timestamp, "operation": operation}
    say_json({**about, "files": [fields(one, "file verb because") for one in files]})
    say(*columns([(one.verb, one_line(one.file), one_line(one.because)) for one in files], bold=1))
    say(f"Took the snapshot of {taken.snapshot.timestamp} ({use})")
    if operation:
        directory = memory.agent(name, scope="user").directory
        say(f"Undo: memdir --directory {one_line(directory)} undo {operation}")


_MEANING = {
    "none": "the project carries no snapshot.",
    "initialise": "there is no memory yet; `memdir agent snapshot apply` begins with that of {at}.",
    "offer": "the snapshot of {at} was not taken yet: apply it with --use keep, replace or merge.",
    "current": "the snapshot of {at} is known here.",
}
