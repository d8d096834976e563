"""What the programs do that matter to an interpretation: print, set, change directory, copy, run.

A host waits for this module: it imports late and does without `typing`.
"""

from itertools import pairwise

from memdir.hook_paths import in_home
from memdir.rules.command_line import operands_of
from memdir.rules.invocation import DISGUISED, UNKNOWN, leading_options, quote, word_at
from memdir.rules.shell.scanner import unescape
from memdir.text.program_names import COPIERS, EXECUTES, MAKERS, SHELLS, SILENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memdir.rules.shell.interpreter import Shell

    Program = Callable[[Shell, Sequence[str], str], str]
    """Interprets a program with its words and its input, and returns what it prints."""

__all__ = ["EVALUATED", "PROGRAMS", "expand_alias"]

_MOST_ITEMS = 64
"""Items of a list that are followed one by one."""
_MANY = 10_000
"""Words that a program prints or is given at most."""


def _echo(_: "Shell", words: "Sequence[str]", __: str) -> str:
    at, letters = 1, ""
    while len(word := word_at(words, at)) > 1 and word[0] == "-" and not word[1:].strip("neE"):
        letters += word
        at += 1
    text = " ".join(words[at:])
    return (unescape(text) if "e" in letters else text) + ("" if "n" in letters else "\n")


def _printf(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    """Fill in the format again until all values are used."""
    import re

    option = word_at(words, 1)
    begin = {"-v": 3, "--": 2}.get(option, 1)
    pieces = re.split(_DIRECTIVE, unescape(word_at(words, begin)))  # texts, with directives between them
    texts, directives = pieces[::2], [*pieces[1::2], ""]
    left, printed = [*words[begin + 1 : begin + _MANY]], list[str]()
    left.reverse()
    while not printed or (left and {*directives} - {"%", ""}):
        for text, directive in zip(texts, directives, strict=True):
            value = "%" if directive == "%" else left.pop() if directive and left else ""
            printed += [text, unescape(value) if directive == "b" else value]
    result = DISGUISED if "%" in "".join(texts) else "".join(printed)
    if option == "-v":
        shell.values.put(word_at(words, 2), [result], sure=shell.sure)
        return ""
    return result


_DIRECTIVE = r"%(%|[sdbqi])"


def _cat(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    files = [word for word in words[1:] if not word.startswith("-") or word == "-"]
    texts = [stdin if file in ("-", "/dev/stdin") else shell.file(file) for file in files]
    return "".join(texts) if files else stdin


def _tee(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    for file in [word for word in words[1:] if not word.startswith("-")]:
        shell.write(file, stdin, added="-a" in words or "--append" in words)
    return stdin


def _cd(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    """Change the directory; it is empty where its place is not known."""
    place = in_home(next((word for word in words[1:] if not word.startswith("-")), "~"), shell.home)
    known = (place.startswith("/") or shell.directory) and UNKNOWN not in place and place[:1] not in "~-"
    path = place if place.startswith("/") else f"{shell.directory}/{place}"
    shell.directory = path if known else ""
    return ""


def _declare(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    for word in words[1:]:
        name, assigned, value = word.partition("=")
        if assigned and words[0] == "alias":
            shell.aliases[name] = value
        elif assigned and name.isidentifier():
            shell.values.put(name, [value], sure=shell.sure)
    return ""


def _set(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    if "--" in words:
        shell.values.put_arguments(words[words.index("--") + 1 :])
    return ""


def _read(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    names = [word for word in words[1:] if word.isidentifier()]
    lines = stdin.splitlines()[:_MOST_ITEMS] or [UNKNOWN]
    rows = [line.split(None, len(names) - 1) if len(names) > 1 else [line] for line in lines]
    for at, name in enumerate(names):
        shell.values.put(name, [word_at(row, at) for row in rows])
    return ""


def _copy(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    """Remember that a file is another one from here on: it may be a program or a script that is run later."""
    names = operands_of(words, "-m -o -g -S --mode --owner --group --suffix")
    if words[0] == "hash":  # as in `hash -p /usr/bin/git g`
        names = [*words[2:4]] if word_at(words, 1) == "-p" else []
    if len(names) == 2:
        shell.copy(*names)
    return UNKNOWN


def _make(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Set the makefile aside that is written or handed over in this command."""
    texts = [
        text
        for path, text in shell.files.items()
        if path.lower().endswith(("makefile", ".mk")) or any(word.endswith(path) for word in words[1:])
    ]
    texts += [stdin] if any(word.endswith(("-", "/dev/stdin")) for word in words[1:]) else []
    texts += words[1:] if any(word.startswith(("--e", "-E")) for word in words) else []
    text = "\n".join([one for one in texts if one != UNKNOWN])
    if text.strip() and _ONLY_SHOWS.isdisjoint(words):
        shell.unread.append(_wanted_targets(text, words[1:]))
    return UNKNOWN


def _wanted_targets(text: str, words: "Sequence[str]") -> str:
    """Return a makefile without the targets that nothing else in it, and no word of the command, names."""
    import re
    from collections import Counter

    if "$" in text:
        return text  # names are not known
    settings, *targets = re.split(_TARGET, text)
    naming = [one for one in (settings, *targets) if not one.startswith(".")]  # .PHONY only lists targets
    named = Counter(re.findall(_NAME, " ".join([*words, *naming])))
    wanted = targets[:1]  # what make does without a target
    for target in targets[1:]:
        head, own = target.partition(":")[0], Counter(re.findall(_NAME, target))
        is_named_elsewhere = any(named[name] > own[name] for name in re.findall(_NAME, head))
        if is_named_elsewhere or head.startswith(".") or "%" in head:
            wanted.append(target)
    return "".join([settings, *wanted])


_TARGET, _NAME = r"(?m)^(?=[^\s#:=][^#:=\n]*:(?!=))", r"[^\s:;,=]+"
_ONLY_SHOWS = frozenset({"-n", "--dry-run", "--just-print", "--recon"})


def expand_alias(shell: "Shell", words: "Sequence[str]") -> None:
    """Run what an alias of git stands for that is defined in this command; one for a shell is set aside."""
    from memdir.rules.git import GLOBAL_VALUES  # which other commands need not wait for

    aliases = {**shell.git_aliases}
    for word, following in pairwise([*words[1:], ""]):
        key, assigned, value = word.partition("=")
        if key.lower().startswith("alias."):
            aliases[key.lower()] = value if assigned else following
    _, command = leading_options(words[1:], GLOBAL_VALUES)
    verb, arguments = word_at(command, 0).lower(), command[1:]
    if verb == "config":
        shell.git_aliases = aliases
    alias = f"alias.{verb}"
    for meaning in dict.fromkeys([aliases.get(alias, ""), *_meanings_in_variables(shell, alias)]):
        if meaning.startswith("!"):
            shell.unread.append(" ".join([meaning[1:], *arguments]))
        elif meaning:
            shell.source(f"git {meaning} {quote(arguments)}", "")


def _meanings_in_variables(shell: "Shell", alias: str) -> list[str]:
    """Return all that variables may make of an alias: `GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0=push`."""
    known, found = shell.values.known_values, list[str]()
    for number in range(_MOST_SETTINGS):
        if alias in [key.lower() for key in known(f"GIT_CONFIG_KEY_{number}")]:
            found += known(f"GIT_CONFIG_VALUE_{number}")
    return found


_MOST_SETTINGS = 8


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
    while at < len(words) and words[at].startswith(("-", "+")) and words[at] not in ("-", "--"):
        word, is_long = words[at], words[at].startswith("--")
        wants_text = wants_text or word == "--command" or (not is_long and "c" in word)
        takes_value = word in _SHELL_VALUES or (not is_long and word[-1] in "oO")  # as in `-euo pipefail`
        at += 2 if takes_value else 1
    rest = words[at + 1 :] if word_at(words, at) == "--" else words[at:]
    if wants_text:
        shell.values.put_arguments(rest[2:])
        return shell.source(rest[0], stdin) if rest else ""
    if rest and rest[0] not in ("-", "/dev/stdin") and "-s" not in words[1:at]:
        shell.values.put_arguments(rest[1:])
        return shell.source(shell.file(rest[0]), stdin)
    shell.values.put_arguments(rest)
    return shell.source(stdin, "")


_SHELL_VALUES = frozenset({"--rcfile", "--init-file", "--startup-file"})


def _xargs(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    options, command = leading_options(words[1:], _XARGS_VALUES)
    place = ""
    for option, value in options:
        if option.startswith("-I"):
            place = option[2:] or value
        elif option.startswith(("-i", "--replace")):
            place = "{}"
    command = command or ["echo"]
    if not place:
        return shell.start([*command, *(stdin.split()[:_MANY] or [UNKNOWN])], "")
    for line in stdin.replace("\0\n", "\0").splitlines()[:_MOST_ITEMS] or [UNKNOWN]:
        shell.start([word.replace(place, line) for word in command], "")
    return UNKNOWN


_XARGS_VALUES = frozenset({"-n", "-L", "-P", "-s", "-d", "-E", "-a", "-I", "-J", "-R"})


def _find(shell: "Shell", words: "Sequence[str]", _: str) -> str:
    from memdir.rules.shell.bulk_changes import deletes_files, search_results  # few commands need it

    paths, at = search_results(words)[:_MOST_ITEMS], 1
    while at < len(words):
        if words[at] in EXECUTES:
            end = next((end for end in range(at, len(words)) if words[end] in (";", "+")), len(words))
            command = words[at + 1 : end]
            if deletes_files(words) and not any("{" in word for word in command):
                command = [*command, "{}"]  # as fd does
            for path in paths:
                shell.start([word.replace("{}", path) for word in command], "")
            at = end
        at += 1
    return "".join([f"{path}\n" for path in paths])


def _parallel(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    _, rest = leading_options(words[1:], _PARALLEL_VALUES)
    split = next((at for at, word in enumerate(rest) if word.startswith(":::")), len(rest))
    given = [word for word in rest[split:] if not word.startswith(":::")]
    template = " ".join(rest[:split])
    for item in (given or stdin.splitlines() or [UNKNOWN])[:_MOST_ITEMS]:
        text = template.replace("{}", item) if "{}" in template else f"{template} {item}"
        shell.source(text, "")
    return UNKNOWN


_PARALLEL_VALUES = frozenset({"-j", "-N", "-n", "--jobs", "-I", "--colsep", "--delay", "--retries", "-a"})


def _crontab(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Interpret every line of a table as if its time had come."""
    import re

    files = [word for word in words[1:] if not word.startswith("-") or word == "-"]
    if not files:
        return UNKNOWN
    table = stdin if files[-1] == "-" else shell.file(files[-1])
    return shell.source(re.sub(_WHEN, "", table), "")


_WHEN = r"(?m)^[ \t\0]*(?:@[a-z]+|[*0-9A-Za-z/,-]+(?:[ \t]+[*0-9A-Za-z/,-]+){4})[ \t]+"
"""When a line of a crontab runs: five fields, or one word."""


PROGRAMS: "dict[str, Program]" = {
    **dict.fromkeys(SILENT, lambda *_: ""),
    "echo": _echo,
    "printf": _printf,
    "cat": _cat,
    "which": lambda _, words, __: "".join([f"{one}\n" for one in words[1:] if one[:1] != "-"]) or UNKNOWN,
    "tee": _tee,
    **dict.fromkeys(("cd", "pushd", "popd"), _cd),
    **dict.fromkeys(("alias", "export", "declare", "local", "typeset", "readonly"), _declare),
    "set": _set,
    "read": _read,
    "eval": lambda shell, words, stdin: shell.source(" ".join(words[1:]), stdin),
    **dict.fromkeys(("source", "."), _source),
    "trap": _trap,
    "xargs": _xargs,
    **dict.fromkeys(("find", "fd"), _find),
    "parallel": _parallel,
    **dict.fromkeys(("at", "batch"), lambda shell, _, stdin: shell.source(stdin, "")),
    "crontab": _crontab,
    **dict.fromkeys(SHELLS, _shell),
    **dict.fromkeys(COPIERS, _copy),
    **dict.fromkeys(MAKERS, _make),
}
EVALUATED = frozenset(PROGRAMS) - COPIERS - MAKERS
"""Programs that leave the files alone which they are given: what they run is seen by itself."""
