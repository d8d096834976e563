"""Two texts side by side, as a unified diff."""

from __future__ import annotations

from difflib import unified_diff

__all__ = ["file_diff"]


def file_diff(file: str, before: str | None, after: str | None) -> str:
    """Return the difference; None stands for a file that was not there."""
    old, new = (before or "").splitlines(keepends=True), (after or "").splitlines(keepends=True)
    names = ("/dev/null" if before is None else f"a/{file}", "/dev/null" if after is None else f"b/{file}")
    lines = unified_diff(old, new, *names)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
