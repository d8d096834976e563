"""Which programs a worker may run, with which options, and which of their arguments are files.

The lists say what is allowed. An option that is not in them may write, run something, wait for ever, follow
links or read its orders from a file, or belong to a version of the program that we do not know.
"""

from collections.abc import Mapping, Sequence

from memdir.text.value import value_class
from memdir.workers.verdict import Verdict, refused

__all__ = ["PROGRAMS", "files_named"]


@value_class(frozen=True, slots=True)
class _Rule:
    """The options of one program."""

    flags: str
    """Letters without a value."""
    valued: str = ""
    """Letters that take one, attached or as the next word."""
    names: frozenset[str] = frozenset()
    """Long options; with a value they are written --name=value."""
    counts: bool = False
    """Whether -5 is short for a number of lines."""
    pattern: bool = False
    """Whether the first argument is something to look for."""


def files_named(words: Sequence[str]) -> tuple[str, ...] | Verdict:
    """Return the files and folders that a program would open, or why it may not run so."""
    program, *arguments = words
    if program == "find":
        return _found(arguments)
    rule = _RULES.get(program)
    if rule is None:
        known = ", ".join(sorted(PROGRAMS))
        return refused(f"{program[:80]!r} may not be run. Allowed, by their plain names, are {known}.")
    return _operands(program, rule, arguments)


_RULES: Mapping[str, _Rule] = {
    "ls": _Rule(
        "1AaCcdFfGghiklmnopqRrSstuUvXx",
        names=frozenset(
            {"all", "almost-all", "recursive", "human-readable", "reverse", "size", "directory", "inode"}
            | {"full-time", "group-directories-first", "sort", "time", "time-style", "color", "format"}
            | {"classify", "ignore", "hide", "numeric-uid-gid", "no-group"}
        ),
    ),
    "cat": _Rule(
        "AbeEnstTuv",
        names=frozenset({"number", "number-nonblank", "squeeze-blank", "show-all", "show-ends", "show-tabs"}),
    ),
    "stat": _Rule("tx", "c", frozenset({"terse", "format", "printf"})),
    "wc": _Rule("clmLw", "", frozenset({"bytes", "chars", "lines", "words", "max-line-length"})),
    "head": _Rule("qv", "nc", frozenset({"lines", "bytes", "quiet", "silent", "verbose"}), counts=True),
    "tail": _Rule("qv", "nc", frozenset({"lines", "bytes", "quiet", "silent", "verbose"}), counts=True),
    "grep": _Rule(
        "EFGPivwxcLlqsobHhnTrIay",
        "emABC",
        frozenset(
            {"extended-regexp", "fixed-strings", "basic-regexp", "perl-regexp", "ignore-case", "invert-match"}
            | {"word-regexp", "line-regexp", "count", "files-with-matches", "files-without-match", "quiet"}
            | {
                "silent",
                "no-messages",
                "only-matching",
                "byte-offset",
                "with-filename",
                "no-filename",
                "text",
            }
            | {"line-number", "initial-tab", "recursive", "regexp", "max-count", "after-context", "color"}
            | {"before-context", "context", "include", "exclude", "exclude-dir", "binary-files"}
        ),
        counts=True,
        pattern=True,
    ),
}
PROGRAMS = frozenset({*_RULES, "find"})

_NEEDS_VALUE = frozenset(
    {
        "sort",
        "time",
        "time-style",
        "format",
        "ignore",
        "hide",
        "printf",
        "lines",
        "bytes",
        "regexp",
        "max-count",
    }
    | {"after-context", "before-context", "context", "include", "exclude", "exclude-dir", "binary-files"}
)
"""Long options that would take the next word as their value if they had none: then it is not a file."""

_TESTS_ALONE = frozenset(
    {"-print", "-print0", "-ls", "-empty", "-not", "!", "(", ")", ",", "-o", "-or", "-a", "-and", "-prune"}
    | {"-depth", "-xdev", "-mount", "-true", "-false", "-daystart", "-quit", "-readable", "-P"}
)
_TESTS_WITH_VALUE = frozenset(
    {"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-regextype"}
    | {"-type", "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-maxdepth", "-mindepth"}
    | {"-perm", "-links", "-user", "-group", "-inum", "-printf", "-newermt"}
)
_REASONS = {
    "-exec": "it runs programs",
    "-ok": "it runs programs",
    "-delete": "it removes files",
    "-fprint": "it writes a file",
    "-fls": "it writes a file",
    "-follow": "links are not followed",
    "-L": "links are not followed",
    "-H": "links are not followed",
}


def _operands(program: str, rule: _Rule, arguments: Sequence[str]) -> tuple[str, ...] | Verdict:
    """Separate the files from the options, which may stand anywhere before a --."""
    files: list[str] = []
    sought = not rule.pattern
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word == "--":
            files += left
            break
        if word == "-" or not word.startswith("-"):
            files.append(word)
            continue
        if not _is_allowed(rule, word):
            return _unknown(program, word)
        sought |= rule.pattern and _is_pattern(rule, word)
        if _wants_next(rule, word):
            if not left:
                return refused(f"{program} {word} lacks its value.")
            left.pop(0)
    if not sought and not files:
        return refused("grep lacks something to look for.")
    return tuple(files if sought else files[1:])


def _is_allowed(rule: _Rule, word: str) -> bool:
    if word.startswith("--"):
        name, equals, _ = word[2:].partition("=")
        return name in rule.names and (bool(equals) or name not in _NEEDS_VALUE)
    if rule.counts and word[1:].isdecimal() and word.isascii():
        return True
    letters = _letters(rule, word)
    return all(letter in rule.flags for letter in letters[:-1]) and letters[-1] in rule.flags + rule.valued


def _letters(rule: _Rule, word: str) -> str:
    """Return the options in a word such as -rne, up to the first that takes the rest as its value."""
    end = next((at for at, letter in enumerate(word) if at and letter in rule.valued), len(word))
    return word[1 : end + 1]


def _wants_next(rule: _Rule, word: str) -> bool:
    if word.startswith("--") or (rule.counts and word[1:].isdecimal()):
        return False
    letters = _letters(rule, word)
    return letters[-1] in rule.valued and len(letters) == len(word) - 1


def _is_pattern(rule: _Rule, word: str) -> bool:
    return word.startswith("--regexp=") or (not word.startswith("--") and _letters(rule, word)[-1] == "e")


def _found(arguments: Sequence[str]) -> tuple[str, ...] | Verdict:
    """Return where a search begins, if every test of it only looks."""
    left, files = list(arguments), list[str]()
    while left and not left[0].startswith("-") and left[0] not in _TESTS_ALONE:
        files.append(left.pop(0))
    while left:
        test = left.pop(0)
        if test in _TESTS_ALONE:
            continue
        if test not in _TESTS_WITH_VALUE and test != "-newer":
            return _unknown("find", test)
        if not left:
            return refused(f"find {test} lacks its value.")
        value = left.pop(0)
        if test == "-newer":
            files.append(value)
    return tuple(files)


def _unknown(program: str, word: str) -> Verdict:
    reason = next((why for start, why in _REASONS.items() if word.startswith(start)), "")
    hint = f": {reason}" if reason and program == "find" else "; plain options only, with =value where due"
    return refused(f"{program} may not be run with {word[:80]}{hint}.")
