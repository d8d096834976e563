"""Run the git command on a bare repository, with our own settings only.

A host waits for this module: it imports late.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from memdir.disk.files import Folder, make_folder, temp_name
from memdir.errors import HistoryError

__all__ = ["Git", "GitFailed", "GitMissing", "blob_id", "git_path"]

_SECONDS = 60
"""A commit takes milliseconds; a git that has not answered after a minute never will."""

_LEFT_BEHIND = ("tmp_pack_", "tmp_idx_", "tmp_obj_", "fast_import_crash_")

_BRANCH_LOG = "logs/refs/heads/main"

_MANY_PACKS = 50
"""Packs among which git still finds an object at once."""

_SETTINGS = ("core.fsync=all", "core.logAllRefUpdates=true", "gc.auto=0", "fastimport.unpackLimit=0")
"""All is synced: the journal is dropped once history has a change. The log of the branch tells one that was
lost from one that never was."""


_ADVICE = "`memdir doctor` checks the history; the memories are safe."


class GitMissing(HistoryError):
    """There is no git on this machine."""


class GitFailed(HistoryError):
    """Git answered with an error."""

    def __init__(self, message: str, said: str = "", printed: bytes = b"") -> None:
        """Take the message, and what git said and printed."""
        super().__init__(message)
        self.said, self.printed = said, printed


class Git:
    """One bare repository and the git that serves it."""

    def __init__(
        self,
        program: str | None,
        repository: str,
        holds: tuple[int, ...] = (),
        settings: Sequence[str] = _SETTINGS,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Remember all; nothing is started yet. Without an environment the user's settings do not count."""
        self.program, self.repository = program, repository
        self.settings = settings
        # A hook of git's own may run us: its GIT_* variables must not lead our commands elsewhere.
        self.env = env or {
            "PATH": os.path.dirname(program or ""),
            "HOME": repository,
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
        }
        self.holds = holds
        """Descriptors that a running git keeps open: our lock lasts as long as a git that outlives us."""

    def run(
        self, *arguments: str, feed: bytes = b"", seconds: float = _SECONDS, more: Sequence[str] = ()
    ) -> bytes:
        """Run one git command in the repository, with more settings if given; return what it printed."""
        if self.program is None:
            raise GitMissing("git is not installed: changes wait in the journal. Install git to see history.")
        import subprocess

        settings = [word for setting in (*self.settings, *more) for word in ("-c", setting)]
        command = [self.program, "--git-dir", self.repository, *settings, *arguments]
        try:
            done = subprocess.run(
                command,
                input=feed,
                capture_output=True,
                timeout=seconds,
                check=False,
                env=self.env,
                pass_fds=self.holds,
                umask=0o077,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GitFailed(f"git {arguments[0]} could not be run: {error}. {_ADVICE}") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise GitFailed(f"git {arguments[0]} failed: {said[-300:]}. {_ADVICE}", said, done.stdout)
        return done.stdout

    def exists(self) -> bool:
        """Tell whether the repository is there at all."""
        return os.path.isfile(os.path.join(self.repository, "HEAD"))

    def has_commits(self) -> bool:
        """Tell whether the branch is there; someone may have packed it."""
        if os.path.isfile(os.path.join(self.repository, "refs/heads/main")):
            return True
        with suppress(OSError), open(os.path.join(self.repository, "packed-refs"), "rb") as file:
            return b" refs/heads/main\n" in file.read()
        return False

    def make(self) -> None:
        """Make the repository whole or not at all, private to the user whatever the umask."""
        place = os.path.join(os.path.dirname(self.repository), temp_name())
        temp = Git(self.program, place, self.holds, self.settings, self.env)
        temp.run("init", "--quiet", "--bare", "--initial-branch=main", "--shared=0600", "--template=")
        with make_folder(os.path.dirname(self.repository)) as state:
            _sync_tree(temp.repository)
            state.rename(os.path.basename(place), os.path.basename(self.repository))

    def bring_branch_back(self) -> bool:
        """Set a branch that was lost to where its log left it; False when there is nothing to go by."""
        try:
            with open(os.path.join(self.repository, _BRANCH_LOG), "rb") as file:
                steps = re.findall(rb"^[0-9a-f]{40} ([0-9a-f]{40}) ", file.read(), re.MULTILINE)
            self.run("update-ref", "refs/heads/main", steps[-1].decode())
            from memdir.disk.trees import remove_tree

            # It names what was lost; a new one begins.
            remove_tree(os.path.join(self.repository, "logs"))
        except (OSError, GitFailed, IndexError):
            return False
        return True

    def settle(self) -> None:
        """Make what was committed survive a power cut: git itself syncs files, and not their names.

        Every batch of commits brings a pack, and many of them are joined first.
        """
        names = os.listdir(os.path.join(self.repository, "objects/pack"))
        if sum(name.endswith(".pack") for name in names) > _MANY_PACKS:
            self.run("repack", "--quiet", "--geometric=2", "-d")
        for name in ("objects/pack", "objects", "refs/heads", "logs/refs/heads", "logs/refs", "logs", "."):
            with suppress(FileNotFoundError), Folder(os.path.join(self.repository, name)) as folder:
                folder.sync()

    def clear_stale_locks(self) -> None:
        """Remove lock and temporary files; the caller holds our own lock, so nobody uses them."""
        for folder, _, names in os.walk(self.repository):
            for name in names:
                if name.endswith((".lock", ".keep")) or name.startswith(_LEFT_BEHIND):
                    with suppress(OSError), Folder(folder) as place:
                        place.remove(name)

    def sound(self) -> bool:
        """Tell whether every commit and file of the history can be reached."""
        if not self.has_commits() and os.path.exists(os.path.join(self.repository, _BRANCH_LOG)):
            return False
        try:
            self.run("fsck", "--no-dangling", "--no-progress", "--no-reflogs", "--connectivity-only")
            self.run("log", "--format=%H", "--name-only", "--no-renames")
        except GitFailed:
            return False
        return True

    def blobs(self, specifications: Iterable[str]) -> list[bytes | None]:
        """Return the contents behind `commit:path` specifications, None where there is none."""
        wanted = list(specifications)
        answer = self._ask("--batch", wanted, "--buffer")
        contents: list[bytes | None] = []
        start = 0
        for _ in wanted:
            end = answer.index(b"\n", start)
            line, start = answer[start:end], end + 1
            if line.endswith(b" missing"):
                contents.append(None)
                continue
            size = int(line.rsplit(b" ", 1)[1])
            contents.append(answer[start : start + size])
            start += size + 1
        return contents

    def blob_ids(self, specifications: Iterable[str]) -> list[str]:
        """Return the object names behind `commit:path` specifications, empty where there is none."""
        lines = self._ask("--batch-check", list(specifications)).decode().splitlines()
        return ["" if line.endswith(" missing") else line.split(" ", 1)[0] for line in lines]

    def _ask(self, how: str, wanted: list[str], *more: str) -> bytes:
        return self.run("cat-file", how, *more, feed="\n".join([*wanted, ""]).encode()) if wanted else b""


def blob_id(data: bytes) -> str:
    """Return the object name that git gives to these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def git_path(env: Mapping[str, str]) -> str | None:
    """Find git on the search path of an environment."""
    return shutil.which("git", path=env.get("PATH", os.defpath))


def _sync_tree(path: str) -> None:
    """Make a folder of our own survive a power cut with all that is in it."""
    for folder, _, names in os.walk(path):
        for name in (*names, "."):
            fd = os.open(os.path.join(folder, name), os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
