"""Commands about what a model is told: the prompt about memory, and the bill of the whole context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os.path import basename
from sys import maxsize
from typing import TYPE_CHECKING, Any

import click

from memdir.cli.arguments import command, flag, option
from memdir.cli.failure import ExitCode
from memdir.cli.output import (
    answer,
    cut,
    hint,
    one_line,
    room,
    say_exactly,
    say_json,
    short_path,
    style,
    width,
    wrap,
)
from memdir.cli.report import fields
from memdir.cli.target import Target
from memdir.text.clip import tokens
from memdir.text.numbers import count

if TYPE_CHECKING:
    from memdir.memory import Memory
    from memdir.prompt.bill import Bill, BilledPart

__all__ = ["context", "prompt"]


@command("memdir prompt --form compact", doing="Reading")
@option(
    "--mode",
    "In this mode instead of the one that settings ask for.",
    type=click.Choice(["private", "combined", "daily-log"]),
)
@option("--form", "With examples, or the bare rules.", type=click.Choice(["full", "compact"]))
@flag("--index with_index", "With the index below it.")
def prompt(target: Target, mode: str | None, form: str | None, with_index: bool) -> int:
    """Print what a model is told about its memory.

    When memory is off that is nothing, and the exit code is 3.
    """
    memory = target.memory()
    text = memory.context.prompt(mode=mode or "", form=form or "", with_index=with_index, preview=True)
    say_json({"prompt": text, "characters": len(text), "tokens": tokens(text)})
    if not text:
        hint(_silence_reason(memory))
        return ExitCode.OFF
    say_exactly(f"{text}\n")
    return ExitCode.OK


@command("memdir context", "memdir context --window 1000000", doing="Reading")
@option(
    "--window",
    "How many tokens the model's window has; 200,000 if left out.",
    metavar="TOKENS",
    type=click.IntRange(min=1),
    default=200_000,
)
@flag("--all everything", "List every section, file and proposal.")
def context(target: Target, window: int, everything: bool) -> int:
    """Show what a conversation is told, and what to trim.

    Tokens are estimated at four bytes each. When memory is off, the exit code is 3.
    """
    memory = target.memory()
    bill = memory.context.bill(window)
    answer(_shape(bill), *_BillScreen(bill, target, everything=everything).lines())
    if memory.verdict.on:
        return ExitCode.OK
    hint(_silence_reason(memory))
    return ExitCode.OFF


def _shape(bill: Bill) -> dict[str, Any]:
    part = "part.slot part.name part.place part.side part.tokens lines"
    nothing = {"layer": "", "importer": ""}
    parts = [
        fields(one, part) | (fields(one.file, "layer importer") if one.file else nothing) for one in bill.told
    ]
    rest = "later[path globs tokens] left_out savings[code tokens advice paths]"
    return {**fields(bill, "window tokens"), "parts": parts, **fields(bill, rest)}


def _silence_reason(memory: Memory) -> str:
    if memory.verdict.on:
        return "Nothing is said about memory here: a variable switches it off, or this is bare mode."
    return f"Nothing is said about memory: it is off because {memory.verdict.because}"


_FILES = 10
"""Parts that have a line of their own: with the rest of the bill they fill one screen."""

_FEW = 3
"""Proposals, and rules that wait, that are listed before the rest is counted; for the same reason."""

_COLUMNS = 80
"""Where advice is wrapped, also when nobody says how wide the terminal is."""

_COST, _SHARE, _NARROW = 7, 12, 20
"""Columns of tokens (`999,999`), of shares (`of 1,000,000`), and of names on the narrowest terminal. The
shares are left out where the rest needs their room."""

_INDEXES = frozenset({"index", "team_index"})

_TITLES = {"system": "System prompt"}

_Row = tuple[str, str, int]
"""How a line of the table begins, the name that follows and may be cut, and the tokens."""


class _BillScreen:
    """The bill as lines of text; whole, or so that it fits a screen."""

    def __init__(self, bill: Bill, target: Target, *, everything: bool) -> None:
        self._bill, self._target, self._everything = bill, target, everything
        self._files, self._few = (maxsize, maxsize) if everything else (_FILES, _FEW)

    def lines(self) -> list[str]:
        """Return the table, what comes later, and what to trim."""
        return [*self._table(), *self._later_lines(), *self._saving_lines()]

    def _table(self) -> Iterator[str]:
        rows = [*self._rows(), ("", "Told at the start", self._bill.tokens)]
        widest = max(width(start + name) for start, name, _ in rows)
        with_share = room() >= _COLUMNS * 3 // 4
        most = min(widest, max(room() - _COST - 2 - (_SHARE + 2 if with_share else 0), _NARROW))
        window = self._bill.window
        yield style(_line("", most, "tokens", f"of {window:,}" if with_share else ""), dim=True)
        for start, name, cost in rows:
            share = f"{cost / window:.2%}" if with_share else ""
            line = _line(_shorten_name(start, name, most), most, f"{cost:,}", share)
            yield line if start else style(line, bold=True)

    def _rows(self) -> Iterator[_Row]:
        groups: dict[tuple[str, str], list[BilledPart]] = {}
        for one in self._bill.told:
            groups.setdefault((one.part.place, one.part.side), []).append(one)
        for (place, side), told in groups.items():
            title = _TITLES.get(place, place.capitalize())
            yield "", f"{title}, {side} the cache boundary", _sum(told)
            mechanics = [one for one in told if one.part.slot == "mechanics"]
            if self._everything:
                yield from (("  ", f"how memory works: {m.part.name}", m.part.tokens) for m in mechanics)
            elif mechanics:
                yield "  ", f"how memory works, in {len(mechanics)} sections", _sum(mechanics)
            yield from self._others([one for one in told if one.part.slot != "mechanics"])

    def _others(self, told: Sequence[BilledPart]) -> Iterator[_Row]:
        """List parts in order; of very many, only the largest have a line of their own."""
        large = sorted(told, key=lambda one: -one.part.tokens)[: self._files]
        depths: dict[str, int] = {}
        for one in told:
            depths[one.part.name] = depths.get(one.file.importer, -1) + 1 if one.file else 0
            if one in large:
                yield self._row(one, depths[one.part.name])
        if rest := [one for one in told if one not in large]:
            yield "  ", f"and {len(rest)} smaller ones; --all lists them", _sum(rest)

    def _row(self, one: BilledPart, depth: int) -> _Row:
        if one.file is None:
            return "  ", one.part.name, one.part.tokens
        start, path = f"  {one.file.layer:<7}  {'  ' * depth}", one.file.path
        if one.part.slot in _INDEXES:  # a path that nobody types: `memdir status` shows it
            lines = count(one.file.text.count("\n") + 1, "line")
            return start, f"{basename(path)}, {lines}", one.part.tokens
        return start, short_path(path, self._target.here), one.part.tokens

    def _later_lines(self) -> Iterator[str]:
        later, left_out = self._bill.later, self._bill.left_out
        command = self._target.command("instructions")
        if later or left_out:
            yield from ("", style("Not told, or not yet", bold=True))
        for rule in later[: self._few]:
            path, globs = short_path(rule.path, self._target.here), one_line(", ".join(rule.globs))
            yield cut(f"  {path}: {rule.tokens:,} tokens once {globs} is touched", room())
        if len(later) > self._few:
            yield f"  and {len(later) - self._few} more rules that wait; `{command}` lists them"
        if left_out:
            are = "is" if left_out == 1 else "are"
            yield f"  {count(left_out, 'file')} {are} left out; `{command}` says why"

    def _saving_lines(self) -> Iterator[str]:
        savings = self._bill.savings
        title = "What to trim, the greatest saving first" if savings else "Nothing to trim."
        yield from ("", style(title, bold=True))
        for saving in savings[: self._few]:
            paths = ", ".join(short_path(path, self._target.here) for path in saving.paths)
            text = one_line(f"{paths}: {saving.advice}" if paths else saving.advice)
            cost = f"  {saving.tokens:>{_COST},}  "
            first, *others = wrap(text, min(room(), _COLUMNS) - len(cost))
            yield from (cost + first, *(" " * len(cost) + line for line in others))
        if rest := savings[self._few :]:
            yield f"  {sum(one.tokens for one in rest):>7,}  by {len(rest)} more; --all lists them"


def _line(name: str, most: int, cost: str, share: str) -> str:
    line = f"{name}{' ' * (most - width(name))}  {cost:>{_COST}}"
    return f"{line}  {share:>{_SHARE}}" if share else line


def _shorten_name(start: str, name: str, most: int) -> str:
    """Return a name that fits; of a path the end says more than the beginning."""
    left, at = most - width(start), 0
    if width(name) <= left or "/" not in name:
        return start + cut(name, left)
    while at < len(name) and width(name[at:]) > left - len(_MORE):
        at += 1
    return f"{start}{_MORE}{name[at:]}"


_MORE = "..."


def _sum(told: Iterable[BilledPart]) -> int:
    return sum(one.part.tokens for one in told)
