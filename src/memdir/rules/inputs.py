"""Which rules mean a tool that is no shell: by the file it is given, or by any of its texts.

A host waits for this module: it does without `typing`.
"""

from memdir.rules.match import text_fits
from memdir.rules.paths import path_fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from memdir.memories.enforce import Rule
    from memdir.rules.paths import BaseFolders

__all__ = ["matching_rules"]

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
        alike = [rule for rule in rules if not any(_names(tool, tool_name) for tool in rule.tools)]
        others = [rule for rule in rules if rule not in alike]
        found = _by_path(alike, tool_input, folders, real)
        return [*found, *_by_input(others, tool_name, tool_input, folders, real)]
    return _by_input(rules, tool_name, tool_input, folders, real)


def _names(tool: str, tool_name: str) -> bool:
    return text_fits(tool, tool_name) if "*" in tool else tool.lower() == tool_name.lower()


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
        paths += [glob for glob in (tool_input.get("glob"),) if isinstance(glob, str)] or ["."][len(paths) :]
    if paths:
        return _of_paths(rules, [*paths, *real], tool_input, folders)
    fetches = tool_name.lower() in _FETCH_TOOLS
    texts = [*real, *[text for key, text in _texts(tool_input) if key == "url" or not fetches]]
    return [rule for rule in rules if _means(rule.pattern.strip("\"'"), texts)]


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


def _means(pattern: str, texts: "Sequence[str]") -> bool:
    return pattern == "*" or any(text_fits(pattern, text) for text in texts)
