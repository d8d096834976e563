"""Every transcript in this folder and in the guides of docs/ shows what the command line really prints.

A transcript is Markdown. In a block marked `console`, a line that begins with `$ ` is a command (`> ` goes on
with it) and what follows is its output, standard error included; `…` stands for anything within a line, and
`[exit N]` for an exit code other than 0. A block inside an HTML comment runs too: it stands for what a reader
of a guide does elsewhere. Each file has a home of its own with one git project, where the
commands run one after the other. `pytest tests/cli --update` rewrites what no longer matches.

The commands of `first-ten-minutes.md` start `memdir` anew; others are children of a process that has imported
it, started without a shell where a line holds nothing that a shell has to do.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE
from tests.processes import Commands

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
TRANSCRIPTS = [
    *sorted(HERE.glob("*.md")),
    DOCS / "start.md",
    DOCS / "hooks.md",
    *sorted(DOCS.glob("how-to/*.md")),
]

_PRELUDE = f'terminal() {{ "{sys.executable}" "{HERE / "terminal.py"}" "$@"; }}\n'
"""`terminal COMMAND` runs a command as if a person sat there."""

_CLIENT = f'memdir() {{{{ "{sys.executable}" -IS "{HERE / "client.py"}" "{{address}}" "$@"; }}}}\n'
"""What makes `memdir` a child of the process that has imported it."""

_PLAIN = re.compile(r"memdir [^|&;<>()$`*?#~!{}\[\]\\\n]*\n?")
"""A command in which a shell has nothing to do but to part the words."""

_ANEW = "first-ten-minutes"
"""The transcript whose commands all start anew."""

_ENV = {
    "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]),
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "xterm",
}

_MEANINGS = {
    *("doctor", "json", "memory-off", "models", "recall", "terminals"),
    *("start", "hooks", "save-and-correct", "why-recalled"),  # pages of docs/
}
"""Transcripts that show what the weights of the package do, or that they are there."""

_VOLATILE = re.compile(
    r"(?P<path>(?:/[\w.-]+)*/(?:memdir-|pytest-of-)[\w./-]+)"
    r"|\b[0-9a-f]{40}\b|\b[0-9a-f]{8}\b"
    r"|20(?!30)\d\d-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\dZ)?)?"
)
"""What differs from run to run: paths, commits, ids, times. `--update` writes `…` for it. Dates that a
transcript itself names are in 2030."""

Run = Callable[[str], str]


@pytest.mark.timeout(240)  # a dozen processes a file: seconds alone, a minute on a machine that is busy
@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_transcript_is_what_really_happens(
    path: Path, tmp_path: Path, commands: Commands, pytestconfig: pytest.Config
) -> None:
    text = path.read_text()
    variables = {} if path.stem in _MEANINGS else WORDS_ALONE
    shell = _shell(tmp_path, None if path.stem == _ANEW else commands, **variables)
    happened = "".join(_replayed(text.splitlines(keepends=True), shell))
    assert "Traceback (most recent call last)" not in happened
    if pytestconfig.getoption("--update", default=False):
        path.write_text(happened)
    else:
        assert happened == text


def test_a_wrong_transcript_is_noticed(tmp_path: Path, commands: Commands) -> None:
    wrong = ["```console\n", "$ echo one; echo two\n", "one\n", "three\n", "$ false\n", "```\n"]
    happened = list(_replayed(wrong, _shell(tmp_path, commands)))
    assert "".join(happened) == "```console\n$ echo one; echo two\none\ntwo\n$ false\n[exit 1]\n```\n"


def _replayed(lines: list[str], run: Run) -> Iterator[str]:
    """Yield the transcript again with the output of each command as it is now."""
    inside, at = False, 0
    while at < len(lines):
        line = lines[at]
        yield line
        at += 1
        if line.startswith("```"):
            inside = line.strip() == "```console"
        elif inside and line.startswith("$ "):
            more = _while(lines, at, lambda text: text.startswith("> "))
            yield from more
            at += len(more)
            expected = _while(lines, at, lambda text: not text.startswith(("$ ", "```")))
            at += len(expected)
            yield from _merged(expected, run("".join(text[2:] for text in [line, *more])))


def _while(lines: list[str], at: int, wanted: Callable[[str], bool]) -> list[str]:
    end = at
    while end < len(lines) and wanted(lines[end]):
        end += 1
    return lines[at:end]


def _merged(expected: list[str], output: str) -> Iterator[str]:
    """Yield each printed line, or the expected one in its place where that one matches it."""
    for number, line in enumerate(output.removesuffix("\n").split("\n") if output else []):
        candidates = [*expected[number : number + 1], *expected]
        kept = next((wish for wish in candidates if "…" in wish and _matches(wish.rstrip("\n"), line)), None)
        plain = number < len(expected) and expected[number].rstrip("\n") == line
        yield expected[number] if plain else kept or f"{_VOLATILE.sub('…', line.rstrip())}\n"


def _matches(pattern: str, line: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), line.rstrip()) is not None


def _shell(folder: Path, commands: Commands | None, **variables: str) -> Run:
    """Make a home with one project, and return what runs a command there."""
    project = folder / "home" / "project"
    project.mkdir(parents=True)
    env = {**_ENV, **variables, "HOME": str(project.parent), "TMPDIR": str(folder)}
    subprocess.run(["git", "init", "-q", "."], cwd=project, env=env, check=True)
    prelude = _PRELUDE if commands is None else _PRELUDE + _CLIENT.format(address=commands.address)

    def run(command: str) -> str:
        if commands is not None and _PLAIN.fullmatch(command):
            done = commands.run(shlex.split(command), env, cwd=project, merged=True, seconds=30)
        else:
            done = subprocess.run(
                ["bash", "-c", prelude + command],
                cwd=project,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=30,
                check=False,
            )
        output = done.stdout.decode("utf-8", "backslashreplace")
        ended = f"[exit {done.returncode}]\n" if done.returncode else ""
        return f"{output}\n{ended}" if output and not output.endswith("\n") else output + ended

    return run
