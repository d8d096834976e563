"""The lines of a header: the key that owns each, and its value, read whatever a model wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memdir.text.value import value_class

__all__ = [
    "HeaderEntry",
    "Node",
    "entries",
    "flatten",
    "is_metadata_block",
    "lines_between",
    "nodes",
    "read_value",
]

Node = str | list["Node"] | dict[str, "Node"]
"""What a value is before it is flattened: text, a list, or a mapping."""

YAML_LIMIT = 8_192
"""Characters one value may have and still go to the YAML engine: its worst case is not linear, ours is."""

YAML_DEPTH = 16
"""Levels a value may nest: deeper than any header a person wrote, shallower than any recursion limit."""

COMMENT_CUTS = "YAML ends this value at #, where a comment begins: put it in double quotes"
NOT_YAML = "other YAML readers cannot read this value: put it in double quotes"


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


def read_value(first: str, rest: str = "") -> tuple[Node, str]:
    """Return the value that begins on its key's line and may go on below, and what is wrong with it."""
    if first[:1] in _INERT and first:
        # Anchors, aliases and tags only have a meaning between values; here they are text.
        return _join_lines(first, rest), "YAML anchors, aliases and tags are read as plain text"
    if not rest and first[:1] not in {"[", "{"}:
        return _scalar(first)
    node = _yaml_node(f"k: {first}\n{rest}")
    return (_join_lines(first, rest), NOT_YAML) if node is None else (node, "")


def flatten(node: Node) -> str:
    """Return text as it is, and a list or a mapping as one line."""
    if isinstance(node, str):
        return node
    if isinstance(node, dict):
        return ", ".join(f"{key}: {_one_line(flatten(item))}" for key, item in node.items())
    return ", ".join(_one_line(flatten(item)) for item in node)


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


_INERT = "&*!"
_RESERVED = re.compile(r"[@`%\]},|>]|[-?:](?:[ \t]|\Z)")
_KEY_INSIDE = re.compile(r":(?:[ \t]|\Z)")
_COMMENT = re.compile(r"[ \t]#")
_BLOCK = re.compile(r"([|>])[-+0-9]{0,2}(?:[ \t]++#.*|[ \t]*+)\Z", re.DOTALL)


def _scalar(text: str) -> tuple[str, str]:
    """Return the value of one line (already trimmed), and what is wrong with it, or ""."""
    if text[:1] in {'"', "'"}:
        return _unquote(text)
    if text[:1] == "#" or _BLOCK.match(text):
        return "", ""
    value, problem = text, ""
    comment = _COMMENT.search(text)
    if comment:
        # Readers of YAML stop here, so we do; but `see #42` was hardly meant as a comment.
        value = text[: comment.start()].rstrip(" \t")
        problem = "" if text[comment.end() :][:1] in {" ", ""} else COMMENT_CUTS
    return value, (NOT_YAML if _RESERVED.match(value) or _KEY_INSIDE.search(value) else problem)


_DOUBLE = re.compile(r'"((?:[^"\\]++|\\.)*+)"[ \t]*+(?:#.*)?\Z', re.DOTALL)
_SINGLE = re.compile(r"'((?:[^']++|'')*+)'[ \t]*+(?:#.*)?\Z", re.DOTALL)
_HEX = r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}"
_WELL_ESCAPED = re.compile(rf'(?:[^\\]++|\\(?:[0abtnvfreNLP_ \t"/\\]|{_HEX}))*+\Z')
_ESCAPE = re.compile(rf"\\({_HEX}|.)", re.DOTALL)
_ESCAPES = dict(zip("0abtnvfreNLP_", "\0\a\b\t\n\v\f\r\x1b\x85\u2028\u2029\xa0", strict=True))


def _unquote(text: str) -> tuple[str, str]:
    found = (_DOUBLE if text[0] == '"' else _SINGLE).match(text)
    if not found:
        return text, "the quotes do not enclose the value"
    inner = found[1]
    if text[0] == "'":
        return inner.replace("''", "'"), ""
    if "\\" not in inner:
        return inner, ""
    if not _WELL_ESCAPED.match(inner):
        # One escape that does not exist ("C:\me\notes") says that none was meant as one.
        return re.sub(r'\\(["\\])', r"\1", inner), NOT_YAML
    text = _ESCAPE.sub(_unescape, inner)
    # JSON spells one character beyond U+FFFF as two escapes.
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text), ""


_PAIR = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")


def _unescape(found: re.Match[str]) -> str:
    code = found[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)


def _join_lines(first: str, rest: str) -> str:
    """Read a value line by line, for what no YAML reader accepts."""
    lines = [line.strip(" \t") for line in re.split(r"\r\n?|\n", rest)]
    block = _BLOCK.match(first)
    if block:
        return ("\n" if block[1] == "|" else " ").join(lines).strip()
    below = [line for line in lines if line]
    if not first and below and all(line.startswith("- ") for line in below):
        return ", ".join(line[2:].strip(" \t") for line in below)
    text = " ".join([first, *below]).strip(" \t")
    return _unquote(text)[0] if text[:1] in {'"', "'"} else text


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _yaml_node(text: str) -> Node | None:
    """Return the value of the only key in this YAML, or None when it is not sound YAML of moderate size."""
    if len(text) > YAML_LIMIT or text.count("[") + text.count("{") > 4 * YAML_DEPTH:
        return None
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        # Events only: nothing is constructed, so a tag is inert and an alias cannot multiply.
        document = _tree(yaml.parse(text, Loader=loader))
    except (yaml.YAMLError, ValueError):
        return None
    return document["k"] if isinstance(document, dict) and document.keys() == {"k"} else None


def _tree(events: Iterable[object]) -> Node | None:
    from yaml.events import (
        AliasEvent,
        CollectionEndEvent,
        CollectionStartEvent,
        MappingEndEvent,
        ScalarEvent,
    )

    stack: list[list[Node]] = [[]]
    for event in events:
        if isinstance(event, ScalarEvent):
            stack[-1].append(event.value)
        elif isinstance(event, AliasEvent):
            stack[-1].append(f"*{event.anchor}")
        elif isinstance(event, CollectionStartEvent):
            if len(stack) > YAML_DEPTH:
                return None
            stack.append([])
        elif isinstance(event, CollectionEndEvent):
            items = stack.pop()
            stack[-1].append(_mapping(items) if isinstance(event, MappingEndEvent) else items)
    return stack[0][0] if len(stack[0]) == 1 else None


def _mapping(items: list[Node]) -> dict[str, Node]:
    return {_one_line(flatten(key)): item for key, item in zip(items[::2], items[1::2], strict=True)}
