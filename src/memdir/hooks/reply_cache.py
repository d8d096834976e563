"""Writes the reply cache: the events that need no answer, the rules, and the stat of all that decides it.

A host waits for this module: it does without `typing`.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from memdir.config.location import Setup, deciding_paths, remotes_path
from memdir.disk.files import make_folder
from memdir.hooks.entry import cache_head, cache_path, file_state
from memdir.memories.names import TEAM_FOLDER
from memdir.rules.book import FIELD, Row

__all__ = ["dependencies", "write_reply_cache"]


def dependencies(setup: Setup, *, env: Mapping[str, str], cwd: str, home: str) -> list[str]:
    """Return all that an answer depends on, as it is now; ask before anything is read for the answer."""
    files, kinds = deciding_paths(setup, env=env, cwd=cwd, home=home)
    directory = os.path.join(os.path.realpath(setup.place.directory), "")
    paths = [
        *[("f", path) for path in (*files, remotes_path(setup.place.config_home))],
        *[("k", path) for path in kinds],
        ("r", cwd),
        ("r", setup.place.directory),
        ("d", directory),
        ("d", f"{directory}{TEAM_FOLDER}"),
    ]
    return ["\0".join((kind, path, file_state(kind, path))) for kind, path in paths]


def write_reply_cache(
    setup: Setup,
    silent: Sequence[str],
    depends_on: Sequence[str],
    rules: Sequence[Row],
    *,
    env: Mapping[str, str],
    cwd: str,
) -> None:
    """Let `entry` answer these events until a setting, the project's root or a memory changes."""
    place = setup.place
    directory = os.path.join(os.path.realpath(place.directory), "")
    lines = [cwd, " ".join(silent), directory, place.state, place.config_home, place.root, *depends_on]
    if any("\n" in line for line in lines) or not all(lines):
        return  # a path with a line end in it: such a project is answered in full
    text = "\n".join([*lines, "", *map(FIELD.join, rules)]) + "\n" * (not rules)
    body = text.encode("utf-8", "surrogateescape")
    folder, name = os.path.split(cache_path(env, cwd))
    with suppress(OSError), make_folder(folder) as caches:
        caches.replace_cache(name, cache_head(body) + b"\n" + body)
