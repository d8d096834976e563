"""Train the extraction tagger with one command: data, all runs, the weights file, the figures and the card.

Usage: python -m training.extract_run OUT
It needs PyTorch, and a GPU to end within minutes: on one, each of the nine runs takes about two.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np

from training.package import base_weights

__all__ = ["main"]

PLAN = "prompts"
HERE = Path(__file__).parent


def main(out: str) -> None:
    """Run the steps one after the other; each is a command of its own."""
    place = Path(out)
    place.mkdir(parents=True, exist_ok=True)
    tables = base_weights().tables
    words = {name: table for name, table in tables.items() if not name.startswith("vocabulary")}
    np.savez_compressed(place / "tables.npz", **words)
    rows, tags, weights = (str(place / name) for name in ("rows.jsonl.gz", "tags.npz", f"{PLAN}.npz"))
    prompts = [str(path) for path in sorted((HERE / "data" / "recall").glob("queries*.jsonl"))]
    for step in (
        ["training.extract_data", rows, "--prompts", *prompts],
        ["training.extract_train", out, out, "--plan", PLAN],
        ["training.extract_pack", weights, rows, tags, PLAN, str(place / "extract.int8")],
        ["training.extract_product", rows, tags, PLAN, "--card", str(place / "extract.json")],
    ):
        print("python -m", *step, flush=True)
        subprocess.run([sys.executable, "-m", *step], check=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
