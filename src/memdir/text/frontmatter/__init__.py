"""The header of a topic file: read, written, changed one key at a time."""
