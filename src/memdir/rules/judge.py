"""What the rules say about one tool call: allow, ask or deny, and why.

Commands are judged as commands (see `shell` and `match`), files by gitignore-like globs, all else as text.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.memories.enforce import TOOL_SIGNS, Rule
from memdir.rules.match import NO, YES, text_fits
from memdir.rules.paths import BaseFolders, file_fits, path_fits
from memdir.text.program_names import READING_TOOLS, SHELL_TOOLS, WRITING_TOOLS, tools_like
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from memdir.rules.paths import ProtectedFiles

__all__ = ["ALLOWED", "Decision", "highest", "judge"]

_PATH_KEYS = ("file_path", "notebook_path", "path")
_OTHER_PATH_KEYS = (
    *("paths", "file", "filename", "filepath", "filePath", "relative_path", "target_file", "old_path"),
    *("new_path", "source", "destination", "src", "dst"),
)
"""Where tools of MCP servers that work on files are given a path."""
_OLD_KEYS = (*_PATH_KEYS, "old_string", "oldText", "old_text", "old_str")
"""What is not put into a file."""
_FETCH_TOOLS = frozenset({"webfetch", "web_fetch"})
"""Tools that are judged by the address alone: what is asked about the page is not where they go."""


def matching_rules(
    rules: "Iterable[Rule]",
    tool_name: str,
    tool_input: "Mapping[str, Any]",
    folders: "BaseFolders",
    real: "Sequence[str]" = (),
) -> "list[Rule]":
    """Return those of the rules on this tool that mean its input; `real` are its paths without links."""
    if tool_name.lower().startswith("mcp__"):
        alike = [rule for rule in rules if not _applies_to(rule, tool_name, alone=True)]
        others = [rule for rule in rules if rule not in alike]
        found = _by_path(alike, tool_input, folders, real)
        return [*found, *_by_input(others, tool_name, tool_input, folders, real)]
    return _by_input(rules, tool_name, tool_input, folders, real)


def _by_path(
    rules: "Iterable[Rule]", tool_input: "Mapping[str, Any]", folders: "BaseFolders", real: "Sequence[str]"
) -> "list[Rule]":
    """Return the rules about files that mean what a tool of an MCP server does with them."""
    keys = (*_PATH_KEYS, *_OTHER_PATH_KEYS)
    paths = [text.removeprefix("file://") for key, text in _texts(tool_input) if key in keys and text]
    return _of_paths(rules, [*paths, *real], tool_input, folders)


def _by_input(
    rules: "Iterable[Rule]",
    tool_name: str,
    tool_input: "Mapping[str, Any]",
    folders: "BaseFolders",
    real: "Sequence[str]",
) -> "list[Rule]":
    paths = [path for key in _PATH_KEYS if isinstance(path := tool_input.get(key), str) and path]
    if tool_name.lower() == "grep":
        paths += [f"{path}/x" for path in paths]  # which may be a folder
        paths += [glob for glob in (tool_input.get("glob"),) if isinstance(glob, str)] or ["."][len(paths) :]
    if paths:
        return _of_paths(rules, [*paths, *real], tool_input, folders)
    fetches = tool_name.lower() in _FETCH_TOOLS
    texts = [*real, *[text for key, text in _texts(tool_input) if key == "url" or not fetches]]
    patterns = [(rule, rule.pattern.strip("\"'")) for rule in rules]
    return [
        rule
        for rule, pattern in patterns
        if pattern == "*" or any(text_fits(pattern, text) for text in texts)
    ]


def _of_paths(
    rules: "Iterable[Rule]", paths: "Sequence[str]", tool_input: "Mapping[str, Any]", folders: "BaseFolders"
) -> "list[Rule]":
    text = "\n".join([text for key, text in _texts(tool_input) if key not in _OLD_KEYS])
    return [rule for rule in rules if any(path_fits(rule.pattern, one, text, folders) for one in paths)]


def _texts(value: "Any", key: str = "", depth: int = 0) -> "list[tuple[str, str]]":
    """Return every text in a tool's input with the key it stands under."""
    if isinstance(value, str):
        return [(key, value)]
    if depth > 20:
        return []
    if isinstance(value, dict):
        return [pair for name, one in value.items() for pair in _texts(one, str(name), depth + 1)]
    if isinstance(value, list):
        return [pair for one in value for pair in _texts(one, key, depth + 1)]
    return []


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
    command = tool_input.get("command", tool_input.get("cmd", ""))
    if tool_name.lower() not in SHELL_TOOLS or not isinstance(command, str):
        command = _command(tool_name, tool_input)
    if command is not None:
        files = [rule for rule in rules if _applies_to(rule, "Read") or _applies_to(rule, "Write")]
        if not concerned and not files and not protected:
            return ALLOWED
        try:
            return highest(_verdicts(command, concerned, files, folders, branch=branch, protected=protected))
        except Exception:  # noqa: BLE001 - what cannot be judged is not let through
            return Decision(
                "ask", next(iter((*concerned, *files)), None), f"It cannot be judged: {command[:80]}"
            )
    if not concerned:
        return ALLOWED

    return highest(
        [_decision(rule, YES, "") for rule in matching_rules(concerned, tool_name, tool_input, folders, real)]
    )


def highest(decisions: "Iterable[Decision]") -> Decision:
    """Return the first of the strictest decisions: deny before ask before allow."""
    return max(decisions, key=lambda one: _RANKS.index(one.verdict), default=ALLOWED)


_RANKS = ("allow", "ask", "deny")


def _applies_to(rule: Rule, tool_name: str, *, alone: bool = False) -> bool:
    """Tell whether a rule is on this tool, or on one that does the same if not on this `alone`."""
    name = tool_name.lower()
    same = next((some for some in _SAME_TOOLS if name in some), None) or tools_like(name)
    names = (name,) if alone else (name, *same)
    return any(
        any(text_fits(tool.lower(), name) for name in names) if "*" in tool else tool.lower() in names
        for tool in rule.tools
    )


_SAME_TOOLS = (("bash", *SHELL_TOOLS), WRITING_TOOLS, READING_TOOLS)


def _command(tool_name: str, tool_input: "Mapping[str, Any]") -> str | None:
    """Return the command of a shell tool as text; a patch becomes one of the program that applies it."""
    if tool_name.lower() == "apply_patch":
        return "apply_patch <<'EOF'\n{}\nEOF".format("\n".join([text for _, text in _texts(tool_input)]))
    if tool_name.lower() not in SHELL_TOOLS:
        return None
    command = tool_input.get("command", tool_input.get("cmd", ""))
    if isinstance(command, list):
        from memdir.rules.shell.builtins import quote

        return quote([str(word) for word in command])
    return command if isinstance(command, str) else ""


def _verdicts(
    command: str,
    rules: "Sequence[Rule]",
    files: "Sequence[Rule]",
    folders: BaseFolders,
    *,
    branch: "Callable[[str], str] | None",
    protected: "ProtectedFiles | None",
) -> "Iterator[Decision]":
    """Yield what rules about commands say, and those about files of what the command reads and writes."""
    from memdir.rules.command_check import CommandCheck, shorten

    check = CommandCheck(rules, branch, protected, files=bool(files))
    touched = check.run(command, folders)
    for rule, fits, words in check.found.values():
        yield _decision(rule, fits, words)
    if check.is_denied:
        return  # which nothing else can raise
    for rule in files:
        for file in touched:
            if _applies_to(rule, file.tool) and (fits := file_fits(rule.pattern, file, folders)) != NO:
                yield _decision(rule, fits, f"{'<' if file.tool == 'Read' else '>'} {shorten(file.path)}")
    if change := check.change(command, folders):
        yield Decision("ask", None, change)


def _decision(rule: Rule, fits: int, words: str) -> Decision:
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
    from memdir.rules.shell.builtins import quote

    return name if name.translate(TOOL_SIGNS).isalnum() and name[:1] != "-" else quote([name])
