"""What was found about the claims of a memory, and what follows for the memory as a whole."""

from datetime import date

from memdir.text.value import value_class
from memdir.verify.claims.claims import Claim

__all__ = [
    "NOT_IN_TIME",
    "Checked",
    "Judged",
    "again",
    "changed",
    "checked",
    "day_judged",
    "gone",
    "unchanged",
    "undecided",
]

NOT_IN_TIME = "not checked in time"


@value_class(frozen=True, slots=True)
class Judged:
    """One claim with its verdict."""

    claim: Claim
    verdict: str
    """unchanged · changed since (N commits) · gone · there again · passed N days ago · cannot say: why."""
    now: str = ""
    """What is nearest to it now, or where it is now."""
    stale: bool = False
    """Whether who relies on it would be misled."""

    @property
    def decided(self) -> bool:
        """Tell whether anything could be said."""
        return not self.verdict.startswith(_CANNOT_SAY)


@value_class(frozen=True, slots=True)
class Checked:
    """One memory with all its claims judged."""

    file: str
    verdict: str
    """stale, passed (a date in it is over), fresh, or no claim: none that could be decided."""
    claims: tuple[Judged, ...] = ()


def checked(file: str, claims: tuple[Judged, ...]) -> Checked:
    """Return the verdict on a memory: the worst of its claims decides."""
    if any(one.stale for one in claims):
        return Checked(file, "stale", claims)
    if any(one.verdict.startswith("passed") for one in claims):
        return Checked(file, "passed", claims)
    return Checked(file, "fresh" if any(one.decided for one in claims) else "no claim", claims)


def unchanged(claim: Claim, now: str = "") -> Judged:
    """Return that the claim holds as it was."""
    return Judged(claim, "unchanged", now)


def changed(claim: Claim, commits: int, now: str = "", *, stale: bool = False) -> Judged:
    """Return that what is claimed is there and another; without commits the change is not committed yet."""
    count = f"{commits} commit{'' if commits == 1 else 's'}" if commits else "not committed"
    return Judged(claim, f"changed since ({count})", now, stale)


def gone(claim: Claim, now: str = "") -> Judged:
    """Return that what is claimed is no more, and what is nearest to it."""
    return Judged(claim, "gone", now, stale=True)


def again(claim: Claim, now: str) -> Judged:
    """Return that what the memory says was removed is there again, and where."""
    return Judged(claim, "there again", now, stale=True)


def undecided(claim: Claim, because: str) -> Judged:
    """Return that nothing can be said, and why."""
    return Judged(claim, f"{_CANNOT_SAY}: {because}")


def day_judged(claim: Claim, today: date) -> Judged:
    """Return whether the day of a claim is over."""
    days = (today - claim.day).days if claim.day else 0
    if days > 0:
        return Judged(claim, f"passed {days} day{'' if days == 1 else 's'} ago")
    return unchanged(claim, f"in {-days} day{'' if days == -1 else 's'}" if days else "today")


_CANNOT_SAY = "cannot say"
