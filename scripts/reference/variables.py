"""docs/variables.md: every environment variable that memdir reads."""

from scripts.reference.text import code, table

from memdir.config.world import VARIABLES

__all__ = ["VARIABLE_MEANINGS", "page"]

_BEGINNING = """# Environment variables

This page is made from the code by `python -m scripts.reference`. Our names win over those of other tools for
the same thing. A switch takes `1`, `true`, `yes` or `on`, and `0`, `false`, `no` or `off`; any other value is
ignored. A variable wins over [settings](settings.md).

"""


VARIABLE_MEANINGS = {
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


def page() -> str:
    """Return the whole page."""
    rows = [
        (code(name), ", ".join(map(code, VARIABLES.get(name, ()))), what)
        for name, what in VARIABLE_MEANINGS.items()
    ]
    return _BEGINNING + table(("variable", "also read", "what it does"), rows)
