"""Checks of symbols: defined, moved, gone and what is nearest.

Only what the tree did define can be gone: a function of a library was never ours. A symbol that moved is
stale when the memory names the file that held it.

A host waits for this module: it imports late.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memdir.text.value import value_class
from memdir.verify.anchors import ABSENT
from memdir.verify.claims.definitions import (
    declared_names,
    defined_line,
    defined_names,
    is_prose,
    may_define,
)
from memdir.verify.claims.mentions import Claim
from memdir.verify.paths import find_paths
from memdir.verify.project import CheckScope
from memdir.verify.verdicts import ClaimVerdict

__all__ = ["judge_symbols", "symbol_prints"]

MOST_PLACES = 25
"""Files that are read for one symbol: who defines a name more often means none of them in particular."""


_EVERYDAY = frozenset(
    """
    main master test tests build dev prod run start stop name type value data list item items user users
    id key index home app api web cli server client config settings default all none any get set add
    remove update delete create read write open close print log error warn info debug next last first
    new old true false yes no on off admin root staging production release latest public private static
    docs src lib bin tmp init setup install
    """.split()  # noqa: SIM905 - a table
)
"""Words that backticks set apart for many reasons: branches, environments, values, programs."""


@value_class(frozen=True, slots=True)
class _Definitions:
    """Which files define which names, at one time."""

    places: dict[str, list[str]]
    texts: dict[str, str]
    stated: frozenset[str] = frozenset()
    """Names that code takes from outside, or that a file of configuration or a schema holds."""

    def of(self, claim: Claim) -> list[str]:
        """Return the files that define a symbol; with an owner only those that know the owner."""
        found = self.places.get(claim.target, [])
        if not claim.owner or "/" in claim.owner or "." in claim.owner:
            return found
        return [path for path in found if _names_owner(self.texts[path], path, claim.owner)] if found else []


def judge_symbols(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on symbols."""
    now, then = _definitions(claims, "", scope), _Definitions({}, {})
    states = find_paths(scope)
    files = {state.path: state.path for state in states.values() if state.path}
    files |= {path: state.nearest for path, state in states.items() if not state.path}
    asked = [claim for claim in claims if not _is_settled(claim, now, files, scope)]
    if asked and scope.then:
        then = _definitions(asked, scope.then, scope)
    return [verdict for claim in claims for verdict in _judge(claim, now, then, files, scope)]


def symbol_prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return the file that defines each symbol; of several, the first that the memory names."""
    now = _definitions(claims, "", scope)
    named = {state.path for state in find_paths(scope).values()}
    # A file that the memory names sorts first: False comes before True.
    return {claim: min(now.of(claim), key=lambda path: path not in named, default=ABSENT) for claim in claims}


def _definitions(claims: Iterable[Claim], commit: str, scope: CheckScope) -> _Definitions:
    """Return where these symbols are defined, in a commit or (empty) in the working tree."""
    maybe: dict[str, list[str]] = {claim.target: [] for claim in claims}
    stated: set[str] = set()
    for hit in scope.lines_with(list(maybe), commit):
        for name, paths in maybe.items():
            fits = hit.path not in paths and len(paths) < MOST_PLACES and name in hit.text
            if fits and may_define(hit.text, name):
                paths.append(hit.path)
            if name in hit.text and (_VARIABLE.fullmatch(name) or _DECLARES.search(hit.path)):
                stated.update([] if is_prose(hit.path) else [name])
    wanted = list(dict.fromkeys(path for paths in maybe.values() for path in paths))
    texts = _texts(wanted, commit, scope)
    places = {
        name: [path for path in paths if path in texts and defined_line(texts[path], path, name)]
        for name, paths in maybe.items()
    }
    return _Definitions(places, texts, frozenset(stated))


_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_DECLARES = re.compile(
    r"\.(?:sql|ya?ml|toml|json|ini|cfg|conf|properties|tf|gradle|kts|graphql|proto|prisma)$|(?:^|/)\.env[^/]*$"
)


def _texts(paths: Sequence[str], commit: str, scope: CheckScope) -> dict[str, str]:
    if commit:
        return scope.repository.contents(commit, paths) if scope.repository else {}
    return {path: text for path in paths if (text := scope.project.text(path)) is not None}


def _names_owner(text: str, path: str, owner: str) -> bool:
    stem = path.rpartition("/")[2].partition(".")[0]
    folder = path.rpartition("/")[0].rpartition("/")[2]
    return owner.casefold() in (stem.casefold(), folder.casefold()) or owner in text


def _is_settled(claim: Claim, now: _Definitions, files: Mapping[str, str], scope: CheckScope) -> bool:
    """Tell whether the present alone decides: defined in a file that the memory names, or where it was.

    A definition anywhere is not enough: another file may have that name, and the one meant is gone.
    """
    named = [path for path in files if path]
    expected = named or [scope.anchors.of(claim)]
    return not claim.absent and any(path in expected for path in now.of(claim))


def _judge(
    claim: Claim, now: _Definitions, then: _Definitions, files: Mapping[str, str], scope: CheckScope
) -> Iterator[ClaimVerdict]:
    mark = scope.anchors.of(claim)
    places = now.of(claim)
    if claim.absent:
        yield from _judge_return(claim, places, then, scope)
        return
    before = list(dict.fromkeys([*([mark] if mark and mark != ABSENT else []), *then.of(claim)]))
    if (
        claim.bare
        and not files.keys() & {*before, *places}
        and not _is_lost_symbol(claim, places, before, then)
    ):
        return
    if places:
        yield _judge_place(claim, places, before, files, scope)
        return
    if not (before or claim.bare) and claim.target in then.stated:
        yield ClaimVerdict.unchanged(claim) if claim.target in now.stated else ClaimVerdict.gone(claim)
        return
    if mark == ABSENT:
        return
    if not before and claim.sure and scope.patient:
        before, then = _search_past(claim, scope)
    if before:
        yield ClaimVerdict.gone(
            claim, _nearest(claim, {path: files.get(path, path) for path in before}, then, scope)
        )
    elif claim.sure and scope.repository is not None:
        yield ClaimVerdict.undecided(claim, "the project does not define it")
    elif claim.sure:
        yield ClaimVerdict.undecided(claim, "without git nothing tells whether the project defined it")


def _judge_return(
    claim: Claim, places: list[str], then: _Definitions, scope: CheckScope
) -> Iterator[ClaimVerdict]:
    """Judge a symbol that the memory says was removed."""
    if places and not claim.bare:
        absent = scope.anchors.of(claim) == ABSENT
        if absent or (scope.then and not then.of(claim) and _search_past(claim, scope)[0]):
            yield ClaimVerdict.again(claim, places[0])


def _is_lost_symbol(claim: Claim, places: list[str], before: list[str], then: _Definitions) -> bool:
    """Tell whether a plain word in backticks is a symbol that went: declared then, and no everyday word."""
    if places or claim.target.lower() in _EVERYDAY:
        return False
    return any(
        claim.target in declared_names(then.texts[path], path) for path in before if path in then.texts
    )


def _judge_place(
    claim: Claim, places: list[str], before: list[str], files: Mapping[str, str], scope: CheckScope
) -> ClaimVerdict:
    """Judge a symbol that is defined: stale when the file that a memory names for it has lost it."""
    lost = [path for path in before if path in files and path not in places]
    if lost:
        commits = scope.commits_since(lost)
        return ClaimVerdict.changed(claim, max(commits.values(), default=0), places[0], stale=True)
    left = [path for path in before if path in places]
    if before and not left:
        commits = scope.commits_since(before)
        return ClaimVerdict.changed(claim, max(commits.values(), default=0), places[0])
    if len(left) < len(before) and not any(path in files for path in left):
        return ClaimVerdict.undecided(
            claim, f"{len(before)} files defined it and {len(left)} of them still do"
        )
    return ClaimVerdict.unchanged(claim)


def _search_past(claim: Claim, scope: CheckScope) -> tuple[list[str], _Definitions]:
    """Return which files defined a symbol before some commit took it away."""
    nothing = _Definitions({}, {})
    if scope.repository is None:
        return [], nothing
    for commit in scope.repository.commits_mentioning(claim.target):
        before = nothing
        if scope.repository.full_commit(f"{commit}^"):
            before = _definitions([claim], f"{commit}^", scope)
        if places := before.of(claim):
            return places, before
    return [], nothing


def _nearest(claim: Claim, heirs: Mapping[str, str], then: _Definitions, scope: CheckScope) -> str:
    """Return the name that took the place of this one: in the same file, new there, and defined alike."""
    for path, heir in heirs.items():
        text = scope.project.text(heir) if heir else None
        if text is None or path not in then.texts:
            continue
        fresh = defined_names(text, heir) - defined_names(then.texts[path], path)
        old = _definition(claim.target, then.texts[path], path)
        alike = [
            name for name in sorted(fresh) if _is_heir(claim.target, name, old, _definition(name, text, heir))
        ]
        if len(alike) == 1:
            return alike[0]
    return ""


def _is_heir(old_name: str, name: str, old: list[str], new: list[str]) -> bool:
    """Tell whether a definition is the old one under another name, going by its code."""
    from difflib import SequenceMatcher  # a prompt waits for this module, and few claims need it

    if not (old and new):
        return False
    spelling = SequenceMatcher(None, old_name.casefold(), name.casefold()).ratio()
    body = SequenceMatcher(None, old[1:], new[1:]).ratio()
    if old[0] == new[0]:
        return spelling >= _SIMILAR or (len(old) > 1 and body >= _SAME)
    return spelling >= _NEAR and len(old) > 1 and body >= _SIMILAR


_NEAR, _SAME, _SIMILAR = 0.85, 0.8, 0.5
"""How alike two names, or the lines of two definitions, are, from 0 to 1."""


def _definition(name: str, text: str, path: str) -> list[str]:
    """Return the lines of a definition: the first without the name, then those that are indented below it."""
    first = defined_line(text, path, name)
    lines = text.split("\n")[first - 1 : first + _LONGEST] if first else []
    found = [lines[0].replace(name, "", 1).strip()] if lines else []
    margin = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    for line in lines[1:]:
        if line.strip() and len(line) - len(line.lstrip()) <= margin:
            break
        found += [line.strip()] if line.strip() else []
    return found


_LONGEST = 30
"""Lines of a definition that are compared."""
