"""One value of a header, read whatever a model wrote."""

import re
from collections.abc import Iterable

__all__ = ["Node", "flatten", "read_value"]

Node = str | list["Node"] | dict[str, "Node"]
"""What a value is before it is flattened: text, a list, or a mapping."""

YAML_LIMIT = 8_192
"""Characters one value may have and still go to the YAML engine: its worst case is not linear, ours is."""

YAML_DEPTH = 16
"""Levels a value may nest: deeper than any header a person wrote, shallower than any recursion limit."""

COMMENT_CUTS = "YAML ends this value at #, where a comment begins: put it in double quotes"
NOT_YAML = "other YAML readers cannot read this value: put it in double quotes"


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
