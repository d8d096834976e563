"""Looks for what is wrong or could be better in a memory directory, and mends what can be mended."""
