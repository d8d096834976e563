"""Run the default tests many times in random order; keep the output of every run that fails.

    python scripts/test_random.py 30                  the whole suite, thirty times
    python scripts/test_random.py 30 tests/unit       one folder of it

A run is repeated by its number: `pytest --randomly-seed=NUMBER`.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

KEPT = Path("build", "test-random")


def main() -> int:
    """Run, count and report; end with 1 when a run failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=int)
    parser.add_argument("rest", nargs="*", help="paths and options for pytest")
    asked, options = parser.parse_known_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    first = int(time.time())
    failed = [seed for seed in range(first, first + asked.runs) if not _passes(seed, [*asked.rest, *options])]
    print(
        f"{asked.runs} runs, {len(failed)} failed",
        *(f"  {KEPT / f'{seed}.txt'}" for seed in failed),
        sep="\n",
    )
    return 1 if failed else 0


def _passes(seed: int, words: list[str]) -> bool:
    """Run once; keep what it printed only when it failed."""
    output = KEPT / f"{seed}.txt"
    with output.open("w", encoding="utf-8") as file:
        command = [sys.executable, "-m", "pytest", f"--randomly-seed={seed}", *words]
        began = time.monotonic()
        code = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
    print(
        f"seed {seed}: {'passed' if code == 0 else f'exit {code}'}, {time.monotonic() - began:.0f} s",
        flush=True,
    )
    if code == 0:
        output.unlink()
    return code == 0


if __name__ == "__main__":
    sys.exit(main())
