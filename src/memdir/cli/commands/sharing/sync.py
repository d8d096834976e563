"""The command that keeps memory in step with a remote."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memdir.cli.arguments import command, group
from memdir.cli.output import (
    advise,
    asked_secret,
    columns,
    confirm,
    one_line,
    say,
    say_json,
    wants_json,
    working,
)
from memdir.cli.report import fields
from memdir.cli.target import Target
from memdir.errors import Rejected

if TYPE_CHECKING:
    from memdir.memory import Memory
    from memdir.sync.remotes import RemoteSettings
    from memdir.sync.result import SyncResult

__all__ = ["hub_options", "hub_token", "report_sync", "sync"]

Command = TypeVar("Command", bound=Callable[..., Any])


_LONGEST_TOKEN = 10_000


def hub_options(command: Command) -> Command:
    """Add the options of a remote that is a hub."""
    file = click.option(
        "--token-file", metavar="FILE", default="", help="For a hub: the file that holds its token."
    )
    plain = click.option(
        "--plain-http", is_flag=True, help="For a hub: permit http to another machine, which others can read."
    )
    return file(plain(command))


@group("memdir sync init git@example.org:me/memory.git", "memdir sync")
def sync(target: Target) -> None:
    """Keep this memory in step with a remote of your own.

    Team memory is synced with the team's remote too. The remote is a git repository, a shared folder or a
    space of a hub; a repository or a folder can hold the memories of many projects. Changes of both sides
    are merged. Where they contradict each other both are kept, and nothing that holds a credential is
    ever sent.
    """
    with working("Syncing"):
        results = target.memory().sync.run_all()
    say_json({**_shape(results[0]), "others": [_shape(done) for done in results[1:]]})
    for done in results:
        report_sync(target, done, named=len(results) > 1)


@command("memdir sync init git@example.org:me/memory.git", "memdir sync init ~/Dropbox/memory", of=sync)
@click.argument("url")
@click.option(
    "--folder", metavar="NAME", default="", help="The folder inside the remote; the project's name otherwise."
)
@click.option(
    "--branch", metavar="NAME", default="main", show_default=True, help="The branch of a git repository."
)
@click.option("--as", "who", metavar="NAME", default="", help="Who writes here; your name in git otherwise.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@hub_options
def init(
    target: Target,
    url: str,
    *,
    folder: str,
    branch: str,
    who: str,
    yes: bool,
    token_file: str,
    plain_http: bool,
) -> None:
    """Choose the remote of this memory.

    URL is that of a git repository, or a path to one, or to a folder that is shared by other means; or that
    of a space of a hub, https://HOST/SPACE, whose token is asked for. The choice is kept in your own
    settings, never in a project.
    """
    memory = target.memory()
    proposed, readers = memory.sync.proposal(url, branch=branch, sure=yes, plain_http=plain_http)
    at = f", branch {proposed.branch}" if proposed.branch else ""
    say(f"Remote: {one_line(proposed.title + at)}", one_line(readers))
    is_hub = proposed.kind == "hub"
    wanted = folder or ("" if yes or wants_json() or is_hub else _agreed_folder(memory, url, branch))
    token = hub_token(proposed, token_file)
    with working("Looking at the remote"):
        chosen = memory.sync.init(
            url, folder=wanted, branch=branch, who=who, sure=yes, token=token, plain_http=plain_http
        )
    say_json(fields(chosen, "remote=title kind folder who"))
    say(*([] if is_hub else [f"Folder: {one_line(chosen.folder)}"]), f"You write as {one_line(chosen.who)}.")
    advise(f"Sync now: {target.command('sync')}")


def hub_token(proposed: RemoteSettings, token_file: str) -> str:
    """Return the token that a person gives for a hub: in a file, in the environment, or typed unseen.

    Empty where none is needed, or where nobody is there to type it: then one that is kept is used.
    """
    if proposed.kind != "hub":
        return ""
    if token_file:
        try:
            with open(token_file, encoding="ascii") as file:
                return file.read(_LONGEST_TOKEN).strip()
        except (OSError, ValueError) as error:
            raise Rejected(f"{token_file} cannot be read as a token. Name a file that holds it.") from error
    from memdir.config.variables import HUB_TOKEN

    given = os.environ.get(HUB_TOKEN, "").strip()
    return given or asked_secret(f"Token for {one_line(proposed.title)} (empty: the one you gave before)")


def _agreed_folder(memory: Memory, url: str, branch: str) -> str:
    """Ask which folder of the remote is this project's: one that looks like it, or a new one."""
    with working("Looking at the remote"):
        found, free = memory.sync.folders(url, branch=branch)
    for one in found:
        why = one_line(", ".join(one.evidence))
        if confirm(f"Is the folder {one.folder!r} this project's ({why})?", default=one.strong):
            return one.folder
    if not confirm(f"Keep this memory in the folder {free!r} of that remote?"):
        raise Rejected("Nothing was changed: the remote of this memory is as it was.")
    return free


@command("memdir sync status", of=sync)
def status(target: Target) -> None:
    """Show the remote, what waits to be sent, and open conflicts."""
    found = target.memory().sync.status()
    say_json(fields(found, "remote last waiting conflicts"))
    rows = [("remote", found.remote), ("last change", found.last or "never synced")]
    rows += [("waiting", ", ".join(found.waiting) or "nothing")]
    rows += [("conflict", file) for file in found.conflicts]
    say(*columns([(name, one_line(text)) for name, text in rows], whole=True))


def report_sync(target: Target, done: SyncResult, *, named: bool = False) -> None:
    """Print what a sync did, and how to take back what came in."""
    say(*([f"With {one_line(done.remote)}:"] if named else []), *map(one_line, done.lines()))
    if done.operations:
        say(f"Undo what came in: {target.command('undo', done.operations[-1])}")


def _shape(done: SyncResult) -> dict[str, Any]:
    return {
        **fields(done, "remote pushed pulled merged deleted_here deleted_there notes operations"),
        "conflicts": [fields(one, "file copy because") for one in done.conflicts],
        "refused": [fields(one, "file because") for one in done.refused],
    }
