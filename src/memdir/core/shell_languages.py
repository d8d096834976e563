"""Programs with a language of their own in which commands can stand: editors, debuggers, other shells."""

from memdir.core.shell_invocation import DISGUISED, UNKNOWN, printed_by_any, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdir.core.shell import Shell

__all__ = ["run_spoken"]


def run_spoken(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Rehearse the commands that such a program is given, in its words or in what it reads."""
    name = program(words[0])
    if name == "cmd":
        at = next((at for at, word in enumerate(words) if word.lower().lstrip("/") in ("c", "k")), len(words))
        return shell.source(" ".join(words[at + 1 :]).replace("^", ""), stdin)
    if name in ("powershell", "pwsh"):
        return shell.source(_powershell(shell, words, stdin), stdin)
    if name == "wsl":
        return _other_system(shell, words, stdin)
    if name in ("gdb", "lldb"):
        at = next((at for at, word in enumerate(words) if word in _BEFORE_PROGRAMS), len(words))
        shell.start(words[at + 1 :], stdin)
        texts = [*_after(words[:at], _DEBUGGER_COMMANDS)]
    else:
        texts = [*_after(words, _EDITOR_COMMANDS), *[word[1:] for word in words[1:] if word[:1] == "+"]]
    lines = [_escaped(line) for text in (*texts, stdin) for line in text.splitlines()]
    shell.source("\n".join(filter(None, lines)), "")
    return printed_by_any(stdin)


_BEFORE_PROGRAMS = ("--args", "-args", "--")
_DEBUGGER_COMMANDS = ("-ex", "-iex", "--eval-command", "-eval-command", "-o", "-O", "--one-line")
_ESCAPES = ("!", "shell ", "terminal ")
_EDITOR_COMMANDS = ("-c", "--cmd")


def _after(words: "Sequence[str]", options: "Sequence[str]") -> "Iterator[str]":
    """Yield the words that are values of these options."""
    for word, following in zip(words, (*words[1:], ""), strict=True):
        name, assigned, value = word.partition("=")
        if name in options:
            yield value if assigned else following


def _escaped(line: str) -> str:
    """Return what a line of a program's own language hands to a shell: all that is behind the first sign."""
    places = [(line.find(sign), len(sign)) for sign in _ESCAPES if sign in line]
    at, length = min(places, default=(len(line), 0))
    return line[at + length :]


def _other_system(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Rehearse a command in another system, or what its shell reads; one word may be a whole text."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _WSL_VALUES else 1
    if len(words) - at > 1:
        return shell.start(words[at:], stdin)
    return shell.source(words[at] if at < len(words) else stdin, stdin)


_WSL_VALUES = frozenset({"-d", "-u", "--distribution", "--user", "--cd", "--shell-type"})


def _powershell(shell: "Shell", words: "Sequence[str]", stdin: str) -> str:
    """Return the text that is run; options may be cut short, and case does not count."""
    at = 1
    while at < len(words) and words[at][:1] in ("-", "/"):
        option, rest = words[at][1:].lower(), words[at + 1 :]
        if option and "command".startswith(option):
            return stdin if rest[:1] in (["-"], ("-",)) else " ".join(rest)
        if option and ("encodedcommand".startswith(option) or option in ("ec", "enc")):
            return _decoded("".join(rest[:1]))
        if option and "file".startswith(option):
            return stdin if rest[:1] in (["-"], ("-",)) else shell.file("".join(rest[:1]))
        at += 1 if option.startswith(_SWITCHES) else 2
    return " ".join(words[at:]) or stdin


_SWITCHES = ("no", "st", "mt", "l", "int", "h", "?")


def _decoded(text: str) -> str:
    import binascii

    try:
        return binascii.a2b_base64(text.encode()).decode("utf-16-le").replace(UNKNOWN, "")
    except ValueError:
        return DISGUISED
