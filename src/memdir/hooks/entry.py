"""The launcher of every hook: where there is nothing to say it says so before anything is imported.

A host waits for its hooks at every prompt and every tool call. What an earlier call found out is written on a
card, with everything that the finding rests on: as long as none of that has changed, a few stats answer.
This module alone may read the host's JSON twice and know what other modules know, because importing them
would cost more than everything it does.
"""

import gc
import os
import sys
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = [
    "CARD_VERSION",
    "ENVIRONMENT",
    "RULES",
    "WAYS",
    "TooLate",
    "card_path",
    "checked",
    "digest",
    "home_of",
    "main",
    "picks_name",
    "run",
    "set_clock",
    "state_of",
]

CARD_VERSION = "memdir card 8"
RULES = "rules"
"""On a card: tool calls are judged by rules alone."""

WAYS = {"PreToolUse": RULES}
"""The events that are answered so, where a card says it."""

_FACTS = 4
"""Lines of a card between what is known and what that rests on: the places of a memory. The rules stand at
its end, behind an empty line."""

_JUDGED = "PreToolUse"
_SECONDS = 4.0
"""A host waits five seconds for a call to be judged and then lets it through: before that, it has to ask."""

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
"""The variables that decide where memory is and whether it is on: each has its own card."""

_FILE_TOOLS = ("Read", "Write", "Edit", "MultiEdit", "NotebookEdit")
_RESERVED = ("team", "logs", "sessions", "hubs")


def run() -> None:
    """Be the launcher: what a process leaves at its end takes the system less time to clear than Python."""
    gc.disable()
    code = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except Exception:  # noqa: BLE001 - the host no longer listens, or never gave us anything to speak into
        code = 0
    os._exit(code)


def main() -> int:
    """Answer the event named on the command line for the host's JSON on standard input."""
    event = sys.argv[1] if len(sys.argv) > 1 else ""
    if "MEMDIR_WORKER" in os.environ:
        return 0  # a host that our own worker started is not to be remembered
    try:
        if event == _JUDGED:
            set_clock(_SECONDS)
        return _answered(event)
    except TooLate as late:
        from memdir.hooks.serve import asked

        return asked(event, late, os.environ)


def _answered(event: str) -> int:
    data, said = b"", None
    try:
        data = b"" if event[:1] == "-" else _input()  # --help waits for no host
        said = _by_card(event, data, os.environ)
        if said is not None:
            set_clock(0)
            sys.stdout.write(said)
            sys.stdout.flush()
            return 0
    except Exception:  # noqa: BLE001 - whatever a card cannot answer is answered in full
        if said is not None:
            return 0  # it was answered; the host no longer listens
    from memdir.hooks.serve import serve

    return serve(event, data)


class TooLate(BaseException):
    """A call could not be judged while its host waits; nothing on the way may take this for its own error."""


def set_clock(seconds: float) -> None:
    """Have whatever takes longer than that end with TooLate; 0 stops the clock."""
    import _signal  # type: ignore[import-not-found]  # signal itself takes long to load

    def end(*_: object) -> None:
        raise TooLate(f"it took more than {seconds:.0f} seconds to judge it")

    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, end)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def card_path(env: "Mapping[str, str]", cwd: str) -> str:
    """Return where the card for conversations in this directory and environment lies."""
    home = env.get("MEMDIR_CONFIG_DIR") or env.get("CLAUDE_CONFIG_DIR")
    home = home or os.path.join(home_of(env), ".claude")
    key = "\0".join([cwd, *[env.get(name, "") for name in ENVIRONMENT]])
    return os.path.join(home, "memdir", "hooks", f"{crc32(os.fsencode(key)):08x}.card")


def home_of(env: "Mapping[str, str]") -> str:
    """Return the home directory of whoever this environment belongs to, as `parts` does."""
    return env.get("HOME") or os.path.expanduser("~")


def picks_name(session: str) -> str:
    """Return the name of the file in which an asker leaves its picks for a conversation."""
    return f"picks-{crc32(session.encode('utf-8', 'surrogatepass')):08x}"


def state_of(kind: str, path: str) -> str:
    """Return what a finding may rest on: a file's identity, a path's kind or target, a whole directory."""
    try:
        if kind == "d":
            return digest(path)
        if kind == "r":
            return os.path.realpath(path)
        status = os.stat(path)
    except FileNotFoundError:
        return "-"
    except OSError as error:
        return f"?{error.errno}"
    if kind == "k":
        return str(status.st_mode >> 12)
    return f"{status.st_mtime_ns} {status.st_size} {status.st_ino}"


def digest(directory: str, reserved: tuple[str, ...] = _RESERVED) -> str:
    """Return a number that changes when a memory comes, goes or is edited, in place and below too."""
    own = os.stat(directory)
    rows = [f"{own.st_mtime_ns} {own.st_ino}"]
    files, folders = [], []
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(".md"):
                files.append(entry)
            elif entry.name[0] != "." and entry.name not in reserved and entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    inner = [digest(folder, ()) for folder in folders]
    for entry in files:
        status = entry.stat(follow_symlinks=False)
        rows.append(f"{entry.name} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_size}")
    rows += inner
    rows.sort()
    return str(crc32("\n".join(rows).encode("utf-8", "surrogateescape")))


def _input() -> bytes:
    pieces = []
    while piece := os.read(0, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _by_card(event: str, data: bytes, env: "Mapping[str, str]") -> str | None:
    """Return the answer to an event as far as a card holds it, empty when nothing is to be said."""
    call = _parsed(data)
    project = _project(call, env)
    with open(card_path(env, project), "rb") as file:
        head, _, body = file.read().partition(b"\n")
    resting, _, rules = body.decode("utf-8", "surrogateescape").partition("\n\n")
    place, known, *rows = resting.split("\n")
    if head != checked(body) or place != project:
        return None
    way = WAYS.get(event, "") if WAYS.get(event, "") in known.split() else event
    if way not in known.split() or _is_concerned(event, call, rows):
        return None
    if not all(_holds(line) for line in rows[_FACTS:]):
        return None
    if way == RULES:
        return _judged(rows, rules, call, env)
    return "" if way == event else None


def checked(body: bytes) -> bytes:
    """Return the first line of a card with this text: what was cut off or garbled does not fit it."""
    return f"{CARD_VERSION} {crc32(body):08x}".encode()


def _project(call: "Mapping[str, Any]", env: "Mapping[str, str]") -> str:
    """Return where the conversation began, as `hosts.claude_code` does."""
    began = env.get("CLAUDE_PROJECT_DIR", "")
    return began if began[:1] == "/" and os.path.isdir(began) else str(call["cwd"])


def _is_concerned(event: str, call: "Mapping[str, Any]", rows: "list[str]") -> bool:
    """Tell whether there is more about an event than a card can know."""
    directory, state = rows[0], rows[1]
    if os.path.exists(os.path.join(state, "conversations", picks_name(call["session_id"]))):
        return True
    return event.endswith("ToolUse") and _touches(call, directory)


def _judged(
    facts: "list[str]", compiled: str, call: "Mapping[str, Any]", env: "Mapping[str, str]"
) -> str | None:
    """Return what the rules on a card say about a call; empty where they have no objection."""
    import time

    from memdir.rules.book import FIELD, RuleBook, decided

    directory, state, config_home, root = facts[:_FACTS]
    book = RuleBook(directory.rstrip("/"), state, config_home)
    rows = [tuple(line.split(FIELD)) for line in compiled.split("\n")]
    today = time.strftime("%F", time.gmtime())
    given, cwd = call["tool_input"], call["cwd"]
    if call["tool_name"] == "Bash" and book.cannot_concern(rows, given["command"], today, cwd):
        return ""
    rules = book.rules(rows, today)
    kept, home = book.kept(rules), home_of(env)
    decision = decided(rules, call["tool_name"], given, cwd, root=root, home=home, kept=kept)
    if decision.verdict == "allow":
        return ""
    from memdir.hosts.denial import denial_text

    return _refused(decision.verdict, denial_text(decision)) if not env.get("MEMDIR_HOST") else None


def _refused(verdict: str, because: str) -> str:
    """Return what `hosts.claude_code` writes for a call that is stopped, without the package for JSON."""
    from _json import encode_basestring_ascii

    head = f'"hookEventName": "{_JUDGED}", "permissionDecision": "{verdict}", "permissionDecisionReason": '
    return f'{{"hookSpecificOutput": {{{head}{encode_basestring_ascii(because)}}}}}\n'


def _holds(line: str) -> bool:
    kind, path, then = line.split("\0")
    return state_of(kind, path) == then


def _touches(call: "Mapping[str, Any]", directory: str) -> bool:
    """Tell whether a tool reads or writes a file of the memory directory."""
    if call["tool_name"] not in _FILE_TOOLS:
        return False
    given = call["tool_input"]
    path = given.get("file_path") or given.get("notebook_path") or ""
    return os.path.realpath(os.path.join(call["cwd"], path)).startswith(directory)


class _Plain:
    """How the scanner of the standard library reads JSON; its package costs more than our whole answer."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def _parsed(data: bytes) -> "dict[str, Any]":
    from _json import make_scanner

    text = data.decode("utf-8", "surrogateescape").strip()
    parsed: dict[str, Any] = make_scanner(_Plain())(text, 0)[0]  # type: ignore[arg-type]  # its stub knows one caller
    return parsed
