"""Write the tagger's weights as the file that memdir ships, its probabilities calibrated.

Usage: python -m training.extract_pack WEIGHTS.npz ROWS.jsonl.gz TAGS.npz PLAN OUT.int8
The temperature is fitted on what taggers say about messages of authors that they did not see.
"""

import gzip
import json
import sys
from pathlib import Path

import numpy as np

from training.extract_score import temperature
from training.weights_file import pack

__all__ = ["main"]


def main(weights: str, data: str, tags: str, plan: str, out: str) -> None:
    """Divide the outputs for the kinds by the temperature, write the file, and say how large it is."""
    with gzip.open(data, "rt", encoding="utf-8") as file:
        rows = [row for line in file if not (row := json.loads(line))["prompt"] and row["author"] != "own"]
    found = np.load(tags)
    divisor = temperature(rows, {row["id"]: found[f"{plan}|{row['author']}|{row['id']}"] for row in rows})
    with np.load(weights) as file:
        tables = {name: np.array(file[name]) for name in file.files}
    tables["head"][:, :5] /= divisor
    tables["head bias"][:5] /= divisor
    written = pack(tables)
    Path(out).write_bytes(written)
    print(f"{out}: {len(written):,} bytes, temperature {divisor:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
