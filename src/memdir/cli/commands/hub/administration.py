"""Commands about the hub: a node of it, and what administrators do: space, token, usage, prune, audit."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import click

from memdir.cli.arguments import command, example, flag, option, port_option, yes_flag
from memdir.cli.output import advise, answer, columns, confirm, hint, moment, one_line, say
from memdir.cli.report import fields, packages_of
from memdir.cli.target import Target
from memdir.errors import Rejected
from memdir.text.dates.calendar import utc_stamp

if TYPE_CHECKING:
    from memdir.hub.administration import HubToken, Spaces, Tokens
    from memdir.hub.server import HubServer
    from memdir.hub.worker import HubWorker

__all__ = ["hub", "serve"]


_DAYS = click.IntRange(7, 36_500)

database_option = option(
    "--database",
    "The PostgreSQL database, as postgresql://USER@HOST/NAME; `MEMDIR_DATABASE` otherwise.",
    metavar="URL",
    envvar="MEMDIR_DATABASE",
    required=True,
)
version_days_option = option(
    "--version-days", "Days that replaced versions are kept.", type=_DAYS, default=90
)
versions_option = option("--versions", "Versions that always stay.", type=click.IntRange(2), default=10)
request_days_option = option("--request-days", "Days that answers and jobs are kept.", type=_DAYS, default=30)


@click.group(
    epilog=example(
        "memdir hub space create team-a",
        "memdir hub token create team-a my-laptop --scope write",
        "memdir hub usage",
    )
)
def hub() -> None:
    """Administer a hub: spaces, tokens, use, and who changed what.

    These commands work on the database itself, which --database or MEMDIR_DATABASE names.
    """


@hub.group(epilog=example("memdir hub space create team-a"))
def space() -> None:
    """Make, list and delete spaces; one space holds one memory directory."""


@command("memdir hub space create team-a", of=space)
@click.argument("name")
@database_option
def create(_: Target, name: str, database: str) -> None:
    """Make an empty space: a-z, 0-9, dots, dashes and underscores."""
    made = _hub(database).spaces.create(name)
    answer({"name": name, "id": str(made)}, f"Made the space {name}.")
    advise(f"Next: memdir hub token create {name} NAME")


@command("memdir hub space list", of=space, name="list")
@database_option
def list_spaces(_: Target, database: str) -> None:
    """List the spaces."""
    names = _hub(database).spaces.names()
    answer({"spaces": names}, *(names or ["No spaces."]))


@command("memdir hub space delete team-a", of=space)
@click.argument("name")
@yes_flag
@database_option
def delete(_: Target, name: str, yes: bool, database: str) -> None:
    """Delete a space with every version that it holds and its tokens; this cannot be undone."""
    spaces = _hub(database).spaces
    if not yes and not confirm(f"Delete the space {one_line(name)} for ever?"):
        raise Rejected("Nothing was deleted.")
    spaces.delete(name)
    answer({"deleted": name}, f"Deleted the space {one_line(name)}.")


@hub.group(epilog=example("memdir hub token create team-a my-laptop"))
def token() -> None:
    """Make, list and revoke tokens; a token opens one space."""


@command("memdir hub token create team-a ci --scope read --days 30", of=token, name="create")
@click.argument("space")
@click.argument("name")
@option(
    "--scope",
    "What it allows; each includes the one before it.",
    type=click.Choice(["read", "write", "admin"]),
    default="write",
)
@option("--days", "Let it expire after so many days.", type=click.IntRange(1, 36_500))
@database_option
def create_token(_: Target, space: str, name: str, scope: str, days: int | None, database: str) -> None:
    """Make a token for a space and print it, this once: only its hash is kept.

    NAME says whose it is: a person, a machine or an agent.
    """
    expires = datetime.now(UTC) + timedelta(days=days) if days else None
    secret = _hub(database).tokens.create(space, name, [scope], expires)
    about = {"space": space, "name": name, "scope": scope, "expires": _stamp(expires)}
    answer({"token": secret, **about}, secret)
    advise("Nobody can see it again. Keep it where secrets are kept.")


@command("memdir hub token list", "memdir hub token list team-a", of=token, name="list")
@click.argument("space", required=False)
@database_option
def list_tokens(_: Target, space: str | None, database: str) -> None:
    """List the tokens of a space, or of all, without what opens with them."""
    found = _hub(database).tokens.list_tokens(space)
    lines = columns(map(_token_row, found), bold=2, empty="No tokens.")
    answer({"tokens": [_token_shape(one) for one in found]}, *lines)


@command("memdir hub token revoke 3f0c6a1e-5f0e-4a53-9b5e-0d6b6c1f7a10", of=token)
@click.argument("id", metavar="ID")
@database_option
def revoke(_: Target, id: str, database: str) -> None:  # noqa: A002 - how the page calls the argument
    """Make a token worth nothing, at once and on every node. ID is what `memdir hub token list` shows."""
    try:
        which = UUID(id)
    except ValueError:
        raise Rejected(f"{id!r} is not the id of a token. List them with: memdir hub token list") from None
    _hub(database).tokens.revoke(which)
    answer({"revoked": id}, f"Revoked {id}.")


@command("memdir hub usage", of=hub)
@database_option
def usage(_: Target, database: str) -> None:
    """Show what each space holds: memories, versions, bytes, tokens."""
    found = _hub(database).spaces.usage()
    kinds = ("memories", "versions", "bytes", "tokens")
    rows = [(one["name"], *(f"{one[kind]:,} {kind}" for kind in kinds)) for one in found]
    answer({"spaces": found}, *columns(rows, bold=0, empty="No spaces."))


@command("memdir hub prune", "memdir hub prune team-a --version-days 30", of=hub)
@click.argument("space", required=False)
@version_days_option
@versions_option
@request_days_option
@database_option
def prune(_: Target, space: str | None, database: str, **ages: int) -> None:
    """Remove what is old from a space, or from all: replaced versions, answers to requests, ended jobs.

    Workers do the same once a day. The newest version of each memory always stays.
    """
    with packages_of("hub"):
        from memdir.hub.database import PruneRule
    found, keys = _hub(database).spaces.prune(PruneRule(**ages), space), "versions requests jobs"
    shapes = [fields(one, f"name=space {keys}") for one in found]
    rows = [(one.space, *(f"{n:,} {kind}" for kind, n in fields(one, keys).items())) for one in found]
    answer({"spaces": shapes}, *columns(rows, bold=0, empty="No spaces."))


@command("memdir hub audit --limit 20", "memdir hub audit --prune-days 730", of=hub)
@option("--limit", "Only the newest so many.", type=click.IntRange(1), default=100)
@option("--prune-days", "Remove older lines first.", type=click.IntRange(30, 36_500))
@database_option
def audit(_: Target, limit: int, prune_days: int | None, database: str) -> None:
    """List who administered what, newest first; memory text is never in it.

    Lines stay until they are removed with --prune-days; that is told by a line of its own.
    """
    shapes, rows, spaces = [], [], _hub(database).spaces
    if prune_days:
        spaces.prune_audit(prune_days)
    for entry in spaces.audit(limit):
        space, token = str(entry.space or ""), str(entry.token or "")
        about = {"at": _stamp(entry.at), "action": entry.action, "space": space, "token": token}
        shapes.append({**about, "detail": entry.detail})
        detail = ", ".join(f"{name} {_in_words(value)}" for name, value in entry.detail.items())
        rows.append((moment(entry.at), entry.action, space, one_line(detail)))
    answer({"entries": shapes}, *columns(rows, bold=1, empty="Nothing yet."))


def _in_words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


class _Hub(NamedTuple):
    spaces: Spaces
    tokens: Tokens


def _hub(database: str) -> _Hub:
    with packages_of("hub"):
        from memdir.hub.administration import Spaces, Tokens
        from memdir.hub.database import Database

        opened = Database(database)
    return _Hub(Spaces(opened), Tokens(opened))


def _stamp(at: datetime | None) -> str:
    return utc_stamp(at) if at else ""


def _token_shape(one: HubToken) -> dict[str, Any]:
    times = {"created": one.created_at, "expires": one.expires_at, "revoked": one.revoked_at}
    about = {"id": str(one.id), **fields(one, "space name scopes")}
    return about | {name: _stamp(at) for name, at in times.items()}


def _token_row(one: HubToken) -> tuple[str, ...]:
    state = f"revoked {moment(one.revoked_at)}" if one.revoked_at else ""
    expires = f"expires {moment(one.expires_at)}" if one.expires_at else "does not expire"
    return str(one.id), one.space, one_line(one.name), one.scopes[-1], state or expires


@click.command(epilog=example("memdir serve --database postgresql://memdir@db/memdir --migrate"))
@database_option
@option("--host", "The address to serve on.", metavar="HOST", default="127.0.0.1")
@port_option("--port", "The port; 0 takes any free one.", default=8377)
@flag("--migrate", "Bring the database up to date first.")
@option("--connections", "Connections to PostgreSQL at most.", type=click.IntRange(1, 1000), default=10)
@option("--rate", "Requests a second that one token may send.", type=click.IntRange(1), default=500)
@option("--at-once", "Requests of one token at the same time.", type=click.IntRange(1), default=64)
@flag("--worker", "Do the jobs of all spaces, and serve nothing.")
@option("--jobs", "Jobs that a worker does at the same time.", type=click.IntRange(1), default=2)
@option("--copies", "Spaces of which a copy is kept at most.", type=click.IntRange(1), default=256)
@version_days_option
@versions_option
@request_days_option
def serve(
    *,
    database: str,
    host: str,
    port: int,
    migrate: bool,
    connections: int,
    rate: int,
    at_once: int,
    worker: bool,
    jobs: int,
    copies: int,
    **ages: int,
) -> None:
    """Run one node of the hub, or one worker.

    A node keeps nothing of its own: start as many as you like on the same database. It serves plain HTTP; put
    what ends TLS before it where others than this machine can reach it. It ends with SIGTERM or Ctrl+C, after
    the requests that it is working on.
    """
    with packages_of("hub"):
        from memdir.hub.calls import RequestLimits
        from memdir.hub.database import Database, PruneRule
        from memdir.hub.server import node_server
        from memdir.hub.worker import hub_worker

        opened = Database(database, connections=connections)
        for name in opened.migrate() if migrate else ():
            hint(f"Applied {name}.")
        server: HubServer | HubWorker
        if worker:
            server = hub_worker(opened, os.environ, copies=copies, at_once=jobs, prunes=PruneRule(**ages))
        else:
            limits = RequestLimits(rate, at_once)
            server = node_server(opened, limits, os.environ, copies=copies, host=host, port=port)
    say(server.address)
    server.serve()
