"""Commands that may be inside another one of which this package does not know how it runs them.

Where the words of a rule stand in such a place, the call is asked about: better than to know every wrapper.

A host waits for this module: it does without `typing`.
"""

from itertools import pairwise

from memdir.rules.programs.interpreters import is_interpreter
from memdir.rules.shell.interpreter import interpret
from memdir.rules.shell.invocation import UNKNOWN, Invocation, program
from memdir.rules.shell.programs import PROGRAMS
from memdir.rules.shell.wrappers import inner_command
from memdir.text.program_names import EDITORS, HARMLESS, SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

__all__ = ["hidden_commands"]

_RUNS = frozenset(
    (
        *("-c", "-e", "-x", "-C", "--command", "--cmd", "--exec", "--execute", "--run", "--eval", "--call"),
        *("--shell", "--script", "--extcmd", "--hook", "--then"),
    )
)
"""Options whose value may be a command; the values of others are taken for texts."""
_BEFORE = _RUNS | {"--"}
"""Words behind which even the name of a program alone may be a command."""


_MOST = 32
"""Words of one command at which the same program may begin."""
_LONGEST = 1 << 16
"""Characters of what a program reads that are looked at: only lines count that name a rule's program."""


def hidden_commands(invocation: Invocation, names: "Collection[str]") -> "list[tuple[Sequence[str], bool]]":
    """Return what a command may run of these programs, each with whether its place speaks for that."""
    words, stdin = invocation.words, invocation.stdin
    name = program(words[0])
    if name == "git":
        return [(one, True) for one in _in_texts(_settings(words))]
    if name in ("source", "."):
        return _script(words, names)
    if name not in SHELLS and any(name in some for some in (HARMLESS, PROGRAMS, EDITORS)):
        return []
    if name in SHELLS or is_interpreter(name):
        return [] if _has_code(words, "c" if name in SHELLS else "ceEpr") else _script(words, names)
    inner = inner_command(words)
    if inner is not None:
        return _endings(words, len(words) - len(inner.words), names) if inner.words else []
    lines = [line for line in stdin.split("\n") if any(one in line for one in names)]
    texts = [*_texts(words), "\n".join(lines)[:_LONGEST] if UNKNOWN not in stdin else ""]
    return [*_endings(words, len(words), names), *[(one, False) for one in _in_texts(texts)]]


def _endings(
    words: "Sequence[str]", end: int, names: "Collection[str]"
) -> "list[tuple[Sequence[str], bool]]":
    """Return what begins at each word that names one of the programs."""
    places = [at for at in range(1, end) if program(words[at]) in names][:_MOST]
    return [(words[at:], words[at - 1] in _BEFORE) for at in places]


def _script(words: "Sequence[str]", names: "Collection[str]") -> "list[tuple[Sequence[str], bool]]":
    """Return the script that is run, and what may follow it as a command."""
    script = next((at for at, word in enumerate(words) if at and word[:1] != "-"), 0)
    found = _endings(words, len(words), names)
    return [(one, is_placed or len(one) == len(words) - script) for one, is_placed in found]


def _has_code(words: "Sequence[str]", letters: str) -> bool:
    """Tell whether a shell or an interpreter is given its commands in a word, after one of these options."""
    return any(word[:1] == "-" != word[1:2] and any(sign in word for sign in letters) for word in words[1:3])


def _settings(words: "Sequence[str]") -> "list[str]":
    """Return the values of git's settings that are given in a command."""
    return [word.partition("=")[2] for word, before in zip(words[1:], words, strict=False) if before == "-c"]


def _texts(words: "Sequence[str]") -> "list[str]":
    """Return the words that may be texts for a shell."""
    found = list[str]()
    for before, word in pairwise(words):
        name, assigned, value = word.partition("=")
        if word[:1] != "-":
            if " " in word and (
                before[:1] != "-" or before in _RUNS or (before[1:2] != "-" and before[-1] in "cex")
            ):
                found.append(word)
        elif assigned and name in _RUNS:
            found.append(value)
        elif word[:2] in _RUNS and word[2:]:
            found.append(word[2:])
    return found


def _in_texts(texts: "Iterable[str]") -> "list[Sequence[str]]":
    """Return the commands of texts, as a shell would start them."""
    found = list[tuple[str, ...]]()

    def observer(one: Invocation) -> None:
        found.append(one.words)

    for text in texts:
        interpret(text, "", observer)
    return [*found]
