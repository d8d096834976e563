"""Commands about what a prompt is given from memory: recall, why, why-not, stats."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import TextCommand, example, id_argument, json_option, name_argument
from memdir.cli.json_shapes import fields
from memdir.cli.output import columns, hint, moment, one_line, room, say, say_exactly, say_json, working, wrap
from memdir.cli.target import Target

if TYPE_CHECKING:
    from collections.abc import Container

    from memdir.conversation.receipts import RecallCandidate, Receipt
    from memdir.memory import Memory
    from memdir.recall.examples import Example
    from memdir.recall.rank import Ranked
    from memdir.recall.rerun import WhyNot
    from memdir.recall.statistics import Stats

__all__ = ["after_silence", "recall", "recall_lines", "recall_shapes", "stats", "why", "why_not"]


_PATIENCE = 10.0
"""Seconds that a person waits for what a prompt would get in less: nothing is left out for want of time."""

_LISTED = 20
"""Recalls that `why --list` shows: a screen of them."""

_LEARNING, _LEARNED = 2.0, 64
"""Seconds and memories for vectors that are missing, before a person's recall; a prompt computes none."""

_FEW = 10
"""Memories that `stats` lists of each sort unless all are asked for."""


@click.command(
    cls=TextCommand,
    epilog=example('memdir recall "how do we deploy the shop?"', "memdir recall --explain deploy it"),
)
@click.argument("query", nargs=-1)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=5,
    help="At most so many memories; the setting recall.files bounds it too.",
)
@click.option("--explain", is_flag=True, help="Show scores and reasons instead of the text.")
@click.option("--wrong", multiple=True, metavar="FILE", help="Note that this memory should not be shown.")
@click.option("--missing", multiple=True, metavar="FILE", help="Note that this memory should be shown.")
@json_option
@click.pass_obj
def recall(
    target: Target,
    *,
    query: tuple[str, ...],
    limit: int,
    explain: bool,
    wrong: tuple[str, ...],
    missing: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print what a prompt would be given from memory.

    Each with its age, who said it and whether its claims about the project still hold; what may help too
    is named in a line. That is nothing when no memory is likely to help. With the global option --session
    ID it counts as given to that conversation. With --wrong or --missing it notes an example instead,
    about QUERY or the newest recall: `memdir eval recall` scores recall by your examples, which never
    leave this machine.
    """
    memory = target.memory()
    if wrong or missing:
        noted = memory.recalls.judge(" ".join(query), missing=missing, wrong=wrong)
        if as_json:
            say_json({name: getattr(noted, name) for name in noted.__match_args__})
        else:
            say(*_noted(noted))
        return
    if not query:
        raise click.UsageError("Give the prompt, for example: memdir recall how do we deploy")
    with working("Learning"):
        if memory.verdict.on:
            memory.models.learn(_LEARNING, _LEARNED)
    with working("Recalling"):
        found = memory.recall(" ".join(query), limit=limit, budget=_PATIENCE)
    memory.verdict.require_on()
    if as_json:
        say_json({**_shape(found.receipt), "text": found.text})
    elif explain:
        say(*_explained(found.receipt))
    elif found.text:
        say_exactly(found.text)
    else:
        say(_silence(found.receipt))
        for text in after_silence(target, memory, found.receipt):
            hint(text)


@click.command(epilog=example("memdir why", "memdir why --list", "memdir why 1a2b3c4d --text"))
@id_argument
@click.option(
    "--text", "as_text", is_flag=True, help="Print again what was shown, if the files are unchanged."
)
@click.option("--list", "listed", is_flag=True, help=f"List the newest {_LISTED} recalls, with their ids.")
@json_option
@click.pass_obj
def why(target: Target, named: str | None, as_text: bool, listed: bool, as_json: bool) -> None:
    """Show why memories were recalled and others were not.

    Every candidate with the probability that it helps, what decided most about that, and the rule that kept
    it out. ID is that of a recall, or its beginning; without it the newest recall is shown.
    """
    memory = target.memory()
    if listed:
        from memdir.conversation.receipts import Receipts

        receipts = Receipts(memory.state).all()[:_LISTED]
        if as_json:
            say_json(recall_shapes(receipts))
        else:
            say(*recall_lines(receipts))
        return
    with working("Reading"):
        receipt = memory.recalls.receipt(named)
        text = memory.recalls.text(receipt) if as_text else ""
    if as_json:
        say_json({**_shape(receipt), **({"text": text} if as_text else {})})
    elif as_text:
        say_exactly(text)
    else:
        say(*_explained(receipt))


@click.command(
    "why-not", cls=TextCommand, epilog=example('memdir why-not terse-replies "how do we deploy the shop?"')
)
@name_argument("name", metavar="FILE")
@click.argument("query", nargs=-1, required=True)
@json_option
@click.pass_obj
def why_not(target: Target, name: str, query: tuple[str, ...], as_json: bool) -> None:
    """Say which rule keeps a memory from being recalled.

    FILE is the memory's file or its name. Nothing is recorded and nothing counts as shown.
    """
    memory = target.memory()
    with working("Recalling"):
        answer = memory.recalls.why_not(name, " ".join(query))
    if as_json:
        say_json(_why_not_shape(answer))
    else:
        say(*_why_not_lines(answer))


@click.command(epilog=example("memdir stats --all"))
@click.option("--all", "everything", is_flag=True, help="List every memory instead of the first ten.")
@json_option
@click.pass_obj
def stats(target: Target, everything: bool, as_json: bool) -> None:
    """Show what was recalled and what never was."""
    memory = target.memory()
    with working("Reading"):
        figures = memory.recalls.stats()
    if as_json:
        say_json({name: getattr(figures, name) for name in figures.__match_args__})
    else:
        say(*columns(_figures(figures, everything=everything), bold=0, whole=True))


def _noted(example: Example) -> list[str]:
    about = f"for {one_line(example.prompt)[:80]!r}"
    lines = [f"Noted: {one_line(file)} should be shown {about}." for file in example.wanted]
    lines += [f"Noted: {one_line(file)} should not be shown {about}." for file in example.unwanted]
    return [*lines, "`memdir eval recall` scores recall by your examples."]


def _silence(receipt: Receipt) -> str:
    if receipt.because or not receipt.candidates:
        return f"Nothing is recalled: {one_line(receipt.because)}."
    best = receipt.candidates[0]
    return f"Nothing is recalled. {one_line(best.file)} comes first, but {one_line(best.cut)}."


def _explained(receipt: Receipt) -> list[str]:
    about = [f"{receipt.method} selection"] if receipt.method else []
    about += [
        f"{receipt.milliseconds:.1f} ms",
        f"{len(receipt.shown)} shown{_and_lines(receipt)}, about {receipt.tokens:,} tokens",
    ]
    about += [f"{receipt.model_tokens:,} tokens asked of the model"] if receipt.model_tokens else []
    headline = columns([(receipt.id, moment(receipt.at), one_line(receipt.query))], whole=True)
    lines = [*headline, *wrap("; ".join(about), room())]
    lines += [_silence(receipt)] if not receipt.shown and not receipt.named else []
    lines += [f"Done without: {one_line(text)}" for text in receipt.fallbacks]
    if receipt.candidates:
        rows = [_candidate_row(one, receipt.likely) for one in receipt.candidates]
        lines += ["", *columns(rows, bold=1, whole=True)]
    lines += [f"and {receipt.others:,} more with lower scores"] if receipt.others else []
    return lines


def _and_lines(receipt: Receipt) -> str:
    count = len(receipt.named)
    return f" and {count} named in a line" if count else ""


def _candidate_row(one: RecallCandidate, named: Container[str]) -> tuple[str, str, str, str]:
    cut = one.cut or ("named in a line" if one.file in named else "shown")
    reason = "; ".join([cut, *[note for note in one.notes if note not in cut]])
    return f"{one.score:.3f}", one_line(one.file), _parts(one), one_line(reason)


def _parts(one: RecallCandidate | Ranked) -> str:
    """Return in words what decided about a probability, or where nobody judged it what fits."""
    meaning = "" if one.semantic is None else f", meaning {one.semantic:.2f}"
    return ", ".join(one.reasons) or f"words {one.lexical:.2f}{meaning}"


def _shape(receipt: Receipt) -> dict[str, Any]:
    """Return a receipt as `--json` prints it."""
    return {
        **fields(receipt, "id at query session method because files likely"),
        "candidates": [fields(one, " ".join(one.__match_args__)) for one in receipt.candidates],
        **fields(receipt, "fallbacks others tokens model_tokens milliseconds"),
    }


def _why_not_shape(answer: WhyNot) -> dict[str, Any]:
    return {
        "file": answer.file,
        "recalled": not answer.because,
        "because": answer.because,
        "rank": answer.rank,
        "of": answer.of,
        "score": answer.ranked.score if answer.ranked else None,
        "best": answer.best.header.file if answer.best else None,
        "best_score": answer.best.score if answer.best else None,
    }


def _why_not_lines(answer: WhyNot) -> list[str]:
    file = one_line(answer.file)
    verdict = f"is not recalled: {one_line(answer.because)}" if answer.because else "is recalled"
    lines = [f"{file} {verdict}."]
    if answer.ranked and answer.best:
        place = f"It is number {answer.rank} of {answer.of} with a probability of {answer.ranked.score:.3f}"
        best = f"; the best, {one_line(answer.best.header.file)}, has {answer.best.score:.3f}"
        lines += [f"{place} ({_parts(answer.ranked)}){best if answer.rank > 1 else ''}."]
        lines += [f"Moved by: {one_line(', '.join(answer.ranked.notes))}."] if answer.ranked.notes else []
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
    rows += [("recalled", line) for line in _listed(recalled, most)]
    rows += [("never", line) for line in _listed([one_line(file) for file in figures.never], most)]
    return rows


def _listed(lines: list[str], most: int | None) -> list[str]:
    hidden = 0 if most is None else len(lines) - most
    return [*lines[:most], f"and {hidden:,} more"] if hidden > 0 else lines


def recall_lines(receipts: Sequence[Receipt]) -> list[str]:
    """Return one row a recall: id, time, what was shown, prompt."""
    return (
        columns([_recall_row(one) for one in receipts], bold=0)
        if receipts
        else ["Nothing was recalled here yet."]
    )


def recall_shapes(receipts: Sequence[Receipt]) -> dict[str, Any]:
    """Return the same as `--json` prints it."""
    return {"recalls": [fields(one, "id at query session method because files likely") for one in receipts]}


def after_silence(target: Target, memory: Memory, receipt: Receipt) -> list[str]:
    """Return hints for somebody whose recall gave nothing."""
    if not memory.list(limit=1):
        return [f'`{target.command("remember")} "..."` saves the first one.']
    hints = [f"`{target.command('why', receipt.id)}` shows the reasons."]
    if sys.stdout is not None and sys.stdout.isatty() and memory.models.semantic_missing():
        hints.append(f"Recall goes by words alone; `{target.command('models', 'fetch')}` adds meanings.")
    return hints


def _recall_row(one: Receipt) -> tuple[str, str, str, str]:
    shown = ", ".join(one.given) or "nothing"
    return one.id, moment(one.at), one_line(shown), one_line(one.query)
