"""Runs one command as if it were another time: `python -m memdir.cli.demo TIME remember TEXT`."""

import sys
from datetime import datetime

from memdir.cli.app import run

__all__ = ["main"]


def main() -> int:
    """Run the command after the time on the command line, and return its exit code."""
    time = datetime.fromisoformat(sys.argv[1])
    return run(sys.argv[2:], clock=lambda: time)


if __name__ == "__main__":
    sys.exit(main())
