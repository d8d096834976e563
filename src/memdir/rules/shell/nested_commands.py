"""Commands inside a command: behind `sudo` and such, by the table `wrappers.txt`, and in `sh -c` or `xargs`.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.resources import read_table, rows_of
from memdir.rules.invocation import DISGUISED, UNKNOWN, current_form, program
from memdir.rules.programs.command_line import spellings, takes_value
from memdir.text.program_names import EXECUTES, SHELLS
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memdir.rules.shell.interpreter import Shell

    Program = Callable[[Shell, Sequence[str], str], str]
    """Interprets a program with its words and its input, and returns what it prints."""

__all__ = ["MOST_ITEMS", "RUNNERS", "InnerCommand", "inner_command"]


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

MOST_ITEMS = 64
"""Items of a list that are followed one by one."""

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


_SHELL_VALUES = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file", "--startup-file"})

_XARGS_VALUES = frozenset({"-n", "-L", "-P", "-s", "-d", "-E", "-a", "-I", "-J", "-R"})

_PARALLEL_VALUES = frozenset({"-j", "-N", "-n", "--jobs", "-I", "--colsep", "--delay", "--retries", "-a"})


def _eval(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    return shell.source(" ".join(words[1:]), stdin)


def _source(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    if len(words) < 2:
        return ""
    return shell.source(stdin if words[1] in ("/dev/stdin", "-") else shell.file(words[1]), stdin)


def _trap(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    handlers = [word for word in words[1:] if word not in ("-", "--", "-p", "-l")]
    return shell.source(handlers[0], stdin) if len(handlers) > 1 else ""


def _shell(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Interpret what a shell is given: the text after `-c`, a file written before, or what it reads."""
    at, wants_text = 1, False
    while at < len(words) and words[at][:1] in ("-", "+") and words[at] not in ("-", "--"):
        wants_text = wants_text or (words[at][1:2] != "-" and "c" in words[at][1:])
        wants_text = wants_text or words[at] == "--command"
        at += 2 if words[at] in _SHELL_VALUES or _sets_option(words[at]) else 1
    rest = words[at + (words[at : at + 1] in (["--"], ("--",))) :]
    if wants_text:
        shell.values.put_arguments(rest[2:])
        return shell.source(rest[0], stdin) if rest else ""
    if rest and rest[0] not in ("-", "/dev/stdin") and "-s" not in words[1:at]:
        shell.values.put_arguments(rest[1:])
        return shell.source(shell.file(rest[0]), stdin)
    shell.values.put_arguments(rest)
    return shell.source(stdin, "")


def _sets_option(word: str) -> bool:
    """Tell whether small letters that end with o stand together, as in `-euo pipefail`."""
    letters = word[1:]
    return (
        word[0] == "-"
        and len(letters) > 1
        and letters[-1] == "o"
        and letters.isalpha()
        and word.isascii()
        and letters.islower()
    )


def _xargs(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    at, place = 1, ""
    while at < len(words) and words[at].startswith("-"):
        if words[at].startswith("-I"):
            place = words[at][2:] or "".join(words[at + 1 : at + 2])
        elif words[at].startswith(("-i", "--replace")):
            place = "{}"
        at += 2 if words[at] in _XARGS_VALUES else 1
    command = words[at:] or ("echo",)
    lines = stdin.replace("\0\n", "\0").splitlines()[:MOST_ITEMS]
    if place:
        for line in lines or [UNKNOWN]:
            shell.start([word.replace(place, line) for word in command], "")
        return UNKNOWN
    return shell.start([*command, *(stdin.split()[:10_000] or [UNKNOWN])], "")


def _find(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    from memdir.rules.shell.bulk_changes import deletes_files, search_results  # few commands need it

    paths, at = search_results(words)[:MOST_ITEMS], 1
    while at < len(words):
        if words[at] in EXECUTES:
            ends = (end for end in range(at + 1, len(words)) if words[end] in (";", "+"))
            end = next(ends, len(words))
            command = words[at + 1 : end]
            if deletes_files(words) and not any("{" in word for word in command):
                command = [*command, "{}"]  # as fd does
            for path in paths:
                shell.start([word.replace("{}", path) for word in command], "")
            at = end
        at += 1
    return "".join([f"{path}\n" for path in paths])


def _parallel(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _PARALLEL_VALUES else 1
    split = next((end for end in range(at, len(words)) if words[end].startswith(":::")), len(words))
    given = [word for word in words[split:] if not word.startswith(":::")]
    template = " ".join(words[at:split])
    for item in (given or stdin.splitlines() or [UNKNOWN])[:MOST_ITEMS]:
        text = template.replace("{}", item) if "{}" in template else f"{template} {item}"
        shell.source(text, "")
    return UNKNOWN


def _at(shell: "Shell", _: "Sequence[str]", stdin: str) -> str:
    return shell.source(stdin, "")


def _crontab(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Interpret every line of a table as if its time had come."""
    import re

    files = [word for word in words[1:] if not word.startswith("-") or word == "-"]
    table = stdin if files[-1:] == ["-"] else shell.file(files[-1]) if files else UNKNOWN
    return shell.source(re.sub(_WHEN, "", table), "") if files else UNKNOWN


_WHEN = r"(?m)^[ \t\0]*(?:@[a-z]+|[*0-9A-Za-z/,-]+(?:[ \t]+[*0-9A-Za-z/,-]+){4})[ \t]+"
"""When a line of a crontab runs: five fields, or one word."""


RUNNERS: "dict[str, Program]" = {
    "eval": _eval,
    "source": _source,
    ".": _source,
    "trap": _trap,
    "xargs": _xargs,
    "find": _find,
    "fd": _find,
    "parallel": _parallel,
    "at": _at,
    "batch": _at,
    "crontab": _crontab,
    **dict.fromkeys(SHELLS, _shell),
}
"""Programs that run commands out of their words, their input or a file."""
