"""`python bench/verify/run.py`: what is found about memories over real histories, class by class."""

import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path


def main() -> int:
    """Print the report for memories the rules were made with, those they never saw, those on namesakes."""
    report, worst = import_module("bench.verify.report"), 1.0
    for name in ("dev", "unseen", "doubt"):
        histories = getattr(import_module(f"bench.verify.{name}_histories"), f"{name.upper()}_HISTORIES")
        cases = getattr(import_module(f"bench.verify.{name}_memories"), f"{name.upper()}_CASES")
        with tempfile.TemporaryDirectory() as folder:
            found = report.outcomes(histories, cases, Path(folder))
        print(f"\n{name}\n" + "\n".join(report.table(found)))
        worst = min(worst, *report.precision_and_recall(found))
    return 0 if worst >= 0.95 else 1


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    sys.exit(main())
