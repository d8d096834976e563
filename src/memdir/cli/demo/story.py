"""Tells the story of the demo, which `story.txt` holds."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from memdir.cli.demo.stage import DemoStage
from memdir.resources import fill, read_table

__all__ = ["FILES", "tell"]

FILES = {
    "src/pay/client.py": "def retry(attempt: int) -> bool:\n    return attempt < 3\n",
    "README.md": "# shop\n\nA small shop that takes payments.\n",
}
"""The project in which it happens."""

_KEY = "ghp_" + "9aK3x7Qw" * 4 + "Zt51"
"""What a credential looks like; it opens nothing."""

_DETAILS = ("shows", "lacks", "fails", "lines", "user", "assistant", "tool", "yourself")
"""Rows that belong to the one above them."""

_Row = tuple[str, str]


def tell(stage: DemoStage, now: datetime) -> None:
    """Tell three days, of which the last is today; it stops where something does not happen."""
    stage.begin(FILES)
    for ago, (title, rows) in zip((2, 1, 0), read_table(__file__, "story.txt").items(), strict=True):
        day = now - timedelta(days=ago)
        stage.day(f"{title}, {day:%A} {day.day} {day:%B}", day if ago else None)
        for what, text, details in _events(rows):
            _do(stage, what, text, details)


def _events(rows: Sequence[str]) -> list[tuple[str, str, list[_Row]]]:
    found = list[tuple[str, str, list[_Row]]]()
    for row in rows:
        what, _, text = fill(row, {"key": _KEY}).partition(": ")
        if what in _DETAILS:
            found[-1][2].append((what, text))
        else:
            found.append((what, text, []))
    return found


def _do(stage: DemoStage, what: str, text: str, details: Sequence[_Row]) -> None:
    said = {kind: [row for name, row in details if name == kind] for kind in _DETAILS}
    if what == "step":
        stage.step(text)
    elif what == "talk":
        stage.write_conversation(text, *details)
    elif what == "call":
        stage.tool_call(*text.split(" ", 1))
    elif what == "run":
        lines = int(said["lines"][0]) if said["lines"] else 12
        stage.run(text, *said["shows"], lacks=said["lacks"], fails=bool(said["fails"]), lines=lines)
    else:
        stage.hint(text, *said["yourself"])
