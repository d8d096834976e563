"""Checks of lines: a claim about a line is one about its content, so a line that moved is stale."""

from collections.abc import Sequence

from memdir.verify.anchors import ABSENT, line_print
from memdir.verify.claims.claims import Claim
from memdir.verify.paths import Found
from memdir.verify.scope import Scene
from memdir.verify.verdicts import Judged, changed, gone, unchanged, undecided

__all__ = ["judged_lines"]


def judged_lines(claims: Sequence[Claim], found: dict[str, Found], scene: Scene) -> list[Judged]:
    """Return the verdicts on lines, by what they held when the memory was saved."""
    if not claims:
        return []
    paths = [found[claim.target].path for claim in claims if found[claim.target].path]
    then = scene.texts_then(paths) if any(not scene.anchors.of(claim) for claim in claims) else {}
    since = scene.commits_since(paths)
    judged = []
    for claim in claims:
        one = found[claim.target]
        if one.path:
            judged.append(_judged(claim, one.path, then.get(one.path), since.get(one.path, 0), scene))
        elif one.because:
            judged += [undecided(claim, one.because)] if claim.sure or not one.unknown else []
        else:
            judged.append(gone(claim, one.nearest))
    return judged


def _judged(claim: Claim, path: str, then: str | None, commits: int, scene: Scene) -> Judged:
    text = scene.project.text(path)
    if text is None:
        return undecided(claim, "it is no text file")
    now = text.split("\n")
    mark = scene.anchors.of(claim) or ("" if then is None else line_print(then.split("\n"), claim.line))
    if mark == ABSENT:
        return undecided(claim, "the file had no such line when this was saved")
    if not mark:
        if claim.line > len(now):
            return gone(claim, f"{path} has {len(now)} lines")
        return undecided(claim, "nothing is known of the line as it was")
    if line_print(now, claim.line) == mark:
        return unchanged(claim)
    moved = [number for number in range(1, len(now) + 1) if line_print(now, number) == mark]
    nearest = min(moved, key=lambda number: abs(number - claim.line)) if moved else 0
    return changed(claim, commits, f"{path}:{nearest}" if nearest else "", stale=True)
