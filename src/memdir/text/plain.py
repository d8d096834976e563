"""The words of a Markdown text on one line: its marks go, identifiers, paths, globs and code stay whole."""

import re

__all__ = ["capitalise", "first_words"]

_LONGEST = 2_000
"""Characters that are looked at: several times what a description can use."""

_DEEPEST = 3
"""Emphasis inside emphasis that is looked for: nobody writes more."""


def first_words(body: str) -> str:
    """Return the text of the first paragraphs on one line, without Markdown, comments and link targets."""
    text = body[:_LONGEST]
    text = re.sub(_HEADING, "", text).strip() or text  # headings name, sentences say
    text = re.sub(_COMMENT, "", re.sub(_LEADERS, "", text.lstrip()).replace("\0", ""))
    code = [match[2].strip() for match in re.finditer(_CODE, text)]
    text = re.sub(_CODE, "\0", text)  # what stands in code spans is nobody's emphasis
    text = re.sub(_LINK, lambda match: match[1] or match[2] or "", text)
    for _ in range(_DEEPEST if re.search("[*_~]", text) else 0):
        text = re.sub(_EMPHASIS, _without_marks, text)
    left = iter(code)
    return " ".join(re.sub("\0", lambda _: next(left, ""), text).split())


def capitalise(text: str) -> str:
    """Return a sentence with a capital, unless it begins with a path, a command's option or another name."""
    first = text.split(" ", 1)[0].rstrip(",;:.!?")
    return text if re.search(r"[\W\d_]|(?<=.)[A-Z]", first.replace("'", "")) else text[:1].upper() + text[1:]


def _without_marks(match: re.Match[str]) -> str:
    names = r"[a-z0-9_]+" if len(match["marks"]) > 1 else r"\w*[\d_]\w*"
    is_name = match["marks"][0] == "_" and re.fullmatch(names, match["words"])  # __init__ and _x1_
    return match[0] if is_name else match["words"]


_HEADING = r"(?m)^[ \t]{0,3}#{1,6}[ \t].*$"
_LEADERS = r"(?m)^[ \t]*(?:#{1,6}[ \t]+|[-*+>][ \t]+|\d{1,3}[.)][ \t]+|```.*$|~~~.*$)+"
_COMMENT = r"(?s)<!--.*?-->"
_CODE = r"(?<!`)(`+)(?!`)((?:(?!\1)[^\n]|(?<=`)`)*?[^`\n])\1(?!`)"
_LINK = r"!?\[(?!secret: )([^\[\]\n]*)\]\([^()\n]*\)|\[\[(?!secret: )([^\[\]\n]+)\]\]"
# An opening mark stands where a word begins, a closing one where it ends; between both is no other such mark.
_EMPHASIS = (
    r"(?<![\w*_~/.\\@#$%&=<>+^|-])(?P<marks>\*{1,3}|_{1,3}|~~)(?=[^\s*_~/.,;:!?)\]}])"
    r"(?P<words>(?:(?!(?P=marks)).)*?[^\s*_~/(\[{,])(?P=marks)(?![\w*_~/(\[]|\.\w)"
)
