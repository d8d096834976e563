"""What make would run of a makefile that is written or handed over in the same command."""

import re

from memdir.rules.shell.invocation import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["recipes"]

_DEFAULT_FILES = ("GNUmakefile", "makefile", "Makefile")
_VALUED = frozenset({"-C", "-f", "-I", "-o", "-W", "-E", "--directory", "--file", "--makefile", "--eval"})
_ONLY_SHOWS = frozenset({"-n", "--dry-run", "--just-print", "--recon"})
_LONGEST, _LONGEST_VALUE, _ROUNDS = 1 << 17, 1_000, 3


def recipes(words: "Sequence[str]", stdin: str, file: "Callable[[str], str]") -> list[str]:
    """Return the shell texts that the wanted goals of a known makefile run; none when none is known."""
    options, goals = _taken_apart(words)
    folder = "".join([value + "/" for name, value in options if name in ("-C", "--directory")])
    named = [value for name, value in options if name in ("-f", "--file", "--makefile")]
    texts = [stdin if one in ("-", "/dev/stdin") else file(folder + one) for one in named or _DEFAULT_FILES]
    texts += [value for name, value in options if name in ("-E", "--eval")]
    text = "\n".join([one for one in texts if one != UNKNOWN]).replace("\\\n", " ")
    if not text.strip() or len(text) > _LONGEST:
        return [text] if text.strip() else []  # too long to be sorted: all that could run is shown
    values = {"MAKE": "make", **dict(_assignments(text.split("\n")))}
    values.update([one.partition("=")[::2] for one in goals if "=" in one])
    rules = _Rules(text, values)
    wanted = rules.of([one for one in goals if "=" not in one]) if _ONLY_SHOWS.isdisjoint(words) else ()
    return [*rules.run_at_once, *wanted]


def _taken_apart(words: "Sequence[str]") -> tuple[list[tuple[str, str]], list[str]]:
    """Return the options with their values, and the other words."""
    options, others, at = list[tuple[str, str]](), list[str](), 1
    while at < len(words):
        word = words[at]
        name, assigned, value = word.partition("=")
        short = re.match(r"-[A-DF-Za-z]*?([CfIoWE])(.*)", word, re.DOTALL)
        if word.startswith("--") and assigned:
            options.append((name, value))
        elif word in _VALUED or (short and not short[2]):
            at += 1
            options.append((f"-{short[1]}" if short else word, "".join(words[at : at + 1])))
        elif short:
            options.append((f"-{short[1]}", short[2]))
        elif not word.startswith("-"):
            others.append(word)
        at += 1
    return options, [word for word in others if not word.isdigit()]  # as in `-j 8`


def _assignments(lines: "Sequence[str]") -> "Iterator[tuple[str, str]]":
    for line in lines:
        if found := re.match(r"[ ]*(?:export |override )?([\w.-]+)[ \t]*(?:::?:?|\?|\+)?=[ \t]*(.*)", line):
            yield found[1], found[2]


class _Rules:
    """The targets of a makefile, each with what it needs and what it runs."""

    def __init__(self, text: str, values: dict[str, str]) -> None:
        self._values, self._first = values, ""
        for _ in range(_ROUNDS):  # variables in variables
            filled = {name: re.sub(_VARIABLE, self._value, text) for name, text in self._values.items()}
            self._values = {name: text[:_LONGEST_VALUE] for name, text in filled.items()}
        self._needs: dict[str, list[str]] = {}
        self._runs: dict[str, list[str]] = {}
        lines = [_with_shell(line) for line in text.split("\n") if _SHELL in line]
        lines += re.findall(r"(?m)^[\w.-]+[ \t]*!=(.*)", text)
        self.run_at_once = [self._filled(line) for line in lines]
        targets = list[str]()
        for line in text.split("\n"):
            if line.startswith("\t"):
                self._add(targets, [], line)
            elif (head := re.match(r"([^\s#:=][^#:=]*)::?(?!=)([^;]*)(;.*)?", line)) is not None:
                targets = self._filled(head[1]).split()
                self._add(targets, self._filled(head[2]).split(), (head[3] or "")[1:])

    def _add(self, targets: list[str], needs: list[str], command: str) -> None:
        for target in targets:
            self._first = self._first or ("" if target.startswith(".") else target)
            self._needs.setdefault(target, []).extend(needs)
            if command.strip():
                self._runs.setdefault(target, []).append(self._filled(command.lstrip(" \t@-+")))

    def of(self, goals: "Sequence[str]") -> "Iterator[str]":
        """Yield what the goals run, and what they need; without any the first target is meant."""
        open_ones, seen = [*(goals or [self._first])], set[str]()
        patterns = [target for target in self._needs if "%" in target]
        while open_ones:
            goal = open_ones.pop()
            if goal not in self._needs:  # patterns may make it, and are looked at once
                open_ones += patterns
                patterns = []
            elif goal not in seen:
                seen.add(goal)
                open_ones += self._needs[goal]
                yield "\n".join(self._runs.get(goal, []))

    def _filled(self, text: str) -> str:
        """Return a text with make's variables put in; those that are not known are marked."""
        text = re.sub(_VARIABLE, self._value, text)
        return text.replace("$$", "$")

    def _value(self, found: re.Match[str]) -> str:
        if found[0] == "$$":
            return found[0]
        return f"`{found[2]}`" if found[2] else self._values.get(found[1] or found[3], UNKNOWN)


_SHELL = "$(shell "


def _with_shell(line: str) -> str:
    """Return the end of a line from make's call of a shell on, as a shell writes that."""
    return ": " + line[line.index(_SHELL) :].replace(_SHELL, "$$(")


_VARIABLE = r"\$\$|\$[({](?:([\w.-]+)|shell\s+([^(){}]*))[)}]|\$([A-Za-z@<^?*+%|])"
