"""Cut an index or a body to its limits, and say which limit fired and what was left out."""

from bisect import bisect_right
from collections.abc import Callable

from memdir.text.value import replace, value_class

__all__ = [
    "BYTES_PER_TOKEN",
    "INDEX_CHARACTERS",
    "INDEX_LINES",
    "Clipped",
    "TextClip",
    "clip_index",
    "clip_text",
    "near_limits",
    "shorten",
    "shorten_at_word",
    "tokens",
    "utf16_length",
]

INDEX_LINES = 200
"""Lines of an index that are loaded: the other readers of this format stop there too."""

INDEX_CHARACTERS = 25_000
"""UTF-16 units of an index that are loaded: about 125 a line, so long lines do not evade the other limit."""

BYTES_PER_TOKEN = 4
"""English prose and code have about four letters a token; other scripts have more bytes, and more tokens."""

_WARN_AT = 0.8
"""Share of a limit at which a writer is told, so that there is time to tidy up before anything is cut."""

_SHOWN = 80
"""Characters shown of the first line that was cut: enough to find it in the file."""

_BLANK = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
# What the format's other readers trim; `str.strip` alone differs on U+FEFF and four control characters.

_MEND = "To mend it, keep one line an entry, under about 200 characters, and move detail into topic files."


@value_class(frozen=True, slots=True)
class Clipped:
    """What is loaded of an index; the numbers and flags describe the whole trimmed text, not the rest."""

    content: str
    lines: int
    characters: int
    """UTF-16 units, as the format's other readers count."""
    bytes: int
    over_lines: bool
    over_characters: bool
    cut: int
    """Lines that are not in the content, or only in part."""


@value_class(frozen=True, slots=True)
class TextClip:
    """The beginning of a text, and whether anything but white space is missing from it."""

    text: str
    cut: bool


def clip_index(text: str) -> Clipped:
    """Return the part of an index that is loaded, with a closing paragraph if anything was left out."""
    whole = text.strip(_BLANK)
    lines, characters = whole.count("\n") + bool(whole), utf16_length(whole)
    over_lines, over_characters = lines > INDEX_LINES, characters > INDEX_CHARACTERS
    kept = _within_characters(_first_lines(whole, INDEX_LINES))
    cut = 0 if len(kept) == len(whole) else lines - kept.count("\n") - whole.startswith("\n", len(kept))
    clipped = Clipped(kept, lines, characters, _utf8_length(whole), over_lines, over_characters, cut)
    if not (over_lines or over_characters):
        return clipped
    return replace(clipped, content=f"{kept}\n\n{_paragraph(clipped, _first_cut(whole, kept))}")


def near_limits(text: str) -> str | None:
    """Return a sentence for whoever writes an index that fills four fifths of a limit or more."""
    whole = text.strip(_BLANK)
    lines, characters = whole.count("\n") + bool(whole), utf16_length(whole)
    if lines < INDEX_LINES * _WARN_AT and characters < INDEX_CHARACTERS * _WARN_AT:
        return None
    size, most = _kilobytes(characters), _kilobytes(INDEX_CHARACTERS)
    return f"The index holds {lines} of {INDEX_LINES} lines and {size} of {most}; more is not loaded. {_MEND}"


def clip_text(text: str, *, max_lines: int, max_bytes: int) -> TextClip:
    """Return what fits of a text, cut at a line end; one over-long line is cut at a character."""
    kept = _first_lines(text, max_lines)
    if _utf8_length(kept) > max_bytes:
        room = _count_fitting(kept, max_bytes, _utf8_length)
        end = kept.rfind("\n", 0, room + 1)
        kept = kept[:end] if kept[: max(end, 0)].strip() else kept[:room]
    return TextClip(kept, cut=bool(text[len(kept) :].strip()))


def shorten(text: str, most: int) -> str:
    """Return a text as one line of so many characters at the most, with an ellipsis for what was cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def shorten_at_word(text: str, most: int) -> str:
    """Return a line that is cut at the end of a word, if one ends in its second half."""
    if len(text) <= most:
        return text
    space = text.rfind(" ", most // 2, most)
    return text[: space if space > 0 else most - 1].rstrip(" ,;:.-\u2013—") + "…"


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 units: an emoji counts two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def tokens(text: str) -> int:
    """Return about how many tokens the text takes; only an empty one takes none."""
    return -(-_utf8_length(text) // BYTES_PER_TOKEN)


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _first_lines(text: str, count: int) -> str:
    """Return the first lines without the line end that follows them."""
    if text.count("\n") < count:
        return text
    return "\n".join(text.split("\n", count)[:count])


def _within_characters(text: str) -> str:
    if utf16_length(text) <= INDEX_CHARACTERS:
        return text
    room = _count_fitting(text, INDEX_CHARACTERS, utf16_length)
    end = text.rfind("\n", 0, room + 1)
    return text[: end if end > 0 else room]


def _count_fitting(text: str, limit: int, length: Callable[[str], int]) -> int:
    """Return how many leading characters fit, counting a surrogate pair as one character."""
    most = min(len(text), limit)
    room = bisect_right(range(most + 1), limit, key=lambda count: length(text[:count])) - 1
    halved = (
        0 < room < len(text) and "\ud800" <= text[room - 1] <= "\udbff" and "\udc00" <= text[room] <= "\udfff"
    )
    return room - halved


def _first_cut(whole: str, kept: str) -> str:
    """Return the first line that is not wholly loaded, quoted and short enough to show."""
    rest = whole[len(kept) :] if whole.startswith("\n", len(kept)) else whole[kept.rfind("\n") + 1 :]
    line = next(filter(None, map(str.strip, rest.split("\n", 50))), "")
    shown = " ".join(line[: _SHOWN + 1].split())
    return f'"{shown[:_SHOWN].rstrip()}…"' if len(line) > _SHOWN else f'"{shown}"'


def _paragraph(index: Clipped, first: str) -> str:
    lines, size, most = index.lines, _kilobytes(index.characters), _kilobytes(INDEX_CHARACTERS)
    if index.over_lines and index.over_characters:
        exceeded = f"{lines} lines and {size}; at most {INDEX_LINES} lines and {most} are loaded"
    elif index.over_lines:
        exceeded = f"{lines} lines, and only the first {INDEX_LINES} are loaded"
    else:
        exceeded = f"{size}, because its lines are long, and only {most} are loaded"
    if index.cut == 1:
        missing = f"1 line is missing here, in whole or in part: {first}."
    else:
        missing = f"{index.cut} lines are missing here, the first of them: {first}."
    return f"> WARNING: this index has {exceeded}. {missing} {_MEND}"


def _kilobytes(characters: int) -> str:
    return f"{characters / 1024:.1f} KB"
