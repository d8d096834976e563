"""Train all about one task with one command: data, runs, the weights file, the figures and the card.

Usage: python -m training.run recall|extract OUT [--seeds N] [--steps N] [--workers N]
It needs PyTorch, and a GPU to end within minutes. What is in OUT already is not done again: a run that was
stopped goes on where it was.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.package import base_weights

__all__ = ["main"]

_HERE = Path(__file__).parent
_PROMPTS = [str(path) for path in sorted((_HERE / "data" / "recall").glob("queries*.jsonl"))]
_STEPS = {
    "recall": [
        ["training.recall_data", "@recall.json.gz"],
        ["training.recall_jobs", "@recall.json.gz", "@tables.npz", "@"],
        ["training.recall_pack", "@judge-keep.npz", "@recall.int8"],
        [
            "training.recall_gate",
            "@signals.npz",
            "--variant",
            "keep",
            "--write",
            "--card",
            str(_HERE / "cards" / "recall"),
        ],
    ],
    "extract": [
        ["training.extract_data", "@rows.jsonl.gz", "--prompts", *_PROMPTS],
        ["training.extract_train", "@", "@", "--plan", "wide"],
        ["training.extract_pack", "@wide.npz", "@rows.jsonl.gz", "@tags.npz", "wide", "@extract.int8"],
        ["training.extract_product", "@rows.jsonl.gz", "@tags.npz", "wide", "--card", "@extract.json"],
    ],
}
"""Modules with their arguments; `@` stands for the folder of results."""


def main(arguments: Sequence[str]) -> None:
    """Run the steps of a task one after the other; each is a command of its own."""
    task, out, *more = arguments
    place = Path(out)
    place.mkdir(parents=True, exist_ok=True)
    tables = base_weights()
    words = {name: table for name, table in tables.items() if not name.startswith("vocabulary")}
    np.savez_compressed(place / "tables.npz", **words)
    for step in _STEPS[task]:
        given = [str(place / one[1:]) if one.startswith("@") else one for one in step]
        given += more if step[0] in _RUNS else []
        print("python -m", *given, flush=True)
        subprocess.run([sys.executable, "-m", *given], check=True)


_RUNS = {"training.recall_jobs", "training.extract_train"}
"""What gets further arguments, such as --seeds and --steps."""


if __name__ == "__main__":
    main(sys.argv[1:])
