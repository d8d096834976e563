"""Checks of a memory directory and of its environment, and repairs."""
