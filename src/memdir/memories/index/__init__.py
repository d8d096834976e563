"""MEMORY.md and its hubs."""
