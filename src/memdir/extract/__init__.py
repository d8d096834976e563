"""Memories out of a conversation, after a turn."""
