"""Checks of what memories claim about the project."""
