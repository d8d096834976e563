"""The demo: its story of `story.txt`, told in a temporary home by commands that are run and checked."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from glob import glob

import click

from memdir.cli.output import printable, say, style
from memdir.config.location import resolve
from memdir.config.world import World
from memdir.disk.files import make_folder
from memdir.resources import fill, read_table
from memdir.text.value import value_class

__all__ = ["FILES", "DemoStage", "Pace", "tell"]

FILES = {
    "src/pay/client.py": "def retry(attempt: int) -> bool:\n    return attempt < 3\n",
    "README.md": "# shop\n\nA small shop that takes payments.\n",
}
"""The project in which it happens."""

_KEY = "ghp_" + "9aK3x7Qw" * 4 + "Zt51"
"""What a credential looks like; it opens nothing."""

_DETAILS = ("shows", "lacks", "fails", "lines", "user", "assistant", "tool", "yourself")
"""Rows that belong to the one above them."""

_Row = tuple[str, str]

_WIDTH = 110
_SECONDS = 60.0
"""What one command may take; they take well below one second each."""


@value_class(frozen=True, slots=True)
class Pace:
    """How fast the story is told: seconds after each command, or a key after each step."""

    seconds: float = 0.0
    by_key: bool = False


class DemoStage:
    """Commands in a home and a project of their own, shown as a person would type them."""

    def __init__(self, env: Mapping[str, str], pace: Pace) -> None:
        """Make a temporary home; the environment gives PATH and the language only."""
        self.home, self._pace = os.path.realpath(tempfile.mkdtemp(prefix="memdir-demo-")), pace
        self.project = os.path.join(self.home, "shop")
        programs = os.path.dirname(sys.executable)
        self._env = {
            "HOME": self.home,
            "PATH": f"{programs}{os.pathsep}{env.get('PATH', os.defpath)}",
            "LANG": env.get("LANG", "C.UTF-8"),
            **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Demo"),
            **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "demo@example.com"),
        }
        self._now: datetime | None = None
        self._step = 0
        self._memory = ""

    def remove(self) -> None:
        """Remove the home, with all that is in it."""
        shutil.rmtree(self.home, ignore_errors=True)

    def begin(self, files: Mapping[str, str]) -> None:
        """Make the project, commit its files, and look where its memory will lie."""
        for path, text in files.items():
            self.write(path, text)
        for words in ("init -q -b work", "add .", "commit -qm Begin"):
            self._run(f"git {words}", check=True)
        self._memory = resolve(World(self._env, self.project, self.home)).place.directory.rstrip("/")
        self._env["MEMORY"] = self._memory

    def day(self, title: str, now: datetime | None) -> None:
        """Begin a day; None is the present."""
        self._now = now
        say("", style(f"━━ {title} " + "━" * (_WIDTH - len(title) - 4), fg="cyan", bold=True))

    def step(self, title: str) -> None:
        """Say what happens next."""
        if self._step and self._pace.by_key:
            click.pause(style("   Press a key …", fg="bright_black"))
        self._step += 1
        lines = textwrap.wrap(f"{self._step}. {title}", _WIDTH, subsequent_indent="   ")
        say("", *(style(line, bold=True) for line in lines))

    def run(
        self,
        command: str,
        *shows: str,
        lacks: Sequence[str] = (),
        fails: bool = False,
        lines: int = 12,
        cwd: str = "",
    ) -> str:
        """Run one command as typed, show what it printed, and stop unless it did what the story says."""
        say("", f"   {style('$ ' + command, fg='green')}")
        done = self._run(command, cwd=cwd)
        printed = done.stdout
        say(*(f"   {line}" for line in self._output_lines(printed, lines)))
        problems = [f"it does not say {one!r}" for one in shows if one not in printed]
        problems += [f"it says {one!r}" for one in lacks if one in printed]
        if (done.returncode != 0) != fails:
            problems.append(f"it ended with {done.returncode}")
        if problems:
            raise click.ClickException(f"The demo stopped at `{command}`: {'; '.join(problems)}.\n{printed}")
        time.sleep(self._pace.seconds)
        return printed

    def hint(self, look: str, yourself: str) -> None:
        """Name the file to look at, also by a pattern, and the command to do the same by hand."""
        pattern = look.replace("$MEMORY", self._memory).replace("~", self.home)
        found = sorted(glob(os.path.join(self.project, pattern)))
        if not found:
            raise click.ClickException(f"The demo stopped: there is no {look}.")
        path = self._short(found[0]) if look.startswith("$MEMORY") else look  # a state folder's is long
        rows = {"Look at": path, "Yourself": yourself}
        say(*(f"   {style(f'{name:8}', fg='bright_black')}  {row}" for name, row in rows.items()))

    def browse(self) -> None:
        """Show the memories in a browser until the person ends it, in their own terminal."""
        command = [sys.executable, "-m", "memdir", "ui"]
        with suppress(KeyboardInterrupt):
            subprocess.run(command, cwd=self.project, env=self._env, check=False)

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        folder, name = os.path.split(os.path.join(self.project, path))
        with make_folder(folder) as made:
            made.write(name, text.encode())

    def write_conversation(self, name: str, *said: tuple[str, str]) -> None:
        """Write a conversation as a host records it."""
        when = {"timestamp": f"{self._now:%Y-%m-%dT%H:%M:%SZ}"} if self._now else {}
        rows = ({"role": role, "content": text, **when} for role, text in said)
        self.write(name, "".join(f"{json.dumps(row)}\n" for row in rows))

    def tool_call(self, name: str, command: str) -> None:
        """Write what Claude Code tells a hook before it runs a shell command."""
        event = {"session_id": "demo", "cwd": self.project, "hook_event_name": "PreToolUse"}
        call = {**event, "tool_name": "Bash", "tool_input": {"command": command}}
        self.write(name, f"{json.dumps(call)}\n")

    def _output_lines(self, text: str, most: int) -> list[str]:
        """Return the beginning of an output, with short paths and lines that fit a screen."""
        wrapper = textwrap.TextWrapper(_WIDTH - 3, subsequent_indent="    ", break_on_hyphens=False)
        lines = [
            part for line in printable(self._short(text)).splitlines() for part in wrapper.wrap(line) or [""]
        ]
        return [*lines[:most], *(["…"] if len(lines) > most else [])]

    def _short(self, text: str) -> str:
        return text.replace(self._memory, "$MEMORY").replace(self.home, "~") if self._memory else text

    def _run(self, command: str, *, cwd: str = "", check: bool = False) -> subprocess.CompletedProcess[str]:
        before = ""
        if self._now:
            words = [sys.executable, "-m", "memdir.cli.demo", self._now.isoformat()]
            before = f'memdir() {{ {shlex.join(words)} "$@"; }}; '
        done = subprocess.run(
            ["bash", "-c", before + command],
            cwd=cwd or self.project,
            env=self._env,
            check=check,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
        )
        if self._now:
            self._date_back(self._now.timestamp())
        return done

    def _date_back(self, now: float) -> None:
        """Give what was written on a past day the time of that day: a memory is as old as its file."""
        if os.path.isdir(self._memory):
            for entry in os.scandir(self._memory):
                if entry.is_file() and entry.stat().st_mtime > now:
                    os.utime(entry.path, (now, now))


def tell(stage: DemoStage, now: datetime) -> None:
    """Tell three days, of which the last is today; it stops where something does not happen."""
    stage.begin(FILES)
    for ago, (title, rows) in zip((2, 1, 0), read_table(__file__, "story.txt").items(), strict=True):
        day = now - timedelta(days=ago)
        stage.day(f"{title}, {day:%A} {day.day} {day:%B}", day if ago else None)
        for what, text, details in _events(rows):
            _do(stage, what, text, details)


def _events(rows: Sequence[str]) -> list[tuple[str, str, list[_Row]]]:
    found = list[tuple[str, str, list[_Row]]]()
    for row in rows:
        what, _, text = fill(row, {"key": _KEY}).partition(": ")
        if what in _DETAILS:
            found[-1][2].append((what, text))
        else:
            found.append((what, text, []))
    return found


def _do(stage: DemoStage, what: str, text: str, details: Sequence[_Row]) -> None:
    said = {kind: [row for name, row in details if name == kind] for kind in _DETAILS}
    if what == "step":
        stage.step(text)
    elif what == "talk":
        stage.write_conversation(text, *details)
    elif what == "call":
        stage.tool_call(*text.split(" ", 1))
    elif what == "run":
        lines = int(said["lines"][0]) if said["lines"] else 12
        stage.run(text, *said["shows"], lacks=said["lacks"], fails=bool(said["fails"]), lines=lines)
    else:
        stage.hint(text, *said["yourself"])
