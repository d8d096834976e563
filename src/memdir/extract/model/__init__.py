"""Extraction by a language model: what it is asked, its tools, and the checks of what it answers."""
