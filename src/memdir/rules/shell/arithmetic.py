"""Arithmetic in a shell text: where it ends, as commands inside it would run all the same."""

import re

__all__ = ["command_end", "value_end"]

_COMMAND = re.compile(r"\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)")
_PARENTHESIS = re.compile(r"[()]")


def command_end(text: str, at: int) -> int:
    """Return where the command `((…))` that begins here ends; 0 when it is none."""
    found = _COMMAND.match(text, at)
    return found.end() if found else 0


def value_end(text: str, at: int) -> int:
    """Return where arithmetic ends, from behind its `$((` on; 0 when it is a command in a sub-shell."""
    open_signs = 2
    for found in _PARENTHESIS.finditer(text, at):
        open_signs += 1 if found[0] == "(" else -1
        if open_signs == 1 and not text.startswith("))", found.start()):
            return 0
        if not open_signs:
            return found.end()
    return 0
