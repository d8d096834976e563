"""Instruction files as a conversation gets them: found, read, matched and rendered, never written."""
