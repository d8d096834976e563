"""Bodies that show whether they are whole: a torn, mixed or padded text has not both marks, or not alike."""

import re

__all__ = ["body_of", "mark_in", "torn"]

_BEGIN = re.compile(r"^BEGIN (\S+)$", re.MULTILINE)
_END = re.compile(r"^END (\S+)$", re.MULTILINE)


def body_of(name: str, version: int, *, lines: int = 12) -> str:
    """Return a body that begins and ends with the mark of this version of this memory."""
    mark = f"{name}/{version}"
    filling = "\n".join(
        f"Line {number} of {mark} says nothing that anyone would want." for number in range(lines)
    )
    return f"BEGIN {mark}\n{filling}\nEND {mark}"


def mark_in(text: str) -> str:
    """Return the mark of a whole text, or an empty string if it is torn."""
    begin, end = _BEGIN.findall(text), _END.findall(text)
    if len(begin) != 1 or begin != end or not text.startswith("---\n") or not text.endswith("\n"):
        return ""
    inside = text.partition("BEGIN ")[2].partition("\nEND ")[0].split("\n")[1:]
    return begin[0] if all(f" of {begin[0]} " in line for line in inside) else ""


def torn(text: str) -> bool:
    """Tell whether a file that one of our workers wrote is not whole."""
    return not mark_in(text)
