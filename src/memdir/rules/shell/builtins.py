"""What the programs do that matter to an interpretation: print, set, change directory, copy, make.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.invocation import DISGUISED, UNKNOWN
from memdir.rules.shell.nested_commands import MOST_ITEMS, RUNNERS
from memdir.rules.shell.scanner import unescape
from memdir.text.program_names import COPIERS, MAKERS, SILENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.rules.shell.interpreter import Shell
    from memdir.rules.shell.nested_commands import Program

__all__ = ["EVALUATED", "PROGRAMS", "expand_alias", "quote"]


def quote(words: "Sequence[str]") -> str:
    """Return words as a shell text that reads back as them."""
    return " ".join(["'" + word.replace("'", "'\\''") + "'" for word in words])


def _echo(_: "Shell", words: "Sequence[str]", __: str) -> str:
    at, escapes, end = 1, False, "\n"
    while at < len(words) and len(words[at]) > 1 and words[at][0] == "-" and not words[at][1:].strip("neE"):
        escapes, end = escapes or "e" in words[at], "" if "n" in words[at] else end
        at += 1
    text = " ".join(words[at:])
    if escapes:
        text = unescape(text)
    return text + end


_DIRECTIVE = r"%(?:%|[sdbqi])"
_OTHER_DIRECTIVE = r"%(?![%sdbqi])"


def _printf(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    rest = [*words[1:]]
    name = rest[1] if rest[:1] == ["-v"] and len(rest) > 1 else ""
    rest = rest[2:] if name else rest[1:] if rest[:1] == ["--"] else rest
    if not rest:
        return ""
    import re

    form, values = unescape(rest[0]), rest[1:]
    holes = sum(found[0] != "%%" for found in re.finditer(_DIRECTIVE, form))
    if re.search(_OTHER_DIRECTIVE, form) or len(values) > 10_000:
        text = DISGUISED
    else:
        rounds = max(1, -(-len(values) // holes)) if holes else 1
        left = iter(values)
        text = "".join([re.sub(_DIRECTIVE, lambda one: _filled(one[0], left), form) for _ in range(rounds)])
    if name:
        shell.values.put(name, [text], sure=shell.sure)
    return "" if name else text


def _filled(directive: str, left: "object") -> str:
    if directive == "%%":
        return "%"
    value = next(left, "")  # type: ignore[call-overload]  # an iterator of the words that are left
    if directive != "%b":
        return str(value)
    return unescape(value)


def _cat(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    files = [word for word in words[1:] if not word.startswith("-") or word == "-"]
    if not files:
        return stdin
    return "".join([stdin if file in ("-", "/dev/stdin") else shell.file(file) for file in files])


def _which(_: "Shell", words: "Sequence[str]", __: str) -> str:
    return "".join([f"{word}\n" for word in words[1:] if not word.startswith("-")]) or UNKNOWN


def _tee(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    for file in [word for word in words[1:] if not word.startswith("-")]:
        shell.write(file, stdin, added="-a" in words or "--append" in words)
    return stdin


def _cd(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    shell.go(words)
    return ""


def _declare(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    for word in words[1:]:
        name, assigned, value = word.partition("=")
        if assigned and name.isidentifier():
            shell.values.put(name, [value], sure=shell.sure)
    return ""


def _set(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    if "--" in words:
        shell.values.put_arguments(words[words.index("--") + 1 :])
    return ""


def _read(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    lines = stdin.splitlines()[:MOST_ITEMS] or [UNKNOWN]
    names = [word for word in words[1:] if word.isidentifier()]
    for at, name in enumerate(names):
        rows = (
            [line.split(None, len(names) - 1) for line in lines] if len(names) > 1 else [[x] for x in lines]
        )
        shell.values.put(name, [row[at] if at < len(row) else "" for row in rows])
    return ""


def _alias(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    for word in words[1:]:
        name, assigned, value = word.partition("=")
        if assigned:
            shell.aliases[name] = value
    return ""


def _nothing(_: "Shell", __: "Sequence[str]", ___: str) -> str:
    return ""


def _copy(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    """Remember that a file is another one from here on: it may be a program or a script that is run later."""
    pairs = zip(words[1:], words, strict=False)
    operands = [word for word, before in pairs if not word.startswith("-") and before not in _COPY_VALUES]
    if words[0] == "hash":
        operands = [*words[2:4]] if "-p" in words[1:2] else []
    if len(operands) == 2:
        shell.copy(*operands)
    return UNKNOWN


_COPY_VALUES = frozenset({"-m", "-o", "-g", "-S", "--mode", "--owner", "--group", "--suffix"})


def _make(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Set the makefile aside that is written or handed over in this command."""
    texts = [text for path, text in shell.files.items() if _is_makefile(path, words)]
    texts += [stdin] if any(word.endswith(("-", "/dev/stdin")) for word in words[1:]) else []
    texts += words[1:] if any(word.startswith(("--e", "-E")) for word in words) else []
    text = "\n".join([one for one in texts if one != UNKNOWN])
    if text.strip() and _ONLY_SHOWS.isdisjoint(words):
        shell.unread.append(_wanted_targets(text, words[1:]))
    return UNKNOWN


def _is_makefile(path: str, words: "Sequence[str]") -> bool:
    return path.lower().endswith(("makefile", ".mk")) or any(word.endswith(path) for word in words[1:])


def _wanted_targets(text: str, words: "Sequence[str]") -> str:
    """Return a makefile without the targets that nothing else in it, and no word of the command, names."""
    import re

    blocks = re.split(_TARGET, text)
    heads = [block.partition("\n")[0].partition(";")[0] for block in blocks]
    if any("$" in one for one in (*heads[1:], *words)):
        return text  # their names are not known
    wanted = blocks[:2]
    for head, block in zip(heads[2:], blocks[2:], strict=True):
        others = " ".join([*words, *[one for one in blocks if one is not block and one[:1] != "."]])
        named = {*re.findall(r"[^\s:;,=]+", others)}
        if head[:1] == "." or "%" in head or not named.isdisjoint(head.partition(":")[0].split()):
            wanted.append(block)
    return "".join(wanted)


_TARGET = r"(?m)^(?=[^\s#:=][^#:=\n]*:(?!=))"
_ONLY_SHOWS = frozenset({"-n", "--dry-run", "--just-print", "--recon"})


def expand_alias(shell: "Shell", words: "Sequence[str]") -> None:
    """Run what an alias of git stands for that is defined in this command; one for a shell is set aside."""
    from memdir.rules.git import GLOBAL_VALUES  # which other commands need not wait for

    at, aliases = 1, {**shell.git_aliases}
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in GLOBAL_VALUES else 1
    for number in range(_MOST_SETTINGS):
        keys, values = [shell.values.known(f"GIT_CONFIG_{part}_{number}") for part in ("KEY", "VALUE")]
        aliases |= {key.lower(): value for key, value in zip(keys, values, strict=False)}
    for word, following in zip(words[1:], [*words[2:], ""], strict=False):
        key, assigned, value = word.partition("=")
        if key[:6].lower() == "alias.":
            aliases[key.lower()] = value if assigned else following
    verb = f"alias.{''.join(words[at : at + 1]).lower()}"
    if verb == "alias.config":
        shell.git_aliases = aliases
    meaning = aliases.get(verb, "")
    if meaning.startswith("!"):
        shell.unread.append(" ".join([meaning[1:], *words[at + 1 :]]))
    elif meaning:
        shell.source(f"git {meaning} {quote(words[at + 1 :])}", "")


_MOST_SETTINGS = 8


PROGRAMS: "dict[str, Program]" = {
    **dict.fromkeys(SILENT, _nothing),
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "which": _which,
    "tee": _tee,
    "cd": _cd,
    "pushd": _cd,
    "popd": _cd,
    "export": _declare,
    "declare": _declare,
    "local": _declare,
    "typeset": _declare,
    "readonly": _declare,
    "set": _set,
    "read": _read,
    "alias": _alias,
    **RUNNERS,
    **dict.fromkeys(COPIERS, _copy),
    **dict.fromkeys(MAKERS, _make),
}
EVALUATED = frozenset(PROGRAMS) - COPIERS - MAKERS
"""Programs that leave the files alone which they are given: what they run is seen by itself."""
