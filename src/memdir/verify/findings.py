"""What was found about a memory's claims, as lines to show beside it."""

from collections.abc import Iterator

from memdir.text.templates import Templates
from memdir.verify.verdicts import NOT_IN_TIME, Checked, Judged

__all__ = ["finding_lines"]

_TEXTS = Templates(__file__)

MOST_LINES = 8
"""Lines beside one memory: what misleads comes first, and the rest is less than the memory itself."""

_LONGEST = 120
"""Characters of a claim or of what is there now: enough to recognise it."""


def finding_lines(checked: Checked) -> list[str]:
    """Return one line a finding, what misleads first; the undecided is left out unless time ran short."""
    lines = [_line(one) for one in sorted(checked.claims, key=_rank) if one.decided]
    return [*lines, *_late(checked)][:MOST_LINES]


def _late(checked: Checked) -> Iterator[str]:
    late = [one for one in checked.claims if one.verdict.endswith(NOT_IN_TIME)]
    if late:
        yield (
            _line(late[0])
            if len(late) == 1
            else _TEXTS.filled("finding", claim=f"{len(late)} claims", verdict=late[0].verdict)
        )


def _line(one: Judged) -> str:
    claim, now = _short(one.claim.text), _short(one.now)
    if not now or (one.claim.kind == "date" and one.verdict == "unchanged"):  # a day does not change
        return _TEXTS.filled("finding", claim=claim, verdict=now or one.verdict)
    name = "finding_nearest" if one.verdict == "gone" else "finding_now"
    return _TEXTS.filled(name, claim=claim, verdict=one.verdict, now=now)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _rank(one: Judged) -> int:
    return (
        0 if one.stale else 1 if one.verdict.startswith("passed") else 2 if one.verdict != "unchanged" else 3
    )
