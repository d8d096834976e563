"""Commands inside a command: behind `sudo` and such, by the table `wrappers.txt`, and in `sh -c` or `xargs`.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.resources import read_table, rows_of
from memdir.rules.command_line import spellings, takes_value
from memdir.rules.invocation import DISGUISED, current_form, program
from memdir.text.program_names import EDITORS, words_of
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["InnerCommand", "code_in", "inner_command", "is_interpreter", "starts_programs"]


@value_class(frozen=True, slots=True)
class InnerCommand:
    """The command that a program runs."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Texts that it hands to a shell, instead of words."""
    reads: bool = False
    """Whether it starts a shell that reads its commands."""


_WRAPPERS = rows_of(read_table(__file__, "wrappers.txt")["wrappers"])
_POWERSHELLS = ("pwsh", "powershell")
_LOOKUPS = frozenset({"-v", "-V", "-l", "--list", "-K", "-k"})
"""Options with which `command` and `sudo` only look something up."""


def inner_command(words: "Sequence[str]") -> InnerCommand | None:
    """Return the command inside this one, or None when it runs no other."""
    words = current_form(words)
    name = program(words[0])
    if name == "cmd" or name in _POWERSHELLS:
        words = _of_windows(name, words)
    elif name in _PYTHONS:
        words = _as_module(words)
    path, at = program(words[0]), 1
    found = (path, at) if path in _WRAPPERS else None
    while at < len(words) and path in _BEGINNINGS:
        word = words[at]
        step = f"{path} {word}"
        if step in _WRAPPERS or step in _BEGINNINGS:
            path, at = step, at + 1
            found = (path, at) if path in _WRAPPERS else found
        elif word.startswith("-") and word != "--":
            at += 2 if takes_value(path, word) else 1
        else:
            break
    if found is None:
        return None
    values = [name for name, (_, taken) in (spellings(found[0]) or {}).items() if taken == "="]
    return _inside(words, _WRAPPERS[found[0]], found[1], values)


_BEGINNINGS = frozenset([name[:at] for name in _WRAPPERS for at, sign in enumerate(name) if sign == " "])
"""What a name of several words begins with."""


def _of_windows(name: str, words: "Sequence[str]") -> "Sequence[str]":
    """Return a command of cmd without its switches; PowerShell's encoded code becomes a mark."""
    if name == "cmd":
        at = 1
        while at < len(words) and words[at].strip("/").lower() in _SWITCHES:
            at += 1
        return [name, *words[at:]]
    if any(word[1:2].lower() == "e" and _ENCODED.startswith(word[1:].lower()) for word in words):
        return [name, "-c", DISGUISED]
    return words


_SWITCHES = ("c", "k", "s", "d", "q")
_ENCODED = "encodedcommand"


def _as_module(words: "Sequence[str]") -> "Sequence[str]":
    """Return `python -m pip` for all ways to say that a module is run."""
    at = 1
    while at < len(words) and words[at][:1] == "-" and words[at][:2] != "--":
        letters, module, glued = words[at].partition("m")
        if module and not set(letters[1:]) - _PYTHON_LETTERS:
            return ["python", "-m", *([glued] if glued else []), *words[at + 1 :]]
        at += 2 if words[at] in ("-W", "-X") else 1
    return words


_PYTHONS = frozenset({"python", "pypy", "py", "pythonw", "ipython"})
_PYTHON_LETTERS = frozenset("bBdEhiIOqsSuvxP0123456789.")


def _inside(words: "Sequence[str]", row: str, at: int, values: list[str]) -> InnerCommand | None:
    own_values, own_words, own_texts, ways = row.split("|")
    values, texts_after, dashes = [*values, *own_values.split()], own_texts.split(), "dashes" in ways
    skip, texts, first = len(words) if "all" in own_words else int(own_words), list[str](), at
    while at < len(words):
        word = words[at]
        name, assigned, value = word.partition("=")
        if word == "--":
            at += 1
            return _inner_command(words[at + (0 if dashes else skip) :], texts, ways, joins=not texts_after)
        if name in texts_after and "rest" in ways:
            return _inner_command(words[at + 1 :], texts, ways, joins=False)
        if word.startswith("-") and len(word) > 1:
            if at == first and word in _LOOKUPS and program(words[0]) in ("command", "sudo"):
                return None
            option, value, glued = (
                (name, value, True) if assigned else _with_value(word, (*values, *texts_after))
            )
            if option in texts_after:
                text = value if glued else " ".join(words[at + 1 : at + 2])
                texts.append(text.removeprefix("exec=").removeprefix("commands="))  # as tar and aws write it
            at += 2 if not glued and option in (*values, *texts_after) else 1
        elif skip:
            skip, at = skip - 1, at + 1
        elif dashes or (assigned and name.isidentifier()):
            at += 1
        else:
            break
    return _inner_command(words[at:], texts, ways, joins=not texts_after)


def _with_value(word: str, valued: "Sequence[str]") -> tuple[str, str, bool]:
    """Return the option of a word that takes a value, the value, and whether that is in the word too."""
    if word not in valued and word[1] != "-":
        for at, letter in enumerate(word[1:], 2):
            if f"-{letter}" in valued:
                return f"-{letter}", word[at:], at < len(word)
    return word, "", False


def _inner_command(
    words: "Sequence[str]", texts: list[str], ways: str, *, joins: bool
) -> InnerCommand | None:
    joined, reads = "joined" in ways, "reads" in ways
    if len(words) == 1 and " " in words[0] and not texts:
        return InnerCommand(texts=(words[0],))  # a shell must be meant
    if texts:
        return InnerCommand(texts=tuple([" ".join([text, *words]) if joined else text for text in texts]))
    if joined and joins and words:
        return InnerCommand(texts=(" ".join(words),))
    return InnerCommand(tuple(words), reads=reads and not words) if words or reads else None


def starts_programs(words: "Sequence[str]", stdin: str) -> str:
    """Return the code that an interpreter is given in the command itself, if that starts other programs."""
    name = program(words[0])
    if name == "sed":
        return _run_by_sed(words[1:])
    if name not in _INLINE:
        return ""
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
    steps = [(script, script.replace("\n", ";").replace("{", ";").split(";")) for script in scripts]
    return "\n".join([script for script, some in steps if any(map(_runs, some))])


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
