"""Branches and linked worktrees, read from git's own files: a hook has no time to start git."""

import os

__all__ = ["branch_in", "worktrees"]

_LONGEST = 4096
"""Bytes of the files read here; each holds one short line."""


def branch_in(directory: str) -> str:
    """Return the branch of the working tree around a directory; empty when there is none."""
    here = os.path.abspath(directory)
    while True:
        if line := _first_line(os.path.join(_repository(os.path.join(here, ".git")), "HEAD")):
            return line.removeprefix(_BRANCH) if line.startswith(_BRANCH) else ""
        above = os.path.dirname(here)
        if above == here:
            return ""
        here = above


def worktrees(root: str) -> list[str]:
    """Return the linked worktrees of the repository whose main checkout, or itself if bare, is this."""
    for repository in (_repository(os.path.join(root, ".git")), root):
        folder = os.path.join(repository, "worktrees")
        try:
            names = os.listdir(folder)
        except (OSError, ValueError):
            continue
        links = [_first_line(os.path.join(folder, name, "gitdir")) for name in names]
        pairs = zip(names, links, strict=True)
        return [os.path.dirname(os.path.join(folder, name, link)) for name, link in pairs if link]
    return []


_BRANCH = "ref: refs/heads/"


def _repository(path: str) -> str:
    """Return where the repository lies: in a further worktree, `.git` is a file that names the place."""
    named = _first_line(path)
    place = named.removeprefix("gitdir: ") if named.startswith("gitdir: ") else ""
    return os.path.join(os.path.dirname(path), place) if place else path


def _first_line(path: str) -> str:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        return os.read(fd, _LONGEST).decode("utf-8", "surrogateescape").partition("\n")[0].rstrip()
    except OSError:
        return ""  # a directory, as .git itself mostly is
    finally:
        os.close(fd)
