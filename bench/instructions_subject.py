"""Both sides of the discovery figure in one process: `instructions_subject.py ROOT ROUNDS` prints JSON."""

import json
import os
import sys
from time import perf_counter

from memdir.config.layout import CLAUDE
from memdir.instructions.discovery import discover
from memdir.instructions.loader import InstructionScope

__all__ = ["main"]


def main(root: str, rounds: int) -> None:
    """Time discovery and the plain loop in turns, and print all samples."""
    home = os.path.join(root, "home")
    scope = InstructionScope(
        layout=CLAUDE,
        cwd=os.path.join(root, "work", "proj"),
        home=home,
        config_home=os.path.join(home, CLAUDE.dot_folder),
        managed=os.path.join(root, "managed"),
    )
    paths = [one.path for one in discover(scope).loaded]
    ours, yardstick = [], []
    for _ in range(rounds):
        begun = perf_counter()
        discover(scope)
        between = perf_counter()
        _read_all(paths)
        yardstick.append(perf_counter() - between)
        ours.append(between - begun)
    print(json.dumps({"files": len(paths), "ours": ours, "yardstick": yardstick}))


def _read_all(paths: list[str]) -> list[str]:
    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return texts


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
