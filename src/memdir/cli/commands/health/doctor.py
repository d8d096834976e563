"""Commands about the state of a memory directory: doctor, status."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from memdir.cli.arguments import command, flag
from memdir.cli.failure import ExitCode
from memdir.cli.output import answer, columns, cut, hint, moment, one_line, say, short_path, style
from memdir.cli.report import fields, tell_orphans, undo_lines
from memdir.cli.target import Target
from memdir.errors import Rejected
from memdir.memories.topic import time_since
from memdir.text.clip import INDEX_CHARACTERS, INDEX_LINES
from memdir.text.dates.calendar import utc_stamp
from memdir.text.numbers import count
from memdir.text.value import replace

if TYPE_CHECKING:
    from memdir.conversation.logs import Load
    from memdir.doctor.finding import Finding
    from memdir.doctor.status import Status
    from memdir.handles.team import TeamStatus
    from memdir.memory import Memory

__all__ = ["SHOWN", "doctor", "report_lines", "status"]


SHOWN = 10
"""Findings of one sort that are listed before the rest is counted: a screen should hold the whole report."""

_FOLDED = 3
"""Advice of one sort that is listed, or named as an example: more of it would hide the problems."""

_LONGEST = 400
"""Columns of one finding: it may quote a line of any length from a file."""

_REASONS, _REASONS_CODES = "missing-why/how", frozenset({"missing-why", "missing-how"})
_REASONS_HINT = "Add a line `**Why:**` with the reason and one `**How to apply:**` that says when it counts."
"""Advice that nearly every new memory gets: one line for those that lack both, and one for either."""

_ANSWERED = frozenset({"index-edited"})
"""Advice that is settled once the index is written anew, which `--fix` does."""

_HOOK, _REMEMBERED = "hook", timedelta(days=7)
"""Failures of hooks, and how long they are shown: an older one is no news, and may be mended long since."""


@command("memdir doctor --fix", doing="Examining")
@flag("--fix", "Mend what can be mended; where words change, it can be undone.")
@flag("--all everything", f"List every finding: not {SHOWN} of a sort, advice not folded.")
def doctor(target: Target, fix: bool, everything: bool) -> int:
    """Look for what is wrong or could be better.

    Each finding names its code and the next command. Ends with 1 when problems are left; advice alone ends
    with 0.
    """
    from memdir.config.location import is_kept

    memory = target.memory()  # files of a directory that was only named may be anything
    may_mend = target.directory is None or is_kept(memory.directory, memory.state)
    if fix and not may_mend:
        raise Rejected(
            f"Nothing was mended: {memory.directory} has no MEMORY.md, and memdir never saved there, so its "
            "files may be no memories. If they are, make an empty MEMORY.md there."
        )
    report = memory.doctor.examine(fix=fix)
    lines = report_lines(report.findings, datetime.now(UTC), everything=everything, fix=fix)
    if not fix and may_mend and any(found.fixable for found in report.findings):
        lines += ["", f"Mend what can be mended: {target.command('doctor', '--fix')}"]
    if undo := undo_lines(target, memory, *report.operations):
        lines += ["", *undo]
    finding = "code severity file message hint fixable fixed"
    answer(fields(report, f"ok findings[{finding}] operations"), *lines)
    return ExitCode.OK if report.ok else ExitCode.ERROR


@command("memdir status", "memdir status --line", doing="Counting")
@flag("--line as_line", "Print one short line, for prompts and status lines.")
def status(target: Target, as_line: bool) -> int:
    """Show where memory is, whether it is on, and who uses it."""
    memory = target.memory()
    if as_line:
        say(memory.doctor.status_line(), always=True)
        return ExitCode.OK
    figures = memory.doctor.status()
    answer(_shape(memory, figures), *columns(_figures(memory, figures, target.here), whole=True))
    hint(*figures.notices)
    tell_orphans(memory)
    return ExitCode.OK if memory.verdict.on else ExitCode.OFF


def _figures(memory: Memory, figures: Status, here: str) -> Iterator[tuple[str, str]]:
    kinds = ", ".join(f"{count} {kind}" for kind, count in figures.kinds.items())
    yield "memory", f"{'on' if memory.verdict.on else 'off'} because {one_line(memory.verdict.because)}"
    yield "directory", one_line(figures.directory) + ("" if figures.exists else " (made by the first save)")
    yield "memories", f"{figures.memories}{f' ({kinds})' if kinds else ''}"
    yield "index", f"{figures.index_lines} of {INDEX_LINES} lines, {_share(figures.index_characters)}"
    if memory.team.verdict.on:
        yield "team", one_line(_team(memory.team.status()))
    if figures.last_load is not None:
        yield "loaded", one_line(_load(figures.last_load))
    waiting = f", {figures.waiting} waiting to be recorded" if figures.waiting else ""
    yield "history", f"{'kept' if figures.history else 'none yet'}{waiting}"
    yield "trash", f"{figures.trash} forgotten"
    yield "state", one_line(figures.state)
    yield from (("hosts", line) for line in _host_lines(memory, figures.last_event, here))
    yield from (("not read", one_line(skipped)) for skipped in figures.skipped)


def _team(found: TeamStatus) -> str:
    remote = found.remote or "no remote yet"
    waiting = f", {len(found.waiting)} changes wait to be sent" if found.waiting else ""
    failed = f"; not synced: {found.failed}" if found.failed else ""
    return f"{count(found.memories, 'memory')}, {remote}{waiting}{failed}"


def _share(characters: int) -> str:
    return f"{characters / 1024:.1f} of {INDEX_CHARACTERS / 1024:.1f} KB"


def _load(load: Load) -> str:
    index = f"index {load.lines} of {INDEX_LINES} lines, {_share(load.characters)}"
    told = f"rule: {load.rule}" if load.kind == "off" else index
    over = f", over the limit of {load.limit.replace(',', ' and ')}" if load.limit else ""
    return f"{moment(load.at) if load.at else 'once'}: {load.kind}, {told}{over}"


def _shape(memory: Memory, figures: Status) -> dict[str, object]:
    load, last, setup = figures.last_load, figures.last_event, memory.hosts.setup()
    entries = [
        {**fields(entry, "host part path command"), "problem": setup.problem(entry)}
        for entry in setup.entries()
    ]
    return {
        **fields(memory.verdict, "on because rule"),
        **fields(figures, "directory state exists memories kinds index_lines index_characters skipped"),
        "loaded": load and fields(load),
        **fields(figures, "waiting history trash notices"),
        "team": _team(memory.team.status()) if memory.team.verdict.on else "",
        "hosts": {"set_up": entries, "last_event": utc_stamp(last) if last else None},
    }


def report_lines(
    findings: Sequence[Finding], now: datetime, *, everything: bool, fix: bool = False
) -> list[str]:
    """Return the report: what is wrong, what was mended, what could be better."""
    left = [found for found in findings if not (found.fixed or (fix and found.code in _ANSWERED))]
    left = [found for found in left if now - (_failure_time(found) or now) < _REMEMBERED]
    problems = [found for found in left if found.severity == "problem"]
    advice = [found for found in left if found.severity != "problem"]
    fixed = [found for found in findings if found.fixed]
    most = None if everything else SHOWN
    groups = (
        ("Problems", problems, "red", _finding_lines(problems, most)),
        ("Mended", fixed, "green", _finding_lines(fixed, most)),
        ("Advice", advice, "yellow", _finding_lines(advice, None) if everything else _summary_lines(advice)),
    )
    lines: list[str] = []
    for title, found, colour, listed in groups:
        if found:
            lines += ["", style(f"{title} ({len(found)})", fg=colour, bold=True), *listed]
    return lines[1:] or ["All is well."]


def _finding_lines(findings: Sequence[Finding], most: int | None) -> Iterator[str]:
    """List findings by code, each hint once below those that share it."""
    for code, advice, alike in _sorts(findings):
        yield from (f"  {code}: {_sentence(found)}" for found in alike[:most])
        if most is not None and len(alike) > most:
            yield f"  {code}: and {len(alike) - most} more; --all lists them"
        if advice:
            yield f"    -> {one_line(advice)}"


def _summary_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """List findings by code, those that many files share on one line."""
    for code, advice, alike in _sorts(_with_reasons(findings)):
        files = list(dict.fromkeys(found.file for found in alike if found.file.endswith(".md")))
        if len(files) <= _FOLDED and code not in {_REASONS, *_REASONS_CODES}:
            yield from _finding_lines(alike, SHOWN)
            continue
        named = ", ".join(files[:_FOLDED])
        among = f"{len(files)} files, e.g. " if len(files) > _FOLDED else ""
        yield f"  {code}: {among}{cut(one_line(named), _LONGEST)}; --all shows each"
        if advice:
            yield f"    -> {one_line(advice)}"


def _with_reasons(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings where a file that lacks a reason and its use is advised of both in one breath."""
    lacks = {code: {found.file for found in findings if found.code == code} for code in _REASONS_CODES}
    both = set.intersection(*lacks.values())
    return [
        replace(found, code=_REASONS, hint=_REASONS_HINT)
        if found.code in _REASONS_CODES and found.file in both
        else found
        for found in findings
    ]


def _sorts(findings: Sequence[Finding]) -> Iterator[tuple[str, str, list[Finding]]]:
    """Yield each code and hint with the findings that share them, by file."""
    sorts: dict[tuple[str, str], list[Finding]] = {}
    for found in findings:
        sorts.setdefault((found.code, "" if found.fixed else found.hint), []).append(found)
    for (code, advice), alike in sorts.items():
        yield code, advice, sorted(alike, key=lambda found: found.file)


def _sentence(found: Finding) -> str:
    """Return what was found, with the file it is about; of what was mended, as a thing of the past."""
    named = not found.file or found.file in found.message
    said = one_line(found.message if named else f"{found.file}: {found.message}")
    if noted := _failure_time(found):
        said = f"{moment(noted)} {said.partition(' ')[2]}"
    return cut(_past(said) if found.fixed else said, _LONGEST)


def _failure_time(found: Finding) -> datetime | None:
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


def _host_lines(memory: Memory, last: datetime | None, here: str) -> Iterator[str]:
    """Yield for each host that is set up what of us its files name, and when it last told of an event."""
    setup = memory.hosts.setup()
    entries = setup.entries()
    event = f"last event {time_since(last, datetime.now(UTC))}" if last else "no event yet"
    for host in dict.fromkeys(entry.host for entry in entries):
        own = [entry for entry in entries if entry.host == host]
        told = []
        for entry in own:
            problem = setup.problem(entry)
            wrong = f", which {one_line(problem)}" if problem else ""
            told += [f"{entry.part} in {short_path(entry.path, here)}{wrong}"]
        if any(entry.part != "server" for entry in own):
            told += [event]
        yield f"{one_line(host)}: {', '.join(dict.fromkeys(told))}"
    if not entries:
        yield "none: memdir init claude-code" if last is None else f"none in their settings, {event}"
