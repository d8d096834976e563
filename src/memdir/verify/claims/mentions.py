"""The words of a memory that may name a thing of the project, with where they stand."""

import re
from collections.abc import Iterator

from memdir.text.value import value_class

__all__ = ["Mention", "mentions_in", "sub_mentions", "without_addresses"]


@value_class(frozen=True, slots=True)
class Mention:
    """A word, a code span, a line of code, or (whole) a line of prose as such."""

    text: str
    start: int
    end: int
    code: bool = False
    fenced: bool = False
    whole: bool = False


def mentions_in(text: str) -> list[Mention]:
    """Return code spans, lines of code blocks, link targets and words in order; addresses are left out."""
    text = without_addresses(text)
    found: list[Mention] = []
    rest = _FENCE.sub(lambda block: _taken_lines(block, found), text)
    rest = _SPAN.sub(lambda span: _taken(span, found, code=True), rest)
    rest = _TARGET.sub(lambda target: _taken(target, found, code=False), rest)
    found += [_word(match) for match in _WORD.finditer(rest)]
    found += [
        Mention(match[0], match.start(), match.end(), whole=True)
        for match in re.finditer(r"[^\n\0]+", rest)
        if " " in match[0]
    ]
    return sorted((one for one in found if one.text), key=lambda one: one.start)


def without_addresses(text: str) -> str:
    """Return the text with NUL characters in place of addresses: a path inside one is not of this project."""
    return _ADDRESS.sub(_blank, text)


def sub_mentions(mention: Mention) -> Iterator[Mention]:
    """Yield the words of a line of code; they are words like those in prose."""
    for match in _WORD.finditer(mention.text):
        word = _word(match)
        start = mention.start + match.start()
        yield Mention(word.text, start, start + len(word.text), fenced=mention.fenced)


# With a scheme, www., an address of mail or ssh, a host with a port, or a domain with a path behind it.
_ADDRESS = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]{1,15}://[^\s`<>\"')\]]+|\bwww\.[^\s`<>\"')\]]+"
    r"|(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+(?::[^\s`]*)?"
    r"|\blocalhost(?::\d+)?(?:/[^\s`]*)?|(?<![\w./-])[\w-]+(?:\.[\w-]+)+:\d{2,5}/[^\s`<>\"')\]]*"
    r"|(?<![\w./@-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|co|ai|sh|de|eu|uk|gov|edu|info|cloud|me)/"
    r"[^\s`<>\"')\]]*",
)
_FENCE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>(?:(?![ \t]*(?P=fence))[^\n]*\n)*)"
    r"(?:[ \t]*(?P=fence)[`~]*)?",
    re.MULTILINE,
)
_SPAN = re.compile(r"(?<!`)`{1,2}(?P<code>[^`\n]{1,200})`{1,2}(?!`)")
_TARGET = re.compile(r"\]\((?P<code>[^()\s]{1,300})\)")
# Scripts without spaces, dashes, arrows, commas and bars end a word.
_WORD = re.compile(
    r"[^\s\0,;|`\u2013\u2014\u2026\u2190-\u21ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]+"
)
_OPENING = "([{<\"'*\u201c\u2018\u00ab"
_CLOSING = ".,;:!?>\"'*\u201d\u2019\u00bb"


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def _taken(span: re.Match[str], found: list[Mention], *, code: bool) -> str:
    text = span["code"].strip()
    start = span.start("code") + span["code"].find(text)
    if "\0" not in text:
        found.append(Mention(text, start, start + len(text), code=code))
    return _blank(span)


def _taken_lines(block: re.Match[str], found: list[Mention]) -> str:
    start = block.start("code")
    for line in block["code"].splitlines(keepends=True):
        text = re.sub(r"^[$>%]\s", "", line.strip())
        if text and "\0" not in text:
            found.append(Mention(text, start, start + len(line), code=True, fenced=True))
        start += len(line)
    return _blank(block)


def _word(match: re.Match[str]) -> Mention:
    """Return a word without the punctuation around it; brackets stay where they belong to it."""
    text = match[0].lstrip(_OPENING)
    start = match.end() - len(text)
    while text:
        shorter = re.sub(r"['\u2019]s$", "", text.rstrip(_CLOSING))
        for opening, closing in ("()", "[]", "{}"):
            if shorter.endswith(closing) and shorter.count(closing) > shorter.count(opening):
                shorter = shorter[:-1]
        if shorter == text:
            break
        text = shorter
    return Mention(text, start, start + len(text))
