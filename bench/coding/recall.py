"""How well recall chooses for prompts of coding work, measured through the public API.

Usage: python bench/coding/recall.py DATA [--words] [--show N] [--record NAME]
DATA holds `corpus*.jsonl` and `queries*.jsonl`; training/data/README.md says what is in them. Every group
becomes a memory directory, and every prompt is asked in a conversation of its own. Data that the weights
were trained on says nothing about other prompts: give data that they were not trained on.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

__all__ = ["main"]

Row = dict[str, Any]
_LEARNING = 600
"""Seconds for the vectors of one store: more than any needs."""


def main(arguments: Sequence[str]) -> int:
    """Measure, and print a table by category."""
    from bench.coding.recall_figures import by_category, table
    from bench.results import record

    options = _options(arguments)
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        asked = list(_asked(options.data, home, learn=not options.words))
    rows = by_category([answer for _, answer, _ in asked])
    print(table(rows))
    print(f"\nmedian {1000 * median(seconds for _, _, seconds in asked):.0f} ms a prompt")
    for query, answer, _ in [one for one in asked if _noise(one[1])][: options.show]:
        print(f"noise {query['id']} {query['text'][:90]!r}: {_noise(answer)}, gold {sorted(answer.gold)}")
    if options.record:
        command = f"bench/coding/recall.py {options.data.name}{' --words' if options.words else ''}"
        record(options.record, command, {name: asdict(row) for name, row in rows.items()})
    return 0


def _asked(data: Path, home: str, *, learn: bool) -> "Iterator[tuple[Row, Any, float]]":
    """Yield each prompt with its answer and the seconds it took."""
    from bench.coding.recall_figures import Answer

    from memdir import Memory

    queries = _grouped(data, "queries")
    for group, memories in _grouped(data, "corpus").items():
        place, state = Path(home, "stores", group), Path(home, "state", group)
        ids = _saved(Memory.at(place, state=state), memories, learn=learn)
        for query in queries.get(group, ()):
            begun = perf_counter()
            found = Memory.at(place, state=state, session=query["id"]).recall(query["text"], budget=30.0)
            seconds = perf_counter() - begun
            full, lines = ([ids[file] for file in files] for files in (found.files, found.likely))
            labels = frozenset(query["gold"]), frozenset(query.get("fine", ()))
            yield query, Answer(query["category"], *labels, tuple(full), tuple(lines)), seconds


def _saved(memory: Any, memories: Sequence[Row], *, learn: bool) -> dict[str, str]:
    """Save the memories of a store; return their ids by file."""
    now = datetime.now(UTC)
    ids = {}
    for one in memories:
        at = now - timedelta(days=one.get("days_old", 3))
        header = {"kind": one["kind"], "name": one["name"], "description": one["description"]}
        ids[memory.remember(one["body"], saved_at=at, **header).file] = one["id"]
    if learn:
        memory.models.learn(_LEARNING)
    return ids


def _noise(answer: Any) -> list[str]:
    return [one for one in answer.full if one not in answer.gold and one not in answer.fine]


def _grouped(data: Path, name: str) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for path in sorted(data.glob(f"{name}*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                row = json.loads(line)
                found[row["group"]].append(row)
    return found


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-coding-recall", description="Measure recall on coding work.")
    parser.add_argument("data", type=Path, help="a folder with corpus*.jsonl and queries*.jsonl")
    parser.add_argument("--words", action="store_true", help="by words alone: no vectors are computed")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print so many prompts with noise")
    parser.add_argument("--record", metavar="NAME", help="keep the figures as bench/recorded/NAME.json")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent.parent))
    sys.exit(main(sys.argv[1:]))
