"""Sets hosts up and leaves them again: which files, what would change, and the way back."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence

from memdir.core.value import value_class
from memdir.errors import Rejected
from memdir.hosts.claude_code_setup import ClaudeCodeSetup
from memdir.hosts.codex import CodexSetup
from memdir.hosts.installation import Installer, Rewrite
from memdir.store.installed import Installed, Record, host_file

__all__ = ["HOSTS", "HostSetup", "Left"]

HOSTS: Mapping[str, str] = {"claude-code": "claude", "codex": "codex"}
"""The hosts that can be set up, each with the command by which it is found."""


@value_class(frozen=True, slots=True)
class Left:
    """One file that we left, and how."""

    path: str
    how: str
    """restored (byte for byte as it was), cleaned (only our entries taken out), or gone."""


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
    which: Callable[[str], str | None]

    def found(self) -> list[str]:
        """Return the hosts that are on this machine."""
        own = {
            "claude-code": os.path.join(self._claude_folder(), "settings.json"),
            "codex": os.path.join(self._codex_folder(), "config.toml"),
        }
        return [host for host, command in HOSTS.items() if self.which(command) or os.path.exists(own[host])]

    def planned(self, host: str, *, shared: bool) -> list[Rewrite]:
        """Return what setting a host up would change, for this user or for everyone in the project."""
        installer = self._installer(host, shared=shared)
        files = [(path, host_file(path)) for path in self._paths(host, shared=shared)]
        return [Rewrite(path, text, installer.added(path, text)) for path, text in files]

    def apply(self, host: str, rewrites: Sequence[Rewrite]) -> None:
        """Write what was planned, each file only if it is still as it was then."""
        installed, installer = Installed(self.config_home), self._installer(host, shared=False)
        for rewrite in rewrites:
            if rewrite.changes and rewrite.after is not None:
                before = rewrite.before
                # What an older set-up of ours left in a file that others changed since is not its original.
                clean = None if before is None else installer.removed(rewrite.path, before)
                mode = 0o644 if rewrite.path in self._shared_paths() else 0o600
                installed.write(Record(rewrite.path, host, clean, ""), before, rewrite.after, mode=mode)

    def leave(self, host: str = "") -> list[Left]:
        """Undo what was set up, for one host or for all: restore untouched files, clean the others."""
        installed = Installed(self.config_home)
        records = [record for record in installed.records() if host in ("", record.host)]
        return [self._left(installed, record) for record in records]

    def _left(self, installed: Installed, record: Record) -> Left:
        text = host_file(record.path)
        if text is None:
            installed.restore(record.path, None)
            return Left(record.path, "gone")
        if record.untouched(text):
            installed.restore(record.path, record.original)
            return Left(record.path, "restored")
        installed.restore(record.path, self._installer(record.host, shared=False).removed(record.path, text))
        return Left(record.path, "cleaned")

    def _installer(self, host: str, *, shared: bool) -> Installer:
        """Return our entries: by name where others check them out, by path on this machine alone."""
        beside = os.path.join(os.path.dirname(self.launcher), "memdir-hook")
        hook = "memdir-hook" if shared else shlex.quote(beside)
        server = ("memdir", "mcp") if shared else (self.launcher, "mcp")
        if host == "claude-code":
            return ClaudeCodeSetup(hook, server)
        if host == "codex":
            return CodexSetup(server)
        raise Rejected(
            f"memdir cannot set up {host!r}. It knows {', '.join(HOSTS)}; others take `memdir mcp`."
        )

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
