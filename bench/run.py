"""`make bench`: every figure of the speed table, measured beside its yardstick in one run.

Usage: python bench/run.py [--part NAME]... [--json FILE] [--record] [--check] [--here] [--at FOLDER]
"""

import os
import sys
from importlib import import_module

if __name__ == "__main__":
    # Started by its path, as make does, Python would look for the parts in this folder and not above it.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.exit(import_module("bench.suite").main(sys.argv[1:]))
