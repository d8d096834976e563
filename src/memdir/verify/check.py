"""Checks what memories claim: one of them within a time, many for the doctor, and anchors for a new one."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from memdir.memories.topic import Topic
from memdir.text.frontmatter.header import parse
from memdir.verify.anchors import ABSENT, anchor_value, parse_anchors
from memdir.verify.branches import branch_prints, judge_branches
from memdir.verify.claims.dates import date_claims
from memdir.verify.claims.mentions import Claim
from memdir.verify.claims.parser import claims_in
from memdir.verify.commands import command_prints, judge_commands
from memdir.verify.literals import judge_literals, literal_prints
from memdir.verify.paths import glob_prints, judge_globs, judge_paths, path_prints
from memdir.verify.project import CheckScope, Project
from memdir.verify.repository import CheckDeadline, NoGitAnswer, OutOfTime
from memdir.verify.symbols import judge_symbols, symbol_prints
from memdir.verify.verdicts import NOT_IN_TIME, ClaimVerdict, MemoryVerdict, judge_day, memory_verdict
from memdir.verify.versions import judge_versions, version_prints

__all__ = ["anchors", "stale_memories", "verify", "verify_all"]


def verify(topic: Topic, project: Project, now: datetime, budget: float) -> MemoryVerdict:
    """Check what one memory claims, within so many seconds; what takes longer is left undecided."""
    return _verify_topic(topic, project, now, project.deadline_in(budget))


def verify_all(
    topics: Iterable[Topic], project: Project, now: datetime, budget: float
) -> list[MemoryVerdict]:
    """Check what many memories claim; the seconds are for all together."""
    deadline = project.deadline_in(budget)
    return [_verified_or_not(topic, project, now, deadline) for topic in topics]


def stale_memories(
    topics: Iterable[Topic], project: Project, now: datetime, budget: float
) -> list[MemoryVerdict]:
    """Return those of many memories that would mislead who relies on them."""
    return [one for one in verify_all(topics, project, now, budget) if one.verdict == "stale"]


def anchors(claims: Sequence[Claim], text: str, project: Project, budget: float = 1.0) -> str:
    """Return the header value `metadata.anchors` for a text about to be saved; empty without claims."""
    if not claims:
        return ""
    scope = CheckScope(project, project.deadline_in(budget), text, claims)
    try:
        prints: dict[Claim, str] = {}
        for kinds, _, take_prints in _CHECKS:
            own = [claim for claim in claims if claim.kind in kinds]
            prints |= take_prints(own, scope) if own else {}
        # What the text perhaps does not mean, and what is not there, needs no print.
        worth = [c for c in claims if prints.get(c, "") and (c.sure or c.absent or prints[c] != ABSENT)]
        return anchor_value(scope.then, {claim: prints[claim] for claim in worth})
    except (OutOfTime, NoGitAnswer):
        return ""


def _verified_or_not(topic: Topic, project: Project, now: datetime, deadline: CheckDeadline) -> MemoryVerdict:
    try:
        return _verify_topic(topic, project, now, deadline)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
        because = f"it could not be checked ({type(error).__name__}: {error})"
        return memory_verdict(
            topic.header.file, (ClaimVerdict.undecided(Claim("path", topic.header.file), because),)
        )


def _verify_topic(topic: Topic, project: Project, now: datetime, deadline: CheckDeadline) -> MemoryVerdict:
    header, text = topic.header, f"{topic.header.description}\n\n{topic.body}"
    dates = date_claims(text, header.last_day, header.saved_at.date())
    claims = claims_in(text)
    marks = parse_anchors(parse(topic.text).metadata.get("anchors", ""))
    scope = CheckScope(project, deadline, text, claims, saved_at=header.saved_at, anchors=marks)
    judged = _judge_claims(scope)
    judged += [judge_day(claim, now.date()) for claim in dates]
    return memory_verdict(header.file, tuple(judged))


def _judge_claims(scope: CheckScope) -> list[ClaimVerdict]:
    """Judge claims kind by kind; when time is up the rest stays undecided."""
    judged: list[ClaimVerdict] = []
    for kinds, judge, _ in _CHECKS:
        claims = [claim for claim in scope.claims if claim.kind in kinds]
        try:
            judged += judge(claims, scope) if claims else []
        except OutOfTime:
            judged += _left_open(claims, NOT_IN_TIME)
        except NoGitAnswer:
            judged += _left_open(claims, "git gave no answer")
    return sorted(judged, key=lambda one: scope.claims.index(one.claim))


def _left_open(claims: Sequence[Claim], because: str) -> list[ClaimVerdict]:
    return [ClaimVerdict.undecided(claim, because) for claim in claims if claim.sure and not claim.absent]


_CHECKS: tuple[
    tuple[
        tuple[str, ...],
        Callable[[Sequence[Claim], CheckScope], list[ClaimVerdict]],
        Callable[[Sequence[Claim], CheckScope], dict[Claim, str]],
    ],
    ...,
] = (
    (("path",), judge_paths, path_prints),
    (("line",), judge_paths, path_prints),
    (("command",), judge_commands, command_prints),
    (("branch",), judge_branches, branch_prints),
    (("glob",), judge_globs, glob_prints),
    (("version",), judge_versions, version_prints),
    (("symbol",), judge_symbols, symbol_prints),
    (("literal", "value"), judge_literals, literal_prints),
)
"""For each kind of claim, a function that judges it and one that takes its prints; cheap kinds first."""
