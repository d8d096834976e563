"""Anthropic's memory tool over a memory directory."""
