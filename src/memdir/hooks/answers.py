"""The answer to each event of a host, and the work that the event starts.

A host waits for this module: it imports late and does without `typing`.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import process_time

from memdir.config.location import Setup, deciding_paths, remotes_path, resolve
from memdir.disk.files import make_folder
from memdir.hooks.reply_cache import cache_head, cache_path, file_state, home_of, is_listed
from memdir.hosts.host import Call, HostAnswer
from memdir.memories.names import TEAM_FOLDER
from memdir.memory import Memory
from memdir.recall.semantic.arrays import load_core_only
from memdir.text.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.rules.book import Row
    from memdir.rules.compiler import CompiledRules

__all__ = ["EVENTS", "answer", "dependencies", "work_after_answer", "write_reply_cache"]

work_after_answer: list[Callable[[], None]] = []
"""What this process does when the host has its answer."""


def answer(call: Call, env: Mapping[str, str]) -> HostAnswer:
    """Open the memory of the conversation and return its answer; the reply cache is written afterwards."""
    memory = Memory.open(call.project, env, session=call.session)
    if call.event != "PreToolUse":
        said = _EVENTS[call.event](memory, call, env)
        work_after_answer.extend([partial(_start_worker, job, call, env) for job in said.jobs])
        if call.event in _CACHED and "prepare" not in said.jobs:  # a ranking that took too long still runs
            work_after_answer.append(lambda: _cache_without_rules(memory, call, env))
        return said
    depends_on, known = _rules_and_dependencies(memory, call, env)
    work_after_answer.append(lambda: _write_cache(memory, call, env, depends_on, known))
    return memory.hosts.session.in_directory(call.cwd).before_tool(call.tool, call.given or {}, known)


def _cache_without_rules(memory: Memory, call: Call, env: Mapping[str, str]) -> None:
    """Write the cache after an event that needs no rules; not where there are memories for a prompt."""
    if call.event != "UserPromptSubmit" or not _has_memories(memory):
        _write_cache(memory, call, env, *_rules_and_dependencies(memory, call, env))


def _has_memories(memory: Memory) -> bool:
    return memory.hosts.session.saw_memories() or (memory.verdict.on and bool(memory.list(limit=1)))


def _start_worker(job: str, call: Call, env: Mapping[str, str]) -> None:
    """Start a process for a job of this conversation: no terminal, no pipes, and nobody waits for it."""
    command = [sys.executable, "-m", "memdir.hooks.work", job, call.project, call.session, call.transcript]
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    os.posix_spawn(sys.executable, command, {**env, "MEMDIR_WORKER": "1"}, file_actions=null)


def _rules_and_dependencies(
    memory: Memory, call: Call, env: Mapping[str, str]
) -> "tuple[list[str], CompiledRules]":
    """Return the rules, and first, as it was before they were read, all that a cache with them depends on."""
    depends_on = dependencies(memory.hosts.session.setup, env=env, cwd=call.project, home=home_of(env))
    return depends_on, memory.hosts.session.known_rules()


def _started(memory: Memory, call: Call, env: Mapping[str, str]) -> HostAnswer:
    from memdir.team.switch import remote_audiences

    del env
    said = memory.hosts.session.begin(call.source, uninstructed=call.uninstructed, tools=call.tools)
    home = memory.hosts.session.setup.place.config_home
    shares = memory.verdict.on and call.source != "compact" and remote_audiences(home, memory.directory)
    return replace(said, jobs=(*said.jobs, "sync")) if shares else said


def _prompted(memory: Memory, call: Call, env: Mapping[str, str]) -> HostAnswer:
    del env
    load_core_only()
    session = memory.hosts.session.in_directory(call.cwd)
    said = session.prompt(call.prompt, uninstructed=call.uninstructed, spent=process_time())
    asks = ("ask",) if session.wants_model(call.prompt, call.transcript) else ()
    return replace(said, jobs=(*said.jobs, *asks))


def _used(memory: Memory, call: Call, env: Mapping[str, str]) -> HostAnswer:
    del env
    session = memory.hosts.session.in_directory(call.cwd)
    return session.after_tool(call.tool, call.given or {}, uninstructed=call.uninstructed)


def _compacted(memory: Memory, call: Call, env: Mapping[str, str]) -> HostAnswer:
    del call, env
    memory.context.after_compaction()
    return HostAnswer()


def _about_to_compact(memory: Memory, call: Call, env: Mapping[str, str]) -> HostAnswer:
    """Start a worker that takes notes, where they are wanted, before the conversation is compacted."""
    if memory.verdict.on and memory.hosts.session.setup.settings.flag("notes.enabled"):
        _start_worker("compact", call, env)
    return HostAnswer()


def _turn_ended(memory: Memory, call: Call, env: Mapping[str, str]) -> HostAnswer:
    """Start a worker that extracts memories: the host waits for this process."""
    from memdir.extract.gate import Requested

    if not call.again and isinstance(
        memory.jobs.turn_ended(call.transcript, headless=call.headless), Requested
    ):
        _start_worker("turn", call, env)
    return HostAnswer()


def _session_ended(memory: Memory, call: Call, env: Mapping[str, str]) -> HostAnswer:
    if memory.verdict.on:
        memory.jobs.turn_ended(call.transcript, headless=call.headless)
        _start_worker("end", call, env)
    return HostAnswer()


_EVENTS: Mapping[str, Callable[[Memory, Call, Mapping[str, str]], HostAnswer]] = {
    "SessionStart": _started,
    "UserPromptSubmit": _prompted,
    "PostToolUse": _used,
    "PreCompact": _about_to_compact,
    "PostCompact": _compacted,
    "Stop": _turn_ended,
    "SessionEnd": _session_ended,
}

EVENTS = (*_EVENTS, "PreToolUse")
"""The events that are answered; a test compares them with those that `memdir init` sets up."""


_CACHED = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")


def _write_cache(
    memory: Memory, call: Call, env: Mapping[str, str], depends_on: Sequence[str], known: "CompiledRules"
) -> None:
    """Write which events need no answer, if this was one of them.

    The dependencies were noted before anything else was read, and the settings are read once more: a change
    in between makes the cache invalid.
    """
    setup = memory.hosts.session.setup
    silent = memory.hosts.session.silent_events(known)
    if not is_listed(call.event, silent):
        return
    if resolve(env=env, cwd=os.path.abspath(call.project), home=home_of(env)) != setup:
        return
    path = cache_path(env, call.project)
    is_new = not os.path.exists(path)
    write_reply_cache(setup, silent, depends_on, known.rows, env=env, cwd=call.project)
    if is_new:
        _clean_up(*os.path.split(path))


def dependencies(setup: Setup, *, env: Mapping[str, str], cwd: str, home: str) -> list[str]:
    """Return all that an answer depends on, as it is now; ask before anything is read for the answer."""
    files, kinds = deciding_paths(setup, env=env, cwd=cwd, home=home)
    directory = os.path.join(os.path.realpath(setup.place.directory), "")
    paths = [
        *[("f", path) for path in (*files, remotes_path(setup.place.config_home))],
        *[("k", path) for path in kinds],
        ("r", cwd),
        ("r", setup.place.directory),
        ("d", directory),
        ("d", f"{directory}{TEAM_FOLDER}"),
    ]
    return ["\0".join((kind, path, file_state(kind, path))) for kind, path in paths]


def write_reply_cache(
    setup: Setup,
    silent: Sequence[str],
    depends_on: Sequence[str],
    rules: "Sequence[Row]",
    *,
    env: Mapping[str, str],
    cwd: str,
) -> None:
    """Let the cache answer these events until a setting, the project's root or a memory changes."""
    from memdir.rules.book import FIELD

    place = setup.place
    directory = os.path.join(os.path.realpath(place.directory), "")
    lines = [cwd, " ".join(silent), directory, place.state, place.config_home, place.root, *depends_on]
    if any("\n" in line for line in lines) or not all(lines):
        return  # a path with a line end in it: such a project is answered in full
    text = "\n".join([*lines, "", *map(FIELD.join, rules)]) + "\n" * (not rules)
    body = text.encode("utf-8", "surrogateescape")
    folder, name = os.path.split(cache_path(env, cwd))
    with suppress(OSError), make_folder(folder) as caches:
        caches.replace_cache(name, cache_head(body) + b"\n" + body)


def _clean_up(folder: str, newest: str) -> None:
    """Remove caches of projects that nobody works in any more, and the temporary files of killed hooks."""
    from memdir.disk.files import drop_expired, sweep

    drop_expired(folder, newest, lambda name: name.endswith(".cache"))
    sweep(folder)
