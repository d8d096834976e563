"""Checks what memories claim: one of them within a time, many for the doctor, and anchors for a new one."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from memdir.memories.topic import Topic
from memdir.text.frontmatter.header import parse
from memdir.verify.anchors import ABSENT, Anchors, anchor_value, line_print, parse_anchors, word_prints
from memdir.verify.branches import branch_prints, judge_branches
from memdir.verify.claims.dates import date_claims
from memdir.verify.claims.mentions import Claim
from memdir.verify.claims.parser import claims_in
from memdir.verify.claims.scripts import words_of
from memdir.verify.commands import judge_commands, scripts_now
from memdir.verify.literals import judge_literals, literal_prints
from memdir.verify.paths import (
    PathState,
    blob_print,
    find_paths,
    glob_print,
    judge_globs,
    judge_lines,
    judge_paths,
)
from memdir.verify.project import CheckScope, Project
from memdir.verify.repository import CheckDeadline, NoGitAnswer, OutOfTime
from memdir.verify.symbols import definitions, judge_symbols
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
    deadline = project.deadline_in(budget)
    try:
        project.files(deadline)  # shows whether there is a repository at all
        commit = project.repository.full_commit("HEAD", deadline) if project.repository else ""
        scope = CheckScope(project, _ANY_TIME, Anchors(), deadline, claims=claims, text=text, then=commit)
        return anchor_value(commit, _prints(claims, scope))
    except (OutOfTime, NoGitAnswer):
        return ""


_ANY_TIME = datetime.max.replace(tzinfo=UTC)
_PATHS = ("path", "line")


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
    dates = date_claims(text, header.expires, header.saved_at.date())
    claims = claims_in(text)
    marks = parse_anchors(parse(topic.text).metadata.get("anchors", ""))
    scope = CheckScope(project, header.saved_at, marks, deadline, claims=claims, text=text)
    judged = _judge_claims(claims, scope) if claims else []
    judged += [judge_day(claim, now.date()) for claim in dates]
    return memory_verdict(header.file, tuple(judged))


def _judge_claims(claims: Sequence[Claim], scope: CheckScope) -> list[ClaimVerdict]:
    """Judge claims kind by kind, the cheap ones first; when time is up the rest stays undecided."""
    by_kind = {kind: [claim for claim in claims if claim.kind == kind] for kind in _KINDS}
    found: dict[str, PathState] = {}
    steps: dict[str, Callable[[], list[ClaimVerdict]]] = {
        "path": lambda: judge_paths(by_kind["path"], found, scope),
        "line": lambda: judge_lines(by_kind["line"], found, scope),
        "command": lambda: judge_commands(by_kind["command"], scope),
        "branch": lambda: judge_branches(by_kind["branch"], scope),
        "glob": lambda: judge_globs(by_kind["glob"], scope),
        "version": lambda: judge_versions(by_kind["version"], scope),
        "symbol": lambda: judge_symbols(by_kind["symbol"], found, scope),
        "literal": lambda: judge_literals(by_kind["literal"], scope),
        "value": lambda: judge_literals(by_kind["value"], scope),
    }
    judged: list[ClaimVerdict] = []
    for kind, step in steps.items():
        if not by_kind[kind]:
            continue
        try:
            found = found or find_paths([claim for claim in claims if claim.kind in _PATHS], scope)
            judged += step()
        except OutOfTime:
            judged += _left_open(by_kind[kind], NOT_IN_TIME)
        except NoGitAnswer:
            judged += _left_open(by_kind[kind], "git gave no answer")
    return sorted(judged, key=lambda one: claims.index(one.claim))


def _left_open(claims: Sequence[Claim], because: str) -> list[ClaimVerdict]:
    return [ClaimVerdict.undecided(claim, because) for claim in claims if claim.sure and not claim.absent]


_KINDS = ("path", "line", "command", "branch", "glob", "version", "symbol", "literal", "value")


_PRINTS = (
    (branch_prints, ("branch",)),
    (version_prints, ("version",)),
    (literal_prints, ("literal", "value")),
)


def _prints(claims: Sequence[Claim], scope: CheckScope) -> dict[Claim, str]:
    """Return what each claim looks like in the working tree now."""
    paths, symbols = ([claim for claim in claims if claim.kind in kinds] for kinds in (_PATHS, ("symbol",)))
    found = find_paths(paths, scope) if paths else {}
    defined = definitions([claim.target for claim in symbols], "", scope) if symbols else None
    prints: dict[Claim, str] = {}
    for step, kinds in _PRINTS:
        some = [claim for claim in claims if claim.kind in kinds]
        prints |= step(some, scope) if some else {}
    for claim in claims:
        match claim.kind:
            case "path" | "line":
                prints[claim] = _path_print(claim, found[claim.target], scope)
            case "glob":
                prints[claim] = glob_print(claim, scope)
            case "symbol" if defined:
                prints[claim] = _place(defined.of(claim), found)
            case "command":
                found_script = scripts_now(claim, scope).get(claim.target)
                prints[claim] = word_prints(words_of(found_script[1])) if found_script else ABSENT
    return {claim: mark for claim, mark in prints.items() if claim.sure or claim.absent or mark != ABSENT}


def _place(places: Sequence[str], found: dict[str, PathState]) -> str:
    """Return the file that defines a symbol, one that the memory names before any other."""
    named = {one.path for one in found.values()}
    return next((path for path in places if path in named), next(iter(places), ABSENT))


def _path_print(claim: Claim, one: PathState, scope: CheckScope) -> str:
    path = one.path
    data = scope.project.data(path) if path else None
    if data is None:
        return "" if path or one.several else ABSENT
    if claim.kind == "line":
        return line_print(data.decode("utf-8", "replace").split("\n"), claim.line)
    return blob_print(data)
