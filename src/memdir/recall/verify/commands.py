"""Checks of commands: scripts and targets that the project's own manifests define.

A script that changed is stale when a word of what it ran is gone, options aside: then it does something else
than what the memory knew. One that only got more to do, or other options, still does what it did.
"""

from collections.abc import Iterator, Sequence

from memdir.core.anchors import ABSENT, word_prints
from memdir.core.claims import Claim
from memdir.core.scripts import MANIFESTS, is_manifest, lost_words, scripts_in, words_of
from memdir.core.value import value_class
from memdir.core.verdicts import Judged, changed, gone, unchanged, undecided
from memdir.recall.verify.scene import Scene

__all__ = ["Shelf", "judged_commands", "manifests", "scripts_now"]

MOST_MANIFESTS = 40
"""Manifests of one family that are read: a monorepo may have hundreds, and the shallow ones count."""


@value_class(frozen=True, slots=True)
class Shelf:
    """The commands of one family of programs, each with the manifest that defines it."""

    scripts: dict[str, tuple[str, str]]

    def script(self, name: str) -> str | None:
        """Return what a command runs, None when nothing defines it."""
        entry = self.scripts.get(name)
        return entry[1] if entry else None


def judged_commands(claims: Sequence[Claim], scene: Scene) -> list[Judged]:
    """Return the verdicts on commands; a spoken "make sure" that no manifest ever defined is no claim."""
    judged: list[Judged] = []
    for runner in dict.fromkeys(claim.owner for claim in claims):
        own = [claim for claim in claims if claim.owner == runner]
        paths = manifests(runner, scene)
        now = scripts_now(runner, paths, scene)
        then = _shelf(runner, scene.texts_then([*paths, *MANIFESTS[runner]]))
        for claim in own:
            judged += _judged(claim, now, then, paths, scene)
    return judged


def manifests(runner: str, scene: Scene) -> list[str]:
    """Return the manifests of a family, the shallow ones first, also those that git does not know yet."""
    tracked = [path for path in scene.files.paths if is_manifest(path, runner)]
    fresh = [
        name for name in MANIFESTS[runner] if name not in tracked and scene.project.text(name) is not None
    ]
    return sorted([*tracked, *fresh], key=lambda path: (path.count("/"), path))[:MOST_MANIFESTS]


def scripts_now(runner: str, paths: Sequence[str], scene: Scene) -> Shelf:
    """Return what the manifests define in the working tree."""
    texts = {path: text for path in paths if (text := scene.project.text(path)) is not None}
    return _shelf(runner, texts)


def _shelf(runner: str, texts: dict[str, str]) -> Shelf:
    scripts: dict[str, tuple[str, str]] = {}
    for path, text in texts.items():
        for name, script in scripts_in(text, runner).items():
            scripts.setdefault(name, (path, script))
    return Shelf(scripts)


def _judged(claim: Claim, now: Shelf, then: Shelf, paths: Sequence[str], scene: Scene) -> Iterator[Judged]:
    script, mark = now.script(claim.target), scene.anchors.of(claim)
    if script is not None:
        yield _compared(claim, now, then, scene)
        return
    if mark == ABSENT:
        return
    before = then.script(claim.target)
    if before is None and not mark and scene.patient:
        before = _ever(claim, paths, scene)
    if before is not None or mark:
        yield gone(claim, _nearest(claim, before or "", now))
    elif scene.repository is None and claim.sure and now.scripts:
        yield gone(claim, _nearest(claim, "", now))
    elif claim.sure and now.scripts:
        yield undecided(claim, "the project does not define it")


def _compared(claim: Claim, now: Shelf, then: Shelf, scene: Scene) -> Judged:
    path, script = now.scripts[claim.target]
    before, mark = then.script(claim.target), scene.anchors.of(claim)
    if mark and mark != ABSENT:
        marks = word_prints(words_of(script))
        lost = bool(set(mark.split(".")) - set(marks.split(".")) - {"empty"})
        same = marks == mark
    elif before is not None:
        same, lost = script == before, bool(lost_words(before, script))
    else:
        return unchanged(claim)
    if same:
        return unchanged(claim)
    commits = scene.commits_since([path]).get(path, 0)
    return changed(claim, commits, " ".join(script.split())[:80], stale=lost)


def _ever(claim: Claim, paths: Sequence[str], scene: Scene) -> str | None:
    """Return what a command ran before some commit removed it, None when git never knew it."""
    if scene.repository is None:
        return None
    wanted = [*paths, *(name for name in MANIFESTS[claim.owner] if name not in paths)]
    for commit in scene.repository.versions(wanted, scene.deadline):
        texts = scene.repository.contents(f"{commit}^", wanted, scene.deadline)
        before = _shelf(claim.owner, texts).script(claim.target)
        if before is not None:
            return before
    return None


def _nearest(claim: Claim, before: str, now: Shelf) -> str:
    """Return the command that runs the same now, or one whose name is much like it."""
    same = [name for name, (_, script) in now.scripts.items() if before and script == before]
    if same:
        return same[0]
    from difflib import get_close_matches

    return next(iter(get_close_matches(claim.target, now.scripts, n=1, cutoff=0.6)), "")
