"""A text by its lines and passages: numbered for a view, one passage replaced, lines put in."""

from collections.abc import Sequence

from memdir.errors import Rejected
from memdir.prompt.templates import filled
from memdir.text.escape import escape
from memdir.text.templates import Prose

__all__ = ["insert_lines", "lines_around", "number_lines", "replace_passage"]

MAX_CHARACTERS = 25_000
"""Characters of one file that one view shows, as many as an index may have; the rest has to be asked for."""

_AROUND = 3
"""Lines shown before and after a change, so that the model sees that it sits right."""


def number_lines(text: str, view_range: Sequence[int] | None = None) -> Prose:
    """Return the lines of a text, or a range of them, with their numbers, up to what one view may show."""
    lines = _lines(escape(text))
    first, last = _range(view_range, len(lines)) if view_range else (1, len(lines))
    shown, room = list[str](), MAX_CHARACTERS
    for number in range(first, last + 1):
        line = f"{number:>6}\t{lines[number - 1]}"
        shown.append(line[:room])
        room -= len(line)
        if room <= 0:
            shown.append(filled("tool_cut", last=str(number), total=str(len(lines))))
            break
    return Prose("\n".join(shown))


def lines_around(text: str, first: int, last: int) -> Prose:
    """Return the lines of a change, counted from 1, with a few before and after them."""
    return number_lines(text, (max(1, first - _AROUND), last + _AROUND))


def replace_passage(text: str, old: str, new: str) -> tuple[str, int, int]:
    """Return the text with the one place of a passage replaced, and the first and last line of the new."""
    if old not in text and "&lt;" in old:  # as a view shows the sign that would open a tag
        old, new = old.replace("&lt;", "<"), new.replace("&lt;", "<")
    times = text.count(old) if old else 0
    if times > 1:
        raise Rejected(f"old_str stands there {times} times. Make it longer, so that it stands there once.")
    if times == 0:
        raise Rejected(
            "old_str does not stand there. View the file and copy a passage exactly, without the numbers of "
            "the lines; a character that is shown by its number cannot be part of it."
        )
    at = text.index(old)
    first = text.count("\n", 0, at) + 1
    return text[:at] + new + text[at + len(old) :], first, first + new.count("\n")


def insert_lines(text: str, line: int, new: str) -> tuple[str, int, int]:
    """Return the text with lines put behind the line of that number, and the first and last of them."""
    lines, more = _lines(text) if text else [], _lines(new)
    if not 0 <= line <= len(lines):
        raise Rejected(f"insert_line is {line}; the file has lines 1 to {len(lines)}, and 0 is its start.")
    return "\n".join([*lines[:line], *more, *lines[line:], ""]), line + 1, line + len(more)


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _range(view_range: Sequence[int], total: int) -> tuple[int, int]:
    """Return the first and last line asked for; -1 stands for the end of the file."""
    first, last = view_range if len(view_range) == 2 else (0, 0)
    last = total if last == -1 else min(last, total)
    if not 1 <= first <= last:
        raise Rejected(
            f"view_range is {list(view_range)!r}; give two line numbers from 1 to {total}, or -1 for the end."
        )
    return first, last
