"""Everyday programs that now and then decide what a later command runs: copies, aliases of git, makefiles."""

from memdir.rules.git import GLOBAL_VALUES
from memdir.rules.shell.invocation import program
from memdir.rules.shell.programs import quoted
from memdir.text.program_names import ALIASED, COPIERS, MAKERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdir.rules.shell.interpreter import Shell

__all__ = ["printed_by_everyday"]


def printed_by_everyday(shell: "Shell", words: "Sequence[str]", stdin: str) -> str | None:
    """Rehearse what such a program does beyond itself; None when that is nothing to be shown."""
    name = program(words[0])
    if name in COPIERS:
        operands = _operands(words, _COPY_VALUES)
        if name == "hash":
            operands = [*words[2:4]] if "-p" in words[1:2] else []
        if len(operands) == 2:
            shell.copy(*operands)
    elif name in MAKERS:
        from memdir.rules.shell.make import recipes

        texts = recipes(words, stdin, shell.file)
        return "".join([shell.source(text, "") for text in texts]) if texts else None
    return _git(shell, words, stdin) if name in ALIASED else None


_COPY_VALUES = frozenset({"-m", "-o", "-g", "-S", "--mode", "--owner", "--group", "--suffix"})
_MOST_SETTINGS = 8


def _operands(words: "Sequence[str]", valued: frozenset[str]) -> list[str]:
    pairs = zip(words[1:], words, strict=False)
    return [word for word, before in pairs if not word.startswith("-") and before not in valued]


def _git(shell: "Shell", words: "Sequence[str]", stdin: str) -> str | None:
    """Remember an alias that is defined here, and rehearse one that is used."""
    at, aliases = 1, {**shell.git_aliases, **dict(_from_environment(shell))}
    while at < len(words) and words[at].startswith("-"):
        key, _, text = "".join(words[at + 1 : at + 2]).partition("=")
        if words[at] == "-c" and key.lower().startswith(_ALIAS):
            aliases[key.lower()] = text
        at += 2 if words[at] in GLOBAL_VALUES else 1
    verb, rest = f"{_ALIAS}{''.join(words[at : at + 1]).lower()}", words[at + 1 :]
    if verb == f"{_ALIAS}config":
        for at_key, key in enumerate(rest[:-1]):
            if key.lower().startswith(_ALIAS):
                shell.git_aliases[key.lower()] = rest[at_key + 1]
    meaning = aliases.get(verb)
    if meaning is None:
        return None
    before, shell.git_aliases = shell.git_aliases, {**aliases, verb: ""}  # none means itself
    first = meaning[1:] if meaning.startswith("!") else f"{quoted(words[:at])} {meaning}"
    printed = shell.source(f"{first} {quoted(rest)}", stdin) if meaning else None
    shell.git_aliases = before
    return printed


_ALIAS = "alias."


def _from_environment(shell: "Shell") -> "Iterator[tuple[str, str]]":
    """Yield the aliases that git is given in its environment."""
    for number in range(_MOST_SETTINGS):
        keys, texts = [shell.values.known(f"GIT_CONFIG_{part}_{number}") for part in ("KEY", "VALUE")]
        if keys and texts and keys[-1].lower().startswith(_ALIAS):
            yield keys[-1].lower(), texts[-1]
