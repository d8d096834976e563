"""The environment of processes and directories that tests make: nothing of the machine's own but programs."""

import os

__all__ = ["WORDS_ALONE"]

WORDS_ALONE = {"MEMDIR_WEIGHTS": os.path.join(os.path.dirname(__file__), "no-weights")}
"""Recall goes by words, and no save computes a vector: most tests are not about meanings."""
