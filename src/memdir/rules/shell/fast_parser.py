"""Reads a shell text that is just what it says: words, quotes, and the signs between commands.

Most of what hosts run is no more than that, and the whole shell (see `shell`) takes longer to load than a
hook has. A text that is read here is shown to a witness exactly as the whole shell would show it; one that is
not plain beyond doubt is left to that, unread.
"""

from memdir.rules.shell.invocation import (
    UNKNOWN,
    Invocation,
    Rehearsal,
    assignment_in,
    gone,
    placed,
    printed_by_any,
    program,
    word_of,
)
from memdir.rules.shell.wrappers import inner_command
from memdir.text.program_names import ALIASED, COPIERS, MAKERS, RUN_SETTINGS, SETTINGS, SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    _Pipeline = list[tuple[list[str], list[str]]]

__all__ = ["LEFT", "PRINTS", "SILENT", "pipelines_in", "rehearsed"]

_LONGEST = 1 << 14
"""Characters of a text that is read sign by sign; the whole shell is quicker with long ones."""

_MOVES = frozenset({"cd", "pushd", "popd"})
_SETS = ("export", "declare", "local", "typeset", "readonly", "set")
_ENDS = ("exit", "return", "sleep", "unset", "wait", "test", "[")
SILENT = frozenset((*_MOVES, *_SETS, *_ENDS, "true", "false", ":"))
"""Programs that print nothing; what some of them set matters only where a `$` asks for it."""

PRINTS = frozenset({"echo", "printf", "cat", "which"})
"""Programs that print what they are given: plain as long as nobody reads that."""

_RUN_OTHERS = ("eval", "source", ".", "trap", "xargs", "find", "fd", "parallel", "at", "batch")
LEFT = frozenset((*SHELLS, *_RUN_OTHERS, "tee", "read", "alias", "crontab"))
"""The other programs that the whole shell knows something about."""

_OPEN = ("if", "then", "elif", "else", "for", "select", "while", "until", "do", "case", "function", "{", "[[")
_KEYWORDS = frozenset((*_OPEN, "fi", "done", "esac", "}", "coproc", "time", "!"))


def rehearsed(
    text: str, directory: str, witness: "Callable[[Invocation], str | None]", home: str = ""
) -> Rehearsal | None:
    """Show each command of a plain text to the witness; None for any other, of which nothing is shown."""
    pipelines = pipelines_in(text)
    if pipelines is None or not _are_ordinary(pipelines):
        return None
    written = list[str]()
    for stages in pipelines:
        stdin = UNKNOWN
        for words, targets in stages:
            chain = _chain(words)
            answers = [witness(Invocation(tuple(one), stdin, directory)) for one in chain]
            answer = next((one for one in answers if one is not None), None)
            name = program(chain[-1][0])
            if name in _MOVES:
                directory = gone(chain[-1], directory, home)
            printed = "" if name in SILENT else printed_by_any(stdin)
            stdin = "" if targets else printed if answer is None else answer
            written += [placed(target, directory) for target in targets]
    return Rehearsal(frozenset(), tuple(dict.fromkeys(written)))


def pipelines_in(text: str) -> "list[_Pipeline] | None":
    """Return the pipelines of a plain text: the words of each command, and the files that it prints into.

    Any other text gives None.
    """
    if len(text) > _LONGEST or UNKNOWN in text or ("=" in text and any(name in text for name in _TELLING)):
        return None
    found: list[_Pipeline] = [[([], [])]]
    at = 0
    while at < len(text):
        begun = at
        words, targets = found[-1][-1]
        if text[at] in " \t":
            at += 1
        elif text.startswith("2>&1", at) and text[at + 4 : at + 5] in _AFTER:
            at += 4
        elif sign := next((sign for sign in _INTO if text.startswith(sign, at)), ""):
            # A number in front belongs to the sign.
            at = 0 if text[at - 1 : at].isdigit() else _word(text, at + len(sign), targets)
        elif text[at] in ";&|\n":
            at += 2 if text[at : at + 2] in ("&&", "||") else 1
            if text[begun:at] == "|":
                found[-1].append(([], []))
            else:
                found.append([([], [])])
        else:
            at = _word(text, at, words)
            if len(words) == 1 and assignment_in(text[begun:at]):
                words.clear()  # what is set in front of a command is no word of it
        if at <= begun:
            return None
    pipelines = [stages for stages in found if stages != [([], [])]]
    commands = [words for stages in pipelines for words, _ in stages]
    return pipelines if all(words and words[0] not in _KEYWORDS for words in commands) else None


_TOLD = [name for some in SETTINGS.values() for name, _ in some]
_TELLING = frozenset(["GIT_CONFIG_", *[f"{name}=" for name in (*RUN_SETTINGS, *_TOLD)]])
"""What stands in every text that sets a variable which decides what a program does."""
_INTO = (">>", ">", "2>>", "2>", "1>>", "1>", "&>>", "&>")
_BLANKS = (" ", "\t")
_AFTER = ("", " ", "\t", "\n", ";", "&", "|")
_STOPS = frozenset(" \t\n;&|'\"\\$`(){<>\r")


def _word(text: str, at: int, words: list[str]) -> int:
    """Add the word that comes next and return where it ends; 0 when it is not plain."""
    while text[at : at + 1] in _BLANKS:
        at += 1
    parts, begun, length = list[tuple[str, bool]](), at, len(text)
    while at < length and (sign := text[at]) not in _AFTER:
        start = at
        if sign in "'\"":
            at = text.find(sign, at + 1) + 1
            part = text[start + 1 : at - 1]
            if not at or (sign == '"' and ("$" in part or "`" in part or "\\" in part)):
                return 0
        else:
            while at < length and text[at] not in _STOPS:
                at += 1
            part = text[start:at]
            if not part or (start == begun and sign == "#"):
                return 0
        parts.append((part, sign in "'\""))
    words.append(word_of(parts))
    return at if at > begun else 0


def _are_ordinary(pipelines: "list[_Pipeline]") -> bool:
    """Tell whether no command runs another, or a file that is written here, or prints for the next one."""
    made = {target.removeprefix("./") for stages in pipelines for _, targets in stages for target in targets}
    for stages in pipelines:
        for at, (words, _) in enumerate(stages, 1):
            for one in _chain(words):
                name = program(one[0]) if one else ""
                if not name or name in LEFT or (name in PRINTS and at < len(stages)):
                    return False
                if one[0].removeprefix("./") in made or _tells(name, one, pipelines, made):
                    return False
    return True


def _chain(words: "Sequence[str]") -> "list[Sequence[str]]":
    """Return a command and those that it runs, each inside the one before; a text comes as an empty one."""
    found: list[Sequence[str]] = [words]
    while found[-1] and len(found) < _DEEPEST and (inner := inner_command(found[-1])) is not None:
        found.append(inner.words if inner.words and not inner.texts else ())
    return found if len(found) < _DEEPEST else [()]


_DEEPEST = 6


def _tells(name: str, words: "Sequence[str]", pipelines: "list[_Pipeline]", made: set[str]) -> bool:
    """Tell whether an everyday program may decide what a command of this text runs."""
    if name in ALIASED:
        return any(word[:6].lower() == "alias." for word in words)
    if name in COPIERS:
        ran = {
            program(one[0]) for stages in pipelines for others, _ in stages for one in _chain(others) if one
        }
        copied = {program(word) for word in words[1:]}
        return not ran.isdisjoint(copied) or (bool(made) and not ran.isdisjoint(MAKERS))
    if name in MAKERS:
        made_for_it = any(one.lower().endswith(("makefile", ".mk")) for one in made)
        return made_for_it or any(_hands_over(word) for word in words[1:])
    return False


def _hands_over(word: str) -> bool:
    """Tell whether a word may be the option with which make is given a file or a text."""
    letters = word[:1] == "-" != word[1:2] and ("f" in word or "E" in word)
    return letters or word.startswith(("--f", "--m", "--e"))
