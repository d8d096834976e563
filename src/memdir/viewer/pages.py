"""The other pages: ask, timeline, context bill, inbox, rules, doctor; and what is done on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from os.path import basename, dirname
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from memdir.conversation.receipts import RecallCandidate
from memdir.errors import Conflict, Rejected
from memdir.memories.names import TEAM_FOLDER, is_team_file
from memdir.prompt.bill import Bill
from memdir.recall.limits import LISTED
from memdir.viewer.charts import (
    EVENTS,
    GAP,
    HEIGHT,
    WIDTH,
    bars_of,
    events_of,
    picture_days,
    shares_of,
)
from memdir.viewer.page import PageNote, Pages, page_number

__all__ = [
    "agents_page",
    "ask_page",
    "context_page",
    "decide_proposal",
    "decide_rule",
    "doctor_page",
    "help_page",
    "inbox_page",
    "judge_recall",
    "mend",
    "rules_page",
    "sync_team",
    "team_page",
    "timeline_page",
]

_SOON = 1.0
"""Seconds that a page waits for a long report before it says that it comes."""

_EVENTS = 200
"""Lines below the picture of a timeline."""

_TRIED = 6
"""Prompts of conversations that the empty page of questions offers."""


def ask_page(pages: Pages, request: Request) -> Response:
    """Show what a prompt would be given, and why the rest is not: the best of it, then page by page."""
    given, memory = request.query_params, pages.survey.memory
    prompt, number, last = given.get("q", "").strip()[:2000], 0, 0
    found = pages.survey.preview(prompt) if prompt else None
    rows: Sequence[RecallCandidate] = found.receipt.candidates if found else ()
    if found:
        number, last = page_number(given, len(rows) + found.receipt.others, LISTED)
    if number:
        rows = pages.survey.preview(prompt, None).receipt.candidates[number * LISTED :][:LISTED]
    verdicts: dict[str, str] = {}
    if example := next((one for one in memory.recalls.examples() if one.prompt == prompt), None):
        verdicts = dict.fromkeys(example.wanted, "wanted") | dict.fromkeys(example.unwanted, "unwanted")
    tried = [*dict.fromkeys(one.query for one in pages.survey.recalls.certain().receipts)][:_TRIED]
    about: dict[str, Any] = {"prompt": prompt, "found": found, "verdicts": verdicts, "tried": tried}
    return pages.show(request, "ask", **about, rows=rows, number=number, last=last)


def judge_recall(pages: Pages, _: Request, form: Mapping[str, str]) -> Response:
    """Note that a memory should, or should not, have been shown."""
    prompt, file = form.get("prompt", "").strip(), form.get("file", "").strip()
    if not prompt or not file:
        raise Rejected("Give the prompt and the memory.")
    wanted = form.get("do") == "wanted"
    given = {"missing": [file]} if wanted else {"wrong": [file]}
    noted = pages.survey.opened().recalls.judge(prompt, **given)
    named = ", ".join((*noted.wanted, *noted.unwanted))
    text = f"Noted: {named} {'should' if wanted else 'should not'} be shown. `memdir eval recall` counts it."
    return pages.after("/ask", PageNote(text), q=prompt, page=form.get("page", ""))


def timeline_page(pages: Pages, request: Request) -> Response:
    """Show what happened day by day, in all conversations or in one."""
    given, survey = request.query_params, pages.survey
    session, day = given.get("session", ""), given.get("day", "")
    entries, receipts = survey.changes.certain(), survey.recalls.certain().receipts
    everything = events_of(entries, receipts)
    sessions: dict[str, tuple[str, str, int]] = {}  # with the last day of each, and how much happened in it
    for one in everything:
        _, last, count = sessions.get(one.session, ("", one.at[:10], 0))
        sessions[one.session] = (one.session, last, count + 1)
    events = [one for one in everything if one.session == session] if session else everything
    days = picture_days(events, datetime.now(UTC).astimezone().date())
    shown = [one for one in events if not day or one.at[:10] == day]
    return pages.show(
        request,
        "timeline",
        session=session,
        day=day,
        sessions=[row for name, row in sessions.items() if name][:200],
        days=days,
        anything=bool(everything),
        busiest=max(day.total for day in days),
        bars=[(one, [*some]) for one, some in groupby(bars_of(days), key=lambda bar: bar.day)],
        events=[(one, [*some]) for one, some in groupby(shown[:_EVENTS], key=lambda event: event.at[:10])],
        more=len(shown) - _EVENTS,
        names=EVENTS,
        known=survey.table.certain().by_file,
        width=len(days) * (WIDTH + GAP),
        height=HEIGHT,
    )


def context_page(pages: Pages, request: Request) -> Response:
    """Show what a conversation is told at its start, by shares, and what to trim."""
    bill = pages.survey.bill.now(_SOON)
    parts = [*_groups(bill)] if bill else []
    return pages.show(request, "context", bill=bill, parts=parts, bars=shares_of(parts), pending=bill is None)


def inbox_page(pages: Pages, request: Request) -> Response:
    """Show what waits for a person, with the exact change."""
    proposals = [(one, one.diff) for one in pages.survey.inbox.certain()]
    return pages.show(request, "inbox", proposals=proposals)


def decide_proposal(pages: Pages, _: Request, form: Mapping[str, str]) -> Response:
    """Apply or reject what waits."""
    inbox, name = pages.survey.opened().inbox, form.get("id", "")
    if form.get("do") == "apply":
        applied, operation = inbox.apply(name)
        note = PageNote(f"Applied: {', '.join(applied.files)}.", operation)
    elif form.get("do") == "reject":
        rejected, operation = inbox.reject(name)
        note = PageNote(f"Rejected: {', '.join(rejected.files)}. The same does not come back.", operation)
    else:
        raise Rejected("Say whether to apply or to reject it.")
    return pages.after_change("/inbox", note)


def team_page(pages: Pages, request: Request) -> Response:
    """Show where team memory stands, what is in it, and who taught what."""
    memory, survey = pages.survey.memory, pages.survey
    status = memory.team.status()
    headers = [one for one in survey.table.certain().headers if is_team_file(one.file)]
    changes = memory.team.log()[:_EVENTS] if status.verdict.on else []
    about: dict[str, Any] = {"team": status, "changes": changes, "folder": TEAM_FOLDER}
    return pages.show(request, "team", **about, rows=survey.rows(headers[:_EVENTS]))


def sync_team(pages: Pages, _: Request, form: Mapping[str, str]) -> Response:
    """Bring team memory and its remote in step."""
    if form.get("do") != "sync":
        raise Rejected("Say what to do.")
    done = pages.survey.opened().team.sync()
    first, *details = done.lines()
    operation = done.operations[-1] if done.operations else ""
    return pages.after_change("/team", PageNote(first, operation, tuple(details)))


def agents_page(pages: Pages, request: Request) -> Response:
    """Show the agent types that keep a memory of their own, and what each remembers."""
    agent = pages.survey.memory.agent
    rows, refused = [], []
    for one in agent.list():
        try:
            if one.memory:
                memory = agent(one.name)
                rows.append((one, memory.directory, memory.list(), agent.snapshot(one.name)))
        except Rejected as error:  # one type that a repository names badly hides no other
            refused.append(str(error))
    return pages.show(request, "agents", agents=rows, refused=refused)


def rules_page(pages: Pages, request: Request) -> Response:
    """Show each rule with what it decided last."""
    return pages.show(request, "rules", **pages.survey.rules.certain())


def decide_rule(pages: Pages, _: Request, form: Mapping[str, str]) -> Response:
    """Approve the rules of a memory that somebody else wrote, or take that back."""
    rules, name = pages.survey.opened().rules, form.get("memory", "")
    if form.get("do") == "approve":
        if form.get("words") != "; ".join(rule.text for rule in rules.list() if rule.memory == name):
            pages.survey.rules.drop()
            raise Conflict(f"The rules of {name} changed while the page was open. Look at them again.")
        note = PageNote(f"Approved {len(rules.approve(name))} of {name}: in exactly these words.")
    elif form.get("do") == "withdraw":
        note = PageNote(f"Withdrew the approval of {len(rules.withdraw(name))} of {name}.")
    else:
        raise Rejected("Say whether to approve or to withdraw.")
    pages.survey.rules.drop()
    return pages.after("/rules", note)


def doctor_page(pages: Pages, request: Request) -> Response:
    """Show what is wrong or could be better."""
    groups, known = pages.survey.findings.now(_SOON), pages.survey.table.certain().by_file
    fixable = sum(group.fixable for group in groups or ())
    about: dict[str, Any] = {"groups": groups, "known": known, "fixable": fixable}
    return pages.show(request, "doctor", **about, pending=groups is None)


def mend(pages: Pages, _: Request, form: Mapping[str, str]) -> Response:
    """Mend what can be mended, or only look again."""
    if form.get("do") == "look":
        pages.survey.findings.drop()
        return pages.after("/doctor", PageNote("Looked again."))
    report = pages.survey.opened().doctor.examine(fix=True)
    fixed = [one.message for one in report.findings if one.fixed]
    pages.survey.findings.drop()
    operation = report.operations[0] if len(report.operations) == 1 else ""
    text = f"Mended {len(fixed)}." if fixed else "There was nothing to mend."
    return pages.after_change("/doctor", PageNote(text, operation, tuple(fixed[:20])))


def help_page(pages: Pages, request: Request) -> Response:
    """Show the keys and what the pages are for."""
    return pages.show(request, "help")


def _groups(bill: Bill) -> Iterator[tuple[str, int]]:
    """Yield the parts of a bill as a person counts them: how memory works as one, then file by file."""
    mechanics = [one.part.tokens for one in bill.told if one.part.slot == "mechanics"]
    if mechanics:
        yield f"how memory works, in {len(mechanics)} sections", sum(mechanics)
    others = [one for one in bill.told if one.part.slot != "mechanics"]
    names = [basename(one.file.path) if one.file else one.part.name for one in others]
    for one, name in zip(others, names, strict=True):
        # Two of one name are told apart by their folders.
        folder = f"{basename(dirname(one.file.path))}/" if one.file and names.count(name) > 1 else ""
        yield f"{folder}{name}", one.part.tokens
