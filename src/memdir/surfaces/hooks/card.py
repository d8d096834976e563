"""What a full answer found out, written down for the guard together with all that it rests on."""

import os
from collections.abc import Mapping
from contextlib import suppress

from memdir.config.locate import Setup, deciding_paths
from memdir.store.files import folder_made
from memdir.surfaces.hooks.guard import CARD_VERSION, card_path, state_of

__all__ = ["write_card"]


def write_card(
    setup: Setup,
    silent: tuple[str, ...],
    *,
    env: Mapping[str, str],
    cwd: str,
    home: str,
) -> None:
    """Let the guard answer these events alone until a setting, the project's root or a memory changes."""
    directory = os.path.join(os.path.realpath(setup.place.directory), "")
    files, kinds = deciding_paths(setup, env=env, cwd=cwd, home=home)
    rests = [
        *[("f", path) for path in files],
        *[("k", path) for path in kinds],
        ("r", cwd),
        ("r", setup.place.directory),
        ("d", directory),
    ]
    place = setup.place
    lines = [
        CARD_VERSION,
        cwd,
        " ".join(silent),
        directory,
        place.state,
        place.config_home,
        place.root,
    ]
    lines += ["\0".join((kind, path, state_of(kind, path))) for kind, path in rests]
    if any("\n" in line for line in lines):
        return  # a path with a line end in it: such a project is answered in full
    folder, name = os.path.split(card_path(env, cwd))
    with suppress(OSError), folder_made(folder) as cards:
        cards.replace_cache(name, "\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
