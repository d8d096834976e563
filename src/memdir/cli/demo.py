"""The demo: the story of `demo.txt`, told in a temporary home by commands that are run and checked."""

from __future__ import annotations

import json
import os
import shlex
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
from memdir.disk.trees import make_temporary_folder, remove_tree
from memdir.resources import fill, read_table
from memdir.text.dates.calendar import utc_stamp

__all__ = ["Demo"]

_FILES = {
    "src/pay/client.py": "def retry(attempt: int) -> bool:\n    return attempt < 3\n",
    "README.md": "# shop\n\nA small shop that takes payments.\n",
}
"""The project in which it happens."""

_KEY = "ghp_" + "9aK3x7Qw" * 4 + "Zt51"
"""What a credential looks like; it opens nothing."""

_DETAILS = ("shows", "lacks", "fails", "lines", "user", "assistant", "tool", "yourself")
"""Rows that belong to the one above them."""

_Details = list[tuple[str, str]]

_WIDTH = 110
_LINES = 12
"""Lines of an output that are shown where the story does not say how many."""

_SECONDS = 60.0
"""What one command may take; they take well below one second each."""

_IN_THE_PAST = """
import sys
from datetime import datetime
from memdir.cli.app import run
now = datetime.fromisoformat(sys.argv[1])
sys.exit(run(sys.argv[2:], clock=lambda: now))
"""
"""A program that runs one command as if it were another time."""


class Demo:
    """Commands in a home and a project of their own, shown as a person would type them."""

    def __init__(self, env: Mapping[str, str], *, pause: float, by_key: bool) -> None:
        """Make a temporary home; the environment gives PATH and the language only.

        The pause is in seconds, after each command; a key is waited for after each step.
        """
        self._pause, self._by_key = pause, by_key
        self.home = os.path.realpath(make_temporary_folder(tempfile.gettempdir(), "memdir-demo-"))
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
        self._steps = 0
        self._memory = ""

    def remove(self) -> None:
        """Remove the home, with all that is in it."""
        remove_tree(self.home)

    def tell(self, now: datetime) -> None:
        """Tell three days, of which the last is today; stop where something does not happen."""
        for path, text in _FILES.items():
            self._write(path, text)
        for words in ("init -q -b work", "add .", "commit -qm Begin"):
            self._execute(f"git {words}").check_returncode()
        self._memory = resolve(World(self._env, self.project, self.home)).place.directory.rstrip("/")
        self._env["MEMORY"] = self._memory
        for ago, (title, rows) in zip((2, 1, 0), read_table(__file__, "demo.txt").items(), strict=True):
            day = now - timedelta(days=ago)
            self._now = day if ago else None
            heading = f"━━ {title}, {day:%A} {day.day} {day:%B} ".ljust(_WIDTH, "━")
            say("", style(heading, fg="cyan", bold=True))
            for what, text, details in _events(rows):
                getattr(self, f"_{what}")(text, details)

    def browse(self) -> None:
        """Show the memories in a browser until the person ends it, in their own terminal."""
        command = [sys.executable, "-m", "memdir", "ui"]
        with suppress(KeyboardInterrupt):
            subprocess.run(command, cwd=self.project, env=self._env, check=False)

    def _step(self, title: str, _: _Details) -> None:
        if self._steps and self._by_key:
            click.pause(style("   Press a key …", fg="bright_black"))
        self._steps += 1
        lines = textwrap.wrap(f"{self._steps}. {title}", _WIDTH, subsequent_indent="   ")
        say("", *(style(line, bold=True) for line in lines))

    def _talk(self, name: str, details: _Details) -> None:
        """Write a conversation as a host records it."""
        when = {"timestamp": utc_stamp(self._now)} if self._now else {}
        rows = [{"role": role, "content": text, **when} for role, text in details]
        self._write(name, "".join(f"{json.dumps(row)}\n" for row in rows))

    def _call(self, text: str, _: _Details) -> None:
        """Write what Claude Code tells a hook before it runs a shell command."""
        name, command = text.split(" ", 1)
        event = {"session_id": "demo", "cwd": self.project, "hook_event_name": "PreToolUse"}
        call = {**event, "tool_name": "Bash", "tool_input": {"command": command}}
        self._write(name, f"{json.dumps(call)}\n")

    def _run(self, command: str, details: _Details) -> None:
        """Run one command as typed, show what it printed, and stop unless it did what the story says."""
        say("", f"   {style('$ ' + command, fg='green')}")
        done, fails, most = self._execute(command), False, _LINES
        problems = list[str]()
        for kind, text in details:
            if kind == "shows" and text not in done.stdout:
                problems.append(f"it does not say {text!r}")
            elif kind == "lacks" and text in done.stdout:
                problems.append(f"it says {text!r}")
            elif kind == "lines":
                most = int(text)
            fails = fails or kind == "fails"
        say(*(f"   {line}" for line in self._output_lines(done.stdout, most)))
        if (done.returncode != 0) != fails:
            problems.append(f"it ended with {done.returncode}")
        if problems:
            stopped = f"The demo stopped at `{command}`: {'; '.join(problems)}."
            raise click.ClickException(f"{stopped}\n{done.stdout}")
        time.sleep(self._pause)

    def _look(self, look: str, details: _Details) -> None:
        """Name the file to look at, also by a pattern, and the command to do the same by hand."""
        pattern = look.replace("$MEMORY", self._memory).replace("~", self.home)
        found = sorted(glob(os.path.join(self.project, pattern)))
        if not found:
            raise click.ClickException(f"The demo stopped: there is no {look}.")
        path = self._shorten(found[0]) if look.startswith("$MEMORY") else look  # a state folder's is long
        for name, row in (("Look at", path), ("Yourself", dict(details)["yourself"])):
            say(f"   {style(f'{name:8}', fg='bright_black')}  {row}")

    def _write(self, path: str, text: str) -> None:
        folder, name = os.path.split(os.path.join(self.project, path))
        with make_folder(folder) as made:
            made.write(name, text.encode())

    def _output_lines(self, text: str, most: int) -> list[str]:
        """Return the beginning of an output, with short paths and lines that fit a screen."""
        wrapper = textwrap.TextWrapper(_WIDTH - 3, subsequent_indent="    ", break_on_hyphens=False)
        lines = [
            part
            for line in printable(self._shorten(text)).splitlines()
            for part in wrapper.wrap(line) or [""]
        ]
        return [*lines[:most], *(["…"] if len(lines) > most else [])]

    def _shorten(self, text: str) -> str:
        return text.replace(self._memory, "$MEMORY").replace(self.home, "~")

    def _execute(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the project; on a past day, as if it were that day."""
        if self._now:
            words = [sys.executable, "-c", _IN_THE_PAST, self._now.isoformat()]
            command = f'memdir() {{ {shlex.join(words)} "$@"; }}; {command}'
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.project,
            env=self._env,
            check=False,
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


def _events(rows: Sequence[str]) -> list[tuple[str, str, _Details]]:
    """Return what happens, each with the rows that belong to it."""
    found = list[tuple[str, str, _Details]]()
    for row in rows:
        what, _, text = fill(row, {"key": _KEY}).partition(": ")
        if what in _DETAILS:
            found[-1][2].append((what, text))
        else:
            found.append((what, text, []))
    return found
