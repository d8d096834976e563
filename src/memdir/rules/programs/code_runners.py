"""Which programs run code of their own, in which other programs can be started.

A host waits for this module: it does without `typing`.
"""

from memdir.rules.invocation import program
from memdir.text.program_names import EDITORS, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["code_in", "is_interpreter", "starts_programs"]


def starts_programs(words: "Sequence[str]", stdin: str) -> str:
    """Return the code that an interpreter is given in the command itself, if that starts other programs."""
    name = program(words[0])
    if name == "sed":
        return _run_by_sed(words[1:])
    code = code_in(words, stdin)
    starts = (
        (*_STARTS, *_PIPES) if name in _PIPING else (*_STARTS, *_ESCAPES) if name in _ESCAPING else _STARTS
    )
    return code if name in _TERMINALS or any(start in code for start in starts) else ""


def code_in(words: "Sequence[str]", stdin: str) -> str:
    """Return the code that an interpreter is given in the command itself."""
    options = _INLINE.get(program(words[0]))
    if options is None or "rename-window" in words:
        return ""
    return "\n".join([*words[1:], stdin]) if options == "" or {*options.split()} & {*words} else stdin


def is_interpreter(name: str) -> bool:
    """Tell whether a program runs code in a language of its own."""
    return name in _INLINE


_INLINE = words_of("inline")
"""Interpreters, and the options after which code stands in the command; empty where it always does."""

_CALLS = ("system", "popen", "spawn", "exec", "subprocess", "child_process", "check_call", "check_output")
_SAYS = ("shell-command", "call-process", "start-process", "invoke-", "Start-Process", "Invoke-", "iex ")
_MODULES = ("runpy", "importlib", "__import__", ".main(", "main([")
"""How a module of Python is run as the program that it is."""
_STARTS = (*_CALLS, *_SAYS, *_MODULES, "`", "qx", "%x", "do shell")
_PIPING = frozenset({"awk", "perl"})
_PIPES = ('| "', '|"', '" |', '"|', "'|", "|'")
"""How a text beside a pipe is a command in their language."""
_ESCAPING = EDITORS | {"gdb", "lldb"}
_ESCAPES = ("!", "shell ", "terminal ")
"""What stands before a command for a shell in the languages of editors and debuggers."""
_TERMINALS = frozenset({"tmux", "screen"})
"""Programs that type what they are given, or run it in another window."""


def _run_by_sed(words: "Sequence[str]") -> str:
    """Return the scripts of sed that run a command: `e` after an address, or as a flag of `s`."""
    scripts = [word.removeprefix("--expression=").removeprefix("-e") for word in words]
    return "\n".join([script for script in scripts if any(map(_runs, _steps(script)))])


def _steps(script: str) -> list[str]:
    return script.replace("\n", ";").replace("{", ";").split(";") if "e" in script else []


def _runs(step: str) -> bool:
    """Tell whether one step of a script, behind the lines it is for, runs a command."""
    step = step.lstrip(_ADDRESS)
    while step.startswith("/") and "/" in step[1:]:
        step = step[1:].partition("/")[2].lstrip(_ADDRESS)
    if step[:1] == "s" and len(step) > 3:
        flags = step[2:].split(step[1])[2:3]
        return bool(flags) and "e" in flags[0].partition("w")[0] and flags[0].partition("w")[0].isalnum()
    return step[:2] in ("e", "e ", "e\t")


_ADDRESS = "0123456789,$~!+I \t"
