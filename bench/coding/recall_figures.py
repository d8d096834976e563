"""What a choice of memories is worth: precision, recall, silence, wrong lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

__all__ = ["Answer", "Figures", "by_category", "figures", "table"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one prompt was shown, and what it should have been shown."""

    category: str
    gold: frozenset[str]
    """Should be shown."""
    fine: frozenset[str]
    """May be shown; anything else is noise."""
    full: tuple[str, ...]
    """Shown in full."""
    lines: tuple[str, ...] = ()
    """Shown as one line each."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of some prompts; a share of nothing is 1.0 where silence would be right, else 0.0."""

    prompts: int
    precision: float
    """Of the memories shown in full: the share that should or may be."""
    silent: float
    """Of the prompts that need none: the share that gets no noise in full."""
    recall: float
    """Of the memories that should be shown: the share shown in full."""
    recall_with_lines: float
    """The same, in full or as a line."""
    wrong_lines: float
    """Lines of noise a prompt."""
    noise: float
    """Memories of noise in full a prompt."""
    acknowledged: float
    """Of the prompts that only acknowledge: the share with anything shown."""


def figures(answers: Iterable[Answer]) -> Figures:
    """Add up the answers."""
    rows = list(answers)
    full = [(one, file) for one in rows for file in one.full]
    right = sum(file in one.gold or file in one.fine for one, file in full)
    wanted = sum(len(one.gold) for one in rows)
    in_full = sum(len(one.gold.intersection(one.full)) for one in rows)
    in_any = sum(len(one.gold.intersection(one.full + one.lines)) for one in rows)
    none = [one for one in rows if not one.gold]
    quiet = sum(not set(one.full) - one.fine for one in none)
    thanks = [one for one in rows if one.category.replace("-", "_") == "none_ack"]
    wrong = sum(file not in one.gold and file not in one.fine for one in rows for file in one.lines)
    return Figures(
        len(rows),
        _share(right, len(full), 1.0),
        _share(quiet, len(none), 1.0),
        _share(in_full, wanted, 0.0),
        _share(in_any, wanted, 0.0),
        _share(wrong, len(rows), 0.0),
        _share(len(full) - right, len(rows), 0.0),
        _share(sum(bool(one.full or one.lines) for one in thanks), len(thanks), 0.0),
    )


def by_category(answers: Sequence[Answer]) -> dict[str, Figures]:
    """Return the figures of each category of prompts, and of all."""
    names = sorted({one.category for one in answers})
    found = {name: figures(one for one in answers if one.category == name) for name in names}
    return {**found, "all": figures(answers)}


def table(rows: dict[str, Figures]) -> str:
    """Return the figures as a Markdown table."""
    names = [field.name for field in fields(Figures)]
    lines = [f"| | {' | '.join(name.replace('_', ' ') for name in names)} |", "|---" * (len(names) + 1) + "|"]
    for name, row in rows.items():
        cells = [str(row.prompts), *(f"{getattr(row, one):.3f}" for one in names[1:])]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(part: int, of: int, none: float) -> float:
    return part / of if of else none
