"""The one escaper of memory text in a prompt: it cannot open or close a tag, fake a header or turn, or hide.

Markdown, `a < b`, `List<int>`, arrows, links, emoji and the scripts of all languages stay as they are. What
would be structure becomes visibly text: `<` turns into `&lt;`, a line that speaks for another into a
quotation, and a hidden character into its number, such as `⟦U+200B⟧`.
"""

import re
import unicodedata

from memdir.text.invisible_characters import UNSEEN, hidden_pattern

__all__ = ["escape"]

_NUMBERED = 8
"""Hidden characters of a run that are shown; the rest are counted: a smuggled page must not fill a prompt."""

_AHEAD = 80
"""Characters looked at behind a sign that may open a tag, so that the time grows with the text alone."""


def escape(text: str) -> str:
    """Return the text so that it can be nothing but text; escaping it again changes nothing."""
    shown = text.replace("\r\n", "\n")
    if UNSEEN.search(shown):  # a hidden character stays only where its neighbours need it
        shown = hidden_pattern().sub(_number_characters, shown)
    quoted = "\n".join([_quote_line(line) for line in shown.split("\n")])
    return _without_tags(_BRACKET.sub(_inert_bracket, quoted))


# Letters and signs of other scripts that look like ours, with what they look like.
_TWINS = (
    "\u0430a \u0435e \u043eo \u0440p \u0441c \u0443y \u0445x \u0456i \u0458j \u0455s \u04bbh \u0501d \u04cfl "
    "\u043ak \u043cm \u0442t \u043dh \u0432b \u0410A \u0412B \u0415E \u041aK \u041cM \u041dH \u041eO \u0420P "
    "\u0421C \u0422T \u0423Y \u0425X \u0405S \u0406I \u03b1a \u03b5e \u03b9i \u03bak \u03bdv \u03bfo \u03c1p "
    "\u03c4t \u03c5u \u03c7x \u0391A \u0395E \u0397H \u039cM \u039dN \u039fO \u03a1P \u03a4T \u03a5Y \u0131i "
    "\ua789: \u2236:"
)
_LIKE_ASCII = str.maketrans({twin[0]: twin[1] for twin in _TWINS.split()})
_OPENING = re.compile("[<\uff1c\ufe64\u3008\u27e8\u2039\u276e\u1438\u02c2\u2329\u29fc]")
_TAG = re.compile("/\\w|[^\\W\\d]|!(?:--|\\[|[A-Za-z])|\\?[A-Za-z]|[|\uff5c]\\w|/?⟦")
_OURS = re.compile(
    r"[\s/|!?]*(?:system[\W_]*reminder|shared[\W_]*memory|antml|(?:function|tool)[-_]?(?:call|result|use)"
    r"|im[-_](?:start|end|sep)\b|(?:start|end)_of_turn|(?:system|human|user|assistant|developer|tool|invoke"
    r"|parameter|thinking|instructions?|memory|memories|context|documents?|prompt)[\s/|]*>)",
    re.IGNORECASE,
)
_LINK = re.compile(r"(?:https?://|mailto:)[^\s<>]*>|[\w.+-]+@[\w-]+(?:\.[\w-]+)+>")
_TYPE = re.compile(r"[A-Za-z_][\w.:&*?|'\[\]<>]*(?:, ?[\w.:&*?|'\[\]<>]+)*>")
_NAME = re.compile(r"[^\W\d]")
_OPERAND = re.compile(r"\w+[,;)\]}(\[+*&|%^!?]")
_BRACKET = re.compile("[\\[\uff3b](?=[\\s/\uff0f]*[iI\uff29\uff49])")
_INSTRUCTION = re.compile(r"[\s/]*inst\s*\]", re.IGNORECASE)
_NUMBER = re.compile(r"⟦U\+[0-9A-F]{4,6}⟧")
_COLON = re.compile("[:\uff1a\ufe55\ufe13\ua789\u2236]")
_TURN = re.compile(r"\s*(?:#{1,6}\s*)?(?:[Hh]uman|HUMAN|[Aa]ssistant|ASSISTANT|User|USER|System|SYSTEM)\s*:")
_HEADER = re.compile(r"\s*(?:#{1,6}\s*)?(?:contents\s+of|recalled\s+from)\b", re.IGNORECASE)
_HEADER_END = re.compile(r"\)\s*:")


def _number_characters(match: re.Match[str]) -> str:
    if match["needed"]:
        return match[0]
    more = len(match[0]) - _NUMBERED
    numbers = "".join([f"⟦U+{ord(character):04X}⟧" for character in match[0][:_NUMBERED]])
    return f"{numbers}⟦{more} more hidden⟧" if more > 0 else numbers


def _inert_bracket(match: re.Match[str]) -> str:
    ahead = match.string[match.end() : match.end() + 20]
    return "&#91;" if _INSTRUCTION.match(_fold(ahead)) else match[0]


def _without_tags(text: str) -> str:
    """Return the text with signs that open tags made inert, from the end on, so that each sees what stays."""
    pieces, ahead, end = list[str](), "", len(text)
    for match in reversed(list(_OPENING.finditer(text))):
        between = text[match.end() : end]
        ahead = (between[:_AHEAD] + ahead)[:_AHEAD]
        sign = "&lt;" if _opens_tag(text, match.start(), ahead) else match[0]
        pieces += (between, sign)
        ahead, end = sign + ahead, match.start()
    return text[:end] + "".join(reversed(pieces))


def _opens_tag(text: str, at: int, ahead: str) -> bool:
    folded = _fold(ahead)
    if _OURS.match(folded):
        return True
    named = _NAME.match(ahead)
    if text[at] != "<" and named:
        return False  # in Chinese and Japanese such signs enclose titles
    return bool(_TAG.match(ahead) or _TAG.match(folded)) and not (named and _is_code_or_link(text, at, ahead))


def _is_code_or_link(text: str, at: int, ahead: str) -> bool:
    """Say whether the sign, though a name follows, belongs to a type, a comparison, a `<<` or a link."""
    if _LINK.match(text, at + 1):
        return True
    named = text[max(0, at - 1) : at].isalnum() or text.endswith(("_", "::"), 0, at)
    if not (named or text.endswith((")", "]", "<"), 0, at)):
        return False
    if ">" not in ahead.partition("\n")[0]:
        return True
    return bool(_OPERAND.match(ahead) or (named and _TYPE.match(ahead)))


def _quote_line(line: str) -> str:
    """Return the line, as a quotation if it speaks in another's name or as a header of ours."""
    if not _COLON.search(line):
        return line
    start = _fold(line[:_AHEAD])
    header = _HEADER.match(start) and _HEADER_END.search(_fold(line))
    if not header and not _TURN.match(start):
        return line
    body = line.lstrip()
    return f"{line[: len(line) - len(body)]}> {body}"


def _fold(text: str) -> str:
    """Return the ASCII text that this looks like: without accents, wide forms, twins and our own numbers."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", _NUMBER.sub("", text))
    return "".join([part for part in parts if not unicodedata.combining(part)]).translate(_LIKE_ASCII)
