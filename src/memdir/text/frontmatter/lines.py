"""The lines of a header, grouped by the key that owns them."""

import re

from memdir.text.frontmatter.scalars import Node, flatten, read_value
from memdir.text.value import value_class

__all__ = [
    "HeaderEntry",
    "entries",
    "is_metadata_block",
    "lines_between",
    "nodes",
]


@value_class(frozen=True, slots=True)
class HeaderEntry:
    """One key with its value: lines[first:stop] of the header's lines."""

    key: str
    label: str
    """The line up to the colon, as it stands in the file."""
    value: str
    """What follows the colon on the key's own line, trimmed; a comment counts as nothing."""
    first: int
    stop: int
    indent: int


def lines_between(text: str, first: int, stop: int) -> list[str]:
    """Return the lines of text[first:stop] with their ends, so that joining them gives the same text."""
    return _LINE.findall(text, first, stop)


def entries(lines: list[str]) -> tuple[list[HeaderEntry], list[int]]:
    """Return the entries in order, and the numbers of the lines that belong to none and are not comments."""
    found: list[HeaderEntry] = []
    strays: list[int] = []
    number = 0
    while number < len(lines):
        if not _content(lines[number]):
            number += 1
            continue
        entry = _entry(lines, number, found[0].indent if found else None)
        if entry:
            found.append(entry)
            number = entry.stop
        else:
            strays.append(number)
            number += 1
    return found, strays


def nodes(lines: list[str], line: int, problems: list[str], *, top: bool = True) -> dict[str, Node]:
    """Return the value of each key and add to the problems; the first line is number `line` of its file."""
    found, strays = entries(lines)
    values: dict[str, Node] = {}
    for entry in found:
        number = line + entry.first
        if entry.key in values:
            problems.append(f"line {number}: duplicate key {entry.key[:40]!r}; the last counts")
        below = lines[entry.first + 1 : entry.stop]
        if top and is_metadata_block(entry, below):
            values[entry.key], problem = nodes(below, number + 1, problems, top=False), ""
        else:
            values[entry.key], problem = read_value(entry.value, "".join(below))
        if problem := problem or _form_problem(entry, lines[entry.first]):
            problems.append(f"line {number}: {problem}")
    problems += [f"line {line + stray}: neither a key nor part of a value" for stray in strays]
    return values


def is_metadata_block(entry: HeaderEntry, below: list[str]) -> bool:
    """Say whether this is `metadata:` with keys on lines of their own below."""
    if entry.key != "metadata" or entry.value:
        return False
    start = next((text for line in below if (text := _content(line))), "{")
    return start[0] != "{" and bool(entries(below)[0])


_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)|[^\r\n]++")
_COLON = re.compile(r":(?=[ \t]|\Z)")
_TIGHT = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*+:(?!//)")
_QUOTED_KEY = re.compile(r"""(?:"(?:[^"\\]++|\\.)*+"|'(?:[^']++|'')*+')[ \t]*+:(?=[ \t]|\Z)""")
_NO_KEY = re.compile(r"[\[\]{}#&*!|>%@`,]|[-?:](?:[ \t]|\Z)")
_BLOCK_START = re.compile(r"[|>][-+0-9]{0,2}(?:[ \t]|\Z)")
_UP_TO_QUOTE = {
    '"': re.compile(r'(?:[^"\\]++|\\.)*+"', re.DOTALL),
    "'": re.compile(r"(?:[^']++|'')*+'"),
}


def _entry(lines: list[str], number: int, indent: int | None) -> HeaderEntry | None:
    line = lines[number]
    own_indent = _indent(line)
    indent = own_indent if indent is None else indent
    colon = _colon(line, own_indent) if own_indent <= indent else None
    if colon is None:
        return None
    label, value = line[:colon], _content(line[colon + 1 :])
    stop = _stop(lines, number, indent, value)
    if value[:1] in {"&", "!"} and " " not in value and stop > number + 1:
        value = ""  # an anchor or a tag on what stands below: only the latter is the value
    return HeaderEntry(_key(label), label, value, number, stop, indent)


def _form_problem(entry: HeaderEntry, line: str) -> str:
    if "\t" in line[: _indent(line)]:
        return "YAML cannot be indented with tabs"
    return (
        "" if line[len(entry.label) + 1 :][:1] in {"", " ", "\t", "\r", "\n"} else "no space after the colon"
    )


def _content(line: str) -> str:
    """Return the line without white space around it; a comment is empty."""
    text = line.strip(" \t\r\n")
    return "" if text[:1] == "#" else text


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _colon(line: str, start: int) -> int | None:
    """Return where the colon of this line's key stands, or None when the line begins no entry."""
    text = line.rstrip(" \t\r\n")
    if text[start : start + 1] in {'"', "'"}:
        found = _QUOTED_KEY.match(text, start)
        return found.end() - 1 if found else None
    if _NO_KEY.match(text, start):
        return None
    found = _COLON.search(text, start)
    if found and " #" not in text[start : found.start()]:
        return found.start()
    found = _TIGHT.match(text, start)
    return found.end() - 1 if found else None


def _key(label: str) -> str:
    text = label.strip(" \t")
    return flatten(read_value(text)[0]) if text[:1] in {'"', "'"} else text


def _stop(lines: list[str], number: int, indent: int, value: str) -> int:
    """Return the number of the first line that no longer belongs to the value which begins on this line."""
    if value[:1] in {'"', "'"}:
        return _quote_stop(lines, number, value)
    block = bool(_BLOCK_START.match(value))
    stop = number + 1
    for below in range(number + 1, len(lines)):
        line = lines[below]
        text = line.strip(" \t\r\n")
        if not text or (text[0] == "#" and not (block and _indent(line) > indent)):
            continue  # blank lines and comments belong to a value only when more of it follows
        if _indent(line) <= indent and not (value == "" and (text == "-" or text[:2] in {"- ", "-\t"})):
            break
        stop = below + 1
    return stop


def _quote_stop(lines: list[str], number: int, value: str) -> int:
    """Follow an open quote to the line that ends with its partner; without one, it opens nothing.

    The first line with such a quote decides. No line in between has one, so none is searched twice.
    """
    up_to_quote = _UP_TO_QUOTE[value[0]]
    if up_to_quote.match(value, 1):
        return number + 1
    for below in range(number + 1, len(lines)):
        found = up_to_quote.match(lines[below])
        if found:
            return below + 1 if not lines[below][found.end() :].strip(" \t\r\n") else number + 1
    return number + 1
