"""What programs are called, and hosts' tools that run and write, in groups, from a table.

A host waits for this module: it does without `typing`.
"""

from memdir.resources import read_table, rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ALIASED",
    "CLOSERS",
    "COPIERS",
    "DECODERS",
    "EDITORS",
    "EXECUTES",
    "HARMLESS",
    "INLINE",
    "LANGUAGES",
    "MAKERS",
    "MOVERS",
    "OTHER_NAMES",
    "PATH_KEYS",
    "READING_TOOLS",
    "REMOVERS",
    "RUN_SETTINGS",
    "SAME_AS_GIT",
    "SEARCHERS",
    "SETTINGS",
    "SHELLS",
    "SHELL_TOOLS",
    "SILENT",
    "SPEAKERS",
    "WRITING_TOOLS",
    "current_form",
    "names_of",
    "program",
    "tools_like",
]

_TABLE = read_table(__file__, "program_names.txt")


def names_of(section: str) -> frozenset[str]:
    """Return the names of one group of the table."""
    return frozenset(" ".join(_TABLE[section]).split())


SHELLS, EDITORS, LANGUAGES, DECODERS = map(names_of, ("shells", "editors", "languages", "decoders"))
REMOVERS, CLOSERS, MOVERS = map(names_of, ("removers", "closers", "movers"))
SEARCHERS, EXECUTES, COPIERS = map(names_of, ("searchers", "executes", "copiers"))
SAME_AS_GIT, SILENT, SPEAKERS, _NUMBERED = map(names_of, ("same as git", "silent", "speakers", "numbered"))
HARMLESS = SPEAKERS | names_of("harmless")
ALIASED, MAKERS = SAME_AS_GIT | {"git"}, frozenset({"make"})
"""Programs that are plain unless they are told what other commands mean, or make what is run here."""
SHELL_TOOLS, WRITING_TOOLS, READING_TOOLS = map(names_of, ("shell tools", "writing tools", "reading tools"))
PATH_KEYS = ("file_path", "notebook_path", "path")
"""Where a tool of a host is given the path that it works on."""
OTHER_NAMES = {**{f"g{name}": name for name in names_of("gnu")}, **rows_of(_TABLE["other names"])}
INLINE = {name: "" if options == "always" else options for name, options in rows_of(_TABLE["inline"]).items()}
"""Interpreters, and the options after which code stands in the command; empty where it always does."""
SETTINGS = {
    name: [pair.split("=") for pair in pairs.split()] for name, pairs in rows_of(_TABLE["settings"]).items()
}
RUN_SETTINGS = ("EDITOR", "PAGER", "VISUAL", "BROWSER", "_COMMAND", "_ASKPASS", "_PROXY_COMMAND")
"""How the names of variables end whose value is a command."""


def program(word: str) -> str:
    """Return the usual name of a program, without folder and version; on some disks case does not count."""
    name = word.rpartition("/")[2].lower()
    if name.isalpha() or name in OTHER_NAMES:
        return OTHER_NAMES.get(name, name)
    for ending in (".exe", ".cmd", ".bat"):
        name = name.removesuffix(ending)
    name = name[:1] + name[1:].partition("@")[0].partition(":")[0]  # as in npm@9 and terraform:1.5
    stem = name.rstrip("0123456789.-_")
    name = stem if len(stem) > 1 and stem != name and name not in _NUMBERED else name
    return OTHER_NAMES.get(name, name)


def current_form(words: "Sequence[str]") -> "Sequence[str]":
    """Return a command as it is written today, where a program became the sub-command of another one."""
    two = _NOW_TWO.get(program(words[0]))
    return [*two, *words[1:]] if two else words


_NOW_TWO = {f"{name}-compose": (name, "compose") for name in ("docker", "podman")}


_WRITES = ("write", "edit", "create", "append", "insert", "replace", "overwrite", "update", "modify", "patch")
_TAKES_AWAY = ("delete", "remove", "move", "rename", "save", "copy")
_READS = ("read", "view", "open", "get", "cat")


def tools_like(name: str) -> frozenset[str]:
    """Return the file tools that one of an MCP server does the same as, by its name in small letters."""
    if not name.startswith("mcp__"):
        return frozenset()
    parts = name.rpartition("__")[2].replace("-", "_").split("_")
    if any(part.startswith((*_WRITES, *_TAKES_AWAY)) for part in parts):
        return WRITING_TOOLS
    return READING_TOOLS if any(part.startswith(_READS) for part in parts) else frozenset()
