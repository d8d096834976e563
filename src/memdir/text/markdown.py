"""Find the blocks of Markdown: which lines are prose, and which are code, HTML or comments.

The rules are CommonMark's, as far as they decide what a line is. The time grows with the text alone, however
it is nested: containers deeper than 64 are read as text.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from memdir.text.value import value_class

__all__ = ["Block", "blocks", "has_link_to", "links_in", "prose_spans", "without_comments"]


def has_link_to(text: str, name: str, file: str) -> bool:
    """Tell whether a text links to the memory of this name in this file."""
    last = file.rpartition("/")[2]
    if not ("[[" in text and name in text) and last.removesuffix(".md") not in text:
        return False  # most texts: the patterns cost more
    called = "|".join(map(re.escape, (name, file, file.removesuffix(".md"), last, last.removesuffix(".md"))))
    by_name = rf"\[\[[ \t]*+(?:{called})[ \t]*+(?:[|#][^\]\n]*+)?\]\]"
    by_file = rf"\]\([ \t]*+<?(?:[^()\s<>]*/)?{re.escape(last)}(?:[#? \t>][^()\n]*+)?\)"
    return re.search(f"{by_name}|{by_file}", text) is not None


def links_in(text: str) -> set[str]:
    """Return the last parts of what a text links to, as names or files: candidates for `has_link_to`."""
    by_name = re.findall(r"\[\[[ \t]*+([^\]\n|#]{1,300})", text)
    by_file = re.findall(r"\]\([ \t]*+<?([^()\s<>#?]{1,300})", text)
    return {one.strip().rpartition("/")[2].removesuffix(".md") for one in (*by_name, *by_file)} - {""}


BlockKind = Literal["text", "fence", "indented", "html", "comment"]

Span = tuple[int, int]
"""Offsets of a first character and of the one after the last."""

_DEEPEST = 64
"""Quotes and lists inside each other: nobody writes more, and without a limit the time could be quadratic."""


@value_class(frozen=True, slots=True)
class Block:
    """Lines from `start` to before `end`, counted from 0, such as one paragraph; blank lines are in none."""

    kind: BlockKind
    start: int
    end: int
    closed: bool = True
    """False for a fence, a comment or HTML that never ends: it reaches to the end of what contains it."""
    contained: bool = False
    """Whether it stands in a quote or a list item."""


def blocks(text: str) -> list[Block]:
    """Return what the lines of the text are, in order."""
    reader = _Reader()
    lines = text.split("\n")
    for number, line in enumerate(lines if lines[-1] else lines[:-1]):
        reader.read(number, line.removesuffix("\r").expandtabs(4))
    return reader.finish()


def without_comments(text: str) -> str:
    """Return the text without comments that are blocks of their own; others or never closed ones stay.

    A comment that fills its lines takes the empty lines behind it with it.
    """
    lines, kept, done = text.split("\n"), list[str](), 0
    for block in blocks(text):
        if block.kind != "comment" or not block.closed or block.contained:
            continue
        kept += lines[done : block.start]
        rest = _remove_comments("\n".join(lines[block.start : block.end]))
        done = block.end
        if rest.strip():
            kept.append(rest)
            continue
        while done < len(lines) and not lines[done]:
            done += 1
    return "\n".join(kept + lines[done:])


def prose_spans(text: str) -> list[Span]:
    """Return where words stand that are neither code nor HTML nor in a comment."""
    spans: list[Span] = []
    for start, end in _paragraphs(text):
        at = start
        for first, after in _inline_spans(text, start, end):
            spans.append((at, first))
            at = after
        spans.append((at, end))
    return [(start, end) for start, end in spans if start < end]


_QUOTE = re.compile(r" {0,3}> ?")
_BLANK = re.compile(r" *\Z")
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?= |\Z)")
_RULE = re.compile(r"(?:(?:\*[ ]*+){3,}+|(?:-[ ]*+){3,}+|(?:_[ ]*+){3,}+)\Z")
_HEADING = re.compile(r"\#{1,6}(?: |\Z)")
_TICKS = re.compile(r"`+")
_TOKEN = re.compile(r"\\.|`+|<!--", re.DOTALL)
_UNDERLINE = re.compile(r"(?:=+|-+) *\Z")
_FENCE = re.compile(r"(`{3,}+)[^`]*\Z|(~{3,}+)")
_CLOSING = re.compile(r" {0,3}(`{3,}+|~{3,}+) *\Z")
_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
_ATTRIBUTE = r"""\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?"""
_TAG = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*\s*+/?|/[A-Za-z][A-Za-z0-9-]*+\s*+)>\s*\Z", re.ASCII
)
_RAW = "script|pre|style|textarea"
_HTML: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(rf"<(?:{_RAW})(?=[\s>]|\Z)", re.IGNORECASE), re.compile(rf"</(?:{_RAW})>", re.IGNORECASE)),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_NAMES})(?=\s|/?>|\Z)", re.IGNORECASE), None),
)


_Ending = Callable[[str], object] | None


class _Reader:
    """The open containers and the open leaf in them, line by line."""

    def __init__(self) -> None:
        self.found: list[Block] = []
        self.containers: list[
            int
        ] = []  # a quote is 0, a list item the columns that its lines are indented by
        self.bare = False  # the innermost container is a list item with nothing in it yet
        self.leaf: BlockKind | None = None
        self.start = self.end = 0
        self.ending: _Ending = None  # what ends the leaf; None: a blank line, or another block

    def read(self, number: int, line: str) -> None:
        """Take the next line in."""
        matched, at = self._match_containers(line)
        if self.leaf not in (None, "text"):
            if matched == len(self.containers) and self._continues(number, line[at:]):
                return
            self._close(closed=self.ending is None)
        while opened := self._container(line[at:], interrupting=self._continues_paragraph(matched)):
            width, step, self.bare = opened
            self._keep(matched)
            self.containers.append(width)
            matched, at = matched + 1, at + step
        text = line[at:].lstrip(" ")
        if text:
            self._leaf(number, text, indent=len(line) - at - len(text), matched=matched)
        else:
            self._keep(matched)

    def finish(self) -> list[Block]:
        """Return all blocks, with the last one ended by the end of the text."""
        self._close(closed=self.ending is None)
        return self.found

    def _continues_paragraph(self, matched: int) -> bool:
        """Say whether a paragraph is open and this line, so far, goes on in it."""
        return self.leaf == "text" and matched == len(self.containers)

    def _match_containers(self, line: str) -> tuple[int, int]:
        """Return how many of the containers go on in this line, and where the rest of it begins."""
        at = 0
        for depth, width in enumerate(self.containers):
            if not width:
                quote = _QUOTE.match(line, at)
                if not quote:
                    return depth, at
                at = quote.end()
            elif _BLANK.match(line, at):
                if self.bare and depth == len(self.containers) - 1:
                    return depth, at
            elif line.startswith(" " * width, at):
                at += width
            else:
                return depth, at
        return len(self.containers), at

    def _continues(self, number: int, rest: str) -> bool:
        """Take the line into the open code or HTML, if it belongs there."""
        blank = not rest.strip(" ")
        if self.leaf == "indented":
            code = rest.startswith("    ")
            self.end = number + 1 if code and not blank else self.end
            return blank or code
        if self.ending is None and blank:
            return False
        self.end = number + 1
        if self.ending and self.ending(rest):
            self._close()
        return True

    def _container(self, rest: str, *, interrupting: bool) -> tuple[int, int, bool] | None:
        """Return the width of the quote or list item that begins here, its prefix, and whether it is bare."""
        text = rest.lstrip(" ")
        indent = len(rest) - len(text)
        if indent >= 4 or len(self.containers) >= _DEEPEST:
            return None
        if quote := _QUOTE.match(rest):
            return 0, quote.end(), False
        item = _ITEM.match(text)
        if not item or _RULE.match(text):
            return None
        body = text[item.end() :].lstrip(" ")
        if interrupting and (not body or (item[1] and int(item[1]) != 1)):
            return None
        spaces = len(text) - item.end() - len(body)
        width = indent + item.end() + (spaces if body and spaces <= 4 else 1)
        return width, width, not body

    def _leaf(self, number: int, text: str, *, indent: int, matched: int) -> None:
        """Take in a line that is not blank and opens no container."""
        paragraph, indented = self.leaf == "text", indent >= 4
        verbatim = self._code_or_html(text, paragraph=paragraph, indent=indent)
        single = not indented and (_HEADING.match(text) or _RULE.match(text))
        if verbatim:
            self._keep(matched)
            self._begin(number, *verbatim)
            if self.leaf != "fence" and self.ending and self.ending(text):
                self._close()
        elif self._continues_paragraph(matched) and not indented and _UNDERLINE.match(text):
            self.end = number + 1
            self._close()
        elif paragraph and not single:
            self.end = number + 1  # its next line, or, if containers did not match, a lazy one
        else:
            self._keep(matched)
            self._begin(number, "text", None)
            if single:
                self._close()

    def _code_or_html(self, text: str, *, paragraph: bool, indent: int) -> tuple[BlockKind, _Ending] | None:
        """Return the kind of code or HTML that begins with this line, and what ends it."""
        if indent >= 4:
            return None if paragraph else ("indented", None)
        if fence := _FENCE.match(text):
            run = fence[1] or fence[2]
            return "fence", partial(_closes, run)
        if not text.startswith("<") or (paragraph and indent):
            return None  # HTML that is indented below prose belongs to it: as the host has it, not CommonMark
        for opening, ending in _HTML:
            if opening.match(text):
                return ("comment" if opening is _HTML[0][0] else "html"), ending.search if ending else None
        return ("html", None) if not paragraph and _TAG.match(text) else None

    def _begin(self, number: int, kind: BlockKind, ending: _Ending) -> None:
        self.leaf, self.ending = kind, ending
        self.start, self.end, self.bare = number, number + 1, False

    def _keep(self, matched: int) -> None:
        """End the open leaf and the containers beyond the first ones."""
        self._close(closed=self.ending is None)
        del self.containers[matched:]

    def _close(self, *, closed: bool = True) -> None:
        if self.leaf:
            contained = bool(self.containers)
            self.found.append(Block(self.leaf, self.start, self.end, closed, contained))
        self.leaf = self.ending = None


def _closes(opening: str, line: str) -> bool:
    run = _CLOSING.match(line)
    return bool(run and run[1].startswith(opening))


def _paragraphs(text: str) -> Iterator[Span]:
    """Yield where each block of prose stands; what shares its lines with a comment is prose too."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for block in blocks(text):
        if block.kind == "text" or (block.kind == "comment" and block.closed):
            yield starts[block.start], min(starts[block.end], len(text))


def _inline_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield where inline code and comments of one paragraph stand; whichever begins first wins."""
    ticks: defaultdict[int, deque[int]] = defaultdict(deque)
    for run in _TICKS.finditer(text, start, end):
        ticks[len(run[0])].append(run.start())
    last_comment = text.rfind("-->", start, end)
    at = start
    while token := _TOKEN.search(text, at, end):
        at = token.end()
        if token[0] == "<!--" and last_comment >= token.start() + 2:
            at = text.find("-->", token.start() + 2) + 3
            yield token.start(), at
        elif token[0][0] == "`":
            closing = ticks[len(token[0])]
            while closing and closing[0] < at:
                closing.popleft()
            if closing:
                at = closing[0] + len(token[0])
                yield token.start(), at


def _remove_comments(text: str) -> str:
    """Return the text without the comments in it that end."""
    kept, at = list[str](), 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join(kept) + text[at:]
