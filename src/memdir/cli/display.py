"""Text for a terminal: safe to print, cut to its width, moments and paths as a person reads them."""

import os
import re
import unicodedata
from datetime import datetime

__all__ = ["cut", "moment", "one_line", "printable", "short_path", "width", "wrap"]


_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters but tab and line feed; marks that reorder a line; separators and tags nobody sees; half
surrogates, which no terminal can be sent. Joiners stay: scripts and emoji need them."""

_MORE = "..."
"""What a cut text ends in; ASCII, so that every terminal can show it."""


def printable(text: str) -> str:
    """Return a text of several lines with everything that a terminal would obey spelled out."""
    return _UNSAFE.sub(_spelled, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """Return a text as one line, equally safe."""
    return printable(" ".join(text.split()))


def width(text: str) -> int:
    """Return how many columns a line takes: most East Asian characters and emoji take two."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, room: int) -> str:
    """Return the beginning of a line that fits, marked where it was cut."""
    if width(text) <= room:
        return text
    used, kept, limit = 0, 0, max(room - len(_MORE), 0)
    for character in text:
        used += _columns(character)
        if used > limit:
            break
        kept += 1
    return text[:kept].rstrip() + _MORE[: max(room, 0)]


def wrap(text: str, room: int) -> list[str]:
    """Return a text in lines that fit, broken at blanks; a word that is too long, as a path, stays whole."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if width(longer) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def moment(at: str | datetime | None) -> str:
    """Return day, time and zone of this machine's clock; a dash where there is no moment."""
    if not at:
        return "-"
    when = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"{when.astimezone():%Y-%m-%d %H:%M %Z}"


def short_path(path: str, here: str) -> str:
    """Return the shortest of a path's forms, safe to print: relative to a directory, from home, or whole."""
    forms = [os.path.relpath(path, os.path.realpath(here)), path]
    home = os.path.join(os.path.realpath(os.path.expanduser("~")), "")
    if path.startswith(home):
        forms.append(os.path.join("~", path[len(home) :]))
    return one_line(min(forms, key=len))
