"""What stands where in Markdown: which lines are prose, and which are code, HTML or comments.

The rules are CommonMark's, as far as they decide what a line is. The time grows with the text alone, however it
is nested: containers deeper than 64 are read as text.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

__all__ = ["Block", "BlockKind", "Span", "blocks", "code_spans", "prose_spans", "without_comments"]

BlockKind = Literal["text", "fence", "indented", "html", "comment"]

Span = tuple[int, int]
"""Offsets of a first character and of the one after the last."""

_DEEPEST = 64
"""Quotes and lists inside each other: nobody writes more, and without a bound a hostile text costs a square."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines from `start` to before `end`, counted from 0; a paragraph is one, blank lines around it are in none."""

    kind: BlockKind
    start: int
    end: int
    closed: bool = True
    """False for a fence, a comment or HTML that never ends: it reaches to the end of what contains it."""


def blocks(text: str) -> list[Block]:
    """Return what the lines of the text are, in order."""
    reader = _Reader()
    lines = text.split("\n")
    for number, line in enumerate(lines if lines[-1] else lines[:-1]):
        reader.read(number, line.removesuffix("\r").expandtabs(4))
    return reader.finished()


def without_comments(text: str) -> str:
    """Return the text without HTML comments that begin a line; those inside a line, in code or unclosed stay."""
    lines, kept, done = text.split("\n"), list[str](), 0
    for block in blocks(text):
        if block.kind == "comment" and block.closed:
            kept += lines[done : block.start]
            rest = _uncommented("\n".join(lines[block.start : block.end])).rstrip()
            kept += [rest] if rest else []
            done = block.end
            while not rest and done < len(lines) - 1 and not (lines[done].strip() or (kept and kept[-1].strip())):
                done += 1  # of the blank lines on both sides only those before it stay
    return "\n".join(kept + lines[done:])


def code_spans(text: str) -> list[Span]:
    """Return where inline code stands, backticks included."""
    return [(start, end) for start, end, is_code in _marked(text) if is_code]


def prose_spans(text: str) -> list[Span]:
    """Return where words stand that are neither code nor HTML nor in a comment."""
    spans: list[Span] = []
    marked = deque(_marked(text))
    for start, end in _paragraphs(text):
        at = start
        while marked and marked[0][0] < end:
            first, after, _ = marked.popleft()
            spans.append((at, first))
            at = after
        spans.append((at, end))
    return [(start, end) for start, end in spans if start < end]


_QUOTE = re.compile(r" {0,3}> ?")
_BLANK = re.compile(r" *\Z")
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?= |\Z)")
_RULE = re.compile(r"(?:(?:\*[ ]*+){3,}+|(?:-[ ]*+){3,}+|(?:_[ ]*+){3,}+)\Z")
_HEADING = re.compile(r"\#{1,6}(?: |\Z)")
_UNDERLINE = re.compile(r"(?:=+|-+) *\Z")
_FENCE = re.compile(r"(`{3,}+)[^`]*\Z|(~{3,}+)")
_HTML_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
_ATTRIBUTE = r"""\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?"""
_TAG = re.compile(rf"<(?:[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*\s*+/?|/[A-Za-z][A-Za-z0-9-]*+\s*+)>\s*\Z", re.ASCII)
_HTML = (
    (re.compile(r"<(?:script|pre|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE), re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_HTML_NAMES})(?=\s|/?>|\Z)", re.IGNORECASE), None),
)
