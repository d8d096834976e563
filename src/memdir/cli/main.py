"""What `memdir` runs: the command line itself is imported only then."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    """Run what the command line asks for and return the exit code."""
    from memdir.cli.app import run

    return run(sys.argv[1:])
