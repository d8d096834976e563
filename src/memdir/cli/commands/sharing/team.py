"""Commands about team memory: init, status, promote, log, blame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memdir.cli.arguments import command, example, name_argument
from memdir.cli.commands.sharing.sync import hub_options, hub_token, report_sync
from memdir.cli.output import advise, columns, confirm, moment, one_line, printable, say, say_json, working
from memdir.cli.report import fields, report_saved
from memdir.cli.target import Target
from memdir.errors import Rejected
from memdir.memories.names import TEAM_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdir.handles.team import TeamStatus
    from memdir.team.log import TeamChange

__all__ = ["team"]


@click.group(
    epilog=example("memdir team init", "memdir team promote deploy-day", "memdir team blame deploy-day")
)
def team() -> None:
    """Share memories with everyone on the project, through git.

    Team memory lies beside your own, in its own folder and with its own index. Both are recalled together;
    where they contradict each other, yours comes first.
    """


@command("memdir team init", "memdir team init git@example.org:us/memory.git", of=team)
@click.argument("url", required=False, default="")
@click.option(
    "--folder",
    metavar="NAME",
    default="",
    help="The folder inside the remote, where URL serves many projects.",
)
@click.option("--as", "who", metavar="NAME", default="", help="Who writes here; your name in git otherwise.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@hub_options
def init(
    target: Target, url: str, *, folder: str, who: str, yes: bool, token_file: str, plain_http: bool
) -> None:
    """Switch team memory on.

    Without URL it is kept in the project's own repository, on the branch memdir/team of its remote origin:
    whoever can read that can read it. URL names another repository, a folder that is shared by other means,
    or a space of a hub. The choice is kept in your own settings, never in the project.
    """
    memory = target.memory()
    chosen, readers = memory.team.proposal(url, folder=folder, who=who, plain_http=plain_http)
    branch = f", branch {chosen.branch}" if chosen.branch else ""
    say(f"Remote: {one_line(chosen.title)}{one_line(branch)}", one_line(readers))
    say(f"You write as {one_line(chosen.who)}.")
    if not yes and not confirm("Share team memory there?"):
        raise Rejected("Nothing was changed: team memory is as it was.")
    token = hub_token(chosen, token_file)
    with working("Syncing"):
        done = memory.team.init(chosen, token=token)
    about = {**fields(chosen, "remote=title kind branch who"), "readers": readers}
    say_json({**about, **fields(done, "pulled pushed")})
    report_sync(target, done)
    say(f"Team memory is on: {one_line(memory.team.directory)}")
    advise(f"Share one: {target.command('team', 'promote', 'NAME')}, or save with `memdir remember --team`.")


@command("memdir team status", of=team)
def status(target: Target) -> None:
    """Show whether team memory is on, who can read it, and what waits to be sent."""
    found = target.memory().team.status()
    about = "directory memories remote readers last failed failed_at waiting conflicts"
    say_json(fields(found, f"verdict.on verdict.because {about}"))
    say(*columns(((name, one_line(text)) for name, text in _figures(found)), whole=True))


@command("memdir team promote deploy-day", of=team)
@name_argument("name")
@click.option("--keep", is_flag=True, help="Keep the private one too: the team gets a copy.")
@click.option("--yes", is_flag=True, help="Do not ask.")
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
    with working("Sharing"):
        saved = memory.team.promote(name, keep=keep)
    report_saved(target, memory, "Shared", saved)
    if where.remote:
        advise(f"It is sent at the end of the next conversation, or now: {target.command('sync')}")


@command("memdir team log --limit 10", of=team)
@click.option("--limit", type=click.IntRange(min=1), help="Only the newest so many.")
def log(target: Target, limit: int | None) -> None:
    """List who taught the team what, newest first, as of the last sync."""
    with working("Reading"):
        changes = target.memory().team.log()[:limit]
    _report_changes(changes)


@command("memdir team blame deploy-day", of=team)
@name_argument("name")
def blame(target: Target, name: str) -> None:
    """Show who wrote a team memory, when, and in which conversation.

    NAME is its name or file, also of one that is gone. The last line is who taught it.
    """
    with working("Reading"):
        changes = target.memory().team.blame(name)
    _report_changes(changes)


def _report_changes(changes: Sequence[TeamChange]) -> None:
    keys = "by.who by.at by.session by.actor deleted sent"
    shapes = [{"file": f"{TEAM_FOLDER}{change.file}", **fields(change, keys)} for change in changes]
    say_json({"changes": shapes})
    say(*columns(map(_row, changes), bold=1, empty="Nobody taught anything yet."))


def _row(change: TeamChange) -> tuple[str, str, str, str]:
    by = change.by
    told = "forgot" if change.deleted else "wrote"
    about = [
        by.actor if by.actor not in ("", "user") else "",
        f"in conversation {by.session}" if by.session else "",
    ]
    about += [] if change.sent else ["not sent yet"]
    details = ", ".join(filter(None, about))
    who, what = one_line(by.who or "unknown"), one_line(f"{told} {TEAM_FOLDER}{change.file}")
    return moment(by.at) if by.at else "", who, what, one_line(f"({details})") if details else ""


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
