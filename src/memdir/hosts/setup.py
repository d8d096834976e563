"""Sets hosts up: which of their files change, how, and whether the commands in them run."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from glob import escape, iglob

from memdir.build import Parts
from memdir.config.world import World
from memdir.errors import Rejected
from memdir.hosts.claude_code import (
    BY_NAME,
    LAUNCHER,
    SERVER,
    ClaudeCodeSetup,
    claude_code_entries,
    hook_line,
)
from memdir.hosts.codex import CodexSetup, codex_entries
from memdir.hosts.config_files import InstallRecords, LeftFile, Rewrite, host_file
from memdir.hosts.session import HostSession
from memdir.text.value import value_class

__all__ = ["HOSTS", "HostEntry", "HostSetup", "HostsHandle", "entries_in", "script_words"]

HOSTS: Mapping[str, str] = {"claude-code": "claude", "codex": "codex"}
"""The hosts that can be set up, each with the command by which it is found."""

_SECONDS = 20.0
"""After which a start counts as failed: the most that a host waits for a hook is 10."""

_LONGEST_REASON = 300
"""Characters of what a program said when it failed."""

_LONGEST_FIRST_LINE = 127
"""Bytes of a script's first line that every kernel takes."""


@value_class(frozen=True, slots=True)
class HostEntry:
    """One thing that a file of a host says about us."""

    host: str
    part: str
    """hooks, server or plugin."""
    path: str
    command: str
    """What the host starts: a path, or a name that it looks for."""
    words: tuple[str, ...] = ()
    """The command in words, of a hook without its event; empty when it is more than words to a shell."""


@value_class(frozen=True, slots=True)
class HostSetup:
    """The hosts of one user, seen from one project."""

    world: World
    root: str
    """The project, for entries that are checked in with it."""
    config_home: str
    launcher: str
    """The path of memdir's command line; our hook launcher stands beside it."""

    def detect_hosts(self) -> list[str]:
        """Return the hosts that are on this machine: by their command, or by files that are their own."""
        made = InstallRecords(self.config_home).made_paths()
        talks = iglob(os.path.join(escape(self._claude_folder), "projects", "*", "*.jsonl"))
        return [
            host
            for host, command in HOSTS.items()
            if self._which(command)
            or any(map(os.path.exists, {*self._paths(host, shared=False)} - made))
            or (host == "claude-code" and any(talks))
        ]

    def entries(self) -> list[HostEntry]:
        """Return what the files of all hosts say about us here, whoever wrote it."""
        local = os.path.join(self.root, ".claude", "settings.local.json")
        paths = [(host, path) for host in HOSTS for path in self._paths(host, shared=False)]
        paths += [("claude-code", path) for path in (*self._shared_paths, local)]
        found = list[HostEntry]()
        for host, path in paths:
            with suppress(OSError):
                found += entries_in(host, path, host_file(path) or "", self.root)
        return found

    def has_hooks(self) -> bool:
        """Tell whether the hooks of any host are ours too: only there rules bind."""
        return any(entry.part != "server" for entry in self.entries())

    def problem(self, entry: HostEntry) -> str:
        """Return why the host cannot start what an entry names, as the end of "which …"; empty if it can.

        It is started once to see that. From a file of the project, which others may have written, only what
        the user's own PATH has is started.
        """
        programs = BY_NAME[::2] if entry.words == BY_NAME else (entry.command,)
        if not any(map(self._which, programs)):
            return "is not there" if os.path.isabs(entry.command) else "is not on the PATH"
        own = entry.path in [path for host in HOSTS for path in self._paths(host, shared=False)]
        ours = entry.words in ((LAUNCHER,), BY_NAME, (SERVER, "mcp"))
        return self._failure(entry) if own or ours else ""

    def try_commands(self, host: str, *, shared: bool) -> list[tuple[HostEntry, str]]:
        """Start each command of the set-up once; return each entry with its problem, empty if it runs."""
        paths = self._paths(host, shared=shared)
        entries = [entry for entry in self.entries() if entry.host == host and entry.path in paths]
        return [(entry, self.problem(entry)) for entry in entries]

    def refuse_unknown(self, host: str) -> None:
        """Raise for a host that memdir cannot set up."""
        if host not in HOSTS:
            raise Rejected(
                f"memdir knows no host {host!r}. It sets up {', '.join(HOSTS)}; others take `memdir mcp`."
            )

    def plan(self, host: str, *, shared: bool) -> list[Rewrite]:
        """Return what setting a host up would change, for this user or for everyone in the project."""
        installer = self._installer(host, shared=shared)
        files = [(path, host_file(path)) for path in self._paths(host, shared=shared)]
        return [Rewrite(path, text, installer.add_entries(path, text)) for path, text in files]

    def apply(self, host: str, rewrites: Sequence[Rewrite]) -> None:
        """Write what was planned, each file only if it is still as it was then."""
        for rewrite in rewrites:
            if rewrite.changes:
                path, before = rewrite.path, rewrite.before
                # What an older set-up of ours left in a file that others changed since is not its original.
                original = None if before is None else self._clean(host, path, before)
                mode = 0o644 if path in self._shared_paths else 0o600
                InstallRecords(self.config_home).write(host, rewrite, original, mode)

    def leave(self, host: str = "") -> list[LeftFile]:
        """Undo what was set up, for one host or for all: restore untouched files, clean the others.

        What was set up with `--project` in another project stays: others have it checked out.
        """
        left = InstallRecords(self.config_home).leave(host, self._clean, self._is_elsewhere)
        if host and not left:
            self.refuse_unknown(host)
        return left

    def _failure(self, entry: HostEntry) -> str:
        """Start the command of an entry as its host would; return why it fails, empty when it runs.

        A hook is started by the shell and asked for its version; a server gets empty input and ends. A
        command that `memdir init` would not write is not started.
        """
        words = entry.words
        if entry.part == "server":
            is_ours = os.path.basename(words[0]) == SERVER and words[-1] == "mcp"
            return self._start_failure(words, "") if is_ours else ""
        if not words:
            return ""
        ask = "--version"
        line = hook_line(LAUNCHER, ask) if words == BY_NAME else f"{shlex.join(words)} {ask}"
        failure = self._start_failure(["/bin/sh", "-c", line], f"{LAUNCHER} ")
        script = self._which(words[0]) or words[0]
        if failure and words == (LAUNCHER,) and len(script_words(script)) > 1:  # a shell cannot tell why
            hard = f"the first line of {script} names an interpreter in a folder with a blank or a long path"
            return f"does not run ({hard})"
        return failure

    def _start_failure(self, words: Sequence[str], said: str) -> str:
        """Return why a program did not end well, or did not say what it should."""
        env, where = dict(self.world.env), self.root if os.path.isdir(self.root) else None
        try:
            done = subprocess.run(
                words, input=b"", env=env, cwd=where, capture_output=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return f"does not run (no end within {_SECONDS:.0f} seconds)"
        except OSError as error:
            return f"does not run ({error.strerror or error})"
        if done.returncode == 0 and done.stdout.startswith(said.encode()):
            return ""
        lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        silent = f"it ends with {done.returncode} and says nothing"
        return f"does not run ({lines[-1].strip()[:_LONGEST_REASON] if lines else silent})"

    def _clean(self, host: str, path: str, text: str) -> str | None:
        return self._installer(host, shared=False).remove_entries(path, text)

    def _is_elsewhere(self, path: str) -> bool:
        """Tell whether a file is one that is checked in, of another project than this."""
        known = {*self._shared_paths, *[one for host in HOSTS for one in self._paths(host, shared=False)]}
        is_shared = path.endswith((os.path.join(".claude", "settings.json"), ".mcp.json"))
        return is_shared and path not in known

    def _which(self, command: str) -> str | None:
        return shutil.which(command, path=self.world.env.get("PATH", ""))

    def _installer(self, host: str, *, shared: bool) -> ClaudeCodeSetup | CodexSetup:
        """Return our entries: by name where others check them out, by path on this machine alone."""
        self.refuse_unknown(host)
        server = (SERVER if shared else self.launcher, "mcp")
        if host == "codex":
            return CodexSetup(server)
        beside = os.path.join(os.path.dirname(self.launcher), LAUNCHER)
        return ClaudeCodeSetup(LAUNCHER if shared else shlex.join(script_words(beside)), server)

    def _paths(self, host: str, *, shared: bool) -> list[str]:
        if host == "codex":
            if shared:
                raise Rejected("Codex reads its servers from the user's own file. Leave --project away.")
            folder = self.world.env.get("CODEX_HOME") or os.path.join(self.world.home, ".codex")
            return [os.path.join(folder, "config.toml")]
        if shared:
            return self._shared_paths
        servers = os.path.join(self.world.env.get("CLAUDE_CONFIG_DIR") or self.world.home, ".claude.json")
        return [os.path.join(self._claude_folder, "settings.json"), servers]

    @property
    def _shared_paths(self) -> list[str]:
        return [os.path.join(self.root, ".claude", "settings.json"), os.path.join(self.root, ".mcp.json")]

    @property
    def _claude_folder(self) -> str:
        return self.world.env.get("CLAUDE_CONFIG_DIR") or os.path.join(self.world.home, ".claude")


@value_class(frozen=True, slots=True)
class HostsHandle:
    """`memory.hosts`: the agents that memdir serves, their set-up and the session of one of them."""

    _parts: Parts

    @property
    def session(self) -> HostSession:
        """What serves a conversation of a host, event by event; the directory must belong to a project."""
        return HostSession(self._parts, self._parts.world.cwd)

    def setup(self, launcher: str = "memdir") -> HostSetup:
        """Return what sets hosts up to call memdir, and leaves them again."""
        place = self._parts.effective_setup.place
        return HostSetup(self._parts.world, place.root, place.config_home, launcher)


def entries_in(host: str, path: str, text: str, root: str) -> list[HostEntry]:
    """Return what a file says about us, each thing once; nothing for one that cannot be read.

    `root` is the project whose own servers count.
    """
    try:
        said = codex_entries(text) if host == "codex" else claude_code_entries(path, text, root)
        found = [HostEntry(host, part, path, command, words) for part, command, words in said]
        return list(dict.fromkeys(found))
    except (ValueError, AttributeError, TypeError, RecursionError):  # Rejected is a ValueError too
        return []


def script_words(script: str) -> list[str]:
    """Return the words that start a Python script.

    The system cannot start one whose first line is long or names an interpreter with a blank in its path, as
    in a virtual environment in `My Projects`: then the interpreter is named outright.
    """
    try:
        with open(script, "rb") as file:
            line = file.readline(4096).rstrip()
    except OSError:
        return [script]
    interpreter = os.fsdecode(line.removeprefix(b"#!").strip())
    is_hard = len(line) > _LONGEST_FIRST_LINE or len(interpreter.split()) > 1
    named = line.startswith(b"#!") and is_hard and os.path.isfile(interpreter)
    return [interpreter, script] if named else [script]
