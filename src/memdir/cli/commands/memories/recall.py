"""Commands about what a prompt is given from memory, and whether it holds: recall, why, stats, verify."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import TextCommand, command, flag, id_argument, name_argument, option
from memdir.cli.failure import ExitCode
from memdir.cli.output import (
    advise,
    answer,
    columns,
    is_terminal,
    moment,
    one_line,
    room,
    say,
    say_exactly,
    say_json,
    show_progress,
    style,
    wrap,
)
from memdir.cli.report import fields
from memdir.cli.target import Target

if TYPE_CHECKING:
    from collections.abc import Container

    from memdir.conversation.receipts import RecallCandidate, Receipt
    from memdir.memory import Memory
    from memdir.recall.evaluation import Stats
    from memdir.recall.fusion import Ranked
    from memdir.recall.recaller import WhyNot
    from memdir.verify.verdicts import ClaimVerdict, MemoryVerdict

__all__ = ["recall", "stats", "verify", "why", "why_not"]

_RECALL_SECONDS = 10.0
"""Seconds that a person waits for what a prompt would get in less: nothing is left out for want of time."""

_LISTED = 20
"""Recalls that `why --list` shows: a screen of them."""

_LEARNING, _LEARNED = 2.0, 64
"""Seconds and memories for vectors that are missing, before a person's recall; a prompt computes none."""

_FEW = 10
"""Memories that `stats` lists of each sort unless all are asked for."""

_ABOUT = "id at query session method because files likely"
"""The fields of a recall that `--json` lists."""


@command('memdir recall "how do we deploy the shop?"', "memdir recall --explain deploy it", cls=TextCommand)
@click.argument("query", nargs=-1)
@option(
    "--limit",
    "At most so many memories; the setting recall.files bounds it too.",
    type=click.IntRange(min=1),
    default=5,
)
@flag("--explain", "Show scores and reasons instead of the text.")
@option("--wrong", "Note that this memory should not be shown.", multiple=True, metavar="FILE")
@option("--missing", "Note that this memory should be shown.", multiple=True, metavar="FILE")
def recall(
    target: Target, *, query: tuple[str, ...], limit: int, explain: bool, **examples: tuple[str, ...]
) -> None:
    """Print what a prompt would be given from memory.

    Each with its age, who said it and whether its claims about the project still hold; what may help too
    is named in a line. That is nothing when no memory is likely to help. With the global option --session
    ID it counts as given to that conversation. With --wrong or --missing it notes an example instead,
    about QUERY or the newest recall: `memdir eval recall` scores recall by your examples, which never
    leave this machine.
    """
    memory = target.memory()
    if any(examples.values()):
        noted = memory.recalls.judge(" ".join(query), **examples)
        about = f"for {one_line(noted.prompt)[:80]!r}"
        lines = [f"Noted: {one_line(file)} should be shown {about}." for file in noted.wanted]
        lines += [f"Noted: {one_line(file)} should not be shown {about}." for file in noted.unwanted]
        answer(fields(noted), *lines, "`memdir eval recall` scores recall by your examples.")
        return
    if not query:
        raise click.UsageError("Give the prompt, for example: memdir recall how do we deploy")
    with show_progress("Learning"):
        if memory.verdict.on:
            memory.models.learn(_LEARNING, _LEARNED)
    with show_progress("Recalling"):
        found = memory.recall(" ".join(query), limit=limit, budget=_RECALL_SECONDS)
    memory.verdict.require_on()
    say_json({**_shape(found.receipt), "text": found.text})
    if explain:
        say(*_explanation(found.receipt))
    elif found.text:
        say_exactly(found.text)
    else:
        say(_silence_reason(found.receipt))
        _advise_after_silence(target, memory, found.receipt)


@command("memdir why", "memdir why --list", "memdir why 1a2b3c4d --text", doing="Reading")
@id_argument
@flag("--text as_text", "Print again what was shown, if the files are unchanged.")
@flag("--list listed", f"List the newest {_LISTED} recalls, with their ids.")
def why(target: Target, named: str | None, as_text: bool, listed: bool) -> None:
    """Show why memories were recalled and others were not.

    Every candidate with the probability that it helps, what decided most about that, and the rule that kept
    it out. ID is that of a recall, or its beginning; without it the newest recall is shown.
    """
    memory = target.memory()
    if listed:
        _list_recalls(memory.state)
        return
    receipt = memory.recalls.receipt(named)
    text = memory.recalls.text(receipt) if as_text else ""
    say_json({**_shape(receipt), **({"text": text} if as_text else {})})
    if as_text:
        say_exactly(text)
    else:
        say(*_explanation(receipt))


@command('memdir why-not terse-replies "how do we deploy the shop?"', name="why-not", cls=TextCommand)
@name_argument("name", metavar="FILE")
@click.argument("query", nargs=-1, required=True)
def why_not(target: Target, name: str, query: tuple[str, ...]) -> None:
    """Say which rule keeps a memory from being recalled.

    FILE is the memory's file or its name. Nothing is recorded and nothing counts as shown.
    """
    with show_progress("Recalling"):
        found = target.memory().recalls.why_not(name, " ".join(query))
    shape = {
        "file": found.file,
        "recalled": not found.because,
        **fields(found, "because rank of"),
        "score": found.ranked.score if found.ranked else None,
        "best": found.best.header.file if found.best else None,
        "best_score": found.best.score if found.best else None,
    }
    answer(shape, *_why_not_lines(found))


@command("memdir stats --all", doing="Reading")
@flag("--all everything", "List every memory instead of the first ten.")
def stats(target: Target, everything: bool) -> None:
    """Show what was recalled and what never was."""
    figures = target.memory().recalls.stats()
    answer(fields(figures), *columns(_figures(figures, everything=everything), bold=0, whole=True))


def _list_recalls(state: str) -> None:
    """Print one row a recall: id, time, what was shown, prompt."""
    from memdir.conversation.receipts import Receipts

    receipts = Receipts(state).all()[:_LISTED]
    rows = [
        (one.id, moment(one.at), one_line(", ".join(one.given) or "nothing"), one_line(one.query))
        for one in receipts
    ]
    shape = {"recalls": [fields(one, _ABOUT) for one in receipts]}
    answer(shape, *columns(rows, bold=0, empty="Nothing was recalled here yet."))


def _silence_reason(receipt: Receipt) -> str:
    if receipt.because or not receipt.candidates:
        return f"Nothing is recalled: {one_line(receipt.because)}."
    best = receipt.candidates[0]
    return f"Nothing is recalled. {one_line(best.file)} comes first, but {one_line(best.cut)}."


def _explanation(receipt: Receipt) -> list[str]:
    named = f" and {len(receipt.named)} named in a line" if receipt.named else ""
    about = [f"{receipt.method} selection"] if receipt.method else []
    about += [f"{receipt.milliseconds:.1f} ms"]
    about += [f"{len(receipt.shown)} shown{named}, about {receipt.tokens:,} tokens"]
    about += [f"{receipt.model_tokens:,} tokens asked of the model"] if receipt.model_tokens else []
    headline = columns([(receipt.id, moment(receipt.at), one_line(receipt.query))], whole=True)
    lines = [*headline, *wrap("; ".join(about), room())]
    lines += [] if receipt.shown or receipt.named else [_silence_reason(receipt)]
    lines += [f"Done without: {one_line(text)}" for text in receipt.fallbacks]
    if receipt.candidates:
        rows = [_candidate_row(one, receipt.likely) for one in receipt.candidates]
        lines += ["", *columns(rows, bold=1, whole=True)]
    return [*lines, *([f"and {receipt.others:,} more with lower scores"] if receipt.others else [])]


def _candidate_row(one: RecallCandidate, named: Container[str]) -> tuple[str, str, str, str]:
    cut = one.cut or ("named in a line" if one.file in named else "shown")
    reason = "; ".join([cut, *[note for note in one.notes if note not in cut]])
    return f"{one.score:.3f}", one_line(one.file), _parts(one), one_line(reason)


def _parts(one: RecallCandidate | Ranked) -> str:
    """Return in words what decided about a probability, or where nobody judged it what fits."""
    meaning = "" if one.semantic is None else f", meaning {one.semantic:.2f}"
    return ", ".join(one.reasons) or f"words {one.lexical:.2f}{meaning}"


def _shape(receipt: Receipt) -> dict[str, Any]:
    return {
        **fields(receipt, _ABOUT),
        "candidates": [fields(one) for one in receipt.candidates],
        **fields(receipt, "fallbacks others tokens model_tokens milliseconds"),
    }


def _why_not_lines(found: WhyNot) -> list[str]:
    verdict = f"is not recalled: {one_line(found.because)}" if found.because else "is recalled"
    lines = [f"{one_line(found.file)} {verdict}."]
    if found.ranked and found.best:
        place = f"It is number {found.rank} of {found.of} with a probability of {found.ranked.score:.3f}"
        best = f"; the best, {one_line(found.best.header.file)}, has {found.best.score:.3f}"
        lines += [f"{place} ({_parts(found.ranked)}){best if found.rank > 1 else ''}."]
        lines += [f"Moved by: {one_line(', '.join(found.ranked.notes))}."] if found.ranked.notes else []
    return lines


def _figures(figures: Stats, *, everything: bool) -> list[tuple[str, str]]:
    since = f", since {moment(figures.since)}" if figures.since else ""
    rows = [("recalls", f"{figures.recalls:,} ({figures.empty:,} gave nothing){since}")]
    rows += [("skipped", f"{count:,} because {one_line(why)}") for why, count in figures.skipped.items()]
    if figures.recalls:
        times = ", ".join(f"{name} {value:.1f} ms" for name, value in figures.milliseconds.items())
        methods = ", ".join(f"{name} {count:,}" for name, count in figures.methods.items())
        rows += [("chosen by", methods), ("time", times), ("tokens", f"about {figures.tokens:,} shown")]
    rows += [("asked", f"{figures.model_tokens:,} tokens of the model")] if figures.model_tokens else []
    rows += [("done without", f"in {figures.fallbacks:,} recalls")] if figures.fallbacks else []
    most = None if everything else _FEW
    recalled = [f"{count:,} x {one_line(file)}" for file, count in figures.recalled.items()]
    for name, files in (("recalled", recalled), ("never", list(map(one_line, figures.never)))):
        rows += [(name, file) for file in files[:most]]
        rows += [(name, f"and {len(files) - _FEW:,} more")] if most and len(files) > most else []
    return rows


def _advise_after_silence(target: Target, memory: Memory, receipt: Receipt) -> None:
    if not memory.list(limit=1):
        advise(f'`{target.command("remember")} "..."` saves the first one.')
        return
    advise(f"`{target.command('why', receipt.id)}` shows the reasons.")
    if is_terminal(sys.stdout) and (missing := memory.models.semantic_missing()):
        advise(f"Recall goes by words alone. {missing}")


_MISLEADING = ("stale", "passed")
_COLOURS = {"stale": "red", "passed": "yellow", "fresh": "green"}


@command("memdir verify", "memdir verify build-commands --json", doing="Checking")
@name_argument("name", required=False, default="")
@flag("--exit-code", "End with 1 when a memory is stale or names a day that passed.")
def verify(target: Target, name: str, exit_code: bool) -> int:
    """Check what memories claim about the project.

    Paths, symbols, commands, versions, branches, values and dates are looked up in the working tree and in
    git. `stale` would mislead, `passed` names a day that is over, `fresh` holds, `no claim` says nothing that
    can be checked. NAME is a memory's name or its file; without it all are checked and those that mislead are
    listed.
    """
    checked = target.memory().doctor.verify(name)
    keys = "file verdict claims[claim.kind claim.text verdict now]"
    shape = {"memories": [fields(one, keys) for one in checked]}
    answer(shape, *_report(checked, everything=bool(name)))
    misleads = any(one.verdict in _MISLEADING for one in checked)
    return ExitCode.ERROR if exit_code and misleads else ExitCode.OK


def _report(checked: Sequence[MemoryVerdict], *, everything: bool) -> Iterator[str]:
    """Yield what misleads, and of one memory that was asked for everything; the rest is counted."""
    shown = [one for one in checked if everything or one.verdict in _MISLEADING]
    for one in shown:
        yield f"{style(one.verdict, fg=_COLOURS.get(one.verdict))}  {one_line(one.file)}"
        for judged in one.claims:
            if everything or judged.stale or judged.verdict.startswith("passed"):
                yield f"  {_line(judged)}"
    if not everything:
        counts = Counter(one.verdict for one in checked)
        yield ", ".join(f"{counts[verdict]} {verdict}" for verdict in (*_COLOURS, "no claim"))


def _line(judged: ClaimVerdict) -> str:
    if judged.claim.kind == "date" and judged.verdict == "unchanged":
        return one_line(f"{judged.claim.text}: {judged.now}")
    now = f" ({'nearest now' if judged.verdict == 'gone' else 'now'}: {judged.now})" if judged.now else ""
    return one_line(f"{judged.claim.text}: {judged.verdict}{now}")
