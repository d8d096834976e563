"""Checks of a memory directory and its surroundings, and repairs."""
