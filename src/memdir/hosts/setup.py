"""Sets hosts up: which of their files, what would change in them, and what of us stands there."""

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from glob import escape, iglob

from memdir.errors import Rejected
from memdir.hosts.claude_code_setup import BY_NAME, LAUNCHER, SERVER, ClaudeCodeSetup
from memdir.hosts.codex import CodexSetup
from memdir.hosts.host_files import Installer, Rewrite, host_file
from memdir.hosts.presence import HOOKS, PLUGIN, HostEntry, entries_in
from memdir.hosts.trial import failure_of, script_words
from memdir.hosts.uninstall import InstallRecord, InstallRecords, LeftFile
from memdir.text.value import value_class

__all__ = ["HOSTS", "HostSetup"]

HOSTS: Mapping[str, str] = {"claude-code": "claude", "codex": "codex"}
"""The hosts that can be set up, each with the command by which it is found."""


@value_class(frozen=True, slots=True)
class HostSetup:
    """The hosts of one user, seen from one project."""

    env: Mapping[str, str]
    home: str
    root: str
    """The project, for entries that are checked in with it."""
    config_home: str
    launcher: str
    """The path of memdir's command line; our hook launcher stands beside it."""

    def detect_hosts(self) -> list[str]:
        """Return the hosts that are on this machine: by their command, or by files that are their own."""
        made = {
            record.path for record in InstallRecords(self.config_home).records() if record.original is None
        }
        talks = iglob(os.path.join(escape(self._claude_folder()), "projects", "*", "*.jsonl"))
        own = {host: {*self._paths(host, shared=False)} - made for host in HOSTS}
        return [
            host
            for host, command in HOSTS.items()
            if self.which(command)
            or any(map(os.path.exists, own[host]))
            or (host == "claude-code" and any(talks))
        ]

    def which(self, command: str) -> str | None:
        """Return the program that a command starts; None when it is not there."""
        return shutil.which(command, path=self.env.get("PATH", ""))

    def entries(self) -> list[HostEntry]:
        """Return what the files of all hosts say about us here, whoever wrote it."""
        local = os.path.join(self.root, ".claude", "settings.local.json")
        paths = [(host, path) for host in HOSTS for path in self._paths(host, shared=False)]
        paths += [("claude-code", path) for path in (*self._shared_paths(), local)]
        texts = [(host, path, _text_or_none(path)) for host, path in paths]
        return [
            entry for host, path, text in texts if text for entry in entries_in(host, path, text, self.root)
        ]

    def problem(self, entry: HostEntry) -> str:
        """Return why the host cannot start what an entry names, as the end of "which …"; empty if it can.

        It is started once to see that. From a file of the project, which others may have written, only what
        the user's own PATH has is started.
        """
        programs = BY_NAME[::2] if entry.words == BY_NAME else (entry.command,)
        if not any(map(self.which, programs)):
            return "is not there" if os.path.isabs(entry.command) else "is not on the PATH"
        own = entry.path in [path for host in HOSTS for path in self._paths(host, shared=False)]
        ours = entry.words in ((LAUNCHER,), BY_NAME, (SERVER, "mcp"))
        return failure_of(entry, self.env, self.root) if own or ours else ""

    def try_commands(self, host: str, *, shared: bool) -> list[tuple[HostEntry, str]]:
        """Start once what the files that set a host up name; return each with its problem, empty if none."""
        paths = self._paths(host, shared=shared)
        entries = [entry for entry in self.entries() if entry.host == host and entry.path in paths]
        return [(entry, self.problem(entry)) for entry in entries]

    def has_hooks(self) -> bool:
        """Tell whether the hooks of any host are ours too: only there rules bind."""
        return any(entry.part in (HOOKS, PLUGIN) for entry in self.entries())

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
        installed, installer = InstallRecords(self.config_home), self._installer(host, shared=False)
        for rewrite in rewrites:
            if rewrite.changes and rewrite.after is not None:
                before = rewrite.before
                # What an older set-up of ours left in a file that others changed since is not its original.
                clean = None if before is None else installer.remove_entries(rewrite.path, before)
                mode = 0o644 if rewrite.path in self._shared_paths() else 0o600
                installed.write(
                    InstallRecord(rewrite.path, host, clean, ""), before, rewrite.after, mode=mode
                )

    def leave(self, host: str = "") -> list[LeftFile]:
        """Undo what was set up, for one host or for all: restore untouched files, clean the others."""
        left = InstallRecords(self.config_home).leave(host, partial(self._installer, shared=False))
        if host and not left:
            self.refuse_unknown(host)
        return left

    def _installer(self, host: str, *, shared: bool) -> Installer:
        """Return our entries: by name where others check them out, by path on this machine alone."""
        beside = os.path.join(os.path.dirname(self.launcher), LAUNCHER)
        hook = LAUNCHER if shared else shlex.join(script_words(beside))
        server = (SERVER, "mcp") if shared else (self.launcher, "mcp")
        self.refuse_unknown(host)
        return CodexSetup(server) if host == "codex" else ClaudeCodeSetup(hook, server)

    def _paths(self, host: str, *, shared: bool) -> list[str]:
        if host == "codex":
            if shared:
                raise Rejected("Codex reads its servers from the user's own file. Leave --project away.")
            return [os.path.join(self._codex_folder(), "config.toml")]
        if shared:
            return self._shared_paths()
        moved = self.env.get("CLAUDE_CONFIG_DIR", "")
        return [
            os.path.join(self._claude_folder(), "settings.json"),
            os.path.join(moved or self.home, ".claude.json"),
        ]

    def _shared_paths(self) -> list[str]:
        return [os.path.join(self.root, ".claude", "settings.json"), os.path.join(self.root, ".mcp.json")]

    def _claude_folder(self) -> str:
        return self.env.get("CLAUDE_CONFIG_DIR") or os.path.join(self.home, ".claude")

    def _codex_folder(self) -> str:
        return self.env.get("CODEX_HOME") or os.path.join(self.home, ".codex")


def _text_or_none(path: str) -> str | None:
    try:
        return host_file(path)
    except OSError:
        return None
