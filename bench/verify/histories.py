"""Real git histories for memories to be checked against: a state then, and the commits that followed."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

__all__ = ["NOW", "SAVED", "Case", "History", "Step", "begun", "built", "go_on"]

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAVED = datetime(2026, 4, 1, 12, tzinfo=UTC)
"""When every memory was saved: after the first state, before what followed."""
NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: files moved, removed, written, or edited by replacing a text."""

    message: str
    move: tuple[tuple[str, str], ...] = ()
    remove: tuple[str, ...] = ()
    write: tuple[tuple[str, str], ...] = ()
    edit: tuple[tuple[str, str, str], ...] = ()
    branch: tuple[tuple[str, str], ...] = ()
    """Branches that are renamed; to nothing: deleted."""

    def apply(self, root: Path) -> None:
        """Change the working tree."""
        for old, new in self.move:
            (root / new).parent.mkdir(parents=True, exist_ok=True)
            os.rename(root / old, root / new)
        for name in self.remove:
            path = root / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, text in self.write:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        for name, old, new in self.edit:
            text = (root / name).read_text()
            assert old in text, (name, old)
            (root / name).write_text(text.replace(old, new))


@dataclass(frozen=True, slots=True)
class History:
    """A project: its files then, what is there beside git, and what happened since."""

    name: str
    files: dict[str, str]
    steps: Sequence[Step]
    branches: tuple[str, ...] = ()
    """Those beside the trunk."""
    trunk: str = "main"


@dataclass(frozen=True, slots=True)
class Case:
    """A memory about a project, of which class it is, and what should be said of it."""

    sort: str
    project: str
    text: str
    expected: str
    """stale, fresh, passed or no claim."""
    hint: str | None = None
    """What must be named as nearest, where that matters; empty: nothing."""


def built(history: History, folder: Path) -> Path:
    """Make the repository with its commits at their times and return its root."""
    root = begun(history, folder)
    go_on(history, root)
    return root


def begun(history: History, folder: Path) -> Path:
    """Make the repository in its first state and return its root."""
    root = folder / history.name
    root.mkdir(parents=True)
    _git(root, THEN, "init", "--quiet", f"--initial-branch={history.trunk}")
    _git(root, THEN, "config", "core.ignorecase", "false")
    Step("", write=tuple(history.files.items())).apply(root)
    _commit(root, THEN, "Begin")
    for name in history.branches:
        _git(root, THEN, "branch", name)
    return root


def go_on(history: History, root: Path) -> None:
    """Add the commits that followed."""
    for number, step in enumerate(history.steps, 1):
        at = SAVED + timedelta(days=number)
        step.apply(root)
        _commit(root, at, step.message)
        for old, new in step.branch:
            _git(root, at, "branch", *(("-m", old, new) if new else ("-D", old)))


def _commit(root: Path, at: datetime, message: str) -> None:
    _git(root, at, "add", "--all")
    _git(root, at, "commit", "--quiet", "--allow-empty", "--message", message)


def _git(root: Path, at: datetime, *arguments: str) -> None:
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in _WHO.items()}
    when = {f"GIT_{role}_DATE": at.isoformat() for role in ("AUTHOR", "COMMITTER")}
    env = {**who, **when, "PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *arguments], cwd=root, env=env, check=True, capture_output=True)


_WHO = {"NAME": "Builder", "EMAIL": "builder@example.invalid"}
