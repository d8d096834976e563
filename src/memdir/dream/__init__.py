"""Consolidation of a memory directory as a checked patch."""
