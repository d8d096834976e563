"""Checks of paths, of lines in them and of globs: there, changed, gone and what became of them.

A host waits for this module: it imports late.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from memdir.verify.anchors import ABSENT, line_print
from memdir.verify.claims.mentions import Claim
from memdir.verify.project import CheckScope, OutsideProject, PathState
from memdir.verify.repository import Removal, Repository
from memdir.verify.verdicts import ClaimVerdict

__all__ = ["find_paths", "glob_prints", "judge_globs", "judge_paths", "path_prints"]

OUTSIDE = "it lies outside the project"
_ROUNDS = 6
"""Renames in a row that are followed."""


def judge_paths(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on claimed paths, or on lines by what they held when the memory was saved."""
    states = find_paths(scope)
    there = [states[claim.target].path for claim in claims if states[claim.target].path and not claim.absent]
    since = scope.commits_since(list(dict.fromkeys(there)))
    then = _texts_of_lines(claims, scope)
    judged = []
    for claim in claims:
        state = states[claim.target]
        if claim.absent:
            judged += [ClaimVerdict.again(claim, state.returned)] if state.returned else []
        elif state.path and claim.line:
            judged.append(_judge_line(claim, state.path, then, since.get(state.path, 0), scope))
        elif state.path:
            judged.append(_judge_file(claim, state.path, since.get(state.path, 0), scope))
        elif state.because:
            judged += (
                [ClaimVerdict.undecided(claim, state.because)] if claim.sure or not state.unknown else []
            )
        else:
            judged.append(ClaimVerdict.gone(claim, state.nearest))
    return judged


def path_prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return the prints of files, or of lines in them, as they are now."""
    return {claim: _path_print(claim, find_paths(scope)[claim.target], scope) for claim in claims}


def judge_globs(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on globs: one is gone when it fits no file any more and did fit some."""
    judged = []
    for claim in claims:
        now, mark = _first_glob_match(claim, scope.files.paths), scope.anchors.of(claim)
        if claim.absent:
            judged += [ClaimVerdict.again(claim, now)] if now and mark == ABSENT else []
        elif now:
            judged.append(ClaimVerdict.unchanged(claim))
        elif mark != ABSENT and (mark or _first_glob_match(claim, scope.files_then)):
            judged.append(ClaimVerdict.gone(claim))
        elif claim.sure:
            judged.append(ClaimVerdict.undecided(claim, "no file fits it, and none did"))
    return judged


def glob_prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return for each glob whether any file fits it."""
    return {claim: "fits" if _first_glob_match(claim, scope.files.paths) else ABSENT for claim in claims}


def _first_glob_match(claim: Claim, paths: Iterable[str]) -> str:
    """Return the first file that a glob fits, from the root or from a folder below it."""
    from memdir.text.globs import Globs  # a prompt waits for this module, and few claims need it

    glob = claim.target
    globs = Globs((glob, f"**/{glob}")) if "/" in glob else Globs((glob,))
    return next((path for path in paths if globs.matches(path)), "")


def find_paths(scope: CheckScope) -> dict[str, PathState]:
    """Return for each path that the memory names where it is, or what became of it."""
    if scope.path_states:
        return scope.path_states
    states: dict[str, PathState] = {}
    asked: list[tuple[Claim, str]] = []
    for claim in scope.claims:
        if claim.kind not in {"path", "line"}:
            continue
        try:
            path = scope.project.relative(claim.target)
            if "/" in path and not claim.absent and _stands(path, scope):
                states[claim.target] = PathState(path)
            else:
                asked.append((claim, path))
        except OutsideProject:
            states[claim.target] = PathState(because=OUTSIDE, unknown=True)
    states |= _missing_states(asked, scope) if asked else {}
    scope.path_states = states
    return states


def _missing_states(asked: Sequence[tuple[Claim, str]], scope: CheckScope) -> dict[str, PathState]:
    """Return the states of paths that are not where they were said to be, or said to be removed."""
    paths = list(dict.fromkeys(path for _, path in asked))
    past = _Past(paths, scope.repository, scope) if scope.repository else None
    states: dict[str, PathState] = {}
    for claim, path in asked:
        now = [one for one in scope.files.ending_in(path) if _usable(one, scope)]
        now += [path] if path not in now and _usable(path, scope) else []
        if claim.absent:
            states[claim.target] = _return_state(path, claim, now, past, scope)
        elif past:
            states[claim.target] = past.current_state(path, claim, now)
        else:
            states[claim.target] = _state_without_git(path, claim, now, scope)
    return states


def _stands(path: str, scope: CheckScope) -> bool:
    # Where case does not count, a file of another case answers too: git knows its true name.
    return scope.project.stands(path) and (path in scope.files.exact or not scope.files.case_variant(path))


def _usable(path: str, scope: CheckScope) -> bool:
    try:
        return _stands(path, scope)
    except OutsideProject:
        return False


def _case_variant(path: str, scope: CheckScope) -> str:
    """Return the path that is there and differs in case alone."""
    twin = scope.files.case_variant(path)
    return twin if twin and _usable(twin, scope) else ""


def _judge_file(claim: Claim, path: str, commits: int, scope: CheckScope) -> ClaimVerdict:
    """Judge a file or folder that is there: it is fresh, however often it was edited."""
    now = path if path != claim.target.rstrip("/") and "/" not in claim.target else ""
    mark = scope.anchors.of(claim)
    data = scope.project.data(path) if mark and mark != ABSENT else None
    is_changed = commits > 0 if data is None else _blob_print(data) != mark
    return ClaimVerdict.changed(claim, commits, now) if is_changed else ClaimVerdict.unchanged(claim, now)


def _texts_of_lines(claims: Sequence[Claim], scope: CheckScope) -> dict[str, str]:
    """Return the former texts of the files whose lines have no prints."""
    unknown = (claim for claim in claims if claim.line and not scope.anchors.of(claim))
    paths = (scope.path_states[claim.target].path for claim in unknown)
    return scope.texts_then([path for path in paths if path])


def _judge_line(
    claim: Claim, path: str, texts_then: Mapping[str, str], commits: int, scope: CheckScope
) -> ClaimVerdict:
    text = scope.project.text(path)
    if text is None:
        return ClaimVerdict.undecided(claim, "it is no text file")
    now, mark = text.split("\n"), scope.anchors.of(claim)
    if not mark and path in texts_then:
        mark = line_print(texts_then[path].split("\n"), claim.line)
    if mark == ABSENT:
        return ClaimVerdict.undecided(claim, "the file had no such line when this was saved")
    if not mark:
        if claim.line > len(now):
            return ClaimVerdict.gone(claim, f"{path} has {len(now)} lines")
        return ClaimVerdict.undecided(claim, "nothing is known of the line as it was")
    if line_print(now, claim.line) == mark:
        return ClaimVerdict.unchanged(claim)
    moved = [number for number in range(1, len(now) + 1) if line_print(now, number) == mark]
    nearest = min(moved, key=lambda number: abs(number - claim.line), default=0)
    return ClaimVerdict.changed(claim, commits, f"{path}:{nearest}" if nearest else "", stale=True)


def _path_print(claim: Claim, state: PathState, scope: CheckScope) -> str:
    data = scope.project.data(state.path) if state.path else None
    if data is None:
        return "" if state.path or state.several else ABSENT
    if claim.line:
        return line_print(data.decode("utf-8", "replace").split("\n"), claim.line)
    return _blob_print(data)


def _blob_print(data: bytes) -> str:
    """Return the first digits of the name that git gives to these bytes."""
    from memdir.memories.history.git import blob_id  # a prompt waits for this module

    return blob_id(data)[:8]


def _return_state(
    path: str, claim: Claim, now: Sequence[str], past: "_Past | None", scope: CheckScope
) -> PathState:
    """Return where a path exists again that a memory calls removed: the same path, gone in between."""
    if not now or scope.anchors.of(claim) == ABSENT:
        return PathState(returned=now[0] if now else "")
    then = past.paths_then(path) if past else []
    removals = [one for one in past.removals if one.path in now] if past else []
    back = [one.path for one in removals if one.path not in then or one.at > scope.saved_at]
    return PathState(returned=back[0] if back else "", several=True)


def _state_without_git(path: str, claim: Claim, now: Sequence[str], scope: CheckScope) -> PathState:
    """Return what a path is now, without git: only its name and the print from the save tell."""
    if path in now:
        return PathState(path)
    mark = scope.anchors.of(claim)
    data = {one: scope.project.data(one) for one in now}
    same = [one for one, held in data.items() if held is not None and _blob_print(held) == mark]
    if same or (len(now) == 1 and scope.is_new):
        return PathState((same or now)[0])
    if now:
        return PathState(because="without git nothing tells which file is meant", several=True)
    if mark == ABSENT:
        return PathState(because="it was not there when this was saved")
    if claim.sure:
        return PathState(nearest=_case_variant(path, scope))
    return PathState(because="it is not there", unknown=True)


class _Past:
    """What git tells about paths that are not where they were said to be."""

    def __init__(self, paths: Sequence[str], repository: Repository, scope: CheckScope) -> None:
        self._paths, self._repository, self._scope = paths, repository, scope
        self._names = scope.names_since(paths)

    @cached_property
    def removals(self) -> list[Removal]:
        """The commits that removed one of these paths, or a path that ends in one."""
        return self._repository.removals(self._paths)

    @cached_property
    def _ignored(self) -> set[str]:
        """Those of the paths that git ignores."""
        return self._repository.ignored_paths(self._paths)

    def paths_then(self, path: str) -> list[str]:
        """Return the paths that were this one or ended in it when the memory was saved."""
        stayed = [one for one in self._scope.files.ending_in(path) if not self._is_new(one)]
        return list(dict.fromkeys([*stayed, *_parts_named(self._names.left, path)]))

    def _is_new(self, path: str) -> bool:
        """Tell whether a file, or every file of a folder, came after the memory was saved."""
        came = {one for one in self._names.came if _at_or_below(one, path)}
        return bool(came) and all(one in came for one in self._scope.files.paths if _at_or_below(one, path))

    def current_state(self, path: str, claim: Claim, now: Sequence[str]) -> PathState:
        """Return what a path is now, by the files that had its name then: a name alone proves nothing."""
        then = self.paths_then(path)
        meant = [path] if path in then else then
        kept = [one for one in meant if _usable(one, self._scope)]
        if not meant:
            return self._unknown_then(path, claim, now)
        if kept == meant:
            return PathState(kept[0])
        if kept:
            because = f"{len(meant)} files had that name, and now only {len(kept)}"
            return PathState(because=because, several=True)
        return self._missing_state(path, meant)

    def _missing_state(self, path: str, meant: Sequence[str]) -> PathState:
        """Return what became of a path that was there then and is not now."""
        removal = self._removal(path)
        heir = self._successor(path, removal) if removal is not None else ""
        if heir and path not in meant and heir.endswith(f"/{path}"):
            return PathState(heir)  # moved, and still found under the name that the memory gives
        return PathState(nearest=heir or _case_variant(path, self._scope))

    def _unknown_then(self, path: str, claim: Claim, now: Sequence[str]) -> PathState:
        """Return what a path is that git did not know when the memory was saved."""
        removal = self._removal(path)
        if path in now or (len(now) == 1 and removal is None):
            return PathState(path if path in now else now[0])
        if now:
            return PathState(because="nothing tells which file of that name is meant", several=True)
        absent = self._scope.anchors.of(claim) == ABSENT
        if removal is not None and removal.at > self._scope.saved_at and not absent:
            return self._missing_state(path, [path])
        if path in self._ignored:
            return PathState(because="git ignores it")
        if absent or removal is not None:
            return PathState(because="it was not there when this was saved")
        twin = _case_variant(path, self._scope)  # spelled so from the beginning
        return PathState(twin) if twin else PathState(because="git never knew it", unknown=True)

    def _removal(self, path: str) -> Removal | None:
        """Return the newest commit that removed this path or all below it, else a path that ends in it."""
        exact = (one for one in self.removals if _at_or_below(one.path, path))
        longer = (one for one in self.removals if f"/{path}/" in f"{one.path}/")
        return next(exact, None) or next(longer, None)

    def _successor(self, path: str, removal: Removal) -> str:
        """Return what a removed path became, followed through later renames; empty when it became nothing."""
        full, removals = _part_named(removal.path, path), self.removals
        for _ in range(_ROUNDS):
            gone = [one for one in removals if _at_or_below(one.path, full)]
            moved = self._repository.renames({one.commit for one in gone})
            heirs = Counter(
                _moved_folder(moved[one.path], one.path, full) for one in gone if one.path in moved
            )
            full = heirs.most_common(1)[0][0] if heirs else ""
            if not full:
                return ""
            if _usable(full, self._scope):
                return full if self._is_telling(full, path) else ""
            removals = self._repository.removals([full])
        return ""

    def _is_telling(self, heir: str, path: str) -> bool:
        """Tell whether equal content says anything: in another folder a few bytes are alike by chance."""
        data = self._scope.project.data(heir)
        alike = any(heir.rpartition("/")[at] == path.rpartition("/")[at] for at in (0, 2))
        return alike or data is None or len(data) >= _TELLING


_TELLING = 40
"""Bytes of a file from which on equal content is taken for the same file under another name."""


def _at_or_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _parts_named(paths: Iterable[str], end: str) -> list[str]:
    """Return the beginnings of those paths that hold the part which a memory named, each once."""
    return list(dict.fromkeys(_part_named(path, end) for path in paths if f"/{end}/" in f"/{path}/"))


def _part_named(path: str, end: str) -> str:
    """Return the beginning of a path up to the part that a memory named."""
    if _at_or_below(path, end):
        return end
    return path[: f"{path}/".index(f"/{end}/") + len(end) + 1]


def _moved_folder(new: str, old: str, folder: str) -> str:
    """Return where the folder is now, going by one file that moved with it."""
    below = old[len(folder) :]
    if not below:
        return new
    return new.removesuffix(below) if new.endswith(below) else ""
