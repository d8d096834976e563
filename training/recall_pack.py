"""The weights file of the recall judge: the trained tables in place of those that training started from.

Usage: python -m training.recall_pack JUDGE.npz OUT.int8
"""

import sys
from pathlib import Path

import numpy as np

from training.package import base_weights
from training.weights_file import pack

__all__ = ["main"]


def main(trained: str, out: str) -> None:
    """Write the file and say how large it is."""
    with np.load(trained) as file:
        tables = {name: file[name] for name in file.files}
    # The package mixes the signals itself, with numbers of its own.
    tables.pop("mix", None)
    data = pack({**base_weights(), **tables})
    Path(out).write_bytes(data)
    print(f"{out}: {len(data):,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
