"""Instruction files as a conversation gets them: found, read, imported, matched and rendered; never written."""
