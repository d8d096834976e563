"""Commands about hosts: init and uninstall, and what a host starts: hook, mcp."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from memdir import __version__
from memdir.cli.arguments import command, example, flag, port_option
from memdir.cli.failure import ExitCode
from memdir.cli.output import (
    answer,
    confirm,
    hint,
    is_terminal,
    nobody_answers,
    one_line,
    say,
    say_json,
    show_progress,
    style,
    wants_json,
)
from memdir.cli.report import fields
from memdir.cli.target import Target
from memdir.text.diff import file_diff
from memdir.text.value import replace

if TYPE_CHECKING:
    from memdir.hosts.config_files import Rewrite
    from memdir.hosts.setup import HostSetup

__all__ = ["hook", "host_target", "init", "mcp", "uninstall"]


@command("memdir init claude-code", "memdir init codex --yes")
@click.argument("host", required=False)
@flag("--user scope", "For you, in every project (default).", flag_value="user", default="user")
@flag("--project scope", "For everyone who checks this project out.", flag_value="project")
@flag("--yes", "Do not ask before writing.")
def init(target: Target, host: str | None, scope: str, yes: bool) -> int:
    """Set an agent up to use memdir: its hooks and its MCP server.

    Without HOST it looks which agents are installed and asks. Shows what would change first; doing it twice
    changes nothing. What was written is started once, as the agent will start it; 1 is the exit code when it
    does not run. `memdir uninstall` takes it back.
    """
    setup, shared, as_json = _setup(target), scope == "project", wants_json()
    if host:
        setup.refuse_unknown(host)
    nobody = not (yes or as_json or is_terminal(sys.stdin))
    hosts = [host] if host else _choose_hosts(setup, yes=yes or as_json or nobody)
    done = []
    for one in hosts:
        rewrites = [r for r in setup.plan(one, shared=shared) if r.changes]
        say(*[file_diff(r.path.lstrip("/"), r.before, r.after).rstrip("\n") for r in rewrites])
        if nobody and rewrites:
            raise nobody_answers()
        question = f"Write {'this' if len(rewrites) == 1 else 'these'} for {one}?"
        agreed = yes or not rewrites or (not as_json and confirm(question, default=True))
        done.append(_set_up(setup, one, rewrites, agreed=agreed, shared=shared))
        if not as_json:
            say(_setup_line(one, rewrites, agreed=agreed))
        say(*map(_trial_line, done[-1]["tried"]))
    say_json({"hosts": done})
    broken = any(tried["problem"] for one in done for tried in one["tried"])
    return ExitCode.ERROR if broken else ExitCode.OK


@command("memdir uninstall")
@click.argument("host", default="")
def uninstall(target: Target, host: str) -> None:
    """Leave the agents that `memdir init` set up; memories stay.

    A file that nobody changed since gets its old bytes back, and one that was not there goes; from any other
    only our entries are taken out.
    """
    left = _setup(target).leave(host)
    words = {
        "restored": "as it was before, byte for byte",
        "removed": "removed; it was not there before",
        "cleaned": "our entries taken out",
        "gone": "gone",
        "elsewhere": "left as it is, for everyone in that project; run `memdir uninstall` there",
    }
    lines = [f"{one_line(one.path)}: {words[one.how]}" for one in left]
    nothing = f"Nothing was set up for {one_line(host)}." if host else "Nothing was set up."
    answer({"files": [fields(one, "path how") for one in left]}, *(lines or [nothing]))


def _set_up(
    setup: HostSetup, host: str, rewrites: list[Rewrite], *, agreed: bool, shared: bool
) -> dict[str, Any]:
    """Write what was agreed to, start each command once, and return what came of it."""
    if agreed:
        setup.apply(host, rewrites)
    with show_progress("Trying it out"):
        tried = setup.try_commands(host, shared=shared) if agreed else []
    paths = [rewrite.path for rewrite in rewrites]
    return {
        "host": host,
        "planned": paths,
        "changed": paths if agreed else [],
        "server": True,
        "tried": [{**fields(entry, "part command"), "problem": problem} for entry, problem in tried],
    }


def _setup(target: Target) -> HostSetup:
    """Return the set-up with the path of this very command: hosts start it whatever their PATH is."""
    beside = os.path.join(os.path.dirname(sys.executable), "memdir")
    found = beside if os.path.exists(beside) else shutil.which("memdir")
    if found is None:
        raise click.UsageError(
            "The command `memdir` is not installed. Install it with pip, pipx or uv first."
        )
    return target.memory().hosts.setup(os.path.abspath(found))


def _choose_hosts(setup: HostSetup, *, yes: bool) -> list[str]:
    found = setup.detect_hosts()
    if not found:
        raise click.UsageError(
            "No agent that memdir knows is installed here. Name one (claude-code, codex), or give any other "
            "host the MCP server `memdir mcp`."
        )
    return [host for host in found if yes or confirm(f"Set up {host}?", default=True)]


def _setup_line(host: str, rewrites: list[Rewrite], *, agreed: bool) -> str:
    if not rewrites:
        return f"{host} is set up already."
    if not agreed:
        return f"Nothing was changed for {host}."
    hint("Start a new conversation for it to take effect. `memdir uninstall` takes it back.")
    return f"{host} is set up: " + ", ".join(one_line(rewrite.path) for rewrite in rewrites)


def _trial_line(tried: dict[str, str]) -> str:
    if tried["problem"]:
        return style(one_line(f"{tried['part']}: {tried['command']} {tried['problem']}"), fg="red")
    return f"{tried['part']}: {'starts' if tried['part'] == 'server' else 'run'}, tried once"


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=example("memdir hook UserPromptSubmit < event.json"),
)
@click.argument("event")
def hook(event: str) -> None:
    """Answer one event of an agent, as `memdir-hook` does.

    An agent starts it and gives JSON on standard input; `memdir init` sets agents up to do so.
    """
    from memdir.hooks.entry import run

    sys.argv = ["memdir-hook", event]
    run()


@click.command(epilog=example("memdir mcp", "memdir --cwd ~/shop mcp --http 8765"))
@port_option("--http port", "Serve over HTTP on 127.0.0.1 instead of standard input; 0 takes any free port.")
@click.pass_obj
def mcp(target: Target, port: int | None) -> None:
    """Serve memory over MCP to an agent.

    The agent starts this command itself and ends it by closing its input. With --http it runs until it is
    stopped, and wants the token of MEMDIR_MCP_TOKEN; without one, a token is made and printed once.
    """
    from memdir.mcp.server import McpServer

    server = McpServer(host_target(target).memory, __version__)
    if port is None:
        from memdir.mcp.stdio import serve_stdio

        if is_terminal(sys.stdin):
            hint("An agent is expected on standard input; docs/mcp.md says how it is told. Ctrl+D ends this.")
        serve_stdio(server)
        return
    from memdir.mcp.http import HttpServer

    given = os.environ.get("MEMDIR_MCP_TOKEN", "").strip()
    listening = HttpServer(server, port, given)
    hint(f"Serving on {listening.address}")
    if not given:
        hint(f"Token: {listening.token}")
    listening.serve()


def host_target(target: Target) -> Target:
    """Return the project that the host works on, which may start its servers in another directory."""
    project = os.environ.get("CLAUDE_PROJECT_DIR", "")
    named = target.directory is not None or target.cwd is not None
    return target if named or not os.path.isdir(project) else replace(target, cwd=project)
