"""Why a rule can never match, told when it is saved: one that stops nothing only looks like protection."""

import re

from memdir.rules.paths import path_and_phrases
from memdir.text.globs import Globs
from memdir.text.program_names import SHELL_TOOLS, WRITING_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["problem_of"]

_OPERATOR = re.compile(r"&&|\|\||[|&<>`]|\$\(")
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_PATH_TOOLS = WRITING_TOOLS | {"read", "glob", "grep", "ls"}


def problem_of(tools: "Iterable[str]", pattern: str) -> str:
    """Say why a rule on these tools can match nothing, or return the empty string."""
    names = {tool.lower() for tool in tools}
    if names & SHELL_TOOLS:
        if _OPERATOR.search(_QUOTED.sub("", pattern)):
            return "commands are judged one by one; write a rule for each, and put operators in quotes"
        if pattern.startswith("-"):
            return "it begins with an option; begin with the program, or with * for any"
    elif names <= _PATH_TOOLS and not pattern.startswith(("/", "~/")):
        return " ".join(Globs((path_and_phrases(pattern)[0],)).problems).rstrip(".")
    return ""
