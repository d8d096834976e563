"""The imports in a text: where `@path` stands as one, and which file it means."""

import os
import re
from collections.abc import Iterator

from memdir.core.markdown import prose_spans

__all__ = ["MARKDOWN", "NOT_TEXT", "imports_in", "target"]

MARKDOWN = frozenset({"", ".markdown", ".md", ".mdc", ".mdown", ".mdx", ".text", ".txt"})
"""Extensions of imported files that are read as Markdown; any other text is shown as it is."""

_EXTENSIONS = """
    .7z .a .avi .avif .bin .bmp .bz2 .class .dat .db .dll .dmg .doc .docx .dylib .ear .eot .exe .flac .gif .gz
    .heic .icns .ico .iso .jar .jpeg .jpg .m4a .mkv .mov .mp3 .mp4 .o .obj .ods .odt .ogg .otf .parquet .pdf
    .pkl .png .ppt .pptx .psd .pyc .rar .so .sqlite .sqlite3 .tar .tgz .tif .tiff .ttf .war .wasm .wav .webm
    .webp .woff .woff2 .xls .xlsx .xz .zip .zst
"""
NOT_TEXT = frozenset(_EXTENSIONS.split())
"""Extensions of files that are never read as instructions; what others hold is judged by their content."""


def imports_in(body: str) -> list[str]:
    """Return the paths that a Markdown text imports, as they are written there, in order."""
    if not _LIKELY.search(body):
        return []
    passages = [passage for passage in _BREAK.split(_prose(body)) if "@" in passage]
    return list(dict.fromkeys(path for passage in passages for path in _imported(passage)))


def target(written: str, importer: str, home: str) -> str:
    """Return the file that an import means; it is relative to the file that imports it."""
    path = written.partition("#")[0].replace("\\ ", " ")
    if path.startswith("~/"):
        return os.path.join(home, path[2:].lstrip("/"))
    return os.path.join(os.path.dirname(importer), path)


_HIDDEN = "\0"
"""Stands in for code and comments inside a line; a text that is looked at here holds no NUL."""
_FIRST = r"(?:[\w./~-]|\\[ ])"
# It begins with its rarest sign, so that the search for it runs at the speed of C.
_LIKELY = re.compile(rf"@(?<![^\s*_~>\[`]@)(?={_FIRST})")
_MAY_HIDE = re.compile(r"[`<\t]|~~~|    ")
# Where a paragraph, an item or a heading ends, emphasis does too.
_BREAK = re.compile(r"\n(?=[ \t]*(?:\n|\Z|#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|>))")
_MARKS = r"\*+|_+|~~"
_TOKEN = re.compile(rf"\\[^\w\s]|(?P<marks>{_MARKS})|(?P<at>@)(?={_FIRST})|\]\([^()\n]{{0,500}}+\)")
_PATH = re.compile(r"(?:\\[ ]|[^\s\0])++")
_MARK = re.compile(_MARKS)
_QUOTE = re.compile(r"[ \t>]*>")
_LINK_TEXT = re.compile(r"@[^\]\n]{1,500}\]\(")
_FAR = 500
"""Characters in which emphasis must end again: without a bound a hostile text is searched over and over."""
_NESTED = 16
"""Emphasis open at a time: more was never meant as such."""
_Open = list[tuple[str, int]]
"""Marks that began emphasis, each with where they end."""


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


def _imported(passage: str) -> Iterator[str]:
    """Yield the imports of one paragraph, item or heading."""
    marks, at = _Open(), 0
    while token := _TOKEN.search(passage, at):
        at = token.end()
        if token["marks"]:
            _note(marks, passage, token)
        elif token["at"] and _begins(passage, token.start(), marks) and (run := _PATH.match(passage, at)):
            path = _within(run[0], {mark for mark, _ in marks})
            at += len(path)
            yield path


def _begins(passage: str, at: int, marks: _Open) -> bool:
    """Tell whether the @ here is at the start of a line or an inline run, or after white space."""
    before = passage[at - 1 : at]
    if not before or before.isspace() or before == _HIDDEN:
        return True
    if before == ">":
        start = max(0, at - _FAR)
        return bool(_QUOTE.fullmatch(passage, max(start, passage.rfind("\n", start, at) + 1), at))
    if before == "[":
        return bool(_LINK_TEXT.match(passage, at))
    if not marks or marks[-1][1] != at:
        return False
    closing = re.escape(marks[-1][0])
    return bool(re.compile(rf"(?<![\s{closing[-1]}]){closing}(?!{closing})").search(passage, at, at + _FAR))


def _note(marks: _Open, passage: str, token: re.Match[str]) -> None:
    """Keep account of emphasis that begins or ends with these marks."""
    first, end, mark = token.start(), token.end(), token[0]
    before, after = passage[max(0, first - 1) : first], passage[end : end + 1]
    if _closes(mark, before, after) and any(mark == one for one, _ in marks):
        while marks.pop()[0] != mark:
            pass
    elif _opens(mark, before, after) and len(marks) < _NESTED:
        marks.append((mark, end))


def _within(path: str, marks: set[str]) -> str:
    """Return the path up to where the emphasis or the link that it stands in ends."""
    path = path.partition("](")[0]
    for token in _MARK.finditer(path) if marks else ():
        if token[0] in marks and _closes(
            token[0], path[token.start() - 1], path[token.end() : token.end() + 1]
        ):
            return path[: token.start()]
    return path


def _opens(mark: str, before: str, after: str) -> bool:
    if not after.strip() or (_is_sign(after) and before.strip() and not _is_sign(before)):
        return False
    return mark[0] != "_" or not before.strip() or _is_sign(before)


def _closes(mark: str, before: str, after: str) -> bool:
    return _opens(mark, after, before)  # the same rule, read from the other side


def _is_sign(character: str) -> bool:
    return not (character.isalnum() or character.isspace())
