"""Commands about hosts: init and uninstall, and what a host starts: hook, mcp."""

from __future__ import annotations

import os
import shutil
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from memdir import __version__
from memdir.cli.arguments import example, json_option
from memdir.cli.failure import ExitCode
from memdir.cli.json_shapes import fields
from memdir.cli.output import hint, one_line, say, say_json, short_path, style, working
from memdir.cli.target import Target
from memdir.memories.topic import age_in_words
from memdir.text.dates.calendar import utc_stamp
from memdir.text.diff import unified
from memdir.text.value import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memdir.hosts.installation import Rewrite
    from memdir.hosts.presence import HostEntry
    from memdir.hosts.setup import HostSetup
    from memdir.memories.enforce import Rule
    from memdir.memory import Memory

__all__ = ["hint_at_rules", "hook", "host_lines", "host_target", "hosts_shape", "init", "mcp", "uninstall"]


@click.command(epilog=example("memdir init claude-code", "memdir init codex --yes"))
@click.argument("host", required=False)
@click.option(
    "--user", "scope", flag_value="user", default="user", help="For you, in every project (default)."
)
@click.option("--project", "scope", flag_value="project", help="For everyone who checks this project out.")
@click.option("--yes", is_flag=True, help="Do not ask before writing.")
@json_option
@click.pass_context
def init(context: click.Context, host: str | None, scope: str, yes: bool, as_json: bool) -> None:
    """Set an agent up to use memdir: its hooks and its MCP server.

    Without HOST it looks which agents are installed and asks. Shows what would change first; doing it twice
    changes nothing. What was written is started once, as the agent will start it; 1 is the exit code when it
    does not run. `memdir uninstall` takes it back.
    """
    setup, shared = _setup(context.obj), scope == "project"
    if host:
        setup.refuse_unknown(host)
    nobody = not (yes or as_json or sys.stdin.isatty())
    hosts = [host] if host else _chosen(setup, yes=yes or as_json or nobody)
    done = []
    for one in hosts:
        rewrites = [r for r in setup.planned(one, shared=shared) if r.changes]
        if not as_json:
            _show(rewrites)
        if nobody and rewrites:
            raise click.UsageError("Nothing was written: there is nobody to ask. Add --yes to do this.")
        agreed = yes or not rewrites or (not as_json and _agreed(one, rewrites))
        done.append(_done(setup, one, rewrites, agreed=agreed, shared=shared))
        if not as_json:
            say(_told(one, rewrites, agreed=agreed), *map(_trial_line, done[-1]["tried"]))
    if as_json:
        say_json({"hosts": done})
    broken = any(tried["problem"] for one in done for tried in one["tried"])
    context.exit(ExitCode.ERROR if broken else ExitCode.OK)


@click.command(epilog=example("memdir uninstall"))
@click.argument("host", default="")
@json_option
@click.pass_context
def uninstall(context: click.Context, host: str, as_json: bool) -> None:
    """Leave the agents that `memdir init` set up; memories stay.

    A file that nobody changed since gets its old bytes back, and one that was not there goes; from any other
    only our entries are taken out.
    """
    left = _setup(context.obj).leave(host)
    if as_json:
        say_json({"files": [{"path": one.path, "how": one.how} for one in left]})
        return
    if not left:
        say("Nothing was set up" + (f" for {one_line(host)}." if host else "."))
    words = {
        "restored": "as it was before, byte for byte",
        "removed": "removed; it was not there before",
        "cleaned": "our entries taken out",
        "gone": "gone",
    }
    say(*[f"{one_line(one.path)}: {words[one.how]}" for one in left])


def _done(
    setup: HostSetup, host: str, rewrites: list[Rewrite], *, agreed: bool, shared: bool
) -> dict[str, Any]:
    """Write what was agreed to, start each command once, and return what came of it."""
    if agreed:
        setup.apply(host, rewrites)
    with working("Trying it out"):
        tried = setup.tried(host, shared=shared) if agreed else []
    paths = [rewrite.path for rewrite in rewrites]
    return {
        "host": host,
        "planned": paths,
        "changed": paths if agreed else [],
        "server": True,
        "tried": [{"part": e.part, "command": e.command, "problem": problem} for e, problem in tried],
    }


def _trial_line(tried: Mapping[str, str]) -> str:
    part, problem = tried["part"], tried["problem"]
    if problem:
        return style(one_line(f"{part}: {tried['command']} {problem}"), fg="red")
    return f"{part}: {'starts' if part == 'server' else 'run'}, tried once"


def _setup(target: Target) -> HostSetup:
    return target.memory().hosts.setup(_launcher())


def _launcher() -> str:
    """Return the path of this very command, so that hosts start it whatever their PATH is."""
    beside = os.path.join(os.path.dirname(sys.executable), "memdir")
    found = beside if os.path.exists(beside) else shutil.which("memdir")
    if found is None:
        raise click.UsageError(
            "The command `memdir` is not installed. Install it with pip, pipx or uv first."
        )
    return os.path.abspath(found)


def _chosen(setup: HostSetup, *, yes: bool) -> list[str]:
    found = setup.found()
    if not found:
        raise click.UsageError(
            "No agent that memdir knows is installed here. Name one (claude-code, codex), or give any other "
            "host the MCP server `memdir mcp`."
        )
    return [host for host in found if yes or click.confirm(f"Set up {host}?", default=True, err=True)]


def _show(rewrites: list[Rewrite]) -> None:
    for rewrite in rewrites:
        say(unified(rewrite.path.lstrip("/"), rewrite.before, rewrite.after).rstrip("\n"))


def _agreed(host: str, rewrites: list[Rewrite]) -> bool:
    return click.confirm(
        f"Write {'this' if len(rewrites) == 1 else 'these'} for {host}?", default=True, err=True
    )


def _told(host: str, rewrites: list[Rewrite], *, agreed: bool) -> str:
    if not rewrites:
        return f"{host} is set up already."
    if not agreed:
        return f"Nothing was changed for {host}."
    hint("Start a new conversation for it to take effect. `memdir uninstall` takes it back.")
    return f"{host} is set up: " + ", ".join(one_line(rewrite.path) for rewrite in rewrites)


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
    from memdir.mcp.server import McpServer

    server = McpServer(host_target(target).memory, __version__)
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


def host_target(target: Target) -> Target:
    """Return the project that the host works on, which may start its servers in another directory."""
    project = os.environ.get("CLAUDE_PROJECT_DIR", "")
    named = target.directory is not None or target.cwd is not None
    return target if named or not os.path.isdir(project) else replace(target, cwd=project)


def host_lines(memory: Memory, last: datetime | None, here: str) -> Iterator[str]:
    """Yield for each host that is set up what of us its files name, and when it last told of an event."""
    setup = memory.hosts.setup()
    entries = setup.entries()
    for host in dict.fromkeys(entry.host for entry in entries):
        own = [entry for entry in entries if entry.host == host]
        parts = {f"{e.part} in {short_path(e.path, here)}{_problem(setup, e)}": e.part for e in own}
        events = [] if {*parts.values()} == {"server"} else [_events(last)]
        yield f"{one_line(host)}: {', '.join([*parts, *events])}"
    if not entries:
        yield "none: memdir init claude-code" if last is None else f"none in their settings, {_events(last)}"


def hosts_shape(memory: Memory, last: datetime | None) -> dict[str, object]:
    """Return the same for programs."""
    setup = memory.hosts.setup()
    return {
        "set_up": [
            {**fields(entry, "host part path command"), "problem": setup.problem(entry)}
            for entry in setup.entries()
        ],
        "last_event": utc_stamp(last) if last else None,
    }


def hint_at_rules(memory: Memory, rules: Iterable[Rule]) -> None:
    """Say what keeps rules from doing anything: a tool that is not known, or no hooks to ask them."""
    from memdir.hosts.tools import unknown_tool_hint

    for sentence in dict.fromkeys(unknown_tool_hint(rule.tools) for rule in rules):
        if sentence:
            hint(sentence)
    if not memory.hosts.setup().hooked():
        hint("Rules bind where hooks run; none are installed: memdir init claude-code")


def _problem(setup: HostSetup, entry: HostEntry) -> str:
    problem = setup.problem(entry)
    return f", which {one_line(problem)}" if problem else ""


def _events(last: datetime | None) -> str:
    return f"last event {_ago(datetime.now(UTC) - last)}" if last else "no event yet"


def _ago(age: timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} minute{'s' if minutes > 1 else ''} ago"
    hours = minutes // 60
    return f"{hours} hour{'s' if hours > 1 else ''} ago" if hours < 24 else age_in_words(hours // 24)
