"""The command that runs one node of the hub."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memdir.cli.arguments import example
from memdir.cli.output import hint, say
from memdir.cli.report import with_extra

if TYPE_CHECKING:
    from memdir.hub.server import HubServer
    from memdir.hub.worker import HubWorker

__all__ = ["database_option", "prune_options", "serve"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def database_option(command: _Command) -> _Command:
    """Give a command the option that names the database."""
    return click.option(
        "--database",
        metavar="URL",
        envvar="MEMDIR_DATABASE",
        required=True,
        help="The PostgreSQL database, as postgresql://USER@HOST/NAME; `MEMDIR_DATABASE` otherwise.",
    )(command)


def prune_options(command: _Command) -> _Command:
    """Give a command the options that say what is old in a space."""
    days = click.IntRange(7, 36_500)
    for option in (
        click.option("--request-days", type=days, default=30, help="Days that answers and jobs are kept."),
        click.option("--versions", type=click.IntRange(2), default=10, help="Versions that always stay."),
        click.option("--version-days", type=days, default=90, help="Days that replaced versions are kept."),
    ):
        command = option(command)
    return command


@click.command(epilog=example("memdir serve --database postgresql://memdir@db/memdir --migrate"))
@database_option
@click.option("--host", metavar="HOST", default="127.0.0.1", help="The address to serve on.")
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    default=8377,
    help="The port; 0 takes any free one.",
)
@click.option("--migrate", is_flag=True, help="Bring the database up to date first.")
@click.option(
    "--connections", type=click.IntRange(1, 1000), default=10, help="Connections to PostgreSQL at most."
)
@click.option(
    "--rate", type=click.IntRange(1), default=500, help="Requests a second that one token may send."
)
@click.option("--at-once", type=click.IntRange(1), default=64, help="Requests of one token at the same time.")
@click.option("--worker", is_flag=True, help="Do the jobs of all spaces, and serve nothing.")
@click.option("--jobs", type=click.IntRange(1), default=2, help="Jobs that a worker does at the same time.")
@click.option("--copies", type=click.IntRange(1), default=256, help="Spaces of which a copy is kept at most.")
@prune_options
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
    version_days: int,
    versions: int,
    request_days: int,
) -> None:
    """Run one node of the hub, or one worker.

    A node keeps nothing of its own: start as many as you like on the same database. It serves plain HTTP; put
    what ends TLS before it where others than this machine can reach it. It ends with SIGTERM or Ctrl+C, after
    the requests that it is working on.
    """

    def build() -> HubServer | HubWorker:
        from memdir.hub.database import Database, PruneRule
        from memdir.hub.limits import RequestLimits
        from memdir.hub.server import node_server
        from memdir.hub.worker import hub_worker

        opened = Database(database, connections=connections)
        for name in opened.migrate() if migrate else ():
            hint(f"Applied {name}.")
        if worker:
            rule = PruneRule(version_days, versions, request_days)
            return hub_worker(opened, os.environ, copies=copies, at_once=jobs, prunes=rule)
        limits = RequestLimits(rate, at_once)
        return node_server(opened, limits, os.environ, copies=copies, host=host, port=port)

    server = with_extra("hub", build)
    say(server.address)
    server.serve()
