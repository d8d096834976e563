"""Git as a person types it in a repository."""

import subprocess
from pathlib import Path

__all__ = ["git"]


def git(where: Path, *words: str) -> str:
    """Run git in a folder and return what it printed; commits are those of Ada."""
    command = ["git", "-C", str(where), "-c", "user.name=Ada", "-c", "user.email=ada@example.com", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
