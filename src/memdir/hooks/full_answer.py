"""Answers one event in full and starts the work that follows; a failure is one line, and the host goes on.

A host waits for this module: it imports late and does without `typing`.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import process_time
from zlib import crc32

from memdir import __version__
from memdir.build import Parts, project_parts
from memdir.config.location import REMOTES_FILE, deciding_paths, still_holds
from memdir.config.world import world_in
from memdir.disk.files import drop_expired, make_folder, sweep
from memdir.errors import MemdirError, Rejected
from memdir.hooks.reply_cache import CACHE_HEAD, RULES, TOOL_CALL, cache_path, file_state
from memdir.hosts.protocol import Call, HostAnswer, host_of, unknown_rules_text
from memdir.hosts.session import HostSession
from memdir.memories.names import TEAM_FOLDER
from memdir.recall.semantic.weights import load_core_only
from memdir.text.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memdir.hosts.protocol import Host
    from memdir.rules.compiler import CompiledRules
    from memdir.rules.store import Row

__all__ = [
    "EVENTS",
    "answer",
    "dependencies",
    "failure_reply",
    "finish",
    "full_reply",
    "log",
    "read_call",
    "report",
    "work_after_answer",
    "write_reply_cache",
]

work_after_answer: list[Callable[[], None]] = []
"""What this process does when the host has its answer."""

_USAGE = "usage: memdir-hook EVENT < JSON. An agent starts it; `memdir init` sets agents up to do so."

_EXPECTED = {
    "claude-code": "this is not the JSON of a Claude Code hook. It comes on standard input with at least cwd "
    "and session_id.",
    "generic": "this is not the JSON of a hook. Write an object with cwd and session to standard input.",
}

_NOT_THE_JSON = (ValueError, LookupError, TypeError, AttributeError)


def full_reply(event: str, said: "Any", env: Mapping[str, str]) -> str:
    """Return the reply for this event. Never raises, and no exit code denies anything."""
    if event.startswith("-"):  # a person, who may ask what this is
        return f"memdir-hook {__version__}\n" if event == "--version" else f"{_USAGE}\n"
    try:
        host = host_of(env)
        call = read_call(host, event, said, env)
        if event not in EVENTS:
            log(event, f"no such event, so nothing was done. There are {', '.join(EVENTS)}.", env)
            return ""
        said = host.render_answer(call, answer(call, env))
    except Exception as error:  # noqa: BLE001 - a hook must never break its host
        return failure_reply(event, error, env)
    return f"{said}\n" if said else ""


def finish(event: str, env: Mapping[str, str]) -> None:
    """Do the work that waits until the host has its answer."""
    try:
        for work in work_after_answer:
            work()
    except Exception as error:  # noqa: BLE001 - the host has its answer
        report(event, error, env)


def failure_reply(event: str, error: BaseException, env: Mapping[str, str]) -> str:
    """Report a failure and return the reply: a tool call that could not be judged asks the user."""
    report(event, error, env)
    if event != TOOL_CALL:
        return ""
    try:
        because = unknown_rules_text(_what_happened(error).rstrip("."))
        return host_of(env).render_answer(Call(event, "", ""), HostAnswer("", "ask", because)) + "\n"
    except Exception:  # noqa: BLE001 - there is nobody left to tell
        return ""


def read_call(host: "Host", event: str, said: "Any", env: Mapping[str, str]) -> Call:
    """Return the event that a host wrote; refuse what is not its JSON, and say what is expected."""
    try:
        call = host.call(event, said, env)
        if not os.path.isabs(call.cwd):
            raise ValueError(f"cwd is {call.cwd!r}, not an absolute path")
    except _NOT_THE_JSON as error:
        raise Rejected(_EXPECTED[host.name]) from error
    return call


def answer(call: Call, env: Mapping[str, str]) -> HostAnswer:
    """Open the memory of the conversation and return its answer; the reply cache is written afterwards."""
    session = HostSession(project_parts(world_in(call.project, env, call.session)), call.cwd)
    if call.event == TOOL_CALL:
        depends_on = dependencies(session.parts, call.project)
        known = session.tool_calls.known_rules()
        work_after_answer.append(lambda: _write_cache(session, call, depends_on, known))
        return session.before_tool(call.tool, call.given or {}, known)
    said = _EVENTS[call.event](session, call)
    work_after_answer.extend([partial(_start_worker, job, call, env) for job in said.jobs])
    if call.event in _CACHED and "prepare" not in said.jobs:  # a ranking that took too long still runs
        work_after_answer.append(lambda: _cache_without_rules(session, call))
    return said


def _start_worker(job: str, call: Call, env: Mapping[str, str]) -> None:
    """Start a process for a job of this conversation: no terminal, no pipes, and nobody waits for it."""
    command = [sys.executable, "-m", "memdir.hooks.work", job, call.project, call.session, call.transcript]
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    os.posix_spawn(sys.executable, command, {**env, "MEMDIR_WORKER": "1"}, file_actions=null)


def _answer_start(session: HostSession, call: Call) -> HostAnswer:
    from memdir.team.audience import remote_audiences

    parts = session.parts
    said = session.begin(call.source, uninstructed=call.uninstructed, tools=call.tools)
    home = parts.effective_setup.place.config_home
    shares = parts.verdict.on and call.source != "compact" and remote_audiences(home, parts.directory)
    return replace(said, jobs=("sync",)) if shares else said


def _answer_prompt(session: HostSession, call: Call) -> HostAnswer:
    load_core_only()
    said = session.prompt(call.prompt, uninstructed=call.uninstructed, spent=process_time())
    asks = ("ask",) if session.wants_model(call.prompt, call.transcript) else ()
    return replace(said, jobs=(*said.jobs, *asks))


def _after_tool(session: HostSession, call: Call) -> HostAnswer:
    return session.after_tool(call.tool, call.given or {}, uninstructed=call.uninstructed)


def _before_compaction(session: HostSession, _: Call) -> HostAnswer:
    """Have a worker take notes, where they are wanted."""
    parts = session.parts
    wanted = parts.verdict.on and parts.effective_setup.settings.flag("notes.enabled")
    return HostAnswer(jobs=("compact",) if wanted else ())


def _after_compaction(session: HostSession, _: Call) -> HostAnswer:
    session.parts.context.after_compaction()
    return HostAnswer()


def _turn_ended(session: HostSession, call: Call) -> HostAnswer:
    """Have a worker extract memories, if this turn is to be looked at."""
    from memdir.extract.gate import Requested
    from memdir.handles.jobs import JobsHandle

    if call.again:
        return HostAnswer()
    asked = JobsHandle(session.parts).turn_ended(call.transcript, headless=call.headless)
    return HostAnswer(jobs=("turn",) if isinstance(asked, Requested) else ())


def _session_ended(session: HostSession, call: Call) -> HostAnswer:
    from memdir.handles.jobs import JobsHandle

    if not session.parts.verdict.on:
        return HostAnswer()
    JobsHandle(session.parts).turn_ended(call.transcript, headless=call.headless)
    return HostAnswer(jobs=("end",))


_EVENTS: Mapping[str, Callable[[HostSession, Call], HostAnswer]] = {
    "SessionStart": _answer_start,
    "UserPromptSubmit": _answer_prompt,
    "PostToolUse": _after_tool,
    "PreCompact": _before_compaction,
    "PostCompact": _after_compaction,
    "Stop": _turn_ended,
    "SessionEnd": _session_ended,
}

EVENTS = (*_EVENTS, TOOL_CALL)
"""The events that are answered; a test compares them with those that `memdir init` sets up."""

_CACHED = ("UserPromptSubmit", "PostToolUse", "Stop")
"""Events that need no rules and after which the cache may be written."""


def _cache_without_rules(session: HostSession, call: Call) -> None:
    """Write the cache after an event that needs no rules; not where there are memories for a prompt."""
    parts = session.parts
    if call.event == "UserPromptSubmit" and parts.verdict.on:
        found = [one.memories for one in parts.audiences]  # looked at for the prompt already, or else now
        if any(len(memories.catalog) or memories.scan(1) for memories in found):
            return
    _write_cache(session, call, dependencies(parts, call.project), session.tool_calls.known_rules())


def _write_cache(session: HostSession, call: Call, depends_on: Sequence[str], known: "CompiledRules") -> None:
    """Write which events need no answer, if this was one of them.

    The dependencies were noted before the memories were read, and the settings files before they were; so a
    change in between makes the cache invalid. Whether other files would decide now is looked at here.
    """
    parts, silent = session.parts, session.silent_events(known)
    if call.event not in silent and (call.event != TOOL_CALL or RULES not in silent):
        return
    path = cache_path(parts.world.env, call.project)
    is_new = not os.path.exists(path)
    if not still_holds(parts.effective_setup, parts.world):
        return
    write_reply_cache(parts, call.project, silent, depends_on, known.rows)
    if is_new:  # remove caches of projects that nobody works in, and temporary files of killed hooks
        folder, name = os.path.split(path)
        drop_expired(folder, name, lambda one: one.endswith(".cache"))
        sweep(folder)


def dependencies(parts: Parts, project: str) -> list[str]:
    """Return all that an answer depends on, as it is now; ask before the memories are read for the answer."""
    setup = parts.effective_setup
    files, kinds = deciding_paths(setup, parts.world)
    directory = os.path.join(os.path.realpath(setup.place.directory), "")
    paths = [
        *[("f", path) for path in (*files, os.path.join(setup.place.config_home, REMOTES_FILE))],
        *[("k", path) for path in kinds],
        ("r", project),
        ("r", setup.place.directory),
        ("d", directory),
        ("d", f"{directory}{TEAM_FOLDER}"),
    ]
    read = {("f", path): signature for path, signature in setup.settings.files.items()}
    return ["\0".join((*one, read.get(one) or file_state(*one))) for one in paths]


def write_reply_cache(
    parts: Parts, project: str, silent: Sequence[str], depends_on: Sequence[str], rules: "Sequence[Row]"
) -> None:
    """Let the cache answer these events until a setting, the project's root or a memory changes."""
    from memdir.rules.store import FIELD

    place = parts.effective_setup.place
    directory = os.path.join(os.path.realpath(place.directory), "")
    lines = [project, " ".join(silent), directory, place.state, place.config_home, place.root, *depends_on]
    if any("\n" in line for line in lines) or not all(lines):
        return  # a path with a line end in it: such a project is answered in full
    text = "\n".join([*lines, "", *map(FIELD.join, rules)]) + "\n" * (not rules)
    body = text.encode("utf-8", "surrogateescape")
    folder, name = os.path.split(cache_path(parts.world.env, project))
    if folder != os.path.join(place.config_home, "memdir", "hooks"):
        return  # the settings refuse the folder that a variable names: such a project is answered in full
    with suppress(OSError), make_folder(folder) as caches:
        caches.replace_cache(name, CACHE_HEAD % crc32(body) + b"\n" + body)


def report(event: str, error: BaseException, env: Mapping[str, str]) -> None:
    """Say what went wrong in one line, here and in the log that `memdir doctor` shows."""
    log(event, _what_happened(error), env)


def _what_happened(error: BaseException) -> str:
    said = " ".join(str(error).split()) or "no message"
    ours = isinstance(error, MemdirError) or not isinstance(error, Exception)  # a time limit is none
    return said if ours else f"{said} ({type(error).__name__})"


def log(event: str, said: str, env: Mapping[str, str]) -> None:
    """Write one line to standard error and to the log that `memdir doctor` shows."""
    line = f"memdir-hook {event}: {' '.join(said.split())}"
    try:
        print(line, file=sys.stderr)
        from memdir.config.layout import CLAUDE
        from memdir.config.world import config_home
        from memdir.conversation.logs import HookLog

        world = world_in("/", env)
        HookLog(config_home(CLAUDE, world).path).add(line, world.clock())
    except (ImportError, OSError, ValueError, MemdirError):  # there is nobody left to tell
        pass
