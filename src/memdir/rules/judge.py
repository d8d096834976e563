"""What the rules say about one tool call: allow, ask or deny, and why.

Commands are judged as commands (see `command_check`), files by gitignore-like globs, all else as text.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.memories.enforce import TOOL_SIGNS, Rule
from memdir.rules.invocation import quote
from memdir.rules.match import YES, text_fits
from memdir.rules.paths import BaseFolders, normal, path_fits
from memdir.text.program_names import PATH_KEYS, READING_TOOLS, SHELL_TOOLS, WRITING_TOOLS, tools_like
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from memdir.rules.paths import ProtectedFiles

__all__ = ["ALLOWED", "Decision", "highest", "judge"]

_OTHER_PATH_KEYS = (
    *("paths", "file", "filename", "filepath", "filePath", "relative_path", "target_file", "old_path"),
    *("new_path", "source", "destination", "src", "dst"),
)
"""Where tools of MCP servers that work on files are given a path."""
_OLD_KEYS = (*PATH_KEYS, "old_string", "oldText", "old_text", "old_str")
"""What is not put into a file."""
_FETCH_TOOLS = frozenset({"webfetch", "web_fetch"})
"""Tools that are judged by the address alone: what is asked about the page is not where they go."""
_SAME_TOOLS = (("bash", *SHELL_TOOLS), WRITING_TOOLS, READING_TOOLS)


@value_class(frozen=True, slots=True)
class Decision:
    """What the rules say about a tool call."""

    verdict: str
    """allow, ask or deny."""
    rule: Rule | None = None
    because: str = ""


ALLOWED = Decision("allow")


def judge(
    rules: "Iterable[Rule]",
    tool_name: str,
    tool_input: "Mapping[str, Any]",
    cwd: str,
    *,
    root: str = "",
    home: str = "",
    tops: tuple[str, ...] = (),
    branch: "Callable[[str], str] | None" = None,
    protected: "ProtectedFiles | None" = None,
    real: tuple[str, ...] = (),
) -> Decision:
    """Return what the rules say about one call; never raises, and takes time in step with the input.

    Paths are compared as text, from `cwd`, `root` and each of `tops`; `real` are those of the input with
    links resolved. `branch` tells which branch is checked out in a directory, empty if unknown. A command
    that changes what is protected is asked about, without a rule and with the words alone.
    """
    rules, folders = [*rules], BaseFolders(cwd, root, home, tops)
    concerned = [rule for rule in rules if _applies_to(rule, tool_name)]
    command = _command(tool_name, tool_input)
    if command is None:
        found = [rule for rule in concerned if _means_input(rule, tool_name, tool_input, folders, real)]
        decisions = [_decision(rule, YES, "") for rule in found]
        if protected and not WRITING_TOOLS.isdisjoint((tool_name.lower(), *tools_like(tool_name.lower()))):
            paths = [one for key, one in tool_input.items() if key.endswith("path") and isinstance(one, str)]
            changed = [
                one for one in (*[normal(one, folders) for one in paths], *real) if protected.is_record(one)
            ]
            decisions += [Decision("ask", None, one.encode("utf-8", "replace").decode()) for one in changed]
        return highest(decisions)
    files = {tool: [rule for rule in rules if _applies_to(rule, tool)] for tool in ("Write", "Read")}
    if not (concerned or protected or any(files.values())):
        return ALLOWED
    decisions = []
    try:
        from memdir.rules.command_check import check_command

        for one in check_command(command, concerned, files, folders, branch=branch, protected=protected):
            decisions.append(_decision(*one))
    except Exception:  # noqa: BLE001 - what cannot be judged is not let through
        rule = next(iter((*concerned, *files["Write"], *files["Read"])), None)
        decisions.append(Decision("ask", rule, f"It cannot be judged: {command[:80]}"))
    return highest(decisions)


def highest(decisions: "Iterable[Decision]") -> Decision:
    """Return the first of the strictest decisions: deny before ask before allow."""
    return max(decisions, key=lambda one: ("allow", "ask", "deny").index(one.verdict), default=ALLOWED)


def _applies_to(rule: Rule, tool_name: str, *, alone: bool = False) -> bool:
    """Tell whether a rule is on this tool, or on one that does the same if not on this `alone`."""
    name = tool_name.lower()
    same = next((some for some in _SAME_TOOLS if name in some), None) or tools_like(name)
    names = (name,) if alone else (name, *same)
    return any(
        any(text_fits(tool.lower(), name) for name in names) if "*" in tool else tool.lower() in names
        for tool in rule.tools
    )


def _command(tool_name: str, tool_input: "Mapping[str, Any]") -> str | None:
    """Return the command of a shell tool as text; a patch becomes one of the program that applies it."""
    if tool_name.lower() == "apply_patch":
        return "apply_patch <<'EOF'\n{}\nEOF".format("\n".join([text for _, text in _texts(tool_input)]))
    if tool_name.lower() not in SHELL_TOOLS:
        return None
    command = tool_input.get("command", tool_input.get("cmd", ""))
    if isinstance(command, list):
        return quote([str(word) for word in command])
    return command if isinstance(command, str) else ""


def _means_input(
    rule: Rule,
    tool_name: str,
    tool_input: "Mapping[str, Any]",
    folders: BaseFolders,
    real: "Sequence[str]",
) -> bool:
    """Tell whether a rule means what a tool is given: its files, or else any of its texts."""
    name, texts = tool_name.lower(), _texts(tool_input)
    is_alike = name.startswith("mcp__") and not _applies_to(rule, tool_name, alone=True)
    if is_alike:  # a tool of an MCP server that works on files
        keys = (*PATH_KEYS, *_OTHER_PATH_KEYS)
        paths = [text.removeprefix("file://") for key, text in texts if key in keys and text]
    else:
        paths = [path for key in PATH_KEYS if isinstance(path := tool_input.get(key), str) and path]
    if name == "grep":
        glob = tool_input.get("glob")
        paths += [f"{path}/x" for path in paths]  # which may be a folder
        paths += [glob] if isinstance(glob, str) else [] if paths else ["."]
    if paths or is_alike:
        put = "\n".join([text for key, text in texts if key not in _OLD_KEYS])
        return any(path_fits(rule.pattern, one, put, folders) for one in (*paths, *real))
    pattern = rule.pattern.strip("\"'")
    given = [*real, *[text for key, text in texts if key == "url" or name not in _FETCH_TOOLS]]
    return pattern == "*" or any(text_fits(pattern, text) for text in given)


def _texts(value: "Any", key: str = "", depth: int = 0) -> "list[tuple[str, str]]":
    """Return every text in a tool's input with the key it stands under."""
    if isinstance(value, str):
        return [(key, value)]
    if depth > 20 or not isinstance(value, dict | list):
        return []
    pairs = value.items() if isinstance(value, dict) else [(key, one) for one in value]
    return [pair for name, one in pairs for pair in _texts(one, str(name), depth + 1)]


def _decision(rule: Rule | None, fits: int, words: str) -> Decision:
    if rule is None:
        return Decision("ask", None, words)
    whose = f"the memory {rule.memory!r}" if rule.memory else "a memory"
    said = f" ({rule.reason})" if rule.reason else ""
    found = f" Found: {words}." if words else ""
    ruled = f"the rule {rule.text!r} of {whose}{said}"
    if not rule.bound:
        forget, approve = _argument(rule.file or rule.memory), _argument(rule.memory)
        how = f"`memdir forget {forget}` removes it, `memdir rules approve {approve}` lets it bind."
        whose = rule.whose or "somebody else"
        return Decision("ask", rule, f"This meets {ruled}, written by {whose} and not by you.{found} {how}")
    if fits == YES:
        deed = "is forbidden by" if rule.verb == "deny" else "needs your consent because of"
        return Decision(rule.verb, rule, f"This {deed} {ruled}.{found}")
    return Decision("ask", rule, f"This may meet {ruled}: not all of it can be known before it runs.{found}")


def _argument(name: str) -> str:
    """Return a name as it can be typed: whoever wrote the header chose it."""
    return name if name.translate(TOOL_SIGNS).isalnum() and name[:1] != "-" else quote([name])
