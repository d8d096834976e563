"""The commands in a text that the project itself defines: package scripts, make targets and their like."""

import re
from collections.abc import Iterator
from itertools import islice

from memdir.resources import read_table
from memdir.verify.claims.mentions import Claim

__all__ = ["commands_in"]


def commands_in(text: str, *, spoken: bool = False) -> Iterator[Claim]:
    """Yield the scripts and targets that a line runs; in prose only the first after the program."""
    folder = ""
    for part in _CHAINED.split(text):
        entered = _ENTERED.match(part)
        folder = entered[1].strip("\"'") if entered else folder
        for start in islice(_PROGRAM.finditer(part), _MOST):
            rest = part[start.end() : start.end() + _REACH].partition(" #")[0]
            words = [word.strip("\"'") for word in _SHELL_WORD.findall(rest)][:12]
            family = _FAMILIES[start[1]]
            names = _environments(words) if family in _CHOOSING else _names(start[1], family, words)
            for word in names[: 1 if spoken else None]:
                name = word.rstrip(".,;:!?)'\"") if spoken else word
                shown = f"{start[1]} {_command_text(start[1], words, name)}"
                module, _, name = name.rpartition(":") if family == "gradle" else ("", "", name)
                place = module.strip(":").replace(":", "/") or _place(words) or folder
                if _NAME.fullmatch(name):
                    yield Claim("command", shown, name, family, sure=not spoken, place=place)


_FAMILIES = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), "package"),
    **dict.fromkeys(("make", "gmake"), "make"),
    "just": "just",
    **dict.fromkeys(("uv", "poetry", "pdm", "rye", "hatch"), "python"),
    "cargo": "cargo",
    **dict.fromkeys(("docker compose", "docker-compose"), "compose"),
    **dict.fromkeys(("gradle", "gradlew"), "gradle"),
    **{name: name for name in ("composer", "poe", "task", "tox", "nox", "rake")},
}
_CHOOSING = frozenset({"tox", "nox"})
"""Those that run what an option chooses."""
_REACH, _MOST = 200, 20
"""Characters behind a program that can name its target, and programs of one line that are looked at."""
_PROGRAM = re.compile(rf"(?<![\w./-])(?:\./)?({'|'.join(_FAMILIES)}) (?=\S)")
_SHELL_WORD = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")
_CHAINED = re.compile(r"&&|\|\||[;|\n]")
_NAME = re.compile(r"[A-Za-z_][\w:./@-]*", re.ASCII)
_TABLE = read_table(__file__, "commands.txt")
_PLACING = frozenset(" ".join(_TABLE["placing options"]).split())
_VALUED = _PLACING | {"--with", "-x", "--tests"}
"""Options that take the next word with them."""
_ENTERED = re.compile(r"\s*(?:\$ )?cd\s+(\S+)")
_OWN = frozenset(" ".join(_TABLE["package managers"]).split())
"""What package managers do themselves; a script of that name needs `run`."""
_SERVICE_VERBS = frozenset(["up", "run", "exec", "logs", "restart", "build", "start", "stop", "pull", "rm"])
"""What compose does to the service that is named next."""
_BARE_NPM = {"t": "test", "tst": "test"} | {name: name for name in ("test", "start", "stop", "restart")}
"""The scripts that npm runs without `run`, by what is typed for them."""


def _names(program: str, family: str, words: list[str]) -> list[str]:
    """Return the scripts or targets among the words behind a program."""
    plain = list(_without_options(words))
    if family in {"make", "just", "gradle", "poe", "task", "rake"}:
        targets = [word.partition("[")[0] for word in plain if "=" not in word]
        return targets[:1] if family in {"just", "poe"} else targets
    if family == "compose":
        plain = plain[1:] if plain and plain[0] in _SERVICE_VERBS else []
    if family in {"cargo", "compose"}:
        return plain[:1]
    if plain[:1] == ["workspace"]:
        plain = plain[2:]
    if plain[:1] in (["run"], ["run-script"]):
        return plain[1:2]
    if family == "python" or not plain:
        return []
    if program == "npm":
        return [_BARE_NPM[plain[0]]] if plain[0] in _BARE_NPM else []
    return [] if plain[0] in _OWN or (program == "bun" and plain[0] == "test") else plain[:1]


def _environments(words: list[str]) -> list[str]:
    """Return what `-e` or `-s` chooses, without the version of Python that an environment may end in."""
    for at, word in enumerate(words):
        chosen = _CHOSEN.fullmatch(word)
        if chosen:
            names = (chosen[1] or next(iter(words[at + 1 : at + 2]), "")).split(",")
            return [_ON_PYTHON.sub("", name) for name in names if name]
    return []


_CHOSEN = re.compile(r"(?:-[es]|--(?:env|sessions?)(?:=|\Z))(\S*)")
_ON_PYTHON = re.compile(r"-(?:py(?:py)?)?3\.\d+\Z|\(.*")


def _without_options(words: list[str]) -> Iterator[str]:
    skip = False
    for word in words:
        if word == "--":
            return
        if not skip and not word.startswith("-"):
            yield word
        skip = word in _VALUED


def _place(words: list[str]) -> str:
    """Return where the words of a command make it run; empty for where one stands."""
    for at, word in enumerate(words):
        option, _, value = word.partition("=")
        if word == "workspace" or option in _PLACING:
            return value or next(iter(words[at + 1 : at + 2]), "")
    return ""


def _command_text(program: str, words: list[str], name: str) -> str:
    if program in _CHOOSING:
        option = next(word for word in words if _CHOSEN.fullmatch(word))
        return option if name in option else f"{option} {name}"
    runs = next((word for word in words if word in {"run", "run-script"}), "")
    return f"{runs} {name}" if runs and program not in {"make", "gmake", "just"} else name
