"""Commands about agent types: list, prompt, and the snapshots of their memory."""

from __future__ import annotations

from typing import Any

import click

from memdir.cli.arguments import example, json_option
from memdir.cli.output import columns, hint, one_line, say, say_exactly, say_json, working
from memdir.cli.target import Target

__all__ = ["agent"]

agents_option = click.option("--agents", metavar="JSON", default="", help="Further agent types, as JSON.")


@click.group(epilog=example("memdir agent list"))
def agent() -> None:
    """Show agent types that keep a memory of their own.

    That is a sub-agent whose definition says `memory: user`, `project` or `local`. Every other command works
    on its memory with the global option --directory.
    """


@agent.command("list", epilog=example("memdir agent list"))
@agents_option
@json_option
@click.pass_obj
def list_agents(target: Target, agents: str, as_json: bool) -> None:
    """List agent types and where each keeps its memory."""
    known = target.memory().agent.list(agents)
    if as_json:
        keys = ("name", "description", "memory", "tools", "place")
        say_json({"agents": [{key: getattr(one, key) for key in keys} for one in known]})
    elif known:
        rows = [(one.name, one.memory or "no memory", one_line(one.description)) for one in known]
        say(*columns(rows, bold=0))
    else:
        say("No agent type is defined here.")


@agent.command(epilog=example("memdir agent prompt reviewer"))
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(["user", "project", "local"]),
    help="Whose memory it is, in place of what its definition says.",
)
@agents_option
@json_option
@click.pass_obj
def prompt(target: Target, name: str, scope: str | None, agents: str, as_json: bool) -> None:
    """Print what an agent type is told about its memory.

    A host that gives agent types their memory itself, as Claude Code does, needs nothing of this.
    """
    told = target.memory().agent.prompt(name, scope or "", agents=agents, preview=True)
    if as_json:
        keys = ("text", "directory", "scope", "tools")
        say_json({key: getattr(told, key) for key in keys})
    else:
        say_exactly(f"{told.text}\n")


@agent.group(epilog=example("memdir agent snapshot status reviewer"))
def snapshot() -> None:
    """Give and take what an agent type knows, through the project."""


@snapshot.command(epilog=example("memdir agent snapshot create reviewer"))
@click.argument("name")
@json_option
@click.pass_obj
def create(target: Target, name: str, as_json: bool) -> None:
    """Write the memory of an agent type into the project, for others to begin with.

    That of scope user. Texts with credentials are left out.
    """
    with working("Writing"):
        made = target.memory().agent.create_snapshot(name)
    if as_json:
        say_json({key: getattr(made, key) for key in ("folder", "timestamp", "files", "left_out")})
    else:
        say(f"Wrote {len(made.files)} files to {one_line(made.folder)}")
    for file in made.left_out:
        hint(f"{file} holds what looks like a credential and was left out: a snapshot is checked in.")


@snapshot.command(epilog=example("memdir agent snapshot status reviewer"))
@click.argument("name")
@json_option
@click.pass_obj
def status(target: Target, name: str, as_json: bool) -> None:
    """Say whether the project carries something newer."""
    found = target.memory().agent.snapshot(name)
    if as_json:
        say_json({key: getattr(found, key) for key in ("folder", "timestamp", "state", "taken")})
        return
    say(f"{found.state}: {_MEANING[found.state].format(at=found.timestamp or 'none')}")


@snapshot.command(epilog=example("memdir agent snapshot apply reviewer --use merge"))
@click.argument("name")
@click.option(
    "--use",
    type=click.Choice(["keep", "replace", "merge"]),
    default="merge",
    help="Have both, exactly the snapshot, or only what is here.",
)
@json_option
@click.pass_obj
def apply(target: Target, name: str, use: str, as_json: bool) -> None:
    """Take the snapshot of the project in."""
    memory = target.memory()
    with working("Saving"):
        taken = memory.agent.apply_snapshot(name, use)
    files: list[dict[str, Any]] = [
        {"file": one.file, "verb": one.verb, "because": one.because} for one in taken.files
    ]
    if as_json:
        say_json(
            {"timestamp": taken.snapshot.timestamp, "files": files, "operation": taken.imported.operation}
        )
        return
    if files:
        say(
            *columns(
                [(one["verb"], one_line(one["file"]), one_line(one["because"])) for one in files], bold=1
            )
        )
    say(f"Took the snapshot of {taken.snapshot.timestamp} ({use})")
    if taken.imported.operation:
        directory = memory.agent(name, scope="user").directory
        say(f"Undo: memdir --directory {one_line(directory)} undo {taken.imported.operation}")


_MEANING = {
    "none": "the project carries no snapshot.",
    "initialise": "there is no memory yet; `memdir agent snapshot apply` begins with that of {at}.",
    "offer": "the snapshot of {at} was not taken yet: apply it with --use keep, replace or merge.",
    "current": "the snapshot of {at} is known here.",
}
