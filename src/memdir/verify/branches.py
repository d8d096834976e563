"""Checks of branches: there, renamed, or gone as far as git can tell.

Git keeps no record of a branch that is deleted. That one was there is known from the anchors of the memory,
from reflogs and merges, or from words that take it for granted ("the `develop` branch").
"""

from collections.abc import Iterator, Sequence

from memdir.verify.anchors import ABSENT, THERE
from memdir.verify.claims.mentions import Claim
from memdir.verify.project import CheckScope
from memdir.verify.repository import Branches
from memdir.verify.verdicts import ClaimVerdict

__all__ = ["branch_prints", "judge_branches"]


def judge_branches(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Return the verdicts on branches; without a repository there is nothing to say."""
    if scope.repository is None:
        return []
    branches = scope.repository.branches()
    return [verdict for claim in claims for verdict in _judge(claim, branches, scope.anchors.of(claim))]


def branch_prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return for each branch whether it is there now."""
    if scope.repository is None:
        return {}
    names = scope.repository.branches().names
    return {claim: THERE if claim.target in names else ABSENT for claim in claims}


def _judge(claim: Claim, branches: Branches, mark: str) -> Iterator[ClaimVerdict]:
    if claim.owner and not claim.sure and not branches.has_remote:
        return
    there = claim.target in branches.names
    if claim.absent:
        if there and mark == ABSENT:
            yield ClaimVerdict.again(claim, claim.target)
    elif there:
        yield ClaimVerdict.unchanged(claim)
    elif mark == THERE or claim.target in branches.former or claim.target in branches.renamed:
        yield ClaimVerdict.gone(claim, _successor(claim.target, branches))
    elif claim.sure and not mark:
        if branches.partial or not branches.names:
            yield ClaimVerdict.undecided(claim, "this clone does not have all branches")
        else:
            yield ClaimVerdict.gone(claim)


def _successor(name: str, branches: Branches) -> str:
    """Return what a branch is called now, as git itself says; empty when it was deleted."""
    seen: set[str] = set()
    while name in branches.renamed and name not in seen:
        seen.add(name)
        name = branches.renamed[name]
    return name if seen and name in branches.names else ""
