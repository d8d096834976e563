"""Checks of versions: what the manifests state of a name, then and now.

A version is a claim only if a manifest agreed with it when the memory was saved: "React 17 had another event
system" is history in a project that was on 18 then.
"""

from collections.abc import Iterator, Mapping, Sequence

from memdir.text.value import value_class
from memdir.verify.anchors import ABSENT, print_of
from memdir.verify.claims.mentions import Claim
from memdir.verify.claims.versions import fits, is_version_file, same_name, stated_versions
from memdir.verify.project import MOST_MANIFESTS, CheckScope, shallow_first
from memdir.verify.verdicts import ClaimVerdict

__all__ = ["judge_versions", "version_prints"]


@value_class(frozen=True, slots=True)
class _Stated:
    """What the manifests state, at one time."""

    rows: tuple[tuple[str, str, str], ...]
    """The file, the name and the value."""

    def of(self, claim: Claim) -> list[tuple[str, str]]:
        """Return the file and value of each statement about a name, exact names before longer ones."""
        found = [(same_name(claim.target, name), file, value) for file, name, value in self.rows]
        exact = [(file, value) for how, file, value in found if how == "exact"]
        return exact or [(file, value) for how, file, value in found if how]


def judge_versions(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on those versions that a manifest stated when the memory was saved."""
    now = _now(scope)
    then = _stated_versions(scope.texts_then(_shallow(scope.files_then)))
    return [verdict for claim in claims for verdict in _judge(claim, now, then, scope)]


def version_prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return a print of what the manifests state now that agrees with each claim."""
    now = _now(scope)
    agreed = {claim: [value for _, value in now.of(claim) if fits(claim.owner, value)] for claim in claims}
    return {claim: print_of(" ".join(values)) if values else ABSENT for claim, values in agreed.items()}


def _judge(claim: Claim, now: _Stated, then: _Stated, scope: CheckScope) -> Iterator[ClaimVerdict]:
    mark, before, after = scope.anchors.of(claim), then.of(claim), now.of(claim)
    held = [file for file, value in before if fits(claim.owner, value)]
    if mark == ABSENT or not (held or mark):
        return
    kept = [file for file, value in after if fits(claim.owner, value)]
    if not kept:
        files = [file for file, _ in after]
        commits = max(scope.commits_since(files).values(), default=0) if files else 0
        stated = after[0][1].strip() if after else ""
        yield ClaimVerdict.changed(claim, commits, stated, stale=True) if after else ClaimVerdict.gone(claim)
    elif len(kept) < len(after) and len(held) == len(before):
        yield ClaimVerdict.undecided(claim, f"{len(kept)} of {len(after)} manifests state it")
    else:
        yield ClaimVerdict.unchanged(claim)


def _now(scope: CheckScope) -> _Stated:
    texts = ((path, scope.project.text(path)) for path in _shallow(scope.files.paths))
    return _stated_versions({path: text for path, text in texts if text is not None})


def _shallow(paths: Sequence[str]) -> list[str]:
    return shallow_first(path for path in paths if is_version_file(path))[:MOST_MANIFESTS]


def _stated_versions(texts: Mapping[str, str]) -> _Stated:
    return _Stated(
        tuple(
            (path, name, value) for path, text in texts.items() for name, value in stated_versions(text, path)
        )
    )
