"""A quick look at a shell command: for most, it tells in microseconds that no rule can be about it.

Only plain commands are looked at: without quotes, variables, substitutions, wildcards and escapes a program
is named as it is written. Where the name of a rule's program stands nowhere in the text, it is not started.

A host waits for this module: it does without `typing`.
"""

from memdir.text.program_names import (
    CLOSERS,
    DECODERS,
    LANGUAGES,
    MOVERS,
    REMOVERS,
    SAME_AS_GIT,
    SEARCHERS,
    SHELLS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAY_CHANGE", "cannot_concern"]

_PLAIN = str.maketrans(
    "", "", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._/=:@%+,-&|;\n"
)
_APART = str.maketrans(dict.fromkeys("/=:@%+,-&|;\n.0123456789", " "))
_STARTERS = SHELLS.union(LANGUAGES, DECODERS, SAME_AS_GIT, ("busybox", "eval", "source", "gawk"))
_INTERPRETERS = frozenset([name.rstrip("0123456789") for name in _STARTERS])
"""What may start a program whose name is not in the text as it is started."""
_OTHER_NAMES = frozenset(
    (
        *("env", "vimdiff", "rvim", "mvim", "bmake", "bsdmake", "remake", "batcat", "gradlew", "mvnw"),
        *("bsd", "bsdtar", "fdfind", "flyctl", "nvi"),
    )
)
"""How names begin that stand for a program with a shorter one; a `g` in front is the other way."""
_CHANGE = (*REMOVERS, *CLOSERS, *MOVERS, *SEARCHERS, "xargs", "sed")
MAY_CHANGE = frozenset((*_CHANGE, *[f"g{name}" for name in _CHANGE], "fdfind", "git", "perl", "ruby"))
"""Programs that change files which stand nowhere in the text: all of a folder, or what a link leads to."""
_SPECIAL = frozenset("*?[]{}\"'\\$`~()<>!#;")


def cannot_concern(rules: "Iterable[str]", command: str, marks: "Iterable[str]" = ()) -> bool:
    """Say whether it is certain that none of these rules, as they were written, fits a shell command.

    A command in which one of the marks stands may change the rules themselves.
    """
    # "2>&1" is in every second command and writes no file.
    if command.replace("2>&1", "").translate(_PLAIN):
        return False
    text = command.lower()
    if not _INTERPRETERS.isdisjoint(words := text.translate(_APART).split()):
        return False
    if marks and (not _CHANGERS.isdisjoint(words) or any(mark in command for mark in marks)):
        return False
    return all(_is_about_another(rule, text, words) for rule in rules)


_CHANGERS = (MAY_CHANGE - {"git"}) | {"checkout", "restore", "reset", "clean", "stash", "switch", "pull"}
_FILE_TOOLS = ("read", "write", "edit", "grep")
_SHELL_TOOLS = ("bash", "shell", "exec", "terminal")
"""What the names of these tools hold."""


def _is_about_another(rule: str, text: str, given: list[str]) -> bool:
    tools, parted, pattern = rule.partition(":")
    if "(" in tools:  # as hosts write it
        tools, parted, pattern = rule.partition("(")
    if not parted or not _SPECIAL.isdisjoint(tools):
        return False
    if not any(tool in tools.lower() for tool in _SHELL_TOOLS):
        return not any(tool in tools.lower() for tool in _FILE_TOOLS)  # plain commands use files too
    words = [word.lower().rpartition("/")[2] for word in pattern.split()]
    if not words or not _SPECIAL.isdisjoint(words[0]):
        return False
    names = words[:3] if _stem(words[0]) in _INTERPRETERS else words[:1]  # `python -m pip` is pip
    stems = [_stem(name) for name in names]
    return all(
        stem and stem not in text and stem not in _OTHER_NAMES and (stem[0] != "g" or stem[1:] not in given)
        for stem in stems
    )


def _stem(name: str) -> str:
    """Return the letters that a name begins with: versions and endings follow them in many forms."""
    return next((name[:at] for at, sign in enumerate(name) if not sign.isalpha()), name)
