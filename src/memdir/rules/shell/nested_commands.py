"""Commands inside a command: behind `sudo` and such, by the table `wrappers.txt`, and in other languages.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.resources import read_table, rows_of
from memdir.rules.command_line import spellings
from memdir.rules.invocation import DISGUISED, word_at
from memdir.text.program_names import EDITORS, INLINE, current_form, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    InnerCommand = tuple[Sequence[str], Sequence[str]]
    """Its words; or else texts for a shell."""

__all__ = ["code_in", "inner_command", "starts_programs"]

_WRAPPERS = rows_of(read_table(__file__, "wrappers.txt")["wrappers"])
_BEGINNINGS = frozenset([name[:at] for name in _WRAPPERS for at, sign in enumerate(name) if sign == " "])
"""What a name of several words begins with."""
_PYTHONS = frozenset({"python", "pypy", "py", "pythonw", "ipython"})
_LOOKUPS = frozenset({"-v", "-V", "-l", "--list", "-K", "-k"})
"""Options with which `command` and `sudo` only look something up."""


def inner_command(words: "Sequence[str]", stdin: str = "") -> "InnerCommand | None":
    """Return the command inside this one, or None when it runs no other."""
    words = _plain_form(current_form(words))
    path, at, found = program(words[0]), 1, ("", 0)
    if path in ("command", "sudo") and word_at(words, 1) in _LOOKUPS:
        return None
    while True:
        if path in _WRAPPERS:
            found = (path, at)
        if at >= len(words) or path not in _BEGINNINGS:
            break
        step = f"{path} {words[at]}"
        if step in _WRAPPERS or step in _BEGINNINGS:
            path, at = step, at + 1
        elif words[at].startswith("-") and words[at] != "--":
            at += 2 if (spellings(path) or {}).get(words[at], ((), ""))[1] == "=" else 1
        else:
            break
    return _inside(words, *found, stdin) if found[0] else None


def _plain_form(words: "Sequence[str]") -> "Sequence[str]":
    """Return cmd without its switches, PowerShell's encoded code as a mark, and `python -m` in one form."""
    name, at = program(words[0]), 1
    if name == "cmd":
        while at < len(words) and words[at].strip("/").lower() in ("c", "k", "s", "d", "q"):
            at += 1
        return [name, *words[at:]]
    if name in ("pwsh", "powershell"):
        encoded = [one for one in words if one[1:2].lower() == "e" and _ENCODED.startswith(one[1:].lower())]
        return [name, "-c", DISGUISED] if encoded else words
    if name in _PYTHONS:
        while (option := word_at(words, at)).startswith("-") and not option.startswith("--"):
            letters, has_module, glued = option.partition("m")  # as in `-m x`, `-mx` and `-Im x`
            if has_module and _PYTHON_LETTERS.issuperset(letters[1:]):
                return ["python", "-m", *([glued] if glued else []), *words[at + 1 :]]
            at += 2 if option in ("-W", "-X") else 1
    return words


_ENCODED = "encodedcommand"
_PYTHON_LETTERS = frozenset("bBdEhiIOqsSuvxP0123456789.")


def _inside(words: "Sequence[str]", path: str, at: int, stdin: str) -> "InnerCommand | None":
    """Return the command behind the options and words of its own that a wrapper has from a place on."""
    own_valued, (own_words,), text_options, ways = [part.split() for part in _WRAPPERS[path].split("|")]
    known = [name for name, (_, taken) in (spellings(path) or {}).items() if taken == "="]
    valued, texts = [*known, *own_valued, *text_options], list[str]()
    own_left = len(words) if own_words == "all" else int(own_words)
    while at < len(words):
        word = words[at]
        name, assigned, value = word.partition("=")
        if name in text_options and "rest" in ways:
            at += 1
            break
        if word == "--":
            at += 1 if "dashes" in ways else 1 + own_left
            break
        if word.startswith("-") and len(word) > 1:
            option, value, is_glued = (name, value, True) if assigned else _with_value(word, valued)
            if option in text_options:
                texts.append(value if is_glued else word_at(words, at + 1))
            at += 2 if option in valued and not is_glued else 1
        elif own_left:
            own_left -= 1
            at += 1
        elif "dashes" in ways or (assigned and name.isidentifier()):
            at += 1
        else:
            break
    return _command_in(words[at:], texts, ways, stdin, takes_texts=bool(text_options))


def _command_in(
    rest: "Sequence[str]", texts: list[str], ways: list[str], stdin: str, *, takes_texts: bool
) -> "InnerCommand | None":
    """Return what a wrapper runs: the texts of its options, or else the rest of its words."""
    if texts:
        texts = [text.removeprefix("exec=").removeprefix("commands=") for text in texts]  # of tar and aws
        return (), [" ".join([text, *rest]) for text in texts] if "joined" in ways else texts
    if not rest:
        return ((), [stdin]) if "reads" in ways else None
    is_text = len(rest) == 1 and " " in rest[0]  # a shell must be meant
    if is_text or ("joined" in ways and not takes_texts):
        return (), [" ".join(rest)]
    return rest, ()


def _with_value(word: str, valued: "Sequence[str]") -> tuple[str, str, bool]:
    """Return the option of a word that takes a value, the value, and whether that is in the word too."""
    if word not in valued and word[1] != "-":
        for at, letter in enumerate(word[1:], 2):
            if f"-{letter}" in valued:
                return f"-{letter}", word[at:], at < len(word)
    return word, "", False


def starts_programs(words: "Sequence[str]", stdin: str) -> str:
    """Return the code that an interpreter is given in the command itself, if that starts other programs."""
    name = program(words[0])
    if name == "sed":
        import re

        return "\n".join([word for word in words[1:] if re.search(_SED_RUNS, word)])
    if name not in INLINE:
        return ""
    code = code_in(words, stdin)
    starts = (*_STARTS, *(_ESCAPES if name in _ESCAPING else ()))
    return code if name in _TERMINALS or any(start in code for start in starts) else ""


def code_in(words: "Sequence[str]", stdin: str) -> str:
    """Return the code that an interpreter is given in the command itself."""
    options = INLINE.get(program(words[0]))
    if options is None or "rename-window" in words:
        return ""
    return "\n".join([*words[1:], stdin]) if options == "" or {*options.split()} & {*words} else stdin


_STARTS = (
    *("system", "popen", "spawn", "exec", "subprocess", "child_process", "check_call", "check_output"),
    *("shell-command", "call-process", "start-process", "invoke-", "Start-Process", "Invoke-", "iex "),
    *("runpy", "importlib", "__import__", ".main(", "main([", "`", "qx", "%x", "do shell"),
    *('| "', '|"', '" |', '"|', "'|", "|'"),
)
"""How code says that it starts a program, in awk and Perl by a pipe, or runs a module of Python as one."""
_ESCAPING = EDITORS | {"gdb", "lldb"}
_ESCAPES = ("!", "shell ", "terminal ")
"""What stands before a command for a shell in the languages of editors and debuggers."""
_TERMINALS = frozenset({"tmux", "screen"})
"""Programs that type what they are given, or run it in another window."""
_ADDRESS = r"[\d,$~!+I \t]*"
_SED_RUNS = (
    rf"(?:\A(?:--expression=|-e)?|[;{{\n]){_ADDRESS}(?:/[^/]*/{_ADDRESS})*"
    r"(?:e(?:[ \t;{\n]|\Z)|s(.)(?:(?!\1).)*\1(?:(?!\1).)*\1[a-vx-zA-Z0-9]*e)"
)
"""A step of sed that runs a command: `e` after an address, or as a flag of `s`."""
