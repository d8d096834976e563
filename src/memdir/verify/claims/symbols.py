"""Whether a word names a function, a class or a constant, and what it belongs to."""

import re
from collections.abc import Iterator

from memdir.text.value import replace, value_class

__all__ = ["NamedSymbol", "calls_in", "named_symbol"]


@value_class(frozen=True, slots=True)
class NamedSymbol:
    """A name as code would define it."""

    name: str
    owner: str = ""
    """The class, type or module before it, if any."""
    sure: bool = True
    bare: bool = False
    """Whether only backticks, or what it belongs to, set it apart from an ordinary word."""


def named_symbol(word: str, *, code: bool) -> NamedSymbol | None:
    """Return the symbol that a word names; None when it looks like an ordinary word.

    With call parentheses or in backticks anything counts, elsewhere only a form that no ordinary word has:
    snake_case or camelCase, its own or that of what it belongs to.
    """
    match = _SYMBOL.fullmatch(word) if len(word) <= _LONGEST else None
    if match is None or _says_nothing(match["name"], match["call"]):
        return None
    name, call = match["name"], match["call"]
    shaped, capital = _SHAPED.search(name) is not None, _CAPITAL.match(name) is not None
    called = call == "()" or (call is not None and (code or shaped))
    steps = [step for step in _STEPS.split(match["owner"] or "") if step not in _SELF]
    owner = steps[-1] if steps else ""
    member = _SHAPED.search(owner) is not None
    if not (called or shaped or code or member or (call and capital)):  # "file(s)" is no call
        return None
    bare = not (call or shaped or (code and (capital or _CAPITAL.match(owner))))
    return NamedSymbol(name, owner, sure=called or (code and shaped), bare=bare)


def calls_in(text: str, *, code: bool) -> Iterator[NamedSymbol]:
    """Yield the functions that a text calls with arguments, as in `chunked(rows, 500)`.

    In prose a name that an ordinary word could be is not sure; the arguments of a call may call others.
    """
    first = True
    for match in _CALL.finditer(text) if "(" in text else ():
        symbol = named_symbol(f"{match[1]}()", code=code)
        if symbol is None or symbol.name in _CONTROL:
            continue
        if code or _SHAPED.search(symbol.name):
            yield replace(symbol, sure=first)
            first = False
        elif "," in text[match.end() : match.end() + 80].partition(")")[0]:
            yield replace(symbol, sure=False)


def _says_nothing(name: str, call: str | None) -> bool:
    known = name.lower() in _KEYWORDS or (name in _SHOUTED and not call)
    return known or len(name) < _SHORTEST or _EVERYWHERE.fullmatch(name) is not None


_LONGEST, _SHORTEST = 120, 3
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
_SHOUTED = frozenset(
    """
    GET POST PUT PATCH DELETE HEAD OPTIONS JSON YAML TOML HTML HTTP HTTPS URL API SQL CSV
    """.split()  # noqa: SIM905 - a table
)
"""Capitals that are verbs and formats of everybody."""
_KEYWORDS = frozenset(
    """
    true false none null nil todo fixme print len str int async await return import
    """.split()  # noqa: SIM905 - a table
)
