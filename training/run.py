"""Train everything about one task with one command.

Usage: python -m training.run recall OUT [FOLDER ...]
Steps: data, base tables, all runs, the weights file, and the table of the regression inside the package.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["main"]


def main(arguments: Sequence[str]) -> None:
    """Run the steps of a task one after the other; each is a command of its own."""
    task, out, *folders = arguments
    place = Path(out)
    place.mkdir(parents=True, exist_ok=True)
    for step in _STEPS[task]:
        given = [str(place / one[1:]) if one.startswith("@") else one for one in step]
        given += folders if step[0] in _FROM_FOLDERS else []
        print("python -m", *given, flush=True)
        subprocess.run([sys.executable, "-m", *given], check=True)


_FROM_FOLDERS = {"training.recall_data", "training.recall_gate"}
_STEPS = {
    "recall": [
        ["training.recall_data", "@recall.json.gz"],
        ["training.recall_base", "@recall.json.gz", "@base.npz"],
        ["training.recall_jobs", "@recall.json.gz", "@base.npz", "@"],
        ["training.recall_pack", "@judge-base.npz", "@recall.int8"],
        ["training.recall_gate", "@signals.npz", "--write", "--card", "training/cards/recall"],
    ]
}
"""Modules with their arguments; `@` stands for the folder of results."""


if __name__ == "__main__":
    main(sys.argv[1:])
