"""Commands that show memdir: at work in a demo, and a memory in a browser."""

from __future__ import annotations

import os
import shutil
import signal
import sys

import click

from memdir.cli.arguments import example, flag, port_option
from memdir.cli.failure import ExitCode
from memdir.cli.output import confirm, hint, is_terminal, say
from memdir.cli.report import packages_of
from memdir.cli.target import Target

__all__ = ["demo", "ui"]

_PAUSE = 0.8
"""Seconds between two commands, for a person to follow."""

_BEGINNING = """
Three days of one person's work with an agent, told with real commands in a temporary home, {home}.
Nothing of yours is touched. It takes about a minute; Ctrl+C ends it. $MEMORY is its memory directory."""


@click.command(epilog=example("memdir demo", "memdir demo --step", "memdir demo --fast --keep"))
@flag("--fast", "Do not wait between two commands.")
@flag("--step by_key", "Wait for a key after each step.")
@flag("--keep", "Keep the home that it made, to look around in it.")
def demo(*, fast: bool, by_key: bool, keep: bool) -> None:
    """Tell three days of work with memdir, in a temporary home.

    It needs git, no network and no model, and touches nothing of yours.
    """
    from memdir.cli.demo import Demo
    from memdir.config.world import utc_now

    if shutil.which("git") is None:
        raise click.UsageError("The demo needs git. Install it, and run `memdir demo` again.")
    follows = is_terminal(sys.stdout) and not fast
    story = Demo(os.environ, pause=_PAUSE if follows else 0.0, by_key=by_key and is_terminal(sys.stdin))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(ExitCode.ERROR))  # so that the home is removed all the same
    try:
        say(*_BEGINNING.format(home=story.home).splitlines())
        story.tell(utc_now())
    except BaseException:
        keep = False
        raise
    else:
        say("", "That was the demo. What it did, you can do: `memdir init claude-code`, then work as always.")
        if is_terminal(sys.stdin) and not fast and confirm("Look at what it made in a browser?"):
            story.browse()
    finally:
        if not keep:
            story.remove()
    if keep:
        say(f"It is all still there: cd {story.project} && export HOME={story.home}; memdir ui shows it.")
        say("Remove it with: rm -r " + story.home)


@click.command(epilog=example("memdir ui", "memdir ui --port 8765 --no-open"))
@port_option("--port", "Serve on this port of 127.0.0.1; 0, the default, takes any free one.", default=0)
@flag("--no-open", "Only print the address, open no browser.")
@click.pass_obj
def ui(target: Target, port: int, no_open: bool) -> None:
    """Look at memory in a browser, and change it there.

    It is served to this machine alone, and to whoever has the address that is printed. It ends with Ctrl+C
    and with its terminal.
    """
    with packages_of("viewer"):
        from memdir.viewer.app import ViewerServer

        server = ViewerServer(target.memory, port)
    say(server.keys.address)
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if not no_open and (has_screen or sys.platform == "darwin"):
        click.launch(server.keys.launch_address)
    if sys.stderr is not None and sys.stderr.isatty():
        hint("Ctrl+C ends it.")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    server.serve()
