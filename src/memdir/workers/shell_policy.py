"""Which commands a worker may run: a pipe of plain words, and programs that only look, with known options.

Nothing is handed to a shell: the words become the arguments of programs. What only a shell could do is
refused, so that a model is told instead of misled. An option that is not listed may write, run something,
wait for ever, follow links or read its orders from a file.
"""

from __future__ import annotations

from collections.abc import Sequence

from memdir.config.safe_path import Refused
from memdir.resources import read_table, rows_of
from memdir.rules.shell.scanner import Part, Scanner, Text

__all__ = ["MOST_STAGES", "files_named", "pipeline"]

_LONGEST_COMMAND = 4_000
"""Characters of a command line: a look at some files needs a hundredth."""

MOST_STAGES = 4
"""Programs in one pipe."""


def pipeline(command: str) -> list[list[str]] | Refused:
    """Return the words of each program in the pipe, or why this is not a plain command."""
    line = command.strip()
    if len(command) > _LONGEST_COMMAND:
        return Refused(f"The command is over {_LONGEST_COMMAND:,} characters long.")
    if any(character < " " and character != "\t" for character in line) or "\x7f" in command:
        return Refused("The command holds a line break or a control character. Send one line.")
    stages: list[list[str]] = [[]]
    if problem := _read(line, stages):
        return Refused(problem)
    if not all(stages):
        return Refused("The command is empty, or a pipe leads from or to nothing.")
    if len(stages) > MOST_STAGES:
        return Refused(f"More than {MOST_STAGES} programs stand in one pipe.")
    return stages


def _read(line: str, stages: list[list[str]]) -> str:
    """Add the words of a line to the stages, and return what is wrong with it."""
    scanner = Scanner(line, doubts := set[str]())
    while True:
        scanner.skip_blanks()
        at = scanner.at
        if at >= len(line):
            break
        if line[at] == "|" and line[at + 1 : at + 2] not in ("|", "&"):
            scanner.at += 1
            stages.append([])
            continue
        word = scanner.word()
        if scanner.expansions:
            return _SHELL_ONLY["$"]
        if word is None:
            return _SHELL_ONLY[line[at]]
        if problem := _problem_of(word):
            return problem
        stages[-1].append("".join([part.text for part in word if isinstance(part, Text)]))
    open_end = (len(line) - len(line.rstrip("\\"))) % 2
    return "A quotation is not closed, or the line ends in a backslash." if doubts or open_end else ""


def _problem_of(word: tuple[Part, ...]) -> str:
    """Return what of a word only a shell could do."""
    for number, part in enumerate(word):
        if not isinstance(part, Text):
            return _SHELL_ONLY["<"]
        if part.quoted:
            continue
        if not number and part.text[0] in _AT_START:
            return _AT_START[part.text[0]]
        if sign := next((sign for sign in part.text if sign in _SHELL_ONLY), ""):
            return _SHELL_ONLY[sign]
    return ""


_ONE = "Only one command at a time, or a pipe, is allowed; nothing runs in the background."
_SHELL_ONLY = {
    ">": "Redirections are not allowed; error messages are shown anyway.",
    "<": "Redirections are not allowed; name the file as an argument.",
    **dict.fromkeys(";&|", _ONE),
    "$": "Variables and substitutions are not allowed; write the value out, or put it in single quotes.",
    **dict.fromkeys(
        "()", "Groups are not allowed; put a parenthesis that find or grep should see in quotes."
    ),
    **dict.fromkeys("{}", "Braces are not expanded; put them in quotes if they are meant as they stand."),
    **dict.fromkeys("*?[", "Wildcards are not expanded; use glob or find -name, and quote the pattern."),
}
_AT_START = {"~": "A leading ~ is not expanded; write the path out.", "#": "Comments are not allowed."}


_TABLE = read_table(__file__, "shell_options.txt")
_OPTIONS, _FIND, _REASONS = [rows_of(_TABLE[section]) for section in ("options", "find", "reasons")]
_TESTS, _TESTS_WITH_VALUE = _FIND["alone"].split(), _FIND["with a value"].split()
_PROGRAMS = ", ".join(sorted([*_OPTIONS, "find"]))


def files_named(words: Sequence[str]) -> tuple[str, ...] | Refused:
    """Return the files and folders that a program would open, or why it may not run so."""
    name, *arguments = words
    if name == "find":
        return _find_operands(arguments)
    if name not in _OPTIONS:
        return Refused(f"{name[:80]!r} may not be run. Allowed, by their plain names, are {_PROGRAMS}.")
    return _operands(name, arguments)


def _operands(name: str, arguments: Sequence[str]) -> tuple[str, ...] | Refused:
    """Separate the files from the options, which may stand anywhere before a --."""
    files, options, left = list[str](), list[str](), [*arguments]
    while left:
        word = left.pop(0)
        if word == "--":
            files += left
            break
        if word == "-" or not word.startswith("-"):
            files.append(word)
            continue
        option, takes_next = _last_option(name, word)
        if not option:
            return _unknown(name, word)
        if takes_next and not left:
            return Refused(f"{name} {word} lacks its value.")
        options.append(option)
        del left[:takes_next]
    if name != "grep" or not {"-e", "--regexp"}.isdisjoint(options):
        return tuple(files)
    return tuple(files[1:]) if files else Refused("grep lacks something to look for.")


def _last_option(name: str, word: str) -> tuple[str, bool]:
    """Return the last option in a word, and whether its value is the next one; empty for one not allowed."""
    flags, valued, names = map(str.strip, _OPTIONS[name].split("|"))
    if word.startswith("--"):
        long, sign, _ = word.partition("=")
        is_allowed = long[2:] in names.split() or (sign and f"{long[2:]}=" in names.split())
        return long if is_allowed else "", False
    if "#" in flags and word[1:].isdecimal() and word.isascii():
        return word, False
    for at, letter in enumerate(word[1:], 2):
        if letter in valued:
            return f"-{letter}", at == len(word)
        if letter not in flags:
            return "", False
    return word, False


def _find_operands(arguments: Sequence[str]) -> tuple[str, ...] | Refused:
    """Return where a search begins, if every test of it only looks."""
    left, files = [*arguments], list[str]()
    while left and not left[0].startswith("-") and left[0] not in _TESTS:
        files.append(left.pop(0))
    while left:
        test = left.pop(0)
        if test in _TESTS:
            continue
        if test not in _TESTS_WITH_VALUE:
            return _unknown("find", test)
        if not left:
            return Refused(f"find {test} lacks its value.")
        value = left.pop(0)
        files += [value] if test == "-newer" else []
    return tuple(files)


def _unknown(name: str, word: str) -> Refused:
    reason = next((why for start, why in _REASONS.items() if word.startswith(start)), "")
    hint = f": {reason}" if reason and name == "find" else "; plain options only, with =value where due"
    return Refused(f"{name} may not be run with {word[:80]}{hint}.")
