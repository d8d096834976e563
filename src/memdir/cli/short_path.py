"""Paths as a person knows them: from where they stand, or from their home."""

import os

from memdir.cli.printable import one_line

__all__ = ["short_path"]


def short_path(path: str, here: str) -> str:
    """Return the shortest of a path's forms, safe to print: relative to a directory, from home, or whole."""
    forms = [os.path.relpath(path, os.path.realpath(here)), path]
    home = os.path.join(os.path.realpath(os.path.expanduser("~")), "")
    if path.startswith(home):
        forms.append(os.path.join("~", path[len(home) :]))
    return one_line(min(forms, key=len))
