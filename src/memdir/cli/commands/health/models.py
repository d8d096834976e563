"""Commands about models and recall: which model is asked, what it costs, and how well recall does."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import command, example, flag, group
from memdir.cli.failure import ExitCode
from memdir.cli.output import advise, answer, columns, cut, hint, one_line, say, show_progress, style
from memdir.cli.report import fields
from memdir.cli.target import Target
from memdir.errors import MissingExtra
from memdir.progress import count_up_to
from memdir.text.numbers import count

if TYPE_CHECKING:
    from memdir.models.build import ModelChoice
    from memdir.models.ledger import Costs, Sum
    from memdir.models.protocol import Reply
    from memdir.recall.evaluation import Answer, ExampleScore

__all__ = ["cost", "evaluate", "models"]

_LONGEST = 200
"""Columns of an answer to the test: a model may say more than it was asked for."""


@group("memdir models --test", "MEMDIR_MODEL=openai:qwen3@http://127.0.0.1:11434/v1 memdir models --test")
@flag("--test", "Ask the model one tiny question.")
def models(target: Target, test: bool) -> int:
    """Show which model is asked, and what named it.

    Without one everything works too, by rules alone. Ends with 1 when a model is named that cannot be used.
    """
    from memdir.models.build import FORMS, NoModel

    memory = target.memory()
    choice, missing = memory.models.choice, memory.models.semantic_missing()
    with show_progress("Counting"):
        unlearned = memory.models.count_unlearned()
    with show_progress("Asking"):
        reply = choice.test() if test else None
    model = choice.model
    lack = model if isinstance(model, NoModel) else None
    shape = {
        "model": None if isinstance(model, NoModel) else model.name,
        "source": choice.source,
        "because": lack.because if lack else "",
        "wrong": lack is not None and lack.wrong,
        "semantic": {"ready": not missing, "missing": missing, "unlearned": unlearned},
        "test": reply and fields(reply, "text stop model tokens=usage.total"),
    }
    answer(shape, *columns(_choice_rows(choice, missing, unlearned, reply), whole=True))
    if lack and not lack.wrong:
        advise(f'Name one in MEMDIR_MODEL, or as "model" in your settings: {FORMS}.')
    return ExitCode.ERROR if lack and lack.wrong else ExitCode.OK


@command("memdir models learn", of=models, doing="Learning")
def learn(target: Target) -> None:
    """Compute the vectors that recall by meanings lacks.

    Saving does so too, and so do workers and `recall`, but each for a few memories only. What was computed
    when this is interrupted stays.
    """
    memory = target.memory()
    memory.verdict.require_on()
    if missing := memory.models.semantic_missing():
        raise MissingExtra(missing)
    learned = memory.models.learn(inf)
    left = memory.models.count_unlearned()
    done = f"{count(learned, 'memory')} {'was' if learned == 1 else 'were'} learned."
    complete = "Nothing is missing: recall knows every memory."
    answer({"learned": learned, "left": left}, done if learned or left else complete)
    if left:
        hint(f"{left:,} could not be learned: the model or the memories could not be read.")


def _choice_rows(
    choice: ModelChoice, missing: str, unlearned: int, reply: Reply | None
) -> Iterator[tuple[str, str]]:
    from memdir.models.build import NoModel
    from memdir.models.ledger import PRICES_DATE, listed_price

    model = choice.model
    if isinstance(model, NoModel):
        yield "model", f"none: {one_line(model.because)}"
    else:
        yield "model", one_line(model.name)
        yield "named by", one_line(choice.source)
        price = listed_price(model.name)
        per = f"${price.input:g} in and ${price.output:g} out for a million tokens" if price else ""
        yield "price", f"{per} (list of {PRICES_DATE})" if price else "not known"
    less = f"; {unlearned:,} by words alone until `memdir models learn`" if unlearned else ""
    yield "recall", f"by words: {one_line(missing)}" if missing else f"by words and meanings{less}"
    if reply is not None:
        said = cut(one_line(reply.text), _LONGEST) or f"nothing, and stopped with {reply.stop}"
        used = f", {reply.usage.total:,} tokens" if reply.usage.total else ""
        yield "answered", f"{said} ({one_line(reply.model)}{used})"


_Row = tuple[str, str, str, str, str]


@command("memdir cost", "memdir --session ID cost")
def cost(target: Target) -> None:
    """Show what calls to models used, and what is left.

    Today, this month, by job and by model; with the global --session also one conversation. Days are those
    of UTC.
    """
    costs = target.memory().models.costs()
    lines = [*_cost_lines(costs, target.session)]
    if not (costs.month.calls or costs.conversation.calls or costs.held.day):
        lines = ["No model was asked this month.", f"A day may use {costs.caps.per_day:,} tokens."]
    answer(_costs_shape(costs, target.session), *lines)


def _cost_lines(costs: Costs, session: str | None) -> Iterator[str]:
    caps, used = costs.caps, costs.used
    rows: list[_Row] = [("", "calls", "tokens", "dollars", "left")]
    rows += [_cost_row("today", costs.today, _left_of(caps.per_day, used.day))]
    if session:
        left = _left_of(caps.per_conversation, used.conversation)
        rows += [_cost_row("this conversation", costs.conversation, left)]
    rows += [_cost_row("this month", costs.month)]
    for title, sums in (("jobs", costs.jobs), ("models", costs.models)):
        rows += [(title, "", "", "", "")]
        rows += [_cost_row(f"  {one_line(name) or 'other'}", one) for name, one in sums.items()]
    tokens, dollars = (max(len(row[at]) for row in rows) for at in (2, 3))
    aligned = [(row[0], row[1], row[2].rjust(tokens), row[3].rjust(dollars), row[4]) for row in rows]
    first, *others = columns(aligned)
    yield style(first, dim=True)
    yield from others
    if costs.held.day:
        yield f"Held for calls under way, and not left: {costs.held.day:,} tokens."
    if costs.month.unpriced:
        yield f"Dollars are by public lists; calls without a price there: {costs.month.unpriced:,}."


def _cost_row(name: str, one: Sum, left: str = "") -> _Row:
    calls = f"{one.calls:,}" + (f" ({one.failed:,} failed)" if one.failed else "")
    return name, calls, f"{one.tokens:,}", f"{one.usd:.4f}" if one.usd else "", left


def _left_of(cap: int, used: int) -> str:
    return f"{max(0, cap - used):,} of {cap:,}"


def _costs_shape(costs: Costs, session: str | None) -> dict[str, Any]:
    caps, used = costs.caps, costs.used
    return {
        "day": costs.day,
        "today": _sum_shape(costs.today),
        "conversation": _sum_shape(costs.conversation) if session else None,
        "month": _sum_shape(costs.month),
        "jobs": {name: _sum_shape(one) for name, one in costs.jobs.items()},
        "models": {name: _sum_shape(one) for name, one in costs.models.items()},
        "held": {"conversation": costs.held.conversation if session else None, "day": costs.held.day},
        "caps": fields(caps, "per_call per_conversation per_day"),
        "left": {
            "conversation": max(0, caps.per_conversation - used.conversation) if session else None,
            "day": max(0, caps.per_day - used.day),
        },
    }


def _sum_shape(one: Sum) -> dict[str, Any]:
    return {**fields(one), "tokens": one.tokens, "usd": round(one.usd, 6)}


@click.group("eval", epilog=example("memdir eval recall bench/recall"))
def evaluate() -> None:
    """Measure memdir on recorded data."""


@command("memdir eval recall", "memdir eval recall bench/recall --run", of=evaluate)
@click.argument("directory", metavar="DIR", required=False, type=click.Path(exists=True, file_okay=False))
@flag("--words", "By words alone, also where a model for meanings is there.")
@flag("--run", "Print the ranking of every query, a line of JSON each, and no table.")
def recall(target: Target, directory: str | None, words: bool, run: bool) -> None:
    """Score recall by your own examples, or ranking and choosing over every task in DIR.

    `memdir recall --wrong FILE` and `--missing FILE` note examples. A task is a folder with corpus.jsonl and
    queries.jsonl; bench/recall/README.md describes them.
    """
    if directory is None:
        with show_progress("Asking"):
            score = target.memory().recalls.score()
        answer(fields(score), *_score_lines(score))
        return
    from memdir.recall.evaluation import answers, averages, table, tasks_in
    from memdir.recall.semantic.encoder import encoder_in
    from memdir.recall.semantic.weights import weights_folder, weights_missing

    models = weights_folder(os.environ)
    missing = "" if words else weights_missing(models)
    encoder = None if words else encoder_in(models)
    encode = encoder.encode if encoder else None
    found: dict[str, list[Answer]] = {}
    for task in tasks_in(directory):
        with show_progress(f"Asking {task.name}"):
            found[task.name] = list(count_up_to(answers(task, encode), len(task.queries)))
    if run:
        for one in chain.from_iterable(found.values()):
            kept = {"ranking": one.ranking[:100], "selected": one.selected}
            say(json.dumps({"id": one.query["id"], **kept}), always=True)
    else:
        answer({"semantic": encode is not None, "tasks": averages(found)}, table(averages(found)))
    if missing:
        hint(f"Ranked by words alone. {missing}")


def _score_lines(score: ExampleScore) -> list[str]:
    if not score.examples:
        how = "`memdir recall PROMPT --missing FILE` or `--wrong FILE` notes one."
        return [f"There are no examples yet. {how}"]
    lines = [count(score.examples, "prompt")]
    if score.wanted:
        lines += [f"{score.found:,} of {score.wanted:,} memories that should be shown are shown"]
    if score.unwanted:
        lines += [f"{score.wrong:,} of {score.unwanted:,} that should not be shown are shown"]
    lines += [f"missing: {one_line(file)} for {one_line(prompt)[:80]!r}" for prompt, file in score.missed]
    return lines + [f"wrong: {one_line(file)} for {one_line(prompt)[:80]!r}" for prompt, file in score.noise]
