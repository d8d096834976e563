"""Memories that agents are held to: rules, and the judge of one tool call."""
