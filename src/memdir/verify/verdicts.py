"""Verdicts on the claims of a memory, the verdict on the memory as a whole, and the lines that show them."""

from collections.abc import Iterator
from datetime import date

from memdir.text.clip import shorten
from memdir.text.templates import Templates
from memdir.text.value import value_class
from memdir.verify.claims.mentions import Claim

__all__ = ["NOT_IN_TIME", "ClaimVerdict", "MemoryVerdict", "finding_lines", "judge_day", "memory_verdict"]

NOT_IN_TIME = "not checked in time"

MOST_LINES = 8
"""Lines beside one memory. Stale claims come first."""


@value_class(frozen=True, slots=True)
class ClaimVerdict:
    """One claim with its verdict."""

    claim: Claim
    verdict: str
    """unchanged · changed since (N commits) · gone · there again · passed N days ago · cannot say: why."""
    now: str = ""
    """What is nearest to it now, or where it is now."""
    stale: bool = False
    """Whether a reader who relies on it is misled."""

    @property
    def decided(self) -> bool:
        """Tell whether the check had a result."""
        return not self.verdict.startswith(_CANNOT_SAY)

    @classmethod
    def unchanged(cls, claim: Claim, now: str = "") -> "ClaimVerdict":
        """Say that the claim holds."""
        return cls(claim, "unchanged", now)

    @classmethod
    def changed(cls, claim: Claim, commits: int, now: str = "", *, stale: bool = False) -> "ClaimVerdict":
        """Say that the thing exists and is different; 0 commits means that the change is not committed."""
        count = f"{commits} commit{'' if commits == 1 else 's'}" if commits else "not committed"
        return cls(claim, f"changed since ({count})", now, stale)

    @classmethod
    def gone(cls, claim: Claim, now: str = "") -> "ClaimVerdict":
        """Say that the thing does not exist any more, and what is nearest to it."""
        return cls(claim, "gone", now, stale=True)

    @classmethod
    def again(cls, claim: Claim, now: str) -> "ClaimVerdict":
        """Say that something exists again, and where, although the memory says that it was removed."""
        return cls(claim, "there again", now, stale=True)

    @classmethod
    def undecided(cls, claim: Claim, because: str) -> "ClaimVerdict":
        """Say that the check has no result, and why."""
        return cls(claim, f"{_CANNOT_SAY}: {because}")


@value_class(frozen=True, slots=True)
class MemoryVerdict:
    """One memory with the verdicts on all its claims."""

    file: str
    verdict: str
    """stale, passed (a date in it is over), fresh, or no claim: none that could be decided."""
    claims: tuple[ClaimVerdict, ...] = ()


def memory_verdict(file: str, claims: tuple[ClaimVerdict, ...]) -> MemoryVerdict:
    """Return the verdict on a memory: the worst of its claims decides."""
    if any(one.stale for one in claims):
        return MemoryVerdict(file, "stale", claims)
    if any(one.verdict.startswith("passed") for one in claims):
        return MemoryVerdict(file, "passed", claims)
    return MemoryVerdict(file, "fresh" if any(one.decided for one in claims) else "no claim", claims)


def judge_day(claim: Claim, today: date) -> ClaimVerdict:
    """Return whether the day of a claim is over."""
    days = (today - claim.day).days if claim.day else 0
    if days > 0:
        return ClaimVerdict(claim, f"passed {days} day{'' if days == 1 else 's'} ago")
    left = f"in {-days} day{'' if days == -1 else 's'}" if days else "today"
    return ClaimVerdict.unchanged(claim, left)


def finding_lines(checked: MemoryVerdict) -> list[str]:
    """Return one line for each verdict, stale ones first; undecided claims only where time ran out."""
    lines = [_line(one) for one in sorted(checked.claims, key=_rank) if one.decided]
    return [*lines, *_late(checked)][:MOST_LINES]


_TEXTS = Templates(__file__)
_CANNOT_SAY = "cannot say"
_LONGEST = 120
"""Characters of a claim or of what is there now: enough to recognise it."""


def _late(checked: MemoryVerdict) -> Iterator[str]:
    late = [one for one in checked.claims if one.verdict.endswith(NOT_IN_TIME)]
    if len(late) == 1:
        yield _line(late[0])
    elif late:
        yield _TEXTS.fill_escaped("finding", claim=f"{len(late)} claims", verdict=late[0].verdict)


def _line(one: ClaimVerdict) -> str:
    claim, now = shorten(one.claim.text, _LONGEST), shorten(one.now, _LONGEST)
    if not now or (one.claim.kind == "date" and one.verdict == "unchanged"):  # a day does not change
        return _TEXTS.fill_escaped("finding", claim=claim, verdict=now or one.verdict)
    name = "finding_nearest" if one.verdict == "gone" else "finding_now"
    return _TEXTS.fill_escaped(name, claim=claim, verdict=one.verdict, now=now)


def _rank(one: ClaimVerdict) -> int:
    if one.stale:
        return 0
    return 1 if one.verdict.startswith("passed") else 2 if one.verdict != "unchanged" else 3
