"""The loader reads each instruction file once, with its imports, and keeps why others were left out."""

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from memdir.config.regular_file import Unread
from memdir.core.globs import PathGlobs
from memdir.instructions.conditions import conditions, is_misnamed
from memdir.instructions.disk import Disk, Found, Spot
from memdir.instructions.imports import NOT_TEXT, imports_in, target
from memdir.instructions.instruction import (
    Because,
    Cause,
    Discovery,
    Instruction,
    Layer,
    LeftOut,
    Reason,
    Rule,
)
from memdir.instructions.scene import Place, Scene
from memdir.instructions.source import Source, source

__all__ = ["DEEPEST", "Loader"]

DEEPEST = 4
"""Levels of imports below a file: enough for any order of documents, and a bound on what one line pulls in."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A file that should be loaded, and on whose behalf."""

    place: str
    layer: Layer
    reason: Reason
    importer: str = ""
    spelled: str = ""
    globs: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    """Real paths of the files that lead here by importing each other."""
    may_leave: bool = True
    """Whether it may lie anywhere; else, outside the working directory it needs an approval."""


class Loader:
    """What one discovery has loaded so far; files that are loaded already are not read again."""

    def __init__(self, scene: Scene, loaded: Collection[str] = ()) -> None:
        self.disk = Disk()
        self.root = self.disk.real(scene.cwd)
        self._scene = scene
        self._inside = os.path.join(self.root, "")
        self._excludes = PathGlobs(tuple([_expanded(glob, scene.home) for glob in scene.excludes]))
        self._done = set(loaded)
        self._sources: dict[str, Source | None] = {}
        self._loaded: list[Instruction] = []
        self._left: dict[LeftOut, None] = {}
        self._rules: dict[Rule, None] = {}

    def result(self) -> Discovery:
        """Return all that was loaded and left out, in order."""
        return Discovery(tuple(self._loaded), tuple(self._left), tuple(self._rules))

    def file(self, place: Place, reason: Reason) -> None:
        """Load the instruction file that stands there, if one does."""
        self._load(_Claim(place.path, place.layer, reason))

    def rules(self, place: Place, reason: Callable[[Rule], Reason | None]) -> None:
        """Load the rules below a folder for which there is a reason; without one, they wait."""
        for claim in self._rule_claims(place):
            found = self._admitted(claim)
            if found is None:
                continue
            path, read = found
            rule = Rule(path, place.layer, place.anchor, conditions(read.header), is_misnamed(read.header))
            self._rules[rule] = None
            because = reason(rule)
            globs = rule.globs.patterns if rule.globs.conditional else ()
            if because:
                self._include(replace(claim, reason=because, globs=globs), path, read)
            elif globs:
                self._leave(claim, path, Because.WAITING, globs=globs)

    def _rule_claims(self, place: Place) -> list[_Claim]:
        """Return the rule files below a folder, if it may be entered, in the order they are loaded."""
        free = place.layer is Layer.USER
        spot = self.disk.spot(place.path)
        if spot.found is not Found.FOLDER:
            return []
        claim = _Claim(place.path, place.layer, Reason(Cause.START), may_leave=free)
        straight = os.path.join(self.disk.real(_base(place, self._scene)), *_below(place, self._scene))
        if spot.real != straight and not free and not self._may_show(spot.real):
            self._leave(claim, spot.real, Because.EXTERNAL)
            return []
        listing = self.disk.markdown_below(place.path, lambda real: free or self._may_show(real))
        for folder in listing.refused:
            self._leave(claim, folder, Because.EXTERNAL)
        if not listing.complete:
            self._leave(claim, spot.real, Because.TOO_MANY)
        return [replace(claim, place=file) for file in listing.files]
