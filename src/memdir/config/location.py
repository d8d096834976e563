"""Where memory lives for a conversation that began in a directory, whether it is on, and what decided it.

A host waits for this module: it imports late and does without `typing`.
"""

import os
import unicodedata
from collections.abc import Mapping

from memdir.config.identity import canonical_root, checkout_root, slug, state_name, worktree_files
from memdir.config.layout import CLAUDE, LAYOUTS, Layout
from memdir.config.safe_path import RELATIVE, Refused, memory_directory
from memdir.config.settings import Settings, load_settings, settings_files
from memdir.config.world import VariableFolder, World, config_home, folder, switch, variable
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import MemoryOff, Rejected
from memdir.text.value import replace, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "REMOTES_FILE",
    "Place",
    "Setup",
    "Verdict",
    "deciding_paths",
    "host_loads_it",
    "is_bare",
    "is_kept",
    "locate",
    "memory_enabled",
    "named_directory",
    "other_roots",
    "remote_rows",
    "resolve",
    "state_for",
    "still_holds",
]

REMOTES_FILE = os.path.join("memdir", "remotes.json")
"""In the configuration home: the remote of each memory directory; only the person writes it."""


@value_class(frozen=True, slots=True)
class Place:
    """The memory directory of a conversation, and how it was found."""

    directory: str
    """Absolute, with exactly one trailing separator; need not exist yet."""
    source: str
    """override, setting or default."""
    root: str
    """The canonical root: what all worktrees of the project share."""
    base: str
    config_home: str
    state: str
    """The folder of our own records about this directory."""
    warnings: tuple[str, ...] = ()


@value_class(frozen=True, slots=True)
class Verdict:
    """Whether memory is on, and the rule that decided it."""

    on: bool
    because: str
    """The end of a sentence: "memory is off because …"."""
    rule: str
    """variable, bare, remote, setting or default."""

    @property
    def off(self) -> str:
        """Return that memory is off and why, without a full stop; empty when it is on."""
        return "" if self.on else f"memory is off because {self.because}"

    def require_on(self, hint: str = "`memdir status` shows more.") -> None:
        """Raise `MemoryOff` with the reason when memory is off."""
        if not self.on:
            raise MemoryOff(f"Memory is off because {self.because}. {hint}")


@value_class(frozen=True, slots=True)
class Setup:
    """All that is settled before a conversation: layout, settings, place, and whether memory is on."""

    layout: Layout
    settings: Settings
    place: Place
    verdict: Verdict
    warnings: tuple[str, ...] = ()
    """Those of the layout, the settings and the place, each once."""


def resolve(world: World, *, bare: bool = False, layout: Layout | None = None) -> Setup:
    """Return the set-up of a conversation that begins in this world; a layout given here wins."""
    for name, path in (("cwd", world.cwd), ("home", world.home)):
        try:
            usable = os.path.isabs(path) and b"\0" not in os.fsencode(path)
        except UnicodeEncodeError:
            usable = False
        if not usable:
            raise Rejected(f"{name} is {path!r}, not an absolute path. Pass os.path.abspath of a real one.")
    named, warnings = variable(world.env, "MEMDIR_LAYOUT"), list[str]()
    chosen = layout or (LAYOUTS.get(named[1].strip()) if named else None)
    if named and not chosen:
        known = " or ".join(LAYOUTS)
        warnings = [f"MEMDIR_LAYOUT is ignored: there is no such layout. Set it to {known}, or unset it."]
    layout = chosen or CLAUDE
    own = config_home(layout, world)
    settings = load_settings(layout, world.cwd, own.path)
    if chosen is None and settings.text("layout") != CLAUDE.name:
        first, layout = settings, LAYOUTS[settings.text("layout")]
        own = config_home(layout, world)
        settings = load_settings(layout, world.cwd, own.path)
        warnings += first.warnings
        settings = replace(settings, files={**first.files, **settings.files})
    place = locate(settings, world, own.path)
    warnings += [*settings.warnings, *own.warnings, *place.warnings]
    verdict = memory_enabled(world.env, settings, bare=bare)
    return Setup(layout, settings, place, verdict, tuple(dict.fromkeys(warnings)))


def memory_enabled(env: Mapping[str, str], settings: Settings, *, bare: bool = False) -> Verdict:
    """Return the verdict of the first rule that applies."""
    disable = switch(env, "MEMDIR_DISABLE")
    if disable is not None:
        return Verdict(not disable.on, disable.said, "variable")
    if bare:
        return Verdict(on=False, because="bare mode was asked for", rule="bare")
    if (found := switch(env, "MEMDIR_BARE")) and found.on:
        return Verdict(on=False, because=f"{found.said}, which is bare mode", rule="bare")
    if (remote := switch(env, "MEMDIR_REMOTE")) and remote.on and variable(env, "MEMDIR_BASE") is None:
        missing = "neither MEMDIR_BASE nor CLAUDE_CODE_REMOTE_MEMORY_DIR is set"
        return Verdict(on=False, because=f"{remote.said} and {missing}", rule="remote")
    setting = settings["autoMemoryEnabled"]
    if setting.layer == "default":
        return Verdict(on=True, because="nothing switches it off", rule="default")
    on = setting.value is True
    return Verdict(on, f'"autoMemoryEnabled" is {"true" if on else "false"} in {setting.source}', "setting")


def is_bare(env: Mapping[str, str], *, bare: bool = False) -> bool:
    """Tell whether this is bare mode: no prompt speaks of memory then, also where a variable keeps it on."""
    found = switch(env, "MEMDIR_BARE")
    return bare or (found is not None and found.on)


def still_holds(setup: Setup, world: World) -> bool:
    """Tell whether the same files and places would be found now; the files themselves are not read again."""
    own = setup.place.config_home
    files = {file.path for file in settings_files(setup.layout, world.cwd, own)}
    return setup.settings.files.keys() >= files and locate(setup.settings, world, own) == setup.place


def deciding_paths(setup: Setup, world: World) -> tuple[list[str], list[str]]:
    """Return the files whose content decides a set-up, and the paths whose type (file, folder, none) does."""
    checkout = checkout_root(world.cwd)
    last = checkout if os.path.exists(os.path.join(checkout, ".git")) else ""
    above = [os.path.realpath(world.cwd)]
    while above[-1] not in (last, os.path.dirname(above[-1])):
        above.append(os.path.dirname(above[-1]))
    kinds = [os.path.join(directory, ".git") for directory in above]
    for layout in dict.fromkeys((setup.layout, CLAUDE)):
        names = (layout.settings_file, layout.local_settings_file)
        kinds += [os.path.join(path, layout.dot_folder, name) for path in above for name in names]
    return [*setup.settings.files, *worktree_files(checkout)], kinds


def locate(settings: Settings, world: World, own: str) -> Place:
    """Return the first directory that is set and may be used: a variable's, a setting's, the project's.

    `own` is the configuration home.
    """
    moved, override = folder(world, "MEMDIR_BASE"), folder(world, "MEMDIR_DIRECTORY")
    base, root = moved.path or own, canonical_root(world.cwd)
    # Composed, as the format's other readers do: macOS hands out either form of an accented name.
    name = slug(unicodedata.normalize("NFC", root))
    refused = [*override.warnings]
    if override.path:
        directory, source = os.path.join(override.path, ""), "override"
    elif directory := _directory_of_setting(settings, world, refused):
        source = "setting"
    else:
        directory, source = os.path.join(base, "projects", name, "memory", ""), "default"
    kept = folder(world, "MEMDIR_STATE")
    state, doubts = _state_in(kept, own, directory), kept.warnings
    if os.path.realpath(state).startswith(os.path.join(os.path.realpath(directory), "")):
        seen = f"Our records ({state}) lie inside the memory directory, where sync and other tools see them."
        doubts += (f"{seen} Set MEMDIR_STATE to a folder elsewhere.",)
    warnings = (*moved.warnings, *refused, *doubts)
    return Place(directory, source, root, base, own, state, warnings)


def _directory_of_setting(settings: Settings, world: World, refused: list[str]) -> str:
    """Return the first usable directory that a setting names; add to `refused` why others are not usable."""
    for setting in settings.found.get("autoMemoryDirectory", ()):
        path = memory_directory(str(setting.value), expand_tilde=True, home=world.home)
        if not isinstance(path, Refused):
            return path
        refused.append(_IGNORED.format(setting.source, path.because))
    return ""


def state_for(directory: str, world: World, own: str = "") -> str:
    """Return the folder of our own records about a memory directory; `own` is the configuration home."""
    layout = LAYOUTS.get(world.env.get("MEMDIR_LAYOUT", "").strip(), CLAUDE)
    own = own or config_home(layout, world).path
    return _state_in(folder(world, "MEMDIR_STATE"), own, directory)


def _state_in(kept: VariableFolder, own: str, directory: str) -> str:
    return os.path.join(kept.path or os.path.join(own, "memdir", "state"), state_name(directory))


def other_roots(state: str, root: str = "") -> list[str]:
    """Return the other projects that use the same memory directory, because their slugs are equal.

    The store records each canonical root that used the directory in `<state>/root`, one a line. Without a
    root given, the first recorded one counts as ours.
    """
    data = regular_bytes(os.path.join(state, "root"), _LARGEST_RECORD)
    recorded = [] if isinstance(data, Unread) else [line for line in os.fsdecode(data).split("\n") if line]
    ours = root or next(iter(recorded), "")
    return [other for other in dict.fromkeys(recorded) if other != ours]


def remote_rows(config_home: str) -> "dict[str, Any]":
    """Return what is recorded for each memory directory; ValueError or RecursionError for a damaged file.

    A row is a dict by audience, unless somebody damaged that row alone.
    """
    path = os.path.join(config_home, REMOTES_FILE)
    try:
        with open(path, encoding="utf-8") as file:
            import json

            rows = json.load(file)
    except FileNotFoundError:
        return {}
    if not isinstance(rows, dict):
        raise ValueError(path)  # noqa: TRY004 - the file is damaged, as one that is no JSON is
    return rows


def host_loads_it(setup: Setup, world: World) -> bool:
    """Tell whether Claude Code, which knows none of our variables, loads this very directory itself."""
    if setup.layout != CLAUDE:
        return False
    env = {name: value for name, value in world.env.items() if not name.startswith("MEMDIR_")}
    theirs, settings = replace(world, env=env), setup.settings
    own = config_home(CLAUDE, theirs).path
    if own != setup.place.config_home:
        settings = load_settings(CLAUDE, theirs.cwd, own)
    place = locate(settings, theirs, own)
    same = os.path.realpath(place.directory) == os.path.realpath(setup.place.directory)
    return memory_enabled(env, settings).on and same


def named_directory(raw: str, world: World) -> str | Refused:
    """Return an absolute path, a relative one being counted from here; or why it cannot hold memories."""
    path = memory_directory(raw, expand_tilde=True, home=world.home)
    if path == RELATIVE:
        path = memory_directory(os.path.join(world.cwd, raw), expand_tilde=False, home=world.home)
    if isinstance(path, Refused):
        return path
    real = os.path.realpath(path)
    if os.path.lexists(os.path.join(real, ".git")) and not is_kept(real, state_for(real, world)):
        return Refused("it is the root of a git work tree")
    return path.rstrip(os.sep)


def is_kept(directory: str, state: str) -> bool:
    """Tell whether memdir keeps this directory: it has an index, or was saved to."""
    traces = [os.path.join(state, name) for name in _TRACES]
    return any(map(os.path.lexists, [os.path.join(directory, "MEMORY.md"), *traces]))


_IGNORED = (
    '"autoMemoryDirectory" in {} is ignored: {}. Set it to an absolute path or one that starts with ~/.'
)
_LARGEST_RECORD = 1_000_000
"""Bytes of the record of roots: thousands of them, where one is the rule."""
_TRACES = ("index.last", "root")
"""Records of ours that a save leaves; others come from reading alone."""
