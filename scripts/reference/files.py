"""The files that memdir writes: it is used in an empty folder, and what lies there afterwards is listed."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from memdir import Memory
from memdir.hooks.full_answer import finish, full_reply

__all__ = ["cache_titles", "file_patterns"]

_CALLS = ("rm -rf build", "ls")
"""Commands of an agent: one that a rule stops, and one that the reply cache lets through."""


def file_patterns(known: Iterable[str]) -> tuple[str, ...]:
    """Return the patterns under which a file was written, in their order, and files that fit none of them."""
    rules = {pattern: re.compile(_expression(pattern)) for pattern in known}
    fits = {
        file: next((one for one, rule in rules.items() if rule.fullmatch(file)), file) for file in _written()
    }
    return tuple(sorted({*fits.values()}, key=[*rules, *fits.values()].index))


def cache_titles() -> Mapping[str, str]:
    """Return the caches by their names, each with the words and the version that it begins with."""
    heads = {file: re.match(rb"memdir [a-z ]+ \d+", data) for file, data in _written().items()}
    return {
        "hooks/<8 hex>.cache" if file.startswith("user/") else file.rpartition("/")[2]: head[0].decode()
        for file, head in heads.items()
        if head
    }


def _expression(pattern: str) -> str:
    """Return a pattern as a regular expression: `<words>` is one name, `…` whatever lies below."""
    return re.sub(r"<[^>]*>", "[^/]+", re.escape(pattern).replace("…", ".+"))


@cache
def _written() -> Mapping[str, bytes]:
    with TemporaryDirectory() as name:
        memory = _used(Path(name))
        user = Path(memory.state).parents[1]
        places = {"memory": Path(memory.directory), "state": Path(memory.state), "user": user}
        found = [(place, root, path) for place, root in places.items() for path in sorted(root.rglob("*"))]
        return {
            f"{place}/{path.relative_to(root).as_posix()}": path.read_bytes()
            for place, root, path in found
            if path.is_file() and not (place == "user" and path.is_relative_to(user / "state"))
        }


def _used(folder: Path) -> Memory:
    """Let a project have a memory with a rule, a conversation, a dream and a remote."""
    home, project, remote, talk = (folder / name for name in ("home", "shop", "remote", "talk.jsonl"))
    for place in (home, project, remote):
        place.mkdir()
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    memory = Memory.open(str(project), env, session="one")
    talk.write_text(json.dumps({"role": "user", "content": "Remember: we deploy on Tuesdays only."}) + "\n")
    memory.jobs.turn_ended(talk)
    memory.jobs.work(60)
    memory.remember("Run the tests with just", name="tests")
    memory.remember("Nobody deletes by hand", kind="feedback", name="no-rm", enforce="Bash: rm")
    memory.forget(memory.remember("It closes at six", name="hours").file)
    memory.recalls.judge("please run the tests", wrong=["tests"])
    memory.recall("please run the tests", budget=60)
    memory.jobs.dream(now=True)
    for command in _CALLS:
        _judge(command, project, env)
    memory.sync.init(str(remote))
    memory.sync.run()
    return memory


def _judge(command: str, project: Path, env: Mapping[str, str]) -> None:
    """Ask about a command as the hook of a host does."""
    call = {"session_id": "one", "cwd": str(project), "tool_name": "Bash", "tool_input": {"command": command}}
    full_reply("PreToolUse", {"hook_event_name": "PreToolUse", **call}, env)
    finish("PreToolUse", env)
