"""Checks of commands: scripts and targets that the project's own manifests define.

A script that changed is stale when a word of what it ran is gone, options aside: then it does something else
than what the memory knew. One that only got more to do, or other options, still does what it did.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from memdir.text.value import value_class
from memdir.verify.anchors import ABSENT, word_prints
from memdir.verify.claims.mentions import Claim
from memdir.verify.claims.scripts import (
    EVERYWHERE,
    MANIFESTS,
    is_manifest,
    lost_words,
    makefile_includes,
    scripts_in,
    words_of,
)
from memdir.verify.project import MOST_MANIFESTS, CheckScope, shallow_first
from memdir.verify.verdicts import ClaimVerdict

__all__ = ["command_prints", "judge_commands"]

Scripts = Mapping[str, tuple[str, str]]
"""The commands of one family of programs: by name the manifest that defines each, and what it runs."""


@value_class(frozen=True, slots=True)
class _Manifests:
    """The manifests that decide about a command, and those of other folders, where it would mean another."""

    own: list[str]
    others: list[str]


def judge_commands(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on commands; a spoken "make sure" that no manifest ever defined is no claim."""
    return [one for claim in claims for one in _judge(claim, _manifests(claim, scope), scope)]


def command_prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return the prints of the words that each command runs now."""
    prints = {}
    for claim in claims:
        script = _scripts_in_tree(claim.owner, _manifests(claim, scope).own, scope).get(claim.target)
        prints[claim] = word_prints(words_of(script[1])) if script else ABSENT
    return prints


def _scripts_in_tree(runner: str, paths: Sequence[str], scope: CheckScope) -> Scripts:
    return _scripts(runner, {path: scope.project.text(path) for path in paths})


def _manifests(claim: Claim, scope: CheckScope) -> _Manifests:
    """Return the manifests of a family: who says only `make clean` means the one at the root."""
    runner = claim.owner
    tracked = [path for path in scope.files.paths if is_manifest(path, runner)]
    fresh = [
        name for name in MANIFESTS[runner] if name not in tracked and scope.project.text(name) is not None
    ]
    found = shallow_first([*tracked, *fresh])[:MOST_MANIFESTS]
    place = claim.place.removeprefix("./").strip("/")
    if runner in {"gradle", "rake"} and not place:
        own = found  # gradle runs the task in every module that has it, and rake loads all files of tasks
    elif place in {"", ".", scope.project.root.rpartition("/")[2]}:
        own = [path for path in found if path in MANIFESTS[runner]]
        own += _included_makefiles(own, found, runner, scope)
        named = [path for path in found if path not in own and _names_folder(scope.text, path, runner)]
        own = [*named, *own]  # of two commands with one name the one in the folder that is named is meant
    else:
        own = [path for path in found if _lies_in(path, place, runner)]
    return _Manifests(own, [path for path in found if path not in own])


def _included_makefiles(
    own: Sequence[str], found: Sequence[str], runner: str, scope: CheckScope
) -> list[str]:
    """Return the other files that a root Makefile takes in; a variable may stand for any."""
    texts = (scope.project.text(path) or "" for path in own) if runner == "make" else ()
    patterns = [pattern for text in texts for pattern in makefile_includes(text)]
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


def _scripts(runner: str, texts: Mapping[str, str | None]) -> Scripts:
    """Return what these manifests define; the first that defines a command decides."""
    scripts: dict[str, tuple[str, str]] = {}
    for path, text in texts.items():
        for name, script in scripts_in(text or "", runner).items():
            scripts.setdefault(name, (path, script))
    return scripts


def _judge(claim: Claim, sources: _Manifests, scope: CheckScope) -> Iterator[ClaimVerdict]:
    now, mark = _scripts_in_tree(claim.owner, sources.own, scope), scope.anchors.of(claim)
    wanted = [*sources.own, *(MANIFESTS[claim.owner] if not claim.place else ())]
    then = _scripts(claim.owner, scope.texts_then(list(dict.fromkeys(wanted))))
    if claim.absent:
        yield from _judge_return(claim, now, then, wanted, scope)
        return
    if claim.target in now:
        yield _compare_scripts(claim, now, then, scope)
        return
    if mark == ABSENT:
        return
    before = then[claim.target][1] if claim.target in then else None
    if before is None and not mark and scope.patient:
        before = _search_past(claim, wanted, scope)
    yield from _missing(claim, sources, now, before, scope)


def _missing(
    claim: Claim, sources: _Manifests, now: Scripts, before: str | None, scope: CheckScope
) -> Iterator[ClaimVerdict]:
    """Judge a command that no manifest of its place defines."""
    others = _scripts_in_tree(claim.owner, sources.others, scope)
    elsewhere = others.get(claim.target)
    space, _, name = claim.target.rpartition(":")
    # In a Taskfile the name of an included file comes before its tasks.
    if claim.owner == "task" and space and name in others:
        yield ClaimVerdict.undecided(claim, f"{others[name][0]} may define it")
    elif before is not None:
        yield ClaimVerdict.gone(claim, _nearest(claim, before, now))
    elif elsewhere is not None:
        yield ClaimVerdict.undecided(claim, f"only {elsewhere[0]} defines it")
    elif scope.anchors.of(claim) or _was_elsewhere(claim, sources, now, scope):
        yield ClaimVerdict.gone(claim, _nearest(claim, "", now))
    elif claim.sure and (now or sources.others):
        yield ClaimVerdict.undecided(claim, "the project does not define it")


def _was_elsewhere(claim: Claim, sources: _Manifests, now: Scripts, scope: CheckScope) -> bool:
    """Tell whether another folder defined it then; without git, whether this one defines others."""
    if scope.repository is None:
        return claim.sure and bool(now)
    return claim.target in _scripts(claim.owner, scope.texts_then(sources.others))


def _judge_return(
    claim: Claim, now: Scripts, then: Scripts, paths: Sequence[str], scope: CheckScope
) -> Iterator[ClaimVerdict]:
    """Judge a command that the memory says was removed."""
    if claim.target not in now:
        return
    absent = scope.anchors.of(claim) == ABSENT
    if absent or (claim.target not in then and _search_past(claim, paths, scope) is not None):
        yield ClaimVerdict.again(claim, now[claim.target][0])


def _compare_scripts(claim: Claim, now: Scripts, then: Scripts, scope: CheckScope) -> ClaimVerdict:
    path, script = now[claim.target]
    before = then[claim.target][1] if claim.target in then else None
    mark = scope.anchors.of(claim)
    if mark and mark != ABSENT:
        marks = word_prints(words_of(script))
        kept = f"{marks}.{word_prints(EVERYWHERE)}.empty".split(".")
        lost = not set(mark.split(".")) <= set(kept)
        same = marks == mark
    elif before is not None:
        same, lost = script == before, bool(lost_words(before, script))
    else:
        return ClaimVerdict.unchanged(claim)
    if same:
        return ClaimVerdict.unchanged(claim)
    commits = scope.commits_since([path]).get(path, 0)
    return ClaimVerdict.changed(claim, commits, " ".join(script.split())[:80], stale=lost)


def _search_past(claim: Claim, paths: Sequence[str], scope: CheckScope) -> str | None:
    """Return what a command ran before some commit removed it, None when git never knew it."""
    if scope.repository is None:
        return None
    for commit in scope.repository.versions(paths):
        before = _scripts(claim.owner, scope.repository.contents(f"{commit}^", paths))
        if claim.target in before:
            return before[claim.target][1]
    return None


def _nearest(claim: Claim, before: str, now: Scripts) -> str:
    """Return the command that runs the same now, or one spelled the same but for signs between words."""
    same = [name for name, (_, script) in now.items() if before and script == before]
    plain = _plain(claim.target)
    return next(iter(same), next((name for name in now if _plain(name) == plain), ""))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
