"""Which commands a worker may run: a pipe of plain words, and programs that only look, with known options.

Nothing is handed to a shell: the words become the arguments of programs. What only a shell could do is
refused, so that a model is told instead of misled. An option that is not listed may write, run something,
wait for ever, follow links or read its orders from a file.
"""

from collections.abc import Mapping, Sequence

from memdir.config.safe_path import Refused
from memdir.rules.shell.scanner import Part, Scanner, Text
from memdir.text.value import value_class

__all__ = ["LONGEST_COMMAND", "MOST_STAGES", "PROGRAMS", "files_named", "pipeline"]

LONGEST_COMMAND = 4_000
"""Characters of a command line: a look at some files needs a hundredth."""

MOST_STAGES = 4
"""Programs in one pipe."""


def pipeline(command: str) -> list[list[str]] | Refused:
    """Return the words of each program in the pipe, or why this is not a plain command."""
    line = command.strip()
    if len(command) > LONGEST_COMMAND:
        return Refused(f"The command is over {LONGEST_COMMAND:,} characters long.")
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
    scanner.skip_blanks()
    while (at := scanner.at) < len(line):
        if line[at] == "|" and line[at + 1 : at + 2] not in ("|", "&"):
            scanner.at += 1
            stages.append([])
            scanner.skip_blanks()
            continue
        word = scanner.word()
        if word is None or scanner.expansions or (problem := _problem_of(word)):
            sign = "$" if scanner.expansions else line[at]
            return _SHELL_ONLY[sign] if word is None or scanner.expansions else problem
        stages[-1].append("".join([part.text for part in word if isinstance(part, Text)]))
        scanner.skip_blanks()
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


@value_class(frozen=True, slots=True)
class _Program:
    """The options of one program that are allowed."""

    flags: str
    """Letters without a value."""
    valued: str = ""
    """Letters that take one, attached or as the next word."""
    names: str = ""
    """Long options; with a value they are written --name=value."""
    counts: bool = False
    """Whether -5 is short for a number of lines."""
    pattern: bool = False
    """Whether the first argument is something to look for."""


def files_named(words: Sequence[str]) -> tuple[str, ...] | Refused:
    """Return the files and folders that a program would open, or why it may not run so."""
    name, *arguments = words
    if name == "find":
        return _find_operands(arguments)
    if name not in _PROGRAMS:
        known = ", ".join(sorted(PROGRAMS))
        return Refused(f"{name[:80]!r} may not be run. Allowed, by their plain names, are {known}.")
    return _operands(name, _PROGRAMS[name], arguments)


_ENDS_OF_FILES = _Program("qv", "nc", "lines bytes quiet silent verbose", counts=True)
_PROGRAMS: Mapping[str, _Program] = {
    "ls": _Program(
        "1AaCcdFfGghiklmnopqRrSstuUvXx",
        names="all almost-all recursive human-readable reverse size directory inode full-time "
        "group-directories-first sort time time-style color format classify ignore hide numeric-uid-gid "
        "no-group",
    ),
    "cat": _Program("AbeEnstTuv", names="number number-nonblank squeeze-blank show-all show-ends show-tabs"),
    "stat": _Program("tx", "c", "terse format printf"),
    "wc": _Program("clmLw", "", "bytes chars lines words max-line-length"),
    "head": _ENDS_OF_FILES,
    "tail": _ENDS_OF_FILES,
    "grep": _Program(
        "EFGPivwxcLlqsobHhnTrIay",
        "emABC",
        "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case invert-match word-regexp "
        "line-regexp count files-with-matches files-without-match quiet silent no-messages only-matching "
        "byte-offset with-filename no-filename text line-number initial-tab recursive regexp max-count "
        "after-context color before-context context include exclude exclude-dir binary-files",
        counts=True,
        pattern=True,
    ),
}
PROGRAMS = frozenset({*_PROGRAMS, "find"})

_NEEDS_VALUE = (
    "sort time time-style format ignore hide printf lines bytes regexp max-count after-context "
    "before-context context include exclude exclude-dir binary-files"
)
"""Long options that would take the next word as their value if they had none: then it is not a file."""

_TESTS_ALONE = (
    "-print -print0 -ls -empty -not ! ( ) , -o -or -a -and -prune -depth -xdev -mount -true -false "
    "-daystart -quit -readable -P"
)
_TESTS_WITH_VALUE = (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -size -mtime "
    "-mmin -atime -amin -ctime -cmin -maxdepth -mindepth -perm -links -user -group -inum -printf "
    "-newermt -newer"
)
_REASONS = {
    **dict.fromkeys(("-exec", "-ok"), "it runs programs"),
    "-delete": "it removes files",
    **dict.fromkeys(("-fprint", "-fls"), "it writes a file"),
    **dict.fromkeys(("-follow", "-L", "-H"), "links are not followed"),
}


def _operands(name: str, program: _Program, arguments: Sequence[str]) -> tuple[str, ...] | Refused:
    """Separate the files from the options, which may stand anywhere before a --."""
    files: list[str] = []
    sought = not program.pattern
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word == "--":
            files += left
            break
        if word == "-" or not word.startswith("-"):
            files.append(word)
            continue
        if not _is_allowed(program, word):
            return _unknown(name, word)
        sought |= program.pattern and _is_pattern(program, word)
        if _wants_next(program, word):
            if not left:
                return Refused(f"{name} {word} lacks its value.")
            left.pop(0)
    if not sought and not files:
        return Refused("grep lacks something to look for.")
    return tuple(files if sought else files[1:])


def _is_allowed(program: _Program, word: str) -> bool:
    if word.startswith("--"):
        name, equals, _ = word[2:].partition("=")
        return name in program.names.split() and (bool(equals) or name not in _NEEDS_VALUE.split())
    if program.counts and word[1:].isdecimal() and word.isascii():
        return True
    letters = _letters(program, word)
    known = all(letter in program.flags for letter in letters[:-1])
    return known and letters[-1] in program.flags + program.valued


def _letters(program: _Program, word: str) -> str:
    """Return the options in a word such as -rne, up to the first that takes the rest as its value."""
    end = next((at for at, letter in enumerate(word) if at and letter in program.valued), len(word))
    return word[1 : end + 1]


def _wants_next(program: _Program, word: str) -> bool:
    if word.startswith("--") or (program.counts and word[1:].isdecimal()):
        return False
    letters = _letters(program, word)
    return letters[-1] in program.valued and len(letters) == len(word) - 1


def _is_pattern(program: _Program, word: str) -> bool:
    return word.startswith("--regexp=") or (not word.startswith("--") and _letters(program, word)[-1] == "e")


def _find_operands(arguments: Sequence[str]) -> tuple[str, ...] | Refused:
    """Return where a search begins, if every test of it only looks."""
    left, files = list(arguments), list[str]()
    while left and not left[0].startswith("-") and left[0] not in _TESTS_ALONE.split():
        files.append(left.pop(0))
    while left:
        test = left.pop(0)
        if test in _TESTS_ALONE.split():
            continue
        if test not in _TESTS_WITH_VALUE.split():
            return _unknown("find", test)
        if not left:
            return Refused(f"find {test} lacks its value.")
        value = left.pop(0)
        if test == "-newer":
            files.append(value)
    return tuple(files)


def _unknown(name: str, word: str) -> Refused:
    reason = next((why for start, why in _REASONS.items() if word.startswith(start)), "")
    hint = f": {reason}" if reason and name == "find" else "; plain options only, with =value where due"
    return Refused(f"{name} may not be run with {word[:80]}{hint}.")
