"""Measured figures as rows of one table: ours beside the yardstick of the same run, and what was allowed."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

__all__ = ["Pair", "Row", "as_json", "interleaved", "table"]

_TIMES = "×"  # noqa: RUF001 - ratios are written as people write them
_COLUMNS = ("work", "ours", "yardstick", "ratio", "at most", "verdict")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure; without `at_most` it is information, without `yardstick` the limit is absolute."""

    work: str
    ours: float
    unit: str
    """s, MB, bytes, files or modules."""
    yardstick: float | None = None
    at_most: float | None = None
    """A ratio where there is a yardstick, else in the unit of the figure."""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Return ours in yardsticks."""
        return None if self.yardstick is None else self.ours / self.yardstick

    @property
    def met(self) -> bool | None:
        """Tell whether the limit holds; None where there is none."""
        if self.at_most is None:
            return None
        return (self.ours if self.ratio is None else self.ratio) <= self.at_most


@dataclass(frozen=True, slots=True)
class Pair:
    """Interleaved samples of the same work: ours, and the yardstick's."""

    ours: tuple[float, ...]
    yardstick: tuple[float, ...]

    def row(self, work: str, at_most: float | None = None, note: str = "") -> Row:
        """Return the medians as one figure, with the spread of the samples as a note."""
        return Row(work, median(self.ours), "s", median(self.yardstick), at_most, note or self.spread())

    def spread(self) -> str:
        """Return the lowest and highest of both sides."""
        sides = (self.ours, self.yardstick)
        return " · ".join(f"{_shown(min(side), 's')} to {_shown(max(side), 's')}" for side in sides)


def interleaved(ours: Callable[[], float], yardstick: Callable[[], float], rounds: int) -> Pair:
    """Measure both sides in turns, each first every other time, so that a slow minute hits both."""
    mine, other = [], []
    for number in range(rounds):
        if number % 2:
            other.append(yardstick())
            mine.append(ours())
        else:
            mine.append(ours())
            other.append(yardstick())
    return Pair(tuple(mine), tuple(other))


def table(rows: Sequence[Row]) -> str:
    """Return the rows as an aligned Markdown table."""
    lines = [_COLUMNS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_COLUMNS))]
    rule = tuple("-" * width for width in widths)
    return "\n".join(_line(cells, widths) for cells in (_COLUMNS, rule, *lines[1:]))


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows as JSON values, verdicts included."""
    return [asdict(row) | {"ratio": row.ratio, "met": row.met} for row in rows]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.ljust(width) if column == 0 else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "| " + " | ".join((first, *others)) + " |"


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{row.ratio:.2f} {_TIMES}"
    yardstick = "" if row.yardstick is None else _shown(row.yardstick, row.unit)
    verdict = {True: "met", False: "MISSED", None: "information"}[row.met]
    return row.work, _shown(row.ours, row.unit), yardstick, ratio, _limit(row), verdict


def _limit(row: Row) -> str:
    if row.at_most is None:
        return ""
    return f"{row.at_most:g} {_TIMES}" if row.yardstick is not None else _shown(row.at_most, row.unit)


def _shown(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.2f} ms"
    if unit == "bytes":
        return f"{value:,.0f} B"
    return f"{value:,.0f} {unit}"
