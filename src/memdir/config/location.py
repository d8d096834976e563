"""Where memory lives for a conversation that began in a directory, and which rule decided it."""

import os
import unicodedata
from collections.abc import Mapping

from memdir.config.enabled import Verdict, memory_enabled
from memdir.config.identity import canonical_root, checkout_root, slug, state_name, worktree_files
from memdir.config.layout import CLAUDE, LAYOUTS, Layout
from memdir.config.safe_path import RELATIVE, Refused, memory_directory
from memdir.config.settings import Settings, load_settings, settings_files
from memdir.config.variables import config_home, folder, variable
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import Rejected
from memdir.text.value import value_class

__all__ = [
    "Place",
    "Setup",
    "deciding_paths",
    "host_loads_it",
    "is_kept",
    "locate",
    "named_directory",
    "other_roots",
    "remotes_path",
    "resolve",
    "state_for",
]


@value_class(frozen=True, slots=True)
class Place:
    """The memory directory of a conversation, and how it was found."""

    directory: str
    """Absolute, with exactly one trailing separator; need not exist yet."""
    source: str
    """override, setting or default."""
    because: str
    """The deciding rule, as a sentence."""
    root: str
    """The canonical root: what all worktrees of the project share."""
    base: str
    config_home: str
    state: str
    """The folder of our own records about this directory."""
    warnings: tuple[str, ...] = ()


@value_class(frozen=True, slots=True)
class Setup:
    """All that is settled before a conversation: layout, settings, place, and whether memory is on."""

    layout: Layout
    settings: Settings
    place: Place
    verdict: Verdict
    warnings: tuple[str, ...] = ()
    """Those of the layout, the settings and the place, each once."""


def resolve(
    *, env: Mapping[str, str], cwd: str, home: str, bare: bool = False, layout: Layout | None = None
) -> Setup:
    """Settle everything for a conversation that begins in this directory; a layout given here wins."""
    for name, path in (("cwd", cwd), ("home", home)):
        try:
            usable = os.path.isabs(path) and b"\0" not in os.fsencode(path)
        except UnicodeEncodeError:
            usable = False
        if not usable:
            raise Rejected(f"{name} is {path!r}, not an absolute path. Pass os.path.abspath of a real one.")
    chosen, doubts, found = (layout, (), None) if layout else _chosen_layout(env, cwd, home)
    settings = found or load_settings(layout=chosen, env=env, home=home, root=_settings_root(chosen, cwd))
    place = locate(env=env, settings=settings, cwd=cwd, home=home, layout=chosen)
    warnings = dict.fromkeys((*doubts, *settings.warnings, *place.warnings))
    return Setup(chosen, settings, place, memory_enabled(env, settings, bare=bare), tuple(warnings))


def deciding_paths(
    setup: Setup, *, env: Mapping[str, str], cwd: str, home: str
) -> tuple[list[str], list[str]]:
    """Return what a set-up rests on: files by their content, paths by whether they are a file or a folder."""
    layouts = [CLAUDE] if setup.layout == CLAUDE else [setup.layout, CLAUDE]
    found = [settings_files(one, env, home, _settings_root(one, cwd)) for one in layouts]
    files = [file.path for some in found for file in some]
    checkout = checkout_root(cwd)
    last = checkout if os.path.exists(os.path.join(checkout, ".git")) else ""
    above = [os.path.realpath(cwd)]
    while above[-1] not in (last, os.path.dirname(above[-1])):
        above.append(os.path.dirname(above[-1]))
    kinds = [os.path.join(directory, ".git") for directory in above]
    for layout in layouts:
        names = (layout.settings_file, layout.local_settings_file)
        kinds += [os.path.join(path, layout.dot_folder, name) for path in above for name in names]
    return files + worktree_files(checkout), kinds


def locate(*, env: Mapping[str, str], settings: Settings, cwd: str, home: str, layout: Layout) -> Place:
    """Return the first directory that is set and may be used: a variable's, a setting's, the project's."""
    own = config_home(layout, env, home)
    moved = folder(env, "MEMDIR_BASE", home=home)
    base, root = moved.path or own.path, canonical_root(cwd)
    # Composed, as the format's other readers do: macOS hands out either form of an accented name.
    name = slug(unicodedata.normalize("NFC", root))
    override = folder(env, "MEMDIR_DIRECTORY", home=home)
    directory, source, because = os.path.join(override.path, ""), "override", f"{override.name} names it."
    refused = [*override.warnings]
    if not override.path:
        directory, source, because = os.path.join(base, "projects", name, "memory", ""), "default", _DEFAULT
        for setting in settings.found.get("autoMemoryDirectory", ()):
            path = memory_directory(str(setting.value), expand_tilde=True, home=home)
            if not isinstance(path, Refused):
                named = f"autoMemoryDirectory in {setting.source} names it."
                directory, source, because = path, "setting", named
                break
            refused.append(_IGNORED.format(setting.source, path.because))
    state = state_for(directory, env=env, home=home, layout=layout)
    doubts = folder(env, "MEMDIR_STATE", home=home).warnings
    if os.path.realpath(state).startswith(os.path.join(os.path.realpath(directory), "")):
        seen = f"Our records ({state}) lie inside the memory directory, where sync and other tools see them."
        doubts += (f"{seen} Set MEMDIR_STATE to a folder elsewhere.",)
    return Place(
        directory=directory,
        source=source,
        because=because,
        root=root,
        base=base,
        config_home=own.path,
        state=state,
        warnings=(*own.warnings, *moved.warnings, *refused, *doubts),
    )


def state_for(directory: str, *, env: Mapping[str, str], home: str, layout: Layout | None = None) -> str:
    """Return the folder of our own records about a memory directory."""
    named = LAYOUTS.get(env.get("MEMDIR_LAYOUT", "").strip())
    own = config_home(layout or named or CLAUDE, env, home).path
    parent = folder(env, "MEMDIR_STATE", home=home).path or os.path.join(own, "memdir", "state")
    return os.path.join(parent, state_name(directory))


def other_roots(state: str, root: str = "") -> list[str]:
    """Return the other projects that use the same memory directory, because their slugs are equal.

    The store records each canonical root that used the directory in `<state>/root`, one a line. Without a
    root given, the first recorded one counts as ours.
    """
    data = regular_bytes(os.path.join(state, "root"), _LARGEST_RECORD)
    recorded = [] if isinstance(data, Unread) else [line for line in os.fsdecode(data).split("\n") if line]
    ours = root or next(iter(recorded), "")
    return [other for other in dict.fromkeys(recorded) if other != ours]


def host_loads_it(setup: Setup, *, env: Mapping[str, str], cwd: str, home: str) -> bool:
    """Tell whether Claude Code, which knows none of our variables, loads this very directory itself."""
    if setup.layout != CLAUDE:
        return False
    theirs = {name: value for name, value in env.items() if not name.startswith("MEMDIR_")}
    settings = setup.settings
    if config_home(CLAUDE, theirs, home).path != setup.place.config_home:
        settings = load_settings(layout=CLAUDE, env=theirs, home=home, root=_settings_root(CLAUDE, cwd))
    place = locate(env=theirs, settings=settings, cwd=cwd, home=home, layout=CLAUDE)
    same = os.path.realpath(place.directory) == os.path.realpath(setup.place.directory)
    return memory_enabled(theirs, settings).on and same


def remotes_path(config_home: str) -> str:
    """Return the file that names the remote of each memory directory; only the person writes it."""
    return os.path.join(config_home, "memdir", "remotes.json")


def named_directory(raw: str, *, env: Mapping[str, str], home: str) -> str | Refused:
    """Return an absolute path, a relative one being counted from here; or why it cannot hold memories."""
    path = memory_directory(raw, expand_tilde=True, home=home)
    if path == RELATIVE:
        path = memory_directory(os.path.abspath(raw), expand_tilde=False, home=home)
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


def _chosen_layout(
    env: Mapping[str, str], cwd: str, home: str
) -> tuple[Layout, tuple[str, ...], Settings | None]:
    """Return the layout that a variable or the default layout's settings name, and these if they hold."""
    doubts: tuple[str, ...] = ()
    named = variable(env, "MEMDIR_LAYOUT")
    if named is not None:
        chosen = LAYOUTS.get(named[1].strip())
        if chosen is not None:
            return chosen, (), None
        known = " or ".join(LAYOUTS)
        doubts = (f"MEMDIR_LAYOUT is ignored: there is no such layout. Set it to {known}, or unset it.",)
    settings = load_settings(layout=CLAUDE, env=env, home=home, root=_settings_root(CLAUDE, cwd))
    chosen = LAYOUTS.get(settings.text("layout"), CLAUDE)
    return chosen, (*doubts, *settings.warnings), settings if chosen == CLAUDE else None


def _settings_root(layout: Layout, cwd: str) -> str:
    """Return the nearest directory with project settings, from the working directory up to the checkout."""
    checkout, directory = checkout_root(cwd), os.path.realpath(cwd)
    names = (layout.settings_file, layout.local_settings_file)
    while directory != checkout:
        if any(os.path.exists(os.path.join(directory, layout.dot_folder, name)) for name in names):
            return directory
        directory = os.path.dirname(directory)
    return checkout


_DEFAULT = "It is the directory of this project."
_IGNORED = (
    '"autoMemoryDirectory" in {} is ignored: {}. Set it to an absolute path or one that starts with ~/.'
)
_LARGEST_RECORD = 1_000_000
"""Bytes of the record of roots: thousands of them, where one is the rule."""
_TRACES = ("index.last", "root")
"""Records of ours that a save leaves; others come from reading alone."""
