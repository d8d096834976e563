"""Words of a memory that may name a thing of the project, and the claims that they make."""

import re
from collections.abc import Iterator
from datetime import date

from memdir.resources import read_table
from memdir.text.value import replace, value_class

__all__ = [
    "Claim",
    "Mention",
    "NamedPath",
    "calls_in",
    "is_glob",
    "mentions_in",
    "named_path",
    "named_symbol",
    "sub_mentions",
    "without_addresses",
]


@value_class(frozen=True, slots=True)
class Claim:
    """One thing that a memory says exists, or will."""

    kind: str
    """path, line, glob, symbol, command, branch, version, literal, value or date."""
    text: str
    """As it stands in the memory."""
    target: str = ""
    """The path or glob, the symbol's own name, the script or target, the branch, what has the version."""
    owner: str = ""
    """What the symbol belongs to (class, module, file), what runs the command (package, make, ...), the
    version, the form of a literal (option, route, ...), or the value of a name."""
    line: int = 0
    day: date | None = None
    sure: bool = True
    bare: bool = False
    """Whether only backticks tell it from an ordinary word: then more evidence is needed."""
    place: str = ""
    """The folder or package in which a command runs, when it says so."""
    absent: bool = False
    """Whether the memory says that it was removed: then the claim is wrong if it is there again."""


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
    """Return code spans, lines of code blocks, link targets and words of a text without addresses."""
    found: list[Mention] = []
    rest = _FENCE.sub(lambda block: _taken_lines(block, found), text)
    rest = _SPAN.sub(lambda span: _take_span(span, found, code=True), rest)
    rest = _TARGET.sub(lambda target: _take_span(target, found, code=False), rest)
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


def _take_span(span: re.Match[str], found: list[Mention], *, code: bool) -> str:
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


@value_class(frozen=True, slots=True)
class NamedPath:
    """A path as it was written, with the line or symbol behind it."""

    path: str
    line: int = 0
    symbol: str = ""
    sure: bool = True

    def text(self, line: int) -> str:
        """Return the path with its line."""
        return f"{self.path}:{line}"


def named_path(word: str, *, code: bool) -> NamedPath | None:
    """Return what a word names in the file tree; None when it has not the form of a path."""
    if len(word) > _LONGEST or _PATTERN.search(word):
        return None
    match = _PATH.fullmatch(word)
    if match is None or not _LETTER.search(match["path"]):
        return None
    path, name = match["path"], match["path"].rstrip("/").rpartition("/")[2]
    slashed, ending = "/" in path, _ENDING.search(name)
    known = ending is not None and ending[1].lower() in _ENDINGS
    if not (slashed or known or name in _NAMES or (code and _DOT_FILE.fullmatch(name))):
        return None
    if path.startswith(("/", "~")) and not (ending and slashed):
        return None  # a route or a home folder: nothing of the project
    line = int(match["line"] or match["hash"] or 0)
    symbol = re.split(r"\.|::", match["symbol"] or "")[-1]
    if symbol and not (ending or name in _NAMES):
        return None
    return NamedPath(path, line, symbol, sure=bool(ending and slashed) or (code and known))


def is_glob(word: str) -> bool:
    """Tell whether a word is a pattern for files: with a star, and a folder or an ending."""
    return "*" in word and len(word) <= _LONGEST and _GLOB.fullmatch(word) is not None


_LONGEST = 300
_GLOB = re.compile(
    r"(?=.*[A-Za-z])(?:\./)?(?:[\w.@*+{},\[\]-]+/)+[\w.@*+{},\[\]-]*|\*\*?\.[\w.{},-]*\w\}?|\w[\w-]*\*[\w-]*\.\w+",
    re.ASCII,
)
_LETTER = re.compile(r"[^\W\d_]")
# Globs, placeholders, variables and omissions stand for many paths or none.
_PATTERN = re.compile(r"[*?{}<>|$\\\"'=!]|\.\.\.|\u2026|//|/$(?<=^/)|\bNNN|XXX|YYYY")
_STEP = r"[\w.@+~%\-\[\]()]+"
_PATH = re.compile(
    rf"(?P<path>(?:~?/)?{_STEP}(?:/{_STEP})*/?)"
    r"(?::(?P<line>\d{1,6})(?:[-:\u2013]\d+)*|\#L(?P<hash>\d{1,6})(?:-L?\d+)?"
    r"|::?(?P<symbol>[A-Za-z_]\w*(?:(?:\.|::)\w+)*)(?:\(\))?)?"
)
_ENDING = re.compile(r"[\w\])]\.([A-Za-z][\w+-]{0,11})$")
_DOT_FILE = re.compile(r"\.[A-Za-z][\w.-]{2,30}")
_TABLE = read_table(__file__, "mentions.txt")
_NAMES = frozenset(" ".join(_TABLE["names"]).split())
_ENDINGS = frozenset(" ".join(_TABLE["endings"]).split())
"""Endings that make a bare word the name of a file; behind a slash any ending does."""


def named_symbol(word: str, *, code: bool) -> Claim | None:
    """Return the symbol that a word names; None when it looks like an ordinary word.

    With call parentheses or in backticks anything counts, elsewhere only a form that no ordinary word has:
    snake_case or camelCase, its own or that of what it belongs to.
    """
    match = _SYMBOL.fullmatch(word) if len(word) <= _LONGEST_SYMBOL else None
    if match is None:
        return None
    name, call = match["name"], match["call"]
    known = name.lower() in _KEYWORDS or (name in _SHOUTED and not call)
    if known or len(name) < _SHORTEST or _EVERYWHERE.fullmatch(name):
        return None
    shaped, capital = _SHAPED.search(name) is not None, _CAPITAL.match(name) is not None
    called = call == "()" or (call is not None and (code or shaped))
    steps = [step for step in _STEPS.split(match["owner"] or "") if step not in _SELF]
    owner = steps[-1] if steps else ""
    member = _SHAPED.search(owner) is not None
    if not (called or shaped or code or member or (call and capital)):  # "file(s)" is no call
        return None
    bare = not (call or shaped or (code and (capital or _CAPITAL.match(owner))))
    return Claim("symbol", word, name, owner, sure=called or (code and shaped), bare=bare)


def calls_in(text: str, *, code: bool) -> Iterator[Claim]:
    """Yield the functions that a text calls with arguments, as in `chunked(rows, 500)`.

    In prose a name that an ordinary word could be is not sure; the arguments of a call may call others.
    """
    first = True
    for match in _CALL.finditer(text) if "(" in text else ():
        symbol = named_symbol(f"{match[1]}()", code=code)
        if symbol is None or symbol.target in _CONTROL:
            continue
        symbol = replace(symbol, text=f"{symbol.target}()", sure=False)
        if code or _SHAPED.search(symbol.target):
            yield replace(symbol, sure=first)
            first = False
        elif "," in text[match.end() : match.end() + 80].partition(")")[0]:
            yield symbol


_LONGEST_SYMBOL, _SHORTEST = 120, 3
_SYMBOL = re.compile(
    r"@?(?P<owner>(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*)(?P<name>[A-Za-z_][\w$]*)[!?]?"
    r"(?P<call>\([^()]*(?:\([^()]*\)[^()]*)*\))?",
    re.ASCII,
)
_CALL = re.compile(
    r"(?<![\w.$>])((?:[A-Za-z_$][\w$]*(?:\.|::|->)){0,4}[A-Za-z_][\w$]*[!?]?)\((?=[^)\s])", re.ASCII
)
_CONTROL = frozenset(
    {"if", "for", "while", "switch", "catch", "return", "function", "with", "elif", "except"}
)
_EVERYWHERE = re.compile(r"_+|__\w+__")
"""Names that every second file has: `__init__` and its like."""
_STEPS = re.compile(r"\.|::|#|->")
_SHAPED = re.compile(r"[A-Za-z0-9]_+[A-Za-z0-9]|^_+[A-Za-z]|[a-z0-9][A-Z]")
_CAPITAL = re.compile(r"[A-Z]")
_SELF = frozenset({"", "self", "this", "cls", "super", "crate", "Self"})
_SHOUTED = frozenset(" ".join(_TABLE["shouted"]).split())
"""Words in capitals that are common verbs and formats."""
_KEYWORDS = frozenset(" ".join(_TABLE["keywords"]).split())
