"""The reply cache: which events need no answer, the rules, and the stat of every file on which this depends.

As long as no stat has changed, the cache is valid. A host waits for this module at every prompt and tool
call: it imports late and does without `typing`.
"""

import os
from zlib import crc32

from memdir.hook_paths import RESERVED_FOLDERS, file_signature, home_of, picks_path, project_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from typing import Any

__all__ = [
    "CACHE_HEAD",
    "ENVIRONMENT",
    "RULES",
    "TOOL_CALL",
    "cache_path",
    "cached_reply",
    "file_state",
    "parse",
]

CACHE_HEAD = b"memdir reply cache 10 %08x"
"""The first line of a cache, with a sum of the text below it, which may be cut off or damaged."""
RULES = "rules"
"""Listed among the events of a cache: tool calls are judged by the rules at its end."""

_PLACES = 4
"""Lines between the list of events and the stats: directory, state, settings, root. The rules come after the
stats and an empty line."""

TOOL_CALL = "PreToolUse"

ENVIRONMENT = (
    "HOME",
    "MEMDIR_DIRECTORY",
    "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
    "CLAUDE_CODE_AUTO_MEM_PATH",
    "MEMDIR_BASE",
    "CLAUDE_CODE_REMOTE_MEMORY_DIR",
    "MEMDIR_CONFIG_DIR",
    "CLAUDE_CONFIG_DIR",
    "MEMDIR_DISABLE",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "MEMDIR_BARE",
    "CLAUDE_CODE_SIMPLE",
    "MEMDIR_REMOTE",
    "CLAUDE_CODE_REMOTE",
    "MEMDIR_STATE",
    "MEMDIR_LAYOUT",
)
"""The variables that decide where memory is and whether it is on: each value has its own cache."""

_FILE_TOOLS = ("Read", "Write", "Edit", "MultiEdit", "NotebookEdit")


def cache_path(env: "Mapping[str, str]", cwd: str) -> str:
    """Return the path of the reply cache for conversations in this directory and environment."""
    home = home_of(env)
    named = [env.get(name, "") for name in ("MEMDIR_CONFIG_DIR", "CLAUDE_CONFIG_DIR")]
    usable = [path.replace("~", home, path[0] == "~") for path in named if path.startswith(("/", "~/"))]
    config_home = usable[0].rstrip("/") if usable else os.path.join(home, ".claude")
    key = "\0".join([cwd, *[env.get(name, "") for name in ENVIRONMENT]])
    return os.path.join(config_home, "memdir", "hooks", f"{crc32(os.fsencode(key)):08x}.cache")


def file_state(kind: str, path: str) -> str:
    """Return what a cache depends on: the stat of a file, the type or target of a path, a whole directory."""
    try:
        if kind == "d":
            return _digest(path)
        if kind == "r":
            return os.path.realpath(path)
        return file_signature(path) if kind == "f" else str(os.stat(path).st_mode >> 12)
    except FileNotFoundError:
        return "-"
    except OSError as error:
        return f"?{error.errno}"


def _digest(directory: str, reserved: "Container[str]" = RESERVED_FOLDERS) -> str:
    """Return a number that changes when a memory is added, removed or edited, in folders below too."""
    own = os.stat(directory)
    rows = [f"{own.st_mtime_ns} {own.st_ino}"]
    files, folders = [], []
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(".md"):
                files.append(entry)
            elif entry.name[0] != "." and entry.name not in reserved and entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    inner = [_digest(folder, ()) for folder in folders]
    for entry in files:
        status = entry.stat(follow_symlinks=False)
        rows.append(f"{entry.name} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_size}")
    rows += inner
    rows.sort()
    return str(crc32("\n".join(rows).encode("utf-8", "surrogateescape")))


def cached_reply(event: str, call: "Mapping[str, Any]", env: "Mapping[str, str]") -> str | None:
    """Return the answer to an event, empty when nothing is to be said; None when no cache answers it."""
    project = project_folder(env) or str(call["cwd"])
    with open(cache_path(env, project), "rb") as file:
        head, _, body = file.read().partition(b"\n")
    lines, _, rules = body.decode("utf-8", "surrogateescape").partition("\n\n")
    place, events, *rows = lines.split("\n")
    has_rules = event == TOOL_CALL and RULES in events.split()
    if head != CACHE_HEAD % crc32(body) or place != project or not (has_rules or event in events.split()):
        return None
    if _needs_more(event, call, rows) or any(
        file_state(kind, path) != then for kind, path, then in [line.split("\0") for line in rows[_PLACES:]]
    ):
        return None
    return _judge_call(rows, rules, call, env) if has_rules else ""


def _needs_more(event: str, call: "Mapping[str, Any]", rows: "list[str]") -> bool:
    """Tell whether an event concerns picks of a model or a memory file, which no cache answers."""
    directory, state = rows[0], rows[1]
    if os.path.exists(picks_path(state, call["session_id"])):
        return True
    if not event.endswith("ToolUse") or call["tool_name"] not in _FILE_TOOLS:
        return False
    given = call["tool_input"]
    path = given.get("file_path") or given.get("notebook_path") or ""
    return os.path.realpath(os.path.join(call["cwd"], path)).startswith(directory)


def _judge_call(
    places: "list[str]", compiled: str, call: "Mapping[str, Any]", env: "Mapping[str, str]"
) -> str | None:
    """Return what the rules of a cache say about a call; empty where they allow it."""
    import time

    from memdir.rules.store import FIELD, RuleStore

    directory, state, config_home, root = places[:_PLACES]
    store = RuleStore(directory.rstrip("/"), state, config_home)
    rows = [tuple(line.split(FIELD)) for line in compiled.split("\n")]
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    given, cwd = call["tool_input"], call["cwd"]
    if call["tool_name"] == "Bash" and store.cannot_concern(rows, given["command"], now[:10], cwd):
        return ""
    rules = store.rules(rows, now[:10])
    decision = store.decide(rules, call["tool_name"], given, cwd, root=root, home=home_of(env))
    if decision.verdict == "allow":
        return ""
    if env.get("MEMDIR_HOST"):
        return None
    from memdir.hosts.protocol import Call, ClaudeCode, HostAnswer, denial_text
    from memdir.rules.decisions import RuleDecisions

    RuleDecisions(state).add(decision, call["tool_name"], given, call["session_id"], at=now)
    answer = HostAnswer("", decision.verdict, denial_text(decision))
    return ClaudeCode().render_answer(Call(TOOL_CALL, cwd, call["session_id"]), answer) + "\n"


class _ScannerOptions:
    """How the scanner of the standard library reads JSON; its package takes long to import."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def parse(data: bytes) -> "dict[str, Any]":
    """Return the object that a host wrote; an error of some kind where it is none."""
    from _json import make_scanner

    text = data.decode("utf-8", "surrogatepass").strip()
    parsed: dict[str, Any]
    parsed, end = make_scanner(_ScannerOptions())(text, 0)  # type: ignore[arg-type]  # its stub knows one caller
    if end != len(text):
        raise ValueError("there is more than one object")
    return parsed
