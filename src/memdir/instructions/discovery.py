"""Discovery: the instruction files of a conversation at its start, and what touching a file adds."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from memdir.config.identity import canonical_root, checkout_root
from memdir.config.layout import Layout
from memdir.config.safe_path import path_below
from memdir.instructions.loader import InstructionPlace, InstructionScope, Loader, chain
from memdir.instructions.records import Cause, Discovery, Layer, Obstacle, Reason

__all__ = ["discover", "discover_touched"]


def discover(scope: InstructionScope, *, layers: Collection[Layer] | None = None) -> Discovery:
    """Return the files a conversation starts with, broad to specific; only those of some layers, if asked."""
    loader = Loader(scope)
    places = _Map(scope, loader)
    for place, reason in places.start():
        if (layers is not None and place.layer not in layers) or (place.fallback and not places.falls_back()):
            continue
        _load_always(loader, place, reason)
    return loader.result()


def discover_touched(scope: InstructionScope, paths: Iterable[str], loaded: Collection[str]) -> Discovery:
    """Return what touching these files adds to the files with these real paths, which are loaded already.

    The files need not exist; relative paths are taken from the working directory. One that ends with a
    separator is a folder.
    """
    loader = Loader(scope, loaded)
    places = _Map(scope, loader)
    before, after = places.rules(), places.added_rules()
    for path in paths:
        whole = _absolute(loader, scope.cwd, path)
        below = places.below(whole)
        _load_nested(loader, below, Reason(Cause.NESTED, whole))
        _load_matching(loader, (*before, *filter(_is_rules, below), *after), whole)
    return loader.result()


class _Map:
    """Where files may stand, given what the disk holds."""

    def __init__(self, scope: InstructionScope, loader: Loader) -> None:
        self._scope, self._loader, self._disk, self._root = scope, loader, loader.disk, loader.root
        self._chain = self._disk.chain
        managed = os.path.join(scope.managed, scope.layout.dot_folder)
        # In the home directory the dot folder is the user's own, and no project's.
        self._owned = {self._disk.real(scope.config_home), self._disk.real(managed)}
        self._repeated = _repeated_folders(loader.root)
        self._added = [self._disk.real(folder) for folder in scope.added]
        self._falls_back: bool | None = None

    def start(self) -> Iterator[tuple[InstructionPlace, Reason]]:
        """Yield every place of the start in order, with the reason to load what stands there."""
        own = _places_anywhere(self._scope, self._root)
        for place in (*own, *self._places(self._chain)):
            yield place, Reason(Cause.START)
        for folder in self._added:
            for place in self._places([folder]):
                if not place.fallback:
                    yield place, Reason(Cause.ADDED, folder)

    def falls_back(self) -> bool:
        """Tell whether no instruction file on the chain says anything, so that its fallback counts."""
        if self._falls_back is None:
            places = [place for place in self._places(self._chain) if not (place.base or place.fallback)]
            self._falls_back = not any(map(self._loader.says_something, places))
        return self._falls_back

    def below(self, whole: str) -> list[InstructionPlace]:
        """Return the places of the directories from below the working directory down to a file."""
        folder, folders = self._root, list[str]()
        for step in filter(None, path_below(folder, os.path.dirname(whole)).split("/")):
            folder = os.path.join(folder, step)
            spot = self._disk.spot(folder)
            if spot.obstacle is not Obstacle.DIRECTORY or not path_below(self._root, spot.real):
                break  # what a link leads to outside is not below the working directory
            folders.append(folder)
        return [place for place in self._places(folders, base=self._root) if not place.fallback]

    def rules(self) -> list[InstructionPlace]:
        """Return the folders of rules that a conversation starts with, but for those of added directories."""
        own = _places_anywhere(self._scope, self._root)
        return list(filter(_is_rules, (*own, *self._places(self._chain))))

    def added_rules(self) -> list[InstructionPlace]:
        """Return the folders of rules of added directories."""
        return list(filter(_is_rules, self._places(self._added)))

    def _places(self, folders: Iterable[str], *, base: str = "") -> list[InstructionPlace]:
        found = list[InstructionPlace]()
        for folder in folders:
            spot = self._disk.spot(os.path.join(folder, self._scope.layout.dot_folder))
            own = spot.obstacle is Obstacle.DIRECTORY and spot.real not in self._owned
            places = _folder_places(self._scope.layout, folder, base=base, own=own)
            repeats = folder in self._repeated
            found += [place for place in places if place.layer is Layer.LOCAL or not repeats]
        return found


def _places_anywhere(scope: InstructionScope, cwd: str) -> list[InstructionPlace]:
    """Return the places of the organisation and of the user; their rules are about the working directory."""
    managed, layout = os.path.join(scope.managed, scope.layout.dot_folder), scope.layout
    own = ((Layer.MANAGED, scope.managed, managed), (Layer.USER, scope.config_home, scope.config_home))
    return [
        place
        for layer, base, dot in own
        for place in (
            InstructionPlace(os.path.join(base, layout.instruction_file), layer),
            InstructionPlace(os.path.join(dot, layout.rules_folder), layer, base, cwd),
        )
    ]


def _folder_places(layout: Layout, folder: str, *, base: str = "", own: bool) -> list[InstructionPlace]:
    """Return the places of one directory; without `own`, its dot folder is missing or another layer's."""
    dot = os.path.join(folder, layout.dot_folder)
    rules = InstructionPlace(os.path.join(dot, layout.rules_folder), Layer.PROJECT, base or folder, folder)
    holders = [folder, dot] if own else [folder]
    return [
        *(
            InstructionPlace(os.path.join(holder, layout.instruction_file), Layer.PROJECT)
            for holder in holders
        ),
        *([rules] if own else []),
        *(
            InstructionPlace(os.path.join(holder, layout.fallback_file), Layer.PROJECT, fallback=True)
            for holder in holders
            if layout.fallback_file
        ),
        InstructionPlace(os.path.join(folder, layout.local_file), Layer.LOCAL),
    ]


def _repeated_folders(root: str) -> frozenset[str]:
    """Return the folders of a main checkout around a worktree of it: the worktree has their files too."""
    checkout = checkout_root(root)
    if not os.path.isfile(os.path.join(checkout, ".git")):
        return frozenset()  # as nearly always: no worktree
    main = canonical_root(root)
    if not path_below(main, checkout):
        return frozenset()
    return frozenset(set(chain(os.path.dirname(checkout))) - set(chain(os.path.dirname(main))))


def _load_nested(loader: Loader, below: Collection[InstructionPlace], reason: Reason) -> None:
    """Load the files of nested directories, then their rules for any file."""
    for place in sorted(below, key=_is_rules):
        _load_always(loader, place, reason)


def _load_always(loader: Loader, place: InstructionPlace, reason: Reason) -> None:
    """Load the file of a place, or those of its rules that are for any file."""
    if not place.base:
        loader.file(place, reason)
        return
    for found in loader.rules(place):
        if not found.rule.globs.conditional:
            loader.take(found, reason)


def _load_matching(loader: Loader, places: Iterable[InstructionPlace], whole: str) -> None:
    """Load the rules for certain files that mean this one."""
    for place in places:
        relative = path_below(place.anchor, whole)
        for found in loader.rules(place) if relative else ():
            if found.rule.globs.conditional and found.rule.globs.matches(relative):
                loader.take(found, Reason(Cause.RULE, whole))


def _is_rules(place: InstructionPlace) -> bool:
    return bool(place.base)


def _absolute(loader: Loader, cwd: str, path: str) -> str:
    """Return where a touched file is, by real paths; links below the working directory are kept."""
    whole = os.path.join(cwd, path)
    if os.pardir not in whole.split(os.sep):
        clean = os.path.normpath(whole) + (os.sep if whole.endswith(os.sep) else "")
        for base in (loader.root, cwd):
            if below := path_below(base, clean):
                return os.path.join(loader.root, below)
    return os.path.join(loader.disk.real(os.path.dirname(whole)), os.path.basename(whole))
