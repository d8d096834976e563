"""The environment variables memdir reads: our name first, then the names other tools use for the same."""

import os
from collections.abc import Mapping

from memdir.config.layout import Layout
from memdir.config.safe_path import Refused, memory_directory, valid_directory
from memdir.text.value import value_class

__all__ = [
    "HUB_TOKEN",
    "VARIABLES",
    "VARIABLE_MEANINGS",
    "Switch",
    "VariableFolder",
    "config_home",
    "folder",
    "switch",
    "variable",
]

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "MEMDIR_DIRECTORY": ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "CLAUDE_CODE_AUTO_MEM_PATH"),
    "MEMDIR_BASE": ("CLAUDE_CODE_REMOTE_MEMORY_DIR",),
    "MEMDIR_CONFIG_DIR": ("CLAUDE_CONFIG_DIR",),
    "MEMDIR_DISABLE": ("CLAUDE_CODE_DISABLE_AUTO_MEMORY",),
    "MEMDIR_BARE": ("CLAUDE_CODE_SIMPLE",),
    "MEMDIR_REMOTE": ("CLAUDE_CODE_REMOTE",),
    "MEMDIR_EXTRA_GUIDELINES": ("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES",),
    "MEMDIR_STATE": (),
    "MEMDIR_MODEL": (),
    "MEMDIR_LAYOUT": (),
}
"""Our names, each with the others' names in the order they are looked up."""

VARIABLE_MEANINGS: Mapping[str, str] = {
    "MEMDIR_DIRECTORY": "The memory directory, an absolute path; what `--directory` refuses is passed over.",
    "MEMDIR_BASE": "The folder below which the memories of all projects lie.",
    "MEMDIR_CONFIG_DIR": "The folder of your own settings, `~/.claude` by default.",
    "MEMDIR_DISABLE": "`1` switches memory off, `0` on, whatever the settings say.",
    "MEMDIR_BARE": "`1` is bare mode: memory is off.",
    "MEMDIR_REMOTE": "`1`: this machine is not kept, so memory is off unless `MEMDIR_BASE` is set.",
    "MEMDIR_EXTRA_GUIDELINES": "More guidelines for the memory section of a prompt.",
    "MEMDIR_STATE": "The folder of history, trash and caches.",
    "MEMDIR_MODEL": "The language model to ask, as `memdir models` explains; `none`: none.",
    "MEMDIR_LAYOUT": "The names of files and folders: `claude` (default) or `agents`.",
    "MEMDIR_WEIGHTS": "A folder of recall's weights in place of the package's: train your own.",
    "MEMDIR_HOST": "`generic`: hooks read and write the plain JSON for any other host.",
    "MEMDIR_HUB_TOKEN": "The token that `memdir sync init` keeps for a space of a hub.",
    "MEMDIR_MCP_TOKEN": "The token that `memdir mcp --http` asks for; without it one is made.",
    "MEMDIR_DATABASE": "The PostgreSQL database of `memdir serve` and `memdir hub`.",
    "MEMDIR_WORKER": "Set by memdir for the hosts that its workers start: they are not remembered.",
    "CLAUDE_PROJECT_DIR": "The project that `memdir mcp` and hooks serve, where the host says so.",
    "CODEX_HOME": "The folder of Codex, `~/.codex` by default.",
    "ANTHROPIC_API_KEY": "The key of a model named `anthropic:NAME`; `ANTHROPIC_BASE_URL` moves the server.",
    "OPENAI_API_KEY": "The key of a model named `openai:NAME`; `OPENAI_BASE_URL` moves the server.",
    "VISUAL": "The editor of `memdir edit`; else `EDITOR`, nano, vim or vi.",
    "EDITOR": "The editor of `memdir edit` where `VISUAL` is not set.",
    "NO_COLOR": "Set to anything, it switches colours off; so does `TERM=dumb`.",
    "COLUMNS": "The width of lists in place of the terminal's.",
    "HOME": "Where `~` leads.",
}
"""What each variable means; those that `VARIABLES` does not list have one reader each."""

HUB_TOKEN = "MEMDIR_HUB_TOKEN"  # noqa: S105 - the name of a variable


@value_class(frozen=True, slots=True)
class Switch:
    """A variable that says yes or no, and under which name it was found."""

    name: str
    value: str
    on: bool


@value_class(frozen=True, slots=True)
class VariableFolder:
    """The directory a variable names, if one does, and what was wrong with those passed over."""

    path: str = ""
    """Without a trailing separator; empty when no variable names a usable directory."""
    name: str = ""
    warnings: tuple[str, ...] = ()


def variable(env: Mapping[str, str], ours: str) -> tuple[str, str] | None:
    """Return the first name that is set to more than blanks, with its value; ours comes first."""
    return next(((name, env[name]) for name in (ours, *VARIABLES[ours]) if env.get(name, "").strip()), None)


def switch(env: Mapping[str, str], ours: str) -> Switch | None:
    """Return the first of the names whose value is a clear yes or no; any other value is ignored."""
    for name in (ours, *VARIABLES[ours]):
        word = env.get(name, "").strip().lower()
        if word in _YES or word in _NO:
            return Switch(name, env[name], word in _YES)
    return None


def folder(env: Mapping[str, str], ours: str, *, home: str) -> VariableFolder:
    """Return the first directory among the names that may be used; those refused become warnings."""
    # What names the memory directory is taken as it stands, and aims an agent's writes.
    aims = ours == "MEMDIR_DIRECTORY"
    judge = memory_directory if aims else valid_directory
    warnings: list[str] = []
    for name in (ours, *VARIABLES[ours]):
        if name not in env:
            continue
        path = judge(env[name], expand_tilde=not aims, home=home)
        if not isinstance(path, Refused):
            return VariableFolder(path[:-1], name, tuple(warnings))
        warnings.append(f"{name} is ignored: {path.because}. Set it to an absolute path, or unset it.")
    return VariableFolder(warnings=tuple(warnings))


def config_home(layout: Layout, env: Mapping[str, str], home: str) -> VariableFolder:
    """Return the folder of the user's own settings: the one a variable names, else the layout's."""
    chosen = folder(env, "MEMDIR_CONFIG_DIR", home=home)
    if chosen.path:
        return chosen
    return VariableFolder(os.path.join(home, layout.dot_folder), "", chosen.warnings)


_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})
