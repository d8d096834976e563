"""The tables that training starts from, as one compressed file; words that no data has are left empty.

Usage: python -m training.recall_base DATA.json.gz OUT.npz
"""

import gzip
import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from training.package import base_weights

__all__ = ["main"]


def main(data: str, out: str) -> None:
    """Write the file."""
    with gzip.open(data, "rt", encoding="utf-8") as file:
        used = sorted(set(_pieces(json.load(file))))
    tables = {
        name: table for name, table in base_weights().tables.items() if not name.startswith("vocabulary")
    }
    words = np.zeros_like(tables["words"])
    words[used] = tables["words"][used]
    np.savez_compressed(out, **(tables | {"words": words}))


def _pieces(row: Any) -> Iterator[int]:
    """Yield every piece number of the texts in the data."""
    if isinstance(row, dict):
        for name, value in row.items():
            if name in {
                "pieces",
                "passages",
                "documents",
                "memories",
                "prompts",
                "queries",
                "stores",
                "chat",
            }:
                yield from _pieces(value)
    elif isinstance(row, list):
        for value in row:
            yield from _pieces(value)
    elif isinstance(row, int):
        yield row


if __name__ == "__main__":
    main(*sys.argv[1:])
