"""The recalls there were, as a list; and what to do next when one gave nothing."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memdir.cli.clock import moment
from memdir.cli.output import columns
from memdir.cli.printable import one_line

if TYPE_CHECKING:
    from memdir.cli.target import Target
    from memdir.conversation.receipts import Receipt
    from memdir.memory import Memory

__all__ = ["after_silence", "recall_lines", "recall_shapes"]


def recall_lines(receipts: Sequence["Receipt"]) -> list[str]:
    """Return one row a recall: id, time, what was shown, prompt."""
    return (
        columns([_row(one) for one in receipts], bold=0) if receipts else ["Nothing was recalled here yet."]
    )


def recall_shapes(receipts: Sequence["Receipt"]) -> dict[str, Any]:
    """Return the same as `--json` prints it."""
    plain = ("id", "at", "query", "session", "method", "because")
    return {
        "recalls": [
            {**{name: getattr(one, name) for name in plain}, "files": list(one.files)} for one in receipts
        ]
    }


def after_silence(target: "Target", memory: "Memory", receipt: "Receipt") -> list[str]:
    """Return hints for somebody whose recall gave nothing."""
    if not memory.list(limit=1):
        return [f'`{target.command("remember")} "..."` saves the first one.']
    hints = [f"`{target.command('why', receipt.id)}` shows the reasons."]
    if sys.stdout is not None and sys.stdout.isatty() and memory.models.semantic_missing():
        hints.append(f"Recall goes by words alone; `{target.command('models', 'fetch')}` adds meanings.")
    return hints


def _row(one: "Receipt") -> tuple[str, str, str, str]:
    shown = ", ".join(one.files) or "nothing"
    return one.id, moment(one.at), one_line(shown), one_line(one.query)
