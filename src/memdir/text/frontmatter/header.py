"""The header of a topic file: read from any text, written for every reader, changed one key at a time.

A host waits for this module: it imports late.
"""

import re
from collections.abc import Mapping

from memdir.text.value import value_class

__all__ = [
    "HEADER_LINES",
    "LONGEST_HEADER",
    "TOO_LONG",
    "Frontmatter",
    "HeaderSpan",
    "assignment",
    "body_start",
    "header_text",
    "parse",
    "quote",
    "render_header",
    "span",
]

HEADER_LINES = 30
"""Lines of a file that are read for its header: enough for any real one, and a bound when there are many."""

LONGEST_HEADER = 1 << 16
"""Characters of a text in which its header has to end: what goes on after 64 K is no header."""

_MOST_LINES = 1_000
"""Lines of a header whose keys are read: each costs what reading a page of text does."""

MAX_PROBLEMS = 20
"""Problems one header reports: a person mends the first few, and a hostile file must not fill the memory."""

NEVER_CLOSED = "the header is never closed: put a line --- after it"

TOO_LONG = (
    f"the header is too long: only {_MOST_LINES:,} lines and {LONGEST_HEADER:,} characters of it are read"
)
"""The first problem of a header that goes on after what is read of it."""


@value_class(frozen=True, slots=True)
class Frontmatter:
    """What a header says, where the body begins, and what a strict reader would reject."""

    fields: dict[str, str]
    """The keys at the top; a key given twice has its last value."""
    metadata: dict[str, str]
    """The keys under `metadata:`; what is nested deeper is one line of text."""
    body: int
    """Where the body begins in the text."""
    problems: tuple[str, ...] = ()


@value_class(frozen=True, slots=True)
class HeaderSpan:
    """Where a header stands in its text: its lines are text[first:stop], the body is text[body:]."""

    first: int
    stop: int
    body: int
    closed: bool


def parse(text: str) -> Frontmatter:
    """Read the header of any text; never raises, and looks at no more than the longest header has.

    A header that is never closed ends at its last line that looks like one; without any such line the
    text has no header and is all body.
    """
    return _flat(text) or _parse_yaml(text)


def body_start(text: str) -> int:
    """Return where the body begins, as `parse` does, without reading the keys above it."""
    where = span(text)
    return where.body if where else len(text) - len(text.removeprefix("\ufeff"))


def span(text: str) -> HeaderSpan | None:
    """Return where the header stands, or None.

    A header that is never closed, or not before the longest one would end, ends with its last line that looks
    like part of one.
    """
    opened = re.match(_OPEN, text)
    if not opened:
        return None
    closed = re.compile(_CLOSE).search(text, opened.end(), LONGEST_HEADER)
    if closed:
        return HeaderSpan(opened.end(), closed.start(), closed.end(), closed=True)
    run = re.compile(_RUN).match(text, opened.end(), LONGEST_HEADER)
    return HeaderSpan(run.start(), run.end(), run.end(), closed=False) if run else None


def header_text(text: str) -> str:
    """Return the lines that count for a header: the first 30."""
    found = re.match(_FIRST_LINES, text)
    return found[0] if found else text


def render_header(fields: Mapping[str, str], metadata: Mapping[str, str]) -> str:
    """Return a complete header with both fences, every value in double quotes."""
    lines = [assignment(key, value) for key, value in fields.items()]
    if metadata:
        lines.append("metadata:\n")
        lines += [f"  {assignment(key, value)}" for key, value in metadata.items()]
    return f"---\n{''.join(lines)}---\n"


# What most headers are: every line `key: value` in plain or double-quoted text that needs no second look.
# The value stands in one group, so that a list of matches is already a list of pairs. Patterns stay text
# until they are used: with a catalog on disk, most processes read no header.
_SIMPLE_VALUE = (
    r'"?((?<=")[^"\\\r\n]*+(?=")'
    r"""|(?<!")[^\s\-?:,\[\]{}#&*!|>'"%@`][^\r\n:#]*+(?::[^\s:#][^\r\n:#]*+)*+(?<![ \t]))"?$"""
)
_SIMPLE = rf"(?ma)^([A-Za-z_][\w-]*+): {_SIMPLE_VALUE}"
_SIMPLE_BELOW = rf"(?ma)^  ([A-Za-z_][\w-]*+): {_SIMPLE_VALUE}"
_OPEN = r"\ufeff?---[ \t]*+(?:\r\n?|\n|\Z)"
# The dashes come before the look-behind: a search for a fixed prefix runs at the speed of C.
_CLOSE = r"---(?<=[\r\n]---)[ \t]*+(?:\r\n?|\n|\Z)"
# Without a closing line only the strict form counts, so that prose, headings and lists below stay body.
_STRICT_KEY = r"[A-Za-z_][A-Za-z0-9_-]*+[ \t]*+:(?=[ \t\r\n]|\Z)"
_REST = r"[^\r\n]*+(?:\r\n?|\n|\Z)"
_RUN = rf"{_STRICT_KEY}{_REST}(?:(?:{_STRICT_KEY}|[ \t]++[^\s]){_REST})*+"
_FIRST_LINES = rf"(?:[^\r\n]*+(?:\r\n?|\n|\Z)){{0,{HEADER_LINES}}}+"


def _flat(text: str) -> Frontmatter | None:
    """Read the common form; None when any line of the header is something else, or a key comes twice."""
    if not text.startswith("---\n"):
        return None
    end = text.find("\n---\n", 3, LONGEST_HEADER)
    if end < 0:
        return None
    top, below, nested = text[3:end].partition("\nmetadata:\n")
    fields: dict[str, str] = dict(re.findall(_SIMPLE, top))
    if len(fields) != top.count("\n"):
        return None
    if not below:
        return Frontmatter(fields, {}, end + 5)
    metadata: dict[str, str] = dict(re.findall(_SIMPLE_BELOW, nested))
    if len(metadata) != nested.count("\n") + 1 or "metadata" in fields:
        return None
    return Frontmatter(fields, metadata, end + 5)


def _parse_yaml(text: str) -> Frontmatter:
    # Loaded for the first header that is not flat: most directories have none.
    from memdir.text.frontmatter.lines import flatten, lines_between, nodes

    where = span(text)
    is_open = not (where and where.closed) and re.match(_OPEN, text) is not None
    problems = [NEVER_CLOSED] if is_open else []
    goes_on = is_open and re.compile(_CLOSE).search(text, LONGEST_HEADER - len("---\n")) is not None
    lines = lines_between(text, where.first, where.stop) if where else []
    goes_on = goes_on or len(lines) > _MOST_LINES
    if goes_on or (is_open and where and where.stop == LONGEST_HEADER < len(text)):
        problems.insert(0, TOO_LONG)
    if not where:
        return Frontmatter({}, {}, len(text) - len(text.removeprefix("\ufeff")), tuple(problems))
    values = nodes(lines[:_MOST_LINES], 2, problems)
    below = values.get("metadata")
    if isinstance(below, dict):
        del values["metadata"]
    metadata = {key: flatten(node) for key, node in below.items()} if isinstance(below, dict) else {}
    fields = {key: flatten(node) for key, node in values.items()}
    return Frontmatter(fields, metadata, where.body, tuple(problems[:MAX_PROBLEMS]))


def quote(value: str) -> str:
    """Return the value in double quotes, with everything escaped that some YAML reader would change."""
    if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'  # most values, without compiling a pattern
    return f'"{re.sub(_UNSAFE, _escape_character, value)}"'


def assignment(key: str, value: str, newline: str = "\n") -> str:
    """Return one line of a header; a key that is not just a word to every YAML reader is quoted too."""
    plain = re.match(_WORD, key) and key.lower() not in _NO_WORDS
    return f"{key if plain else quote(key)}: {quote(value)}{newline}"


# Patterns stay text until the first header is written: a process that only reads does not compile them.
# Pairs come first: two halves of one character are that character, not two broken ones. U+FFFE and U+FFFF are
# not printable to YAML, so they cannot stand literally either.
_UNSAFE = r'[\ud800-\udbff][\udc00-\udfff]|["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]'
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_NO_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_WORD = r"[A-Za-z_][A-Za-z0-9_-]*\Z"


def _escape_character(found: re.Match[str]) -> str:
    text = found[0]
    if len(text) == 2:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    code = ord(text)
    return _SHORT.get(text) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
