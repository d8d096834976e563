"""The command that serves memory to a host over MCP."""

import os
import sys

import click

from memdir.cli.output import hint
from memdir.cli.target import Target, example
from memdir.text.value import replace

__all__ = ["mcp", "of_the_host"]


@click.command(epilog=example("memdir mcp", "memdir --cwd ~/shop mcp --http 8765"))
@click.option(
    "--http",
    "port",
    metavar="PORT",
    type=click.IntRange(0, 65535),
    help="Serve over HTTP on 127.0.0.1 instead of standard input; 0 takes any free port.",
)
@click.pass_obj
def mcp(target: Target, port: int | None) -> None:
    """Serve memory over MCP to an agent.

    The agent starts this command itself and ends it by closing its input. With --http it runs until it is
    stopped, and wants the token of MEMDIR_MCP_TOKEN; without one, a token is made and printed once.
    """
    from importlib.metadata import version

    from memdir.mcp.server import McpServer

    server = McpServer(of_the_host(target).memory, version("memdir"))
    if port is None:
        from memdir.mcp.stdio import serve_stdio

        if sys.stdin is not None and sys.stdin.isatty():
            hint("An agent is expected on standard input; docs/mcp.md says how it is told. Ctrl+D ends this.")
        serve_stdio(server)
        return
    from memdir.mcp.http import listen, serve_http

    given = os.environ.get("MEMDIR_MCP_TOKEN", "").strip()
    listener = listen(port, given)
    hint(f"Serving on {listener.address}")
    if not given:
        hint(f"Token: {listener.token}")
    serve_http(server, listener)


def of_the_host(target: Target) -> Target:
    """Return the project that the host works on, which may start its servers in another directory."""
    project = os.environ.get("CLAUDE_PROJECT_DIR", "")
    named = target.directory is not None or target.cwd is not None
    return target if named or not os.path.isdir(project) else replace(target, cwd=project)
