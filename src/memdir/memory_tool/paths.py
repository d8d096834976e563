"""Paths as the memory tool names them, below `/memories`, and which of them may be seen or written."""

import os

from memdir.config.safe_path import Refused, contain
from memdir.errors import Rejected
from memdir.memories.names import INDEX_NAME, RESERVED_FOLDERS, TEAM_FOLDER, key_problem

__all__ = ["ROOT", "key_of", "path_of", "readable_key", "writable_key"]

ROOT = "/memories"


def key_of(path: str) -> str:
    """Return the path below the memory directory; that of the root is empty."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise Rejected(f"{path!r} is not a path here. Paths begin with {ROOT}, as {ROOT}/user_role.md.")
    return path[len(ROOT) + 1 :].removesuffix("/")


def path_of(key: str) -> str:
    """Return how the tool names a path below the memory directory."""
    return f"{ROOT}/{key}" if key else ROOT


def readable_key(directory: str, key: str) -> str:
    """Return the path of a file or folder that may be looked at: a memory, also an index, a hub or a log."""
    folder, slash, rest = key.partition("/")
    judged = rest if slash and folder in RESERVED_FOLDERS else key
    if judged.rpartition("/")[2] == INDEX_NAME:
        judged = f"{judged.removesuffix(INDEX_NAME)}x.md"
    return _judged(directory, key, judged, "looked at")


def writable_key(directory: str, key: str, *, team: bool = False) -> str:
    """Return the path of a file or folder of memories that may be changed; with `team`, also the team's."""
    judged = key.removeprefix(TEAM_FOLDER) if team else key
    return _judged(directory, key, judged, "changed")


def _judged(directory: str, key: str, judged: str, verb: str) -> str:
    """Judge the text first, then where the path really leads: a folder is judged as one that holds a file."""
    problem = key_problem(judged if judged.endswith(".md") else f"{judged}/x.md")
    if problem is None:
        real = contain(directory, key)
        if isinstance(real, Refused):
            problem = real.because
        elif real != os.path.join(directory, key):
            problem = "a link leads there"
    if problem is not None:
        raise Rejected(
            f"{path_of(key)} cannot be {verb}: {problem}. Memories are .md files below {ROOT}; the index "
            f"{INDEX_NAME} follows from them and is only looked at."
        )
    return key
