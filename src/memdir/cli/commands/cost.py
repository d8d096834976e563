"""The command about cost: what calls to models used, and what the caps leave."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.output import columns, say, say_json, styled
from memdir.cli.printable import one_line
from memdir.cli.target import Target, example, json_option

if TYPE_CHECKING:
    from memdir.models.costs import Costs, Sum

__all__ = ["cost"]

_Row = tuple[str, str, str, str, str]


@click.command(epilog=example("memdir cost", "memdir --session ID cost"))
@json_option
@click.pass_obj
def cost(target: Target, as_json: bool) -> None:
    """Show what calls to models used, and what is left.

    Today, this month, by job and by model; with the global --session also one conversation. Days are those
    of UTC.
    """
    costs = target.memory().models.costs()
    if as_json:
        say_json(_shape(costs, target.session))
    elif not (costs.month.calls or costs.conversation.calls or costs.held.day):
        say("No model was asked this month.", f"A day may use {costs.caps.per_day:,} tokens.")
    else:
        say(*_lines(costs, target.session))


def _lines(costs: "Costs", session: str | None) -> Iterator[str]:
    caps, used = costs.caps, costs.used
    rows: list[_Row] = [("", "calls", "tokens", "dollars", "left")]
    rows.append(_row("today", costs.today, _left(caps.per_day, used.day)))
    if session:
        rows.append(
            _row("this conversation", costs.conversation, _left(caps.per_conversation, used.conversation))
        )
    rows.append(_row("this month", costs.month))
    rows += _group("jobs", costs.jobs)
    rows += _group("models", costs.models)
    first, *others = columns(_aligned(rows))
    yield styled(first, dim=True)
    yield from others
    if costs.held.day:
        yield f"Held for calls under way, and not left: {costs.held.day:,} tokens."
    if costs.month.unpriced:
        yield f"Dollars are by public lists; calls without a price there: {costs.month.unpriced:,}."


def _group(title: str, sums: Mapping[str, "Sum"]) -> list[_Row]:
    head: _Row = (title, "", "", "", "")
    return [head, *(_row(f"  {one_line(name) or 'other'}", one) for name, one in sums.items())]


def _row(name: str, one: "Sum", left: str = "") -> _Row:
    calls = f"{one.calls:,}" + (f" ({one.failed:,} failed)" if one.failed else "")
    return name, calls, f"{one.tokens:,}", f"{one.usd:.4f}" if one.usd else "", left


def _aligned(rows: list[_Row]) -> list[_Row]:
    """Right-align tokens and dollars, so that they can be compared at a glance."""
    tokens, dollars = (max(len(row[at]) for row in rows) for at in (2, 3))
    return [(row[0], row[1], row[2].rjust(tokens), row[3].rjust(dollars), row[4]) for row in rows]


def _left(cap: int, used: int) -> str:
    return f"{max(0, cap - used):,} of {cap:,}"


def _shape(costs: "Costs", session: str | None) -> dict[str, Any]:
    caps, used = costs.caps, costs.used
    return {
        "day": costs.day,
        "today": _sum(costs.today),
        "conversation": _sum(costs.conversation) if session else None,
        "month": _sum(costs.month),
        "jobs": {name: _sum(one) for name, one in costs.jobs.items()},
        "models": {name: _sum(one) for name, one in costs.models.items()},
        "held": {
            "conversation": costs.held.conversation if session else None,
            "day": costs.held.day,
        },
        "caps": {
            "per_call": caps.per_call,
            "per_conversation": caps.per_conversation,
            "per_day": caps.per_day,
        },
        "left": {
            "conversation": max(0, caps.per_conversation - used.conversation) if session else None,
            "day": max(0, caps.per_day - used.day),
        },
    }


def _sum(one: "Sum") -> dict[str, Any]:
    return {**asdict(one), "tokens": one.tokens, "usd": round(one.usd, 6)}
