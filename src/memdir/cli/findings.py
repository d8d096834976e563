"""What doctor found, as a person reads it: problems first, and advice of one sort on one line."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memdir.cli.clock import moment
from memdir.cli.output import styled
from memdir.cli.printable import cut, one_line
from memdir.text.value import replace

if TYPE_CHECKING:
    from memdir.doctor.finding import Finding

__all__ = ["SHOWN", "report_lines"]

SHOWN = 10
"""Findings of one sort that are listed before the rest is counted: a screen should hold the whole report."""

_FOLDED = 3
"""Advice of one sort that is listed, or named as an example: more of it would hide the problems."""

_LONGEST = 400
"""Columns of one finding: it may quote a line of any length from a file."""

_REASONS, _REASONS_CODES = "missing-why/how", frozenset({"missing-why", "missing-how"})
_REASONS_HINT = "Add a line **Why:** with the reason and a line **How to apply:** that says when it counts."
"""Advice that nearly every new memory gets: one line for those that lack both, and one for either."""

_ANSWERED = frozenset({"index-edited"})
"""Advice that is settled once the index is written anew, which `--fix` does."""

_HOOK, _REMEMBERED = "hook", timedelta(days=7)
"""Failures of hooks, and how long they are shown: an older one is no news, and may be mended long since."""


def report_lines(
    findings: Sequence["Finding"], now: datetime, *, everything: bool, fix: bool = False
) -> list[str]:
    """Return the report: what is wrong, what was mended, what could be better."""
    left = [found for found in findings if not (found.fixed or (fix and found.code in _ANSWERED))]
    left = [found for found in left if now - (_noted(found) or now) < _REMEMBERED]
    problems = [found for found in left if found.severity == "problem"]
    advice = [found for found in left if found.severity != "problem"]
    fixed = [found for found in findings if found.fixed]
    groups = (
        ("Problems", problems, "red", _listed(problems, None if everything else SHOWN)),
        ("Mended", fixed, "green", _listed(fixed, None if everything else SHOWN)),
        ("Advice", advice, "yellow", _listed(advice, None) if everything else _folded(advice)),
    )
    lines: list[str] = []
    for title, found, colour, listed in groups:
        if found:
            lines += ["", styled(f"{title} ({len(found)})", fg=colour, bold=True), *listed]
    return lines[1:] or ["All is well."]


def _listed(findings: Sequence["Finding"], most: int | None) -> Iterator[str]:
    """List findings by code, each hint once below those that share it."""
    for code, advice, alike in _sorts(findings):
        yield from (f"  {code}: {_sentence(found)}" for found in alike[:most])
        if most is not None and len(alike) > most:
            yield f"  {code}: and {len(alike) - most} more; --all lists them"
        if advice:
            yield f"    -> {one_line(advice)}"


def _folded(findings: Sequence["Finding"]) -> Iterator[str]:
    """List findings by code, those that many files share on one line."""
    for code, advice, alike in _sorts(_with_reasons(findings)):
        files = list(dict.fromkeys(found.file for found in alike if found.file.endswith(".md")))
        if len(files) <= _FOLDED and code not in {_REASONS, *_REASONS_CODES}:
            yield from _listed(alike, SHOWN)
            continue
        named = ", ".join(files[:_FOLDED])
        among = f"{len(files)} files, e.g. " if len(files) > _FOLDED else ""
        yield f"  {code}: {among}{cut(one_line(named), _LONGEST)}; --all shows each"
        if advice:
            yield f"    -> {one_line(advice)}"


def _with_reasons(findings: Sequence["Finding"]) -> list["Finding"]:
    """Return findings where a file that lacks a reason and its use is advised of both in one breath."""
    lacks = {code: {found.file for found in findings if found.code == code} for code in _REASONS_CODES}
    both = set.intersection(*lacks.values())
    return [
        replace(found, code=_REASONS, hint=_REASONS_HINT)
        if found.code in _REASONS_CODES and found.file in both
        else found
        for found in findings
    ]


def _sorts(findings: Sequence["Finding"]) -> Iterator[tuple[str, str, list["Finding"]]]:
    """Yield each code and hint with the findings that share them, by file."""
    sorts: dict[tuple[str, str], list[Finding]] = {}
    for found in findings:
        sorts.setdefault((found.code, "" if found.fixed else found.hint), []).append(found)
    for (code, advice), alike in sorts.items():
        yield code, advice, sorted(alike, key=lambda found: found.file)


def _sentence(found: "Finding") -> str:
    """Return what was found, with the file it is about; of what was mended, as a thing of the past."""
    named = not found.file or found.file in found.message
    said = one_line(found.message if named else f"{found.file}: {found.message}")
    if noted := _noted(found):
        said = f"{moment(noted)} {said.partition(' ')[2]}"
    return cut(_past(said) if found.fixed else said, _LONGEST)


def _noted(found: "Finding") -> datetime | None:
    """Return when a hook failed: a line of its log begins with that, unless it is torn."""
    try:
        return datetime.fromisoformat(found.message.partition(" ")[0]) if found.code == _HOOK else None
    except ValueError:
        return None


_VERBS = {"is": "was", "are": "were", "has": "had", "can": "could", "names": "named", "does": "did"}
_VERB = re.compile(rf"'[^']*'|(?<= )({'|'.join(_VERBS)})(?= )")


def _past(sentence: str) -> str:
    """Put the first verb outside quotes into the past: `x.md was missing` cannot be read as still missing."""
    for match in _VERB.finditer(sentence):
        if match[1]:
            return sentence[: match.start()] + _VERBS[match[1]] + sentence[match.end() :]
    return sentence
