"""What `python -m memdir` runs."""

import sys

from memdir.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
