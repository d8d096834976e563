"""A bare git repository, spoken to through the git command with nobody's settings but ours."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from memdir.errors import HistoryError

__all__ = ["Git", "GitMissing", "blob_id", "git_path"]

_SECONDS = 60
"""A commit takes milliseconds; a git that has not answered after a minute never will."""

_SETTINGS = (
    "core.fsync=committed,loose-object",
    "gc.auto=0",
    "core.quotePath=false",
    "fastimport.unpackLimit=100",
)
"""Loose objects are synced too: the journal is dropped once history has a change."""


class GitMissing(HistoryError):
    """There is no git on this machine."""


class GitFailed(HistoryError):
    """Git answered with an error."""


@dataclass(frozen=True, slots=True)
class Git:
    """One bare repository and the git that serves it."""

    program: str | None
    repository: str

    def run(self, *arguments: str, feed: bytes = b"") -> bytes:
        """Run one git command in the repository and return what it printed."""
        if self.program is None:
            raise GitMissing("git is not installed: changes wait in the journal. Install git to see history.")
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        command = [self.program, "--git-dir", self.repository, *settings, *arguments]
        try:
            done = subprocess.run(
                command,
                input=feed,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
                env=self._environment(),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GitFailed(f"git {arguments[0]} could not be run: {error}") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[-300:]
            raise GitFailed(f"git {arguments[0]} failed: {said}")
        return done.stdout

    def exists(self) -> bool:
        """Tell whether the repository is there at all."""
        return os.path.isfile(os.path.join(self.repository, "HEAD"))

    def has_commits(self) -> bool:
        """Tell whether anything was ever committed."""
        return os.path.isfile(os.path.join(self.repository, "refs", "heads", "main"))

    def make(self) -> None:
        """Make the repository, private to the user whatever the umask."""
        self.run("init", "--quiet", "--bare", "--initial-branch=main", "--shared=0600", "--template=")

    def clear_stale_locks(self) -> None:
        """Remove lock and temporary files; the caller holds our own lock, so nobody uses them."""
        for folder, _, names in os.walk(self.repository):
            for name in names:
                if name.endswith(".lock") or name.startswith(("tmp_pack_", "tmp_idx_", "tmp_obj_")):
                    with suppress(OSError):
                        os.unlink(os.path.join(folder, name))

    def sound(self) -> bool:
        """Tell whether every commit and file of the history can be reached."""
        try:
            self.run("fsck", "--no-dangling", "--no-progress", "--connectivity-only")
            self.run("log", "--format=%H", "--name-only", "--no-renames")
        except GitFailed:
            return False
        return True

    def pack_if_many(self) -> None:
        """Pack loose objects once there are some hundreds of them."""
        # Object names are evenly spread, so one of the 256 folders tells how full they all are.
        with suppress(FileNotFoundError):
            if os.listdir(os.path.join(self.repository, "objects", "17")):
                self.run("repack", "--quiet", "--geometric=2", "-d")

    def blobs(self, specifications: Iterable[str]) -> list[bytes | None]:
        """Return the contents behind `commit:path` specifications, None where there is none."""
        wanted = list(specifications)
        answer = self.run("cat-file", "--batch", feed=("\n".join(wanted) + "\n").encode()) if wanted else b""
        contents: list[bytes | None] = []
        for _ in wanted:
            line, _, answer = answer.partition(b"\n")
            if line.endswith(b" missing"):
                contents.append(None)
                continue
            size = int(line.rsplit(b" ", 1)[1])
            contents.append(answer[:size])
            answer = answer[size + 1 :]
        return contents

    def blob_ids(self, specifications: Iterable[str]) -> list[str]:
        """Return the object names behind `commit:path` specifications, empty where there is none."""
        wanted = list(specifications)
        feed = ("\n".join(wanted) + "\n").encode()
        lines = self.run("cat-file", "--batch-check", feed=feed).decode().splitlines() if wanted else []
        return ["" if line.endswith(" missing") else line.split(" ", 1)[0] for line in lines]

    def tree(self) -> dict[str, str]:
        """Return every path of the newest commit with its object name."""
        if not self.has_commits():
            return {}
        rows = self.run("ls-tree", "-r", "-z", "main").decode("utf-8", "surrogateescape").split("\0")
        return {path: entry.split(" ")[2] for entry, _, path in (row.partition("\t") for row in rows if row)}

    def _environment(self) -> dict[str, str]:
        # A hook of git's own may run us: its GIT_* variables must not lead our commands elsewhere.
        return {
            "PATH": os.path.dirname(self.program or ""),
            "HOME": self.repository,
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
        }


def blob_id(data: bytes) -> str:
    """Return the object name that git gives to these bytes."""
    import hashlib

    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def git_path(search: str) -> str | None:
    """Find git on a search path."""
    return shutil.which("git", path=search)
