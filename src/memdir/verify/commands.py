"""Checks of commands: scripts and targets that the project's own manifests define.

A script that changed is stale when a word of what it ran is gone, options aside: then it does something else
than what the memory knew. One that only got more to do, or other options, still does what it did.
"""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from memdir.text.value import value_class
from memdir.verify.anchors import ABSENT, word_prints
from memdir.verify.claims.claims import Claim
from memdir.verify.claims.scripts import MANIFESTS, included_in, is_manifest, lost_words, scripts_in, words_of
from memdir.verify.scope import Scene
from memdir.verify.verdicts import Judged, again, changed, gone, unchanged, undecided

__all__ = ["Shelf", "judged_commands", "shelf_now"]

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


@value_class(frozen=True, slots=True)
class _Manifests:
    """The manifests that decide about a command, and those of other folders, where it would mean another."""

    own: list[str]
    others: list[str]


def judged_commands(claims: Sequence[Claim], scene: Scene) -> list[Judged]:
    """Return the verdicts on commands; a spoken "make sure" that no manifest ever defined is no claim."""
    judged: list[Judged] = []
    for claim in claims:
        judged += _judged(claim, _manifests(claim, scene), scene)
    return judged


def shelf_now(claim: Claim, scene: Scene) -> Shelf:
    """Return what the manifests that decide about a command define in the working tree."""
    return _shelf_now(claim, _manifests(claim, scene).own, scene)


def _manifests(claim: Claim, scene: Scene) -> _Manifests:
    """Return the manifests of a family: who says only `make clean` means the one at the root."""
    runner = claim.owner
    tracked = [path for path in scene.files.paths if is_manifest(path, runner)]
    fresh = [
        name for name in MANIFESTS[runner] if name not in tracked and scene.project.text(name) is not None
    ]
    found = sorted([*tracked, *fresh], key=lambda path: (path.count("/"), path))[:MOST_MANIFESTS]
    place = claim.place.removeprefix("./").strip("/")
    if place in {"", ".", scene.project.root.rpartition("/")[2]}:
        own = [path for path in found if path in MANIFESTS[runner]]
        own += _included(own, found, runner, scene)
        own += [path for path in found if path not in own and _names_folder(scene.text, path, runner)]
    else:
        own = [path for path in found if _lies_in(path, place, runner)]
    return _Manifests(own, [path for path in found if path not in own])


def _included(own: Sequence[str], found: Sequence[str], runner: str, scene: Scene) -> list[str]:
    """Return the other files that a root Makefile takes in; a variable may stand for any."""
    texts = (scene.project.text(path) or "" for path in own) if runner == "make" else ()
    patterns = [pattern for text in texts for pattern in included_in(text)]
    return [
        path
        for path in found
        if path not in own
        and any("$" in one or fnmatchcase(path, one.removeprefix("./")) for one in patterns)
    ]


def _folder(path: str, runner: str) -> str:
    """Return the folder in which a manifest defines commands."""
    for name in MANIFESTS[runner]:
        if path.endswith(f"/{name}"):
            return path[: -len(name) - 1]
    return path.rpartition("/")[0]


def _lies_in(path: str, place: str, runner: str) -> bool:
    """Tell whether a manifest is the one of a folder, or of a package called like its folder."""
    folder, name = _folder(path, runner), place.rpartition("/")[2]
    return place in {path, folder} or folder.endswith(f"/{place}") or folder.rpartition("/")[2] == name


def _names_folder(text: str, path: str, runner: str) -> bool:
    """Tell whether a text says that it speaks of the folder of a manifest: "in web", `web/`."""
    folder = _folder(path, runner)
    if not folder:
        return False
    name = re.escape(folder.rpartition("/")[2])
    inside = rf"\b(?:in|inside|from|under|within|im|dans|en)\s+(?:the\s+)?{name}\b"
    said = rf"`(?:[\w./-]*/)?{name}/?`|(?<![\w-]){name}/|{inside}"
    return re.search(said, text, re.IGNORECASE) is not None


def _shelf_now(claim: Claim, paths: Sequence[str], scene: Scene) -> Shelf:
    texts = {path: text for path in paths if (text := scene.project.text(path)) is not None}
    return _shelf(claim.owner, texts)


def _shelf(runner: str, texts: dict[str, str]) -> Shelf:
    scripts: dict[str, tuple[str, str]] = {}
    for path, text in texts.items():
        for name, script in scripts_in(text, runner).items():
            scripts.setdefault(name, (path, script))
    return Shelf(scripts)


def _judged(claim: Claim, sources: _Manifests, scene: Scene) -> Iterator[Judged]:
    now, mark = _shelf_now(claim, sources.own, scene), scene.anchors.of(claim)
    wanted = [*sources.own, *(MANIFESTS[claim.owner] if not claim.place else ())]
    then = _shelf(claim.owner, scene.texts_then(list(dict.fromkeys(wanted))))
    if claim.absent:
        yield from _returned(claim, now, then, wanted, scene)
        return
    if now.script(claim.target) is not None:
        yield _compared(claim, now, then, scene)
        return
    if mark == ABSENT:
        return
    before = then.script(claim.target)
    if before is None and not mark and scene.patient:
        before = _ever(claim, wanted, scene)
    yield from _missing(claim, sources, now, before, scene)


def _missing(
    claim: Claim, sources: _Manifests, now: Shelf, before: str | None, scene: Scene
) -> Iterator[Judged]:
    """Judge a command that no manifest of its place defines."""
    elsewhere = _shelf_now(claim, sources.others, scene).scripts.get(claim.target)
    if before is not None:
        yield gone(claim, _nearest(claim, before, now))
    elif elsewhere is not None:
        yield undecided(claim, f"only {elsewhere[0]} defines it")
    elif scene.anchors.of(claim) or _was_elsewhere(claim, sources, now, scene):
        yield gone(claim, _nearest(claim, "", now))
    elif claim.sure and (now.scripts or sources.others):
        yield undecided(claim, "the project does not define it")


def _was_elsewhere(claim: Claim, sources: _Manifests, now: Shelf, scene: Scene) -> bool:
    """Tell whether another folder defined it then; without git, whether this one defines others."""
    if scene.repository is None:
        return claim.sure and bool(now.scripts)
    return _shelf(claim.owner, scene.texts_then(sources.others)).script(claim.target) is not None


def _returned(claim: Claim, now: Shelf, then: Shelf, paths: Sequence[str], scene: Scene) -> Iterator[Judged]:
    """Judge a command that the memory says was removed."""
    if now.script(claim.target) is None:
        return
    absent = scene.anchors.of(claim) == ABSENT
    if absent or (then.script(claim.target) is None and _ever(claim, paths, scene) is not None):
        yield again(claim, now.scripts[claim.target][0])


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
    for commit in scene.repository.versions(paths, scene.deadline):
        texts = scene.repository.contents(f"{commit}^", paths, scene.deadline)
        before = _shelf(claim.owner, texts).script(claim.target)
        if before is not None:
            return before
    return None


def _nearest(claim: Claim, before: str, now: Shelf) -> str:
    """Return the command that runs the same now, or one spelled the same but for signs between words."""
    same = [name for name, (_, script) in now.scripts.items() if before and script == before]
    plain = _plain(claim.target)
    return next(iter(same), next((name for name in now.scripts if _plain(name) == plain), ""))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
