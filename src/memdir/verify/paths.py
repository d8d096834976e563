"""Checks of paths: there, changed, gone and what became of them.

A host waits for this module: it imports late.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from memdir.text.value import value_class
from memdir.verify.anchors import ABSENT, line_print
from memdir.verify.claims.mentions import Claim
from memdir.verify.project import CheckScope, OutsideProject
from memdir.verify.repository import Removal
from memdir.verify.verdicts import ClaimVerdict

__all__ = ["PathState", "blob_print", "find_paths", "glob_print", "judge_globs", "judge_lines", "judge_paths"]

OUTSIDE = "it lies outside the project"
_ROUNDS = 6
"""Renames in a row that are followed."""


@value_class(frozen=True, slots=True)
class PathState:
    """What a path of a memory is now."""

    path: str = ""
    """Where it is below the root, empty when it is not there."""
    nearest: str = ""
    because: str = ""
    """Why nothing can be said; empty when something can."""
    unknown: bool = False
    """Whether neither the tree nor git has ever known it."""
    returned: str = ""
    """Where it is again after it was removed, for what a memory says was removed."""
    several: bool = False
    """Whether files of that name are there, and nothing tells that one of them is meant."""


def judge_paths(
    claims: Sequence[Claim], found: dict[str, PathState], scope: CheckScope
) -> list[ClaimVerdict]:
    """Return the verdicts on claimed paths; a path that is there is fresh, however often it was edited."""
    there = [found[claim.target].path for claim in claims if found[claim.target].path and not claim.absent]
    since = scope.commits_since(list(dict.fromkeys(there)))
    judged = []
    for claim in claims:
        one = found[claim.target]
        if claim.absent:
            judged += [ClaimVerdict.again(claim, one.returned)] if one.returned else []
        elif one.path:
            judged.append(_judge_present(claim, one, since.get(one.path, 0), scope))
        elif one.because:
            judged += [ClaimVerdict.undecided(claim, one.because)] if claim.sure or not one.unknown else []
        else:
            judged.append(ClaimVerdict.gone(claim, one.nearest))
    return judged


def judge_globs(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on globs: one is gone when it fits no file any more and did fit some."""
    judged = []
    for claim in claims:
        now, mark = _first_glob_match(claim, scope.files.paths), scope.anchors.of(claim)
        held = bool(mark and mark != ABSENT) or bool(_first_glob_match(claim, scope.files_then()))
        if claim.absent:
            judged += [ClaimVerdict.again(claim, now)] if now and mark == ABSENT else []
        elif now:
            judged.append(ClaimVerdict.unchanged(claim))
        elif held and mark != ABSENT:
            judged.append(ClaimVerdict.gone(claim))
        elif claim.sure:
            judged.append(ClaimVerdict.undecided(claim, "no file fits it, and none did"))
    return judged


def glob_print(claim: Claim, scope: CheckScope) -> str:
    """Return the print of a glob: whether any file fits it."""
    return "fits" if _first_glob_match(claim, scope.files.paths) else ABSENT


def _first_glob_match(claim: Claim, paths: Iterable[str]) -> str:
    """Return the first file that a glob fits, from the root or from a folder below it."""
    from memdir.text.globs import Globs  # a prompt waits for this module, and few claims need it

    glob = claim.target
    globs = Globs((glob, f"**/{glob}")) if "/" in glob else Globs((glob,))
    return next((path for path in paths if globs.matches(path)), "")


def find_paths(claims: Iterable[Claim], scope: CheckScope) -> dict[str, PathState]:
    """Return for each claimed path where it is, or what became of it."""
    found: dict[str, PathState] = {}
    asked: list[tuple[Claim, str]] = []
    for claim in claims:
        try:
            path = scope.project.relative(claim.target)
            if "/" in path and not claim.absent and _stands(path, scope):
                found[claim.target] = PathState(path)
            else:
                asked.append((claim, path))
        except OutsideProject:
            found[claim.target] = PathState(because=OUTSIDE, unknown=True)
    if asked:
        past = _Past(list(dict.fromkeys(path for _, path in asked)), scope)
        for claim, path in asked:
            found[claim.target] = (
                _return_state(path, claim, past, scope) if claim.absent else past.current_state(path, claim)
            )
    return found


def blob_print(data: bytes) -> str:
    """Return the first digits of the name that git gives to these bytes."""
    from memdir.memories.history.git import blob_id  # a prompt waits for this module

    return blob_id(data)[:8]


def _stands(path: str, scope: CheckScope) -> bool:
    # Where case does not count, a file of another case answers too: git knows its true name.
    return scope.project.stands(path) and (path in scope.files.exact or not scope.files.case_variant(path))


def _usable(path: str, scope: CheckScope) -> bool:
    try:
        return _stands(path, scope)
    except OutsideProject:
        return False


def _judge_present(claim: Claim, one: PathState, commits: int, scope: CheckScope) -> ClaimVerdict:
    now = one.path if one.path != claim.target.rstrip("/") and "/" not in claim.target else ""
    mark = scope.anchors.of(claim)
    data = scope.project.data(one.path) if mark and mark != ABSENT else None
    if data is not None:
        return (
            ClaimVerdict.unchanged(claim, now)
            if blob_print(data) == mark
            else ClaimVerdict.changed(claim, commits, now)
        )
    return ClaimVerdict.changed(claim, commits, now) if commits else ClaimVerdict.unchanged(claim, now)


def _return_state(path: str, claim: Claim, past: "_Past", scope: CheckScope) -> PathState:
    """Return where a path that a memory says was removed is again: the very path, and it was away."""
    there = [one for one in scope.files.ending_in(path) if _usable(one, scope)]
    there += [path] if path not in there and _usable(path, scope) else []
    if not there or scope.anchors.of(claim) == ABSENT:
        return PathState(returned=there[0] if there else "")
    then = past.paths_then(path)
    removals = [one for one in past.removals if one.path in there]
    back = [one.path for one in removals if one.path not in then or one.at > scope.saved_at]
    return PathState(returned=next(iter(back), ""), several=True)


class _Past:
    """What git tells about paths that are not where they were said to be."""

    def __init__(self, paths: Sequence[str], scope: CheckScope) -> None:
        self._paths, self._scope, self._repository = paths, scope, scope.repository
        self._names = scope.names_since(paths)

    @cached_property
    def removals(self) -> list[Removal]:
        """The commits that removed one of these paths, or a path that ends in one."""
        wanted, deadline = self._paths, self._scope.deadline
        return self._repository.removals(wanted, deadline) if self._repository else []

    @cached_property
    def ignored(self) -> set[str]:
        """Those of the paths that git ignores."""
        return (
            self._repository.ignored_paths(self._paths, self._scope.deadline) if self._repository else set()
        )

    def paths_then(self, path: str) -> list[str]:
        """Return the paths that were this one or ended in it when the memory was saved."""
        stayed = [one for one in self._scope.files.ending_in(path) if not self._is_new(one)]
        return list(dict.fromkeys([*stayed, *_parts_named(self._names.left, path)]))

    def _is_new(self, path: str) -> bool:
        """Tell whether a file, or every file of a folder, came after the memory was saved."""
        came = {one for one in self._names.came if _at_or_below(one, path)}
        return bool(came) and all(one in came for one in self._scope.files.paths if _at_or_below(one, path))

    def current_state(self, path: str, claim: Claim) -> PathState:
        """Return what a path is now: by what had its name then, for a name alone proves nothing."""
        now = [one for one in self._scope.files.ending_in(path) if _usable(one, self._scope)]
        now += [path] if path not in now and _usable(path, self._scope) else []
        if self._repository is None:
            return self._without_git(path, claim, now)
        then = self.paths_then(path)
        meant = [path] if path in then else then
        kept = [one for one in meant if _usable(one, self._scope)]
        if meant and kept == meant:
            return PathState(kept[0])
        if kept:
            return PathState(
                because=f"{len(meant)} files had that name, and now only {len(kept)}", several=True
            )
        return self._missing_state(path, meant) if meant else self._unknown_then(path, claim, now)

    def _missing_state(self, path: str, meant: Sequence[str]) -> PathState:
        """Return what became of a path that was there then and is not now."""
        removal = self.removal(path) or self.ending_in(path)
        heir = self.successor(path, removal) if removal is not None else ""
        if heir and path not in meant and heir.endswith(f"/{path}"):
            return PathState(heir)  # moved, and still found under the name that the memory gives
        return PathState(nearest=heir or self._nearest(path))

    def _unknown_then(self, path: str, claim: Claim, now: Sequence[str]) -> PathState:
        """Return what a path is that git did not know when the memory was saved."""
        removal = self.removal(path) or self.ending_in(path)
        if path in now or (len(now) == 1 and removal is None):
            return PathState(path if path in now else now[0])
        if now:
            return PathState(because="nothing tells which file of that name is meant", several=True)
        absent = self._scope.anchors.of(claim) == ABSENT
        if removal is not None and removal.at > self._scope.saved_at and not absent:
            return self._missing_state(path, [path])
        if path in self.ignored:
            return PathState(because="git ignores it")
        if absent or removal is not None:
            return PathState(because="it was not there when this was saved")
        twin = self._scope.files.case_variant(path)
        spelled_so = bool(twin) and _usable(twin, self._scope)  # from the beginning
        return PathState(twin) if spelled_so else PathState(because="git never knew it", unknown=True)

    def _without_git(self, path: str, claim: Claim, now: Sequence[str]) -> PathState:
        """Return what a path is where only the print taken at the save tells more than its name."""
        if path in now:
            return PathState(path)
        mark = self._scope.anchors.of(claim)
        data = {one: self._scope.project.data(one) for one in now}
        same = [one for one, held in data.items() if held is not None and blob_print(held) == mark]
        if same or (len(now) == 1 and self._scope.is_new):
            return PathState((same or now)[0])
        if now:
            return PathState(because="without git nothing tells which file is meant", several=True)
        if mark == ABSENT:
            return PathState(because="it was not there when this was saved")
        return (
            PathState(nearest=self._nearest(path))
            if claim.sure
            else PathState(because="it is not there", unknown=True)
        )

    def _nearest(self, path: str) -> str:
        """Return the path that differs in case alone."""
        twin = self._scope.files.case_variant(path)
        return twin if twin and _usable(twin, self._scope) else ""

    def removal(self, path: str) -> Removal | None:
        """Return the newest commit that removed this very path, or the last file below it."""
        return next((one for one in self.removals if _at_or_below(one.path, path)), None)

    def ending_in(self, path: str) -> Removal | None:
        """Return the newest commit that removed a path which ends in this one."""
        inside = f"/{path}"
        return next((one for one in self.removals if f"{one.path}/".find(f"{inside}/") >= 0), None)

    def successor(self, path: str, removal: Removal) -> str:
        """Return what a removed path became, followed through later renames; empty when it became nothing."""
        full = _part_named(removal.path, path)
        gone = [one for one in self.removals if _at_or_below(one.path, full)]
        for _ in range(_ROUNDS):
            moved = self._renames({one.commit for one in gone})
            heirs = Counter(
                _moved_folder(moved[one.path], one.path, full) for one in gone if one.path in moved
            )
            full = heirs.most_common(1)[0][0] if heirs else ""
            if not full:
                return ""
            if _usable(full, self._scope):
                return full if self._is_telling(full, path) else ""
            gone = self._removals([full])
        return ""

    def _is_telling(self, heir: str, path: str) -> bool:
        """Tell whether equal content says anything: in another folder a few bytes are alike by chance."""
        data = self._scope.project.data(heir)
        alike = any(heir.rpartition("/")[at] == path.rpartition("/")[at] for at in (0, 2))
        return alike or data is None or len(data) >= _TELLING

    def _renames(self, commits: set[str]) -> dict[str, str]:
        return self._repository.renames(commits, self._scope.deadline) if self._repository else {}

    def _removals(self, paths: list[str]) -> list[Removal]:
        found = self._repository.removals(paths, self._scope.deadline) if self._repository else []
        return [one for one in found if _at_or_below(one.path, paths[0])]


_TELLING = 40
"""Bytes of a file from which on equal content is taken for the same file under another name."""


def _at_or_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _parts_named(paths: Iterable[str], end: str) -> list[str]:
    """Return the beginnings of those paths that hold the part which a memory named, each once."""
    held = [path for path in paths if _at_or_below(path, end) or f"/{end}/" in f"{path}/"]
    return list(dict.fromkeys(_part_named(path, end) for path in held))


def _part_named(path: str, end: str) -> str:
    """Return the beginning of a path up to the part that a memory named."""
    if _at_or_below(path, end):
        return end
    return path[: f"{path}/".index(f"/{end}/") + len(end) + 1]


def _moved_folder(new: str, old: str, folder: str) -> str:
    """Return where the folder is now, going by one file that moved with it."""
    below = old[len(folder) :]
    return new[: len(new) - len(below)] if below and new.endswith(below) else "" if below else new


def judge_lines(
    claims: Sequence[Claim], found: dict[str, PathState], scope: CheckScope
) -> list[ClaimVerdict]:
    """Return the verdicts on lines, by what they held when the memory was saved."""
    if not claims:
        return []
    paths = [found[claim.target].path for claim in claims if found[claim.target].path]
    then = scope.texts_then(paths) if any(not scope.anchors.of(claim) for claim in claims) else {}
    since = scope.commits_since(paths)
    judged = []
    for claim in claims:
        one = found[claim.target]
        if one.path:
            judged.append(_judge(claim, one.path, then.get(one.path), since.get(one.path, 0), scope))
        elif one.because:
            judged += [ClaimVerdict.undecided(claim, one.because)] if claim.sure or not one.unknown else []
        else:
            judged.append(ClaimVerdict.gone(claim, one.nearest))
    return judged


def _judge(claim: Claim, path: str, then: str | None, commits: int, scope: CheckScope) -> ClaimVerdict:
    text = scope.project.text(path)
    if text is None:
        return ClaimVerdict.undecided(claim, "it is no text file")
    now = text.split("\n")
    mark = scope.anchors.of(claim) or ("" if then is None else line_print(then.split("\n"), claim.line))
    if mark == ABSENT:
        return ClaimVerdict.undecided(claim, "the file had no such line when this was saved")
    if not mark:
        if claim.line > len(now):
            return ClaimVerdict.gone(claim, f"{path} has {len(now)} lines")
        return ClaimVerdict.undecided(claim, "nothing is known of the line as it was")
    if line_print(now, claim.line) == mark:
        return ClaimVerdict.unchanged(claim)
    moved = [number for number in range(1, len(now) + 1) if line_print(now, number) == mark]
    nearest = min(moved, key=lambda number: abs(number - claim.line)) if moved else 0
    return ClaimVerdict.changed(claim, commits, f"{path}:{nearest}" if nearest else "", stale=True)
