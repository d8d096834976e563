"""`python bench/verify/run.py`: what is found about memories over real histories, class by class."""

import os
import sys
import tempfile
from importlib import import_module
from itertools import product
from pathlib import Path


def main() -> int:
    """Print the report for each set, for memories saved by hand and for memories saved by memdir."""
    report, worst = import_module("bench.verify.report"), 1.0
    for name, anchored in product(("dev", "unseen", "doubt", "forms"), (False, True)):
        histories = getattr(import_module(f"bench.verify.{name}_histories"), f"{name.upper()}_HISTORIES")
        cases = getattr(import_module(f"bench.verify.{name}_memories"), f"{name.upper()}_CASES")
        with tempfile.TemporaryDirectory() as folder:
            found = report.outcomes(histories, cases, Path(folder), anchored=anchored)
        print(f"\n{name}{', with anchors' if anchored else ''}\n" + "\n".join(report.table(found)))
        worst = min(worst, *report.precision_and_recall(found))
    return 0 if worst >= 0.95 else 1


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    sys.exit(main())
