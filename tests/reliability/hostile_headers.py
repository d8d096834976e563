"""A fuzzer over the header reader: whatever bytes stand in a file, it answers and stays quick."""

import random
import time
from datetime import UTC, datetime

from memdir.memories.topic import header_from, topic_from
from tests.reliability.harness.figure import Figure

__all__ = ["header_figure"]

_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
_PIECES = (
    "---", "\n", "\r\n", "\r", ": ", ":", "name", "description", "type", "metadata", "  ", "\t", "- ", "#",
    '"', "'", "|", ">", "&a", "*a", "!!python/object:x", "[", "]", "{", "}", "<<", "@x", "%", "\\", "\\u12",
    "\ufeff", "\u2028", "\x00", "\x1b", "\ud800", "é", "🙂", "...", "feedback", "x" * 300, "\n" * 40,
    "null", "~", "1e999", "2026-01-01", "?",
)  # fmt: skip
_LONGEST = 0.25
"""Seconds for a few kilobytes: a thousand times what they take, so that only a blow-up exceeds it."""


def header_figure(seed: int, count: int) -> Figure:
    """Feed so many texts made of dangerous pieces; nothing may be raised, nothing may take long."""
    chance, problems, slowest = random.Random(seed), list[str](), 0.0
    for _ in range(count):
        text = ("---\n" if chance.random() < 0.8 else "") + "".join(
            chance.choices(_PIECES, k=chance.randint(0, 60))
        )
        began = time.perf_counter()
        try:
            header, topic = header_from("a/b.md", text, _MOMENT), topic_from("a/b.md", text, _MOMENT)
            if topic.body not in text or "\n" in header.name + header.description:
                problems.append(f"a wrong answer for {text!r}")
        except Exception as error:  # noqa: BLE001 - the finding of this fuzzer
            problems.append(f"{type(error).__name__}: {error} for {text!r}")
        slowest = max(slowest, time.perf_counter() - began)
    problems += [f"one header took {slowest:.2f} s"] if slowest > _LONGEST else []
    return Figure("fuzzed headers", f"{count:,} texts, slowest {slowest * 1000:.1f} ms", problems)
