"""What programs are called, and hosts' tools that run and write, in groups, from a table."""

from memdir.text.tables import read_table, rows_of

__all__ = [
    "ALIASED",
    "CLOSERS",
    "COPIERS",
    "DECODERS",
    "EDITORS",
    "EXECUTES",
    "HARMLESS",
    "LANGUAGES",
    "MAKERS",
    "MOVERS",
    "NUMBERED",
    "OTHER_NAMES",
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
    "tools_like",
]

_TABLE = read_table(__file__, "program_names.txt")


def _names(section: str) -> frozenset[str]:
    return frozenset(" ".join(_TABLE[section]).split())


SHELLS, EDITORS, LANGUAGES, DECODERS = map(_names, ("shells", "editors", "languages", "decoders"))
REMOVERS, CLOSERS, MOVERS = map(_names, ("removers", "closers", "movers"))
SEARCHERS, EXECUTES, COPIERS = map(_names, ("searchers", "executes", "copiers"))
SAME_AS_GIT, SILENT, SPEAKERS, NUMBERED = map(_names, ("same as git", "silent", "speakers", "numbered"))
HARMLESS = SPEAKERS | _names("harmless")
ALIASED, MAKERS = SAME_AS_GIT | {"git"}, frozenset({"make"})
"""Programs that are plain unless they are told what other commands mean, or make what is run here."""
SHELL_TOOLS, WRITING_TOOLS, READING_TOOLS = map(_names, ("shell tools", "writing tools", "reading tools"))
OTHER_NAMES = {**{f"g{name}": name for name in _names("gnu")}, **rows_of(_TABLE["other names"])}
SETTINGS = {
    name: [pair.split("=") for pair in pairs.split()] for name, pairs in rows_of(_TABLE["settings"]).items()
}
RUN_SETTINGS = ("EDITOR", "PAGER", "VISUAL", "BROWSER", "_COMMAND", "_ASKPASS", "_PROXY_COMMAND")
"""How the names of variables end whose value is a command."""

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
