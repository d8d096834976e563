"""The command that shows a memory in a browser."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import click

from memdir.cli.arguments import example
from memdir.cli.output import hint, say
from memdir.cli.report import with_extra
from memdir.cli.target import Target

if TYPE_CHECKING:
    from memdir.viewer.server import ViewerServer

__all__ = ["ui"]


@click.command(epilog=example("memdir ui", "memdir ui --port 8765 --no-open"))
@click.option(
    "--port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    default=0,
    help="Serve on this port of 127.0.0.1; 0, the default, takes any free one.",
)
@click.option("--no-open", is_flag=True, help="Only print the address, open no browser.")
@click.pass_obj
def ui(target: Target, port: int, no_open: bool) -> None:
    """Look at memory in a browser, and change it there.

    It is served to this machine alone, and to whoever has the address that is printed. It ends with Ctrl+C
    and with its terminal.
    """

    def build() -> ViewerServer:
        from memdir.viewer.server import ViewerServer

        return ViewerServer(target.memory, port)

    server = with_extra("viewer", build)
    say(server.keys.address)
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not no_open and (has_screen or sys.platform == "darwin"):
        click.launch(server.keys.launch_address)
    if sys.stderr is not None and sys.stderr.isatty():
        hint("Ctrl+C ends it.")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    server.serve()
