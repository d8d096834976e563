"""The commands that keep memory in step with a remote: sync for your own, team for that of a project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import command, example, flag, group, limit_option, name_argument, option, yes_flag
from memdir.cli.output import (
    advise,
    answer,
    ask_secret,
    columns,
    confirm,
    moment,
    one_line,
    printable,
    say,
    show_progress,
    wants_json,
)
from memdir.cli.report import fields, report_saved
from memdir.cli.target import Target
from memdir.errors import Rejected
from memdir.memories.names import TEAM_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdir.handles.team import TeamStatus
    from memdir.memory import Memory
    from memdir.sync.remotes import RemoteSettings
    from memdir.sync.result import SyncResult
    from memdir.team.log import TeamChange

__all__ = ["sync", "team"]

_LONGEST_TOKEN = 10_000

who_option = option("--as who", "Who writes here; your name in git otherwise.", metavar="NAME", default="")
token_option = option("--token-file", "For a hub: the file that holds its token.", metavar="FILE", default="")
plain_flag = flag("--plain-http", "For a hub: permit http to another machine, which others can read.")


@group("memdir sync init git@example.org:me/memory.git", "memdir sync", doing="Syncing")
def sync(target: Target) -> None:
    """Keep this memory in step with a remote of your own.

    Team memory is synced with the team's remote too. The remote is a git repository, a shared folder or a
    space of a hub; a repository or a folder can hold the memories of many projects. Changes of both sides
    are merged. Where they contradict each other both are kept, and nothing that holds a credential is
    ever sent.
    """
    results = target.memory().sync.run_all()
    lines = [line for done in results for line in _sync_lines(target, done, named=len(results) > 1)]
    shape, *others = [fields(done, _SYNC) for done in results]
    answer({**shape, "others": others}, *lines)


@command("memdir sync init git@example.org:me/memory.git", "memdir sync init ~/Dropbox/memory", of=sync)
@click.argument("url")
@option("--folder", "The folder inside the remote; the project's name otherwise.", metavar="NAME", default="")
@option("--branch", "The branch of a git repository.", metavar="NAME", default="main", show_default=True)
@who_option
@yes_flag
@token_option
@plain_flag
def init(
    target: Target, url: str, *, folder: str, branch: str, yes: bool, token_file: str, **how: Any
) -> None:
    """Choose the remote of this memory.

    URL is that of a git repository, or a path to one, or to a folder that is shared by other means; or that
    of a space of a hub, https://HOST/SPACE, whose token is asked for. The choice is kept in your own
    settings, never in a project.
    """
    memory = target.memory()
    proposed, readers = memory.sync.proposal(url, branch=branch, sure=yes, plain_http=how["plain_http"])
    at = f", branch {proposed.branch}" if proposed.branch else ""
    say(f"Remote: {one_line(proposed.title + at)}", one_line(readers))
    is_hub = proposed.kind == "hub"
    wanted = folder or ("" if yes or wants_json() or is_hub else _agreed_folder(memory, url, branch))
    token = _hub_token(proposed, token_file)
    with show_progress("Looking at the remote"):
        chosen = memory.sync.init(url, folder=wanted, branch=branch, sure=yes, token=token, **how)
    lines = [] if is_hub else [f"Folder: {one_line(chosen.folder)}"]
    lines += [f"You write as {one_line(chosen.who)}."]
    answer(fields(chosen, "remote=title kind folder who"), *lines)
    advise(f"Sync now: {target.command('sync')}")


def _hub_token(proposed: RemoteSettings, token_file: str) -> str:
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
    from memdir.config.world import HUB_TOKEN

    given = os.environ.get(HUB_TOKEN, "").strip()
    return given or ask_secret(f"Token for {one_line(proposed.title)} (empty: the one you gave before)")


def _agreed_folder(memory: Memory, url: str, branch: str) -> str:
    """Ask which folder of the remote is this project's: one that looks like it, or a new one."""
    with show_progress("Looking at the remote"):
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
    rows = [("remote", found.remote), ("last change", found.last or "never synced")]
    rows += [("waiting", ", ".join(found.waiting) or "nothing")]
    rows += [("conflict", file) for file in found.conflicts]
    lines = columns([(name, one_line(text)) for name, text in rows], whole=True)
    answer(fields(found, "remote last waiting conflicts"), *lines)


def _sync_lines(target: Target, done: SyncResult, *, named: bool = False) -> Iterator[str]:
    """Yield what a sync did, and how to take back what came in."""
    if named:
        yield f"With {one_line(done.remote)}:"
    yield from map(one_line, done.lines())
    if done.operations:
        yield f"Undo what came in: {target.command('undo', done.operations[-1])}"


_SYNC = (
    "remote pushed pulled merged deleted_here deleted_there notes operations "
    "conflicts[file copy because] refused[file because]"
)


@click.group(
    epilog=example("memdir team init", "memdir team promote deploy-day", "memdir team blame deploy-day")
)
def team() -> None:
    """Share memories with everyone on the project, through git.

    Team memory lies beside your own, in its own folder and with its own index. Both are recalled together;
    where they contradict each other, yours comes first.
    """


@command("memdir team init", "memdir team init git@example.org:us/memory.git", of=team, name="init")
@click.argument("url", required=False, default="")
@option(
    "--folder", "The folder inside the remote, where URL serves many projects.", metavar="NAME", default=""
)
@who_option
@yes_flag
@token_option
@plain_flag
def init_team(target: Target, url: str, *, yes: bool, token_file: str, **how: Any) -> None:
    """Switch team memory on.

    Without URL it is kept in the project's own repository, on the branch memdir/team of its remote origin:
    whoever can read that can read it. URL names another repository, a folder that is shared by other means,
    or a space of a hub. The choice is kept in your own settings, never in the project.
    """
    memory = target.memory()
    chosen, readers = memory.team.proposal(url, **how)
    branch = f", branch {chosen.branch}" if chosen.branch else ""
    say(f"Remote: {one_line(chosen.title)}{one_line(branch)}", one_line(readers))
    say(f"You write as {one_line(chosen.who)}.")
    if not yes and not confirm("Share team memory there?"):
        raise Rejected("Nothing was changed: team memory is as it was.")
    token = _hub_token(chosen, token_file)
    with show_progress("Syncing"):
        done = memory.team.init(chosen, token=token)
    about = {**fields(chosen, "remote=title kind branch who"), "readers": readers}
    lines = [*_sync_lines(target, done), f"Team memory is on: {one_line(memory.team.directory)}"]
    answer({**about, **fields(done, "pulled pushed")}, *lines)
    advise(f"Share one: {target.command('team', 'promote', 'NAME')}, or save with `memdir remember --team`.")


@command("memdir team status", of=team, name="status")
def team_status(target: Target) -> None:
    """Show whether team memory is on, who can read it, and what waits to be sent."""
    found = target.memory().team.status()
    about = "directory memories remote readers last failed failed_at waiting conflicts"
    lines = columns(((name, one_line(text)) for name, text in _figures(found)), whole=True)
    answer(fields(found, f"verdict.on verdict.because {about}"), *lines)


@command("memdir team promote deploy-day", of=team)
@name_argument("name")
@flag("--keep", "Keep the private one too: the team gets a copy.")
@yes_flag
def promote(target: Target, name: str, *, keep: bool, yes: bool) -> None:
    """Share a private memory with the team.

    Shows exactly what will be shared, and asks. The memory moves; undo brings it back, and takes it from the
    team with the next sync.
    """
    memory = target.memory()
    shared = memory.team.sharing(name)
    where = memory.team.status()
    say(f"File: {one_line(shared.path)}", f"Remote: {one_line(where.remote or 'none yet')}")
    say(*([one_line(where.readers)] if where.readers else []))
    say("The whole text, as it will be shared:", "", printable(shared.version.text).rstrip("\n"), "")
    if not yes and not confirm("Share this with the team?"):
        raise Rejected("Nothing was shared.")
    with show_progress("Sharing"):
        saved = memory.team.promote(name, keep=keep)
    report_saved(target, memory, "Shared", saved)
    if where.remote:
        advise(f"It is sent at the end of the next conversation, or now: {target.command('sync')}")


@command("memdir team log --limit 10", of=team, doing="Reading")
@limit_option
def log(target: Target, limit: int | None) -> None:
    """List who taught the team what, newest first, as of the last sync."""
    _report_changes(target.memory().team.log()[:limit])


@command("memdir team blame deploy-day", of=team, doing="Reading")
@name_argument("name")
def blame(target: Target, name: str) -> None:
    """Show who wrote a team memory, when, and in which conversation.

    NAME is its name or file, also of one that is gone. The last line is who taught it.
    """
    _report_changes(target.memory().team.blame(name))


def _report_changes(changes: Sequence[TeamChange]) -> None:
    keys = "by.who by.at by.session by.actor deleted sent"
    shapes = [{"file": f"{TEAM_FOLDER}{change.file}", **fields(change, keys)} for change in changes]
    lines = columns(map(_row, changes), bold=1, empty="Nobody taught anything yet.")
    answer({"changes": shapes}, *lines)


def _row(change: TeamChange) -> tuple[str, str, str, str]:
    by = change.by
    verb = "forgot" if change.deleted else "wrote"
    details = [by.actor] if by.actor not in {"", "user"} else []
    details += [f"in conversation {by.session}"] if by.session else []
    details += [] if change.sent else ["not sent yet"]
    about = one_line(f"({', '.join(details)})") if details else ""
    who, what = one_line(by.who or "unknown"), one_line(f"{verb} {TEAM_FOLDER}{change.file}")
    return moment(by.at) if by.at else "", who, what, about


def _figures(found: TeamStatus) -> Iterator[tuple[str, str]]:
    yield "team", f"{'on' if found.verdict.on else 'off'} because {found.verdict.because}"
    yield "directory", found.directory
    yield "memories", str(found.memories)
    yield "remote", found.remote or "none: `memdir team init` chooses one"
    if found.readers:
        yield "readers", found.readers
    yield "last change", moment(found.last) if found.last else "never synced"
    yield "waiting", ", ".join(found.waiting) or "nothing"
    yield from (("conflict", file) for file in found.conflicts)
    if found.failed:
        yield "not synced", f"{moment(found.failed_at)}: {found.failed}"
