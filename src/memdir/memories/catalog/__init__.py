"""Headers of all memories, cached by the stat of each file."""
