"""What a full answer found out, written down for the guard together with all that it rests on."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from memdir.config.location import Setup, deciding_paths
from memdir.disk.files import folder_made
from memdir.hooks.entry import card_path, checked, state_of
from memdir.rules.book import FIELD, Row

__all__ = ["resting_on", "write_card"]


def resting_on(setup: Setup, *, env: Mapping[str, str], cwd: str, home: str) -> list[str]:
    """Return all that an answer rests on, as it is now: to be asked for before anything is read for it."""
    files, kinds = deciding_paths(setup, env=env, cwd=cwd, home=home)
    rests = [
        *[("f", path) for path in files],
        *[("k", path) for path in kinds],
        ("r", cwd),
        ("r", setup.place.directory),
        ("d", os.path.join(os.path.realpath(setup.place.directory), "")),
    ]
    return ["\0".join((kind, path, state_of(kind, path))) for kind, path in rests]


def write_card(
    setup: Setup,
    silent: Sequence[str],
    rests: Sequence[str],
    rules: Sequence[Row],
    *,
    env: Mapping[str, str],
    cwd: str,
) -> None:
    """Let the guard answer these events alone until a setting, the project's root or a memory changes."""
    place = setup.place
    directory = os.path.join(os.path.realpath(place.directory), "")
    lines = [cwd, " ".join(silent), directory, place.state, place.config_home, place.root, *rests]
    if any("\n" in line for line in lines) or not all(lines):
        return  # a path with a line end in it: such a project is answered in full
    text = "\n".join([*lines, "", *map(FIELD.join, rules)]) + "\n" * (not rules)
    body = text.encode("utf-8", "surrogateescape")
    folder, name = os.path.split(card_path(env, cwd))
    with suppress(OSError), folder_made(folder) as cards:
        cards.replace_cache(name, checked(body) + b"\n" + body)
