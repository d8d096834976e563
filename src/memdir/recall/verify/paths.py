"""Checks of paths: there, changed, gone and what became of them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from memdir.core.anchors import ABSENT
from memdir.core.claims import Claim
from memdir.core.value import value_class
from memdir.core.verdicts import Judged, changed, gone, unchanged, undecided
from memdir.recall.verify.project import Outside
from memdir.recall.verify.repository import Removal
from memdir.recall.verify.scene import Scene

__all__ = ["Found", "blob_print", "found_paths", "judged_paths"]

OUTSIDE = "it lies outside the project"
_ROUNDS = 6
"""Renames in a row that are followed."""


@value_class(frozen=True, slots=True)
class Found:
    """What a path of a memory is now."""

    path: str = ""
    """Where it is below the root, empty when it is not there."""
    nearest: str = ""
    because: str = ""
    """Why nothing can be said; empty when something can."""
    unknown: bool = False
    """Whether neither the tree nor git has ever known it."""


def judged_paths(claims: Sequence[Claim], found: dict[str, Found], scene: Scene) -> list[Judged]:
    """Return the verdicts on claimed paths; a path that is there is fresh, however often it was edited."""
    there = [found[claim.target].path for claim in claims if found[claim.target].path]
    since = scene.commits_since(list(dict.fromkeys(there)))
    judged = []
    for claim in claims:
        one = found[claim.target]
        if one.path:
            judged.append(_present(claim, one, since.get(one.path, 0), scene))
        elif one.because:
            judged += [undecided(claim, one.because)] if claim.sure or not one.unknown else []
        else:
            judged.append(gone(claim, one.nearest))
    return judged


def found_paths(claims: Iterable[Claim], scene: Scene) -> dict[str, Found]:
    """Return for each claimed path where it is, or what became of it."""
    found: dict[str, Found] = {}
    missing: dict[str, Claim] = {}
    for claim in claims:
        try:
            path = scene.project.relative(claim.target)
            if _stands(path, scene):
                found[claim.target] = Found(path)
            else:
                missing[path] = claim
        except Outside:
            found[claim.target] = Found(because=OUTSIDE, unknown=True)
    if missing:
        past = _Past(list(missing), scene)
        found |= {claim.target: _searched(path, claim, past, scene) for path, claim in missing.items()}
    return found


def blob_print(data: bytes) -> str:
    """Return the first digits of the name that git gives to these bytes."""
    from memdir.store.git import blob_id

    return blob_id(data)[:8]


def _stands(path: str, scene: Scene) -> bool:
    # Where case does not count, a file of another case answers too: git knows its true name.
    return scene.project.stands(path) and (path in scene.files.exact or not scene.files.twin(path))


def _usable(path: str, scene: Scene) -> bool:
    try:
        return _stands(path, scene)
    except Outside:
        return False


def _present(claim: Claim, one: Found, commits: int, scene: Scene) -> Judged:
    now = one.path if one.path != claim.target.rstrip("/") and "/" not in claim.target else ""
    mark = scene.anchors.of(claim)
    data = scene.project.data(one.path) if mark and mark != ABSENT else None
    if data is not None:
        return unchanged(claim, now) if blob_print(data) == mark else changed(claim, commits, now)
    return changed(claim, commits, now) if commits else unchanged(claim, now)


def _searched(path: str, claim: Claim, past: "_Past", scene: Scene) -> Found:
    """Return what became of a path that is not at its place."""
    own = past.removal(path)
    known = scene.files.ending_in(path)
    elsewhere = [one for one in known if _usable(one, scene)]
    # A bare name that went from the root before the memory was saved means its namesake.
    moved_since = own is not None and ("/" in path or own.at > scene.saved_at)
    if elsewhere and not moved_since:
        return Found(elsewhere[0])
    if path in past.ignored:
        return Found(because="git ignores it")
    if scene.anchors.of(claim) == ABSENT:
        return Found(because="it was not there when this was saved")
    removal = own or past.ending_in(path)
    if removal is not None:
        return Found(nearest=past.heir(path, removal) or _nearest(path, elsewhere, scene))
    if known:  # tracked and not there: removed, and not committed yet
        return Found(nearest=_nearest(path, elsewhere, scene))
    return _never_removed(path, claim, scene)


def _never_removed(path: str, claim: Claim, scene: Scene) -> Found:
    twin = scene.files.twin(path)
    if twin and _usable(twin, scene):
        return Found(twin)  # spelled so from the beginning
    if scene.repository is None and claim.sure:
        return Found(nearest=_nearest(path, (), scene))
    return Found(because="git never knew it", unknown=True)


def _nearest(path: str, elsewhere: Sequence[str], scene: Scene) -> str:
    """Return the file of the same name, or one in the same folder whose name is much like it."""
    files, name = scene.files, path.rpartition("/")[2]
    twins = [files.twin(path)] if files.twin(path) else []
    alike = [one for one in (*elsewhere, *twins, *files.called(name)) if _usable(one, scene)]
    if alike:
        return alike[0]
    from difflib import get_close_matches

    return next(iter(get_close_matches(path, files.beside(path), n=1, cutoff=0.8)), "")


class _Past:
    """What git tells about paths that are no longer there."""

    def __init__(self, paths: Sequence[str], scene: Scene) -> None:
        self._scene, self._repository = scene, scene.repository
        self._removals: list[Removal] = []
        self.ignored: set[str] = set()
        if self._repository is not None:
            self.ignored = self._repository.ignored(paths, scene.deadline)
            self._removals = self._repository.removals(paths, scene.deadline)

    def removal(self, path: str) -> Removal | None:
        """Return the newest commit that removed this very path, or the last file below it."""
        return next((one for one in self._removals if _at_or_below(one.path, path)), None)

    def ending_in(self, path: str) -> Removal | None:
        """Return the newest commit that removed a path which ends in this one."""
        inside = f"/{path}"
        return next((one for one in self._removals if f"{one.path}/".find(f"{inside}/") >= 0), None)

    def heir(self, path: str, removal: Removal) -> str:
        """Return what a removed path became, followed through later renames; empty when it became nothing."""
        full = _part_named(removal.path, path)
        gone = [one for one in self._removals if _at_or_below(one.path, full)]
        for _ in range(_ROUNDS):
            moved = self._renames({one.commit for one in gone})
            heirs = Counter(_moved(moved[one.path], one.path, full) for one in gone if one.path in moved)
            full = heirs.most_common(1)[0][0] if heirs else ""
            if not full:
                return ""
            if _usable(full, self._scene):
                return full
            gone = self._removed([full])
        return ""

    def _renames(self, commits: set[str]) -> dict[str, str]:
        return self._repository.renames(commits, self._scene.deadline) if self._repository else {}

    def _removed(self, paths: list[str]) -> list[Removal]:
        found = self._repository.removals(paths, self._scene.deadline) if self._repository else []
        return [one for one in found if _at_or_below(one.path, paths[0])]


def _at_or_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _part_named(path: str, end: str) -> str:
    """Return the beginning of a path up to the part that a memory named."""
    if _at_or_below(path, end):
        return end
    return path[: f"{path}/".index(f"/{end}/") + len(end) + 1]


def _moved(new: str, old: str, folder: str) -> str:
    """Return where the folder is now, going by one file that moved with it."""
    below = old[len(folder) :]
    return new[: len(new) - len(below)] if below and new.endswith(below) else "" if below else new
