"""Checks every memory of a set against its history, and counts right and wrong, class by class."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.verify.histories import NOW, SAVED, Case, History, begun, go_on

from memdir.memories.topic import topic_from
from memdir.text.frontmatter.header import render_header
from memdir.verify.check import anchors, verify
from memdir.verify.claims.parser import claims_in
from memdir.verify.project import Project
from memdir.verify.verdicts import MemoryVerdict

__all__ = ["Outcome", "outcomes", "precision_and_recall", "table"]

BUDGET = 30.0
"""Seconds for one memory: this measures judgement, not speed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A memory with what was said of it."""

    case: Case
    checked: MemoryVerdict

    @property
    def right(self) -> bool:
        """Whether stale or not stale was said as expected."""
        return (self.case.expected == "stale") == (self.checked.verdict == "stale")

    @property
    def exact(self) -> bool:
        """Whether the very verdict was said, and no other hint than expected."""
        hints = {one.now for one in self.checked.claims if one.verdict == "gone"}
        hinted = self.case.hint is None or hints == {self.case.hint}
        return self.case.expected == self.checked.verdict and hinted


def outcomes(
    histories: Sequence[History], cases: Iterable[Case], folder: Path, *, anchored: bool = False
) -> list[Outcome]:
    """Build the histories and check every memory; anchored ones were saved by memdir, others by hand."""
    git, cases = shutil.which("git"), list(cases)
    roots = {one.name: begun(one, folder) for one in histories}
    marks = [
        anchors(claims_in(case.text), case.text, Project(roots[case.project], git), BUDGET)
        if anchored
        else ""
        for case in cases
    ]
    for one in histories:
        go_on(one, roots[one.name])
    projects = {name: Project(root, git) for name, root in roots.items()}
    return [
        Outcome(case, _checked(case, projects[case.project], mark))
        for case, mark in zip(cases, marks, strict=True)
    ]


def precision_and_recall(found: Sequence[Outcome]) -> tuple[float, float]:
    """Return how many of those called stale are, and how many of the stale were called so."""
    said = [one for one in found if one.checked.verdict == "stale"]
    meant = [one for one in found if one.case.expected == "stale"]
    hits = sum(one.right for one in said)
    return hits / len(said) if said else 1.0, hits / len(meant) if meant else 1.0


def table(found: Sequence[Outcome]) -> list[str]:
    """Return one line a class, then precision and recall of stale, then each miss."""
    lines = [f"{'class':<26}{'memories':>9}{'stale/not':>11}{'exact':>7}"]
    for sort in dict.fromkeys(one.case.sort for one in found):
        own = [one for one in found if one.case.sort == sort]
        right, exact = sum(one.right for one in own), sum(one.exact for one in own)
        lines.append(f"{sort:<26}{len(own):>9}{f'{right}/{len(own)}':>11}{f'{exact}/{len(own)}':>7}")
    precision, recall = precision_and_recall(found)
    lines.append(f"{len(found)} memories, stale: precision {precision:.3f}, recall {recall:.3f}")
    return lines + [_miss(one) for one in found if not one.exact]


def _checked(case: Case, project: Project, marks: str) -> MemoryVerdict:
    metadata = {"anchors": marks} if marks else {}
    header = render_header({"name": "case", "description": "", "type": "project"}, metadata)
    text = f"{header}\n{case.text}\n"
    return verify(topic_from("project_case.md", text, SAVED), project, NOW, BUDGET)


def _miss(one: Outcome) -> str:
    said = "; ".join(f"{j.claim.text} = {j.verdict} ({j.now})" for j in one.checked.claims)
    expected = f"expected {one.case.expected}, said {one.checked.verdict}"
    return f"  {one.case.sort}: {one.case.text!r} {expected}: {said}"
