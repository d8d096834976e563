"""A memory directory that a person names on a command line, who may have meant a project."""

import os
from collections.abc import Mapping

from memdir.config.locate import state_for
from memdir.config.safe_path import Refused, memory_directory

__all__ = ["is_kept", "named_directory"]

_TRACES = ("index.last", "root")
"""Records of ours that a save leaves; others come from reading alone."""


def named_directory(raw: str, *, env: Mapping[str, str], home: str) -> str | Refused:
    """Return an absolute path, a relative one being counted from here; or why it cannot hold memories."""
    path = memory_directory(
        raw if raw.startswith("~") else os.path.abspath(raw), expand_tilde=True, home=home
    )
    if isinstance(path, Refused):
        return path
    real = os.path.realpath(path)
    is_checkout = os.path.lexists(os.path.join(real, ".git"))
    if is_checkout and not is_kept(real, state_for(real, env=env, home=home)):
        return Refused("it is the root of a git work tree")
    return path.rstrip(os.sep)


def is_kept(directory: str, state: str) -> bool:
    """Tell whether a directory has an index or saves of ours; its files are somebody else's otherwise."""
    traces = [os.path.join(state, name) for name in _TRACES]
    return any(map(os.path.lexists, [os.path.join(directory, "MEMORY.md"), *traces]))
