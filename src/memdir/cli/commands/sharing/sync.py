"""The command that keeps memory in step with a remote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import example, json_option
from memdir.cli.output import columns, confirmed, hint, one_line, say, say_json, working
from memdir.cli.target import Target
from memdir.errors import Rejected

if TYPE_CHECKING:
    from memdir.memory import Memory
    from memdir.sync.result import SyncResult

__all__ = ["report_sync", "sync"]


@click.group(
    invoke_without_command=True,
    epilog=example("memdir sync init git@example.org:me/memory.git", "memdir sync"),
)
@json_option
@click.pass_context
def sync(context: click.Context, as_json: bool) -> None:
    """Keep this memory in step with a remote of your own, and team memory with the team's.

    The remote is a git repository or a shared folder; one can hold the memories of many projects. Changes of
    both sides are merged. Where they contradict each other both are kept, and nothing that holds a
    credential is ever sent.
    """
    if context.invoked_subcommand:
        return
    target: Target = context.obj
    with working("Syncing"):
        results = target.memory().sync.run_all()
    if as_json:
        say_json({**_shape(results[0]), "others": [_shape(done) for done in results[1:]]})
        return
    for done in results:
        report_sync(target, done, named=len(results) > 1)


@sync.command(
    epilog=example("memdir sync init git@example.org:me/memory.git", "memdir sync init ~/Dropbox/memory")
)
@click.argument("url")
@click.option(
    "--folder", metavar="NAME", default="", help="The folder inside the remote; the project's name otherwise."
)
@click.option(
    "--branch", metavar="NAME", default="main", show_default=True, help="The branch of a git repository."
)
@click.option("--as", "who", metavar="NAME", default="", help="Who writes here; your name in git otherwise.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@click.pass_obj
def init(target: Target, url: str, *, folder: str, branch: str, who: str, yes: bool, as_json: bool) -> None:
    """Choose the remote of this memory.

    URL is that of a git repository, or a path to one, or to a folder that is shared by other means. The
    choice is kept in your own settings, never in a project.
    """
    memory = target.memory()
    proposed, readers = memory.sync.proposal(url, branch=branch, sure=yes)
    if not as_json:
        at = f", branch {proposed.branch}" if proposed.branch else ""
        say(f"Remote: {one_line(proposed.title + at)}", one_line(readers))
    wanted = folder or ("" if yes or as_json else _agreed_folder(memory, url, branch))
    with working("Looking at the remote"):
        chosen = memory.sync.init(url, folder=wanted, branch=branch, who=who, sure=yes)
    if as_json:
        say_json({"remote": chosen.title, "kind": chosen.kind, "folder": chosen.folder, "who": chosen.who})
        return
    say(f"Folder: {one_line(chosen.folder)}", f"You write as {one_line(chosen.who)}.")
    hint(f"Sync now: {target.command('sync')}")


def _agreed_folder(memory: Memory, url: str, branch: str) -> str:
    """Ask which folder of the remote is this project's: one that looks like it, or a new one."""
    with working("Looking at the remote"):
        found, free = memory.sync.folders(url, branch=branch)
    for one in found:
        why = one_line(", ".join(one.evidence))
        if confirmed(f"Is the folder {one.folder!r} this project's ({why})?", default=one.strong):
            return one.folder
    if not confirmed(f"Keep this memory in the folder {free!r} of that remote?"):
        raise Rejected("Nothing was changed: the remote of this memory is as it was.")
    return free


@sync.command(epilog=example("memdir sync status"))
@json_option
@click.pass_obj
def status(target: Target, as_json: bool) -> None:
    """Show the remote, what waits to be sent, and open conflicts."""
    found = target.memory().sync.status()
    if as_json:
        shape = {"remote": found.remote, "last": found.last}
        say_json({**shape, "waiting": list(found.waiting), "conflicts": list(found.conflicts)})
        return
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
    names = ("pushed", "pulled", "merged", "deleted_here", "deleted_there", "notes", "operations")
    return {
        "remote": done.remote,
        **{name: list(getattr(done, name)) for name in names},
        "conflicts": [{"file": c.file, "copy": c.copy, "because": c.because} for c in done.conflicts],
        "refused": [{"file": one.file, "because": one.because} for one in done.refused],
    }
