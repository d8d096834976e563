"""Programs that run a command somewhere else: in a terminal of its own, or when its time has come."""

import re

from memdir.core.shell_invocation import UNKNOWN, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.core.shell import Shell

__all__ = ["run_elsewhere"]


def run_elsewhere(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Rehearse what crontab, tmux or screen is told to run."""
    if program(words[0]) == "crontab":
        return _crontab(shell, words, stdin)
    return _tmux(shell, words) if program(words[0]) == "tmux" else _screen(shell, words, stdin)


def _crontab(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Rehearse every line of a table as if its time had come."""
    files = [word for word in words[1:] if not word.startswith("-") or word == "-"]
    if not files:
        return UNKNOWN
    table = stdin if files[-1] == "-" else shell.file(files[-1])
    return shell.source(re.sub(_WHEN, "", table), "")


_WHEN = r"(?m)^[ \t\0]*(?:@[a-z]+|[*0-9A-Za-z/,-]+(?:[ \t]+[*0-9A-Za-z/,-]+){4})[ \t]+"
"""When a line of a crontab runs: five fields, or one word."""


def _tmux(shell: "Shell", words: "Sequence[str]") -> str:
    """Rehearse what a terminal is opened with, or what is typed into one; `;` parts its own commands."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-L", "-S", "-f", "-c", "-T") else 1
    command = list[str]()
    for word in (*words[at:], ";"):
        if word == ";":
            if command and command[0].startswith(_OPENS):
                shell.source(" ".join(_operands(command, _TMUX_VALUES)), "")
            command = []
        else:
            command.append(word)
    return UNKNOWN


_OPENS = ("new", "split", "respawn", "run", "if", "popup", "display-p", "send", "pipe")
_TMUX_VALUES = frozenset({"-s", "-n", "-c", "-t", "-x", "-y", "-e", "-F", "-l", "-p", "-T", "-S", "-w"})


def _screen(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    if "-X" in words:  # a command of its own: typed text, or a program
        return shell.source(" ".join(words[words.index("-X") + 2 :]), "")
    return shell.start(_operands(words, _SCREEN_VALUES), stdin)


_SCREEN_VALUES = frozenset({"-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T"})


def _operands(words: "Sequence[str]", values: frozenset[str]) -> "Sequence[str]":
    """Return the words after a program's name and the options that follow it."""
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if words[at] in values else 1
    return words[at + (words[at : at + 1] in (["--"], ("--",))) :]
