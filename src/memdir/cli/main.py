"""Sends a command to the surface that serves it; it alone knows them all."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    """Run what the command line asks for and return the exit code."""
    from memdir.cli.app import run

    return run(sys.argv[1:])
