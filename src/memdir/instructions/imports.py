"""The imports in a text: where `@path` stands as one, and which file it means."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache

from memdir.hook_paths import in_home
from memdir.resources import read_resource
from memdir.text.markdown import prose_spans

__all__ = ["imports_in", "is_text_name", "target"]


def is_text_name(path: str) -> bool:
    """Tell whether a file of this name may be imported: it has no extension, or a known one of text."""
    extension = os.path.splitext(path)[1]
    return not extension or extension[1:].lower() in _extensions()


@cache
def _extensions() -> frozenset[str]:
    return frozenset(read_resource(__file__, "import_extensions.txt").split())


def imports_in(body: str) -> list[str]:
    """Return the paths that a Markdown text imports, as they are written there, in order."""
    if not _LIKELY.search(body):
        return []
    passages = [passage for passage in _BREAK.split(_prose(body)) if "@" in passage]
    return list(dict.fromkeys(path for passage in passages for path in _imports_in(passage)))


def target(written: str, importer: str, home: str) -> str:
    """Return the file that an import means; it is relative to the file that imports it."""
    path = written.partition("#")[0].replace("\\ ", " ")
    return os.path.join(os.path.dirname(importer), in_home(path, home))


_HIDDEN = "\0"
"""Stands in for code and comments inside a line."""
_FIRST = r"(?:[A-Za-z0-9._/-]|~/)"
# It begins with its rarest sign, so that the search for it runs at the speed of C.
_LIKELY = re.compile(rf"@(?<![A-Za-z0-9]@)(?={_FIRST})")
_MAY_HIDE = re.compile(r"[`<\t]|~~~|    ")
# Where a paragraph, an item or a heading ends, emphasis does too.
_BREAK = re.compile(r"\n(?=[ \t]*(?:\n|\Z|#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|>))")
_MARKS = r"(?P<marks>\*+|_+)"
_EDGE = r"\\[^\w\s]|</?[A-Za-z][^<>\n]{0,500}+>|!\[[^\]\n]{0,500}+\]\([^()\n]{0,500}+\)|\]\([^()\n]{0,500}+\)"
"""What ends one run of plain text and begins the next: an escape, a tag, an image, the end of a link."""
_TOKEN = re.compile(rf"{_EDGE}|{_MARKS}|(?P<at>@)(?={_FIRST})")
_PATH = re.compile(r"(?:\\[ ]|[^\s\0\\])++")
_PATH_END = re.compile(rf"\]\(|{_EDGE}|{_MARKS}")
_QUOTE = re.compile(r"[ \t>]*>")
_LINK_TEXT = re.compile(r"@[^\]\n]{1,500}\]\(")
_FAR = 500
"""Characters in which emphasis must end again: without a bound a hostile text is searched over and over."""
_NESTED = 16
"""Emphasis open at a time: more was never meant as such."""


def _prose(body: str) -> str:
    """Return the text without what is code, HTML or a comment, up to the paragraph of the last import."""
    if not _MAY_HIDE.search(body):
        return body
    *_, last = _LIKELY.finditer(body)
    end = body.find("\n\n", last.end())
    # What comes after that paragraph has no influence on what stands before its end.
    body = body if end < 0 else body[: end + 1]
    kept, at = list[str](), 0
    for first, after in prose_spans(body):
        if first > at:
            kept.append("\n\n" if "\n" in body[at:first] else _HIDDEN)
        kept.append(body[first:after])
        at = after
    return "".join(kept)


def _imports_in(passage: str) -> Iterator[str]:
    """Yield the imports of one paragraph, item or heading."""
    marks, at, edge = list[str](), 0, 0
    while token := _TOKEN.search(passage, at):
        at = token.end()
        if not token["at"]:
            edge = at if not token["marks"] or _emphasizes(marks, passage, token) else edge
        elif _begins(passage, token.start(), edge) and (run := _PATH.match(passage, at)):
            at = _path_end(passage, at, run.end(), marks)
            yield passage[run.start() : at]


def _begins(passage: str, at: int, edge: int) -> bool:
    """Tell whether the @ here is at the start of a line or an inline run, or after white space."""
    before = passage[at - 1 : at]
    if at == edge or before.isspace() or before == _HIDDEN:
        return True
    if before == ">":
        start = max(0, at - _FAR)
        return bool(_QUOTE.fullmatch(passage, max(start, passage.rfind("\n", start, at) + 1), at))
    return before == "[" and bool(_LINK_TEXT.match(passage, at))


def _emphasizes(marks: list[str], passage: str, token: re.Match[str]) -> bool:
    """Tell whether emphasis begins or ends with these marks, and keep account of it."""
    first, end, mark = token.start(), token.end(), token[0]
    before, after = passage[max(0, first - 1) : first], passage[end : end + 1]
    if mark in marks and _opens(mark, after, before):  # the same rule, read from the other side
        while marks.pop() != mark:
            pass
        return True
    if not _opens(mark, before, after) or len(marks) >= _NESTED:
        return False
    closing = re.compile(rf"(?<![\s{re.escape(mark[0])}]){re.escape(mark)}(?!{re.escape(mark[0])})")
    if not closing.search(passage, end, end + _FAR):
        return False
    marks.append(mark)
    return True


def _path_end(passage: str, at: int, end: int, marks: list[str]) -> int:
    """Return where a path ends: with its run of plain text. A name may well be `__init__`."""
    for token in _PATH_END.finditer(passage, at, end):
        is_name = token[0][0] == "_" and token[0] not in marks
        if not token["marks"] or (not is_name and _emphasizes([*marks], passage, token)):
            return token.start()
    return end


def _opens(mark: str, before: str, after: str) -> bool:
    if not after.strip() or (_is_sign(after) and before.strip() and not _is_sign(before)):
        return False
    return mark[0] != "_" or not before.strip() or _is_sign(before)


def _is_sign(character: str) -> bool:
    return not (character.isalnum() or character.isspace())
