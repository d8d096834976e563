"""Programs that run another one: which of their words come before it, by the table `wrappers.txt`.

A host waits for this module: it does without `typing`.
"""

from memdir.resources import read_table, rows_of
from memdir.rules.programs.command_line import spellings, takes_value
from memdir.rules.shell.invocation import DISGUISED, current_form, program
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["InnerCommand", "inner_command"]


@value_class(frozen=True, slots=True)
class InnerCommand:
    """The command that a program runs."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Texts that it hands to a shell, instead of words."""
    reads: bool = False
    """Whether it starts a shell that reads its commands."""


_Wrapper = tuple[str, int, str, str]
"""The columns of `wrappers.txt`."""

_ALL = 1 << 20
"""Words of a program that runs another only by an option."""


def _wrapper(row: str) -> _Wrapper:
    values, skip, texts, ways = [column.strip() for column in row.split("|")]
    return values, _ALL if skip == "all" else int(skip), texts, ways


_WRAPPERS = {
    name: _wrapper(row) for name, row in rows_of(read_table(__file__, "wrappers.txt")["wrappers"]).items()
}
_POWERSHELLS = ("pwsh", "powershell")
_LOOKUPS = frozenset({"-v", "-V", "-l", "--list", "-K", "-k"})
"""Options with which `command` and `sudo` only look something up."""


def inner_command(words: "Sequence[str]") -> InnerCommand | None:
    """Return the command inside this one, or None when it runs no other."""
    words = _as_module(_of_windows(current_form(words)))
    path, at = program(words[0]), 1
    found = (path, at) if path in _WRAPPERS else None
    while at < len(words) and path in _STEPS:
        word = words[at]
        step = f"{path} {word}"
        if step in _WRAPPERS or step in _STEPS:
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


_STEPS = frozenset(
    [" ".join(name.split()[:count]) for name in _WRAPPERS for count in range(1, 1 + name.count(" "))]
)
"""What the name of a wrapper begins with."""


def _of_windows(words: "Sequence[str]") -> "Sequence[str]":
    """Return a command of cmd without its switches; PowerShell's encoded code becomes a mark."""
    name = program(words[0])
    if name == "cmd":
        at = 1
        while at < len(words) and words[at].strip("/").lower() in _SWITCHES:
            at += 1
        return [name, *words[at:]]
    if name in _POWERSHELLS and any(
        word[1:2].lower() == "e" and _ENCODED.startswith(word[1:].lower()) for word in words
    ):
        return [name, "-c", DISGUISED]
    return words


_SWITCHES = ("c", "k", "s", "d", "q")
_ENCODED = "encodedcommand"


def _as_module(words: "Sequence[str]") -> "Sequence[str]":
    """Return `python -m pip` for all ways to say that a module is run."""
    if program(words[0]) not in _PYTHONS:
        return words
    at = 1
    while at < len(words) and words[at][:1] == "-" and words[at][:2] != "--":
        letters, module, glued = words[at].partition("m")
        if module and not set(letters[1:]) - _PYTHON_LETTERS:
            return ["python", "-m", *([glued] if glued else []), *words[at + 1 :]]
        at += 2 if words[at] in ("-W", "-X") else 1
    return words


_PYTHONS = frozenset({"python", "pypy", "py", "pythonw", "ipython"})
_PYTHON_LETTERS = frozenset("bBdEhiIOqsSuvxP0123456789.")


def _inside(words: "Sequence[str]", wrapper: _Wrapper, at: int, values: list[str]) -> InnerCommand | None:
    values, texts_after, dashes = [*values, *wrapper[0].split()], wrapper[2].split(), "dashes" in wrapper[3]
    skip, texts, first = wrapper[1], list[str](), at
    while at < len(words):
        word = words[at]
        name, assigned, value = word.partition("=")
        if word == "--":
            at += 1
            return _found(words[at + (0 if dashes else skip) :], texts, wrapper)
        if name in texts_after and "rest" in wrapper[3]:
            return _found(words[at + 1 :], texts, wrapper)
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
    return _found(words[at:], texts, wrapper)


def _with_value(word: str, valued: "Sequence[str]") -> tuple[str, str, bool]:
    """Return the option of a word that takes a value, the value, and whether that is in the word too."""
    if word not in valued and word[1] != "-":
        for at, letter in enumerate(word[1:], 2):
            if f"-{letter}" in valued:
                return f"-{letter}", word[at:], at < len(word)
    return word, "", False


def _found(words: "Sequence[str]", texts: list[str], wrapper: _Wrapper) -> InnerCommand | None:
    joined, reads = "joined" in wrapper[3], "reads" in wrapper[3]
    if len(words) == 1 and " " in words[0] and not texts:
        return InnerCommand(texts=(words[0],))  # a shell must be meant
    if texts:
        return InnerCommand(texts=tuple([" ".join([text, *words]) if joined else text for text in texts]))
    if joined and not wrapper[2] and words:
        return InnerCommand(texts=(" ".join(words),))
    return InnerCommand(tuple(words), reads=reads and not words) if words or reads else None
