"""What the programs do that matter to an interpretation: print, set, change directory, copy, make.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.rules.invocation import DISGUISED, UNKNOWN
from memdir.rules.shell.scanner import unescape
from memdir.text.program_names import COPIERS, EXECUTES, MAKERS, SHELLS, SILENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memdir.rules.shell.interpreter import Shell

    Program = Callable[[Shell, Sequence[str], str], str]
    """Interprets a program with its words and its input, and returns what it prints."""

__all__ = ["EVALUATED", "PROGRAMS", "expand_alias", "quote"]

MOST_ITEMS = 64
"""Items of a list that are followed one by one."""


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
        text = "".join(
            [re.sub(_DIRECTIVE, lambda one: _format_directive(one[0], left), form) for _ in range(rounds)]
        )
    if name:
        shell.values.put(name, [text], sure=shell.sure)
    return "" if name else text


def _format_directive(directive: str, left: "object") -> str:
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
    shell.change_directory(words)
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


def _no_output(_: "Shell", __: "Sequence[str]", ___: str) -> str:
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
        keys, values = [shell.values.known_values(f"GIT_CONFIG_{part}_{number}") for part in ("KEY", "VALUE")]
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


PROGRAMS: "dict[str, Program]" = {
    **dict.fromkeys(SILENT, _no_output),
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
    **dict.fromkeys(COPIERS, _copy),
    **dict.fromkeys(MAKERS, _make),
}
EVALUATED = frozenset(PROGRAMS) - COPIERS - MAKERS
"""Programs that leave the files alone which they are given: what they run is seen by itself."""
