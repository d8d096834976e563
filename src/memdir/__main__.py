"""What `python -m memdir` runs."""

from __future__ import annotations

import sys

from memdir.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
