"""`make bench-recall DATA=DIR`: recall over every task in a folder, by words alone and by meanings too.

Usage: python bench/recall/run.py [DATA] [--runs FOLDER]
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from time import perf_counter

from memdir.recall.evaluation import Answer, Encode, answers, averages, table, tasks_in
from memdir.recall.semantic.encoder import encoder_in
from memdir.recall.semantic.weights import weights_folder

__all__ = ["main"]

_HERE = os.path.dirname(os.path.abspath(__file__))


def main(arguments: Sequence[str]) -> int:
    """Measure both ways and print a table each."""
    options = _options(arguments)
    tasks = tasks_in(options.data)
    encoder = encoder_in(weights_folder(os.environ))
    ways: dict[str, Encode | None] = {"words": None, "meanings": remembered(encoder.encode)}  # type: ignore[union-attr]
    for way, encode in ways.items():
        begun = perf_counter()
        found = {task.name: list(answers(task, encode)) for task in tasks}
        print(f"\nBy {way}, in {perf_counter() - begun:.0f} s\n\n{table(averages(found))}", flush=True)
        if options.runs:
            _write(os.path.join(options.runs, f"{way}.jsonl"), found)
    return 0


def remembered(encode: Encode) -> Encode:
    """Return the encoder with a memory: the same text is met in many stores."""
    known: dict[str, object] = {}

    def encoded(texts: Sequence[str]) -> list[object]:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        known.update(zip(new, encode(new), strict=True))
        return [known[text] for text in texts]

    return encoded  # type: ignore[return-value]


def _write(path: str, found: dict[str, list[Answer]]) -> None:
    """Write a run as the scorer of the benchmark reads it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        for answer in (answer for group in found.values() for answer in group):
            kept = {"ranking": answer.ranking[:100], "selected": answer.selected}
            file.write(json.dumps({"id": answer.query["id"], **kept}) + "\n")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-recall", description="Measure recall on recorded data.")
    parser.add_argument(
        "data", nargs="?", default=_HERE, help="a folder of tasks; the three that ship if not given"
    )
    parser.add_argument("--runs", metavar="FOLDER", help="write every ranking there too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
