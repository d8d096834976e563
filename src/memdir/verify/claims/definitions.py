"""Where code defines a name: read by the look of a line, in most languages, comments and prose left out."""

import re

__all__ = ["declared_names", "defined_line", "defined_names", "is_prose", "may_define"]


def defined_line(text: str, path: str, name: str) -> int:
    """Return the first line of a file that defines the name; 0 when none does, and for no name at all."""
    code = _without_comments(text, path)
    for number, line in enumerate(code.split("\n"), 1):
        if may_define(line, name):
            return number
    return 0


def defined_names(text: str, path: str) -> set[str]:
    """Return the names that a file defines by a keyword or at the start of a line."""
    code = _without_comments(text, path)
    return {match[1] or match[2] for match in _ANY.finditer(code)} - _NO_NAMES


def declared_names(text: str, path: str) -> set[str]:
    """Return the names that a file defines by a keyword alone."""
    return {match[1] for match in _ANY.finditer(_without_comments(text, path)) if match[1]} - _NO_NAMES


def may_define(line: str, name: str) -> bool:
    """Tell whether a line of code looks like the definition of this name."""
    line = line[:_LONGEST_LINE]
    at = line.find(name) if name else -1
    if at < 0 or _BRINGS_IN.match(line):
        return False
    while at >= 0:
        before, after = line[:at], line[at + len(name) :]
        whole = not (before[-1:].isalnum() or before[-1:] in _JOINING) and not _GOES_ON.match(after)
        if whole and _stands_as_definition(before, after):
            return True
        at = line.find(name, at + len(name))
    return False


def is_prose(path: str) -> bool:
    """Tell whether a file tells of code and is none: documentation, logs, tables of data."""
    return _ending(path) in _PROSE


def _ending(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else name.lower()


def _without_comments(text: str, path: str) -> str:
    """Return the text with comments and doc strings blanked, line by line; prose is nothing but comment."""
    ending = _ending(path)
    if ending in _PROSE:
        return ""
    pattern = _SLASHES if ending in _SLASHED else _DASHES if ending in _DASHED else _HASHES
    return pattern.sub(lambda found: found[0] if found["kept"] else re.sub(r"[^\n]", " ", found[0]), text)


_LONGEST_LINE = 400
"""Characters of a line that are looked at: nobody defines a name far out in a minified file."""

_PROSE = frozenset(
    """
    md mdx rst adoc txt log csv tsv svg lock map po pot license changelog
    """.split()  # noqa: SIM905 - a table
)
_SLASHED = frozenset(
    """
    js jsx mjs cjs ts tsx mts cts go rs java kt kts scala swift c h cc cpp cxx hpp hh cs fs php dart
    zig proto css scss less vue svelte astro gradle groovy sol json jsonc json5 m mm
    """.split()  # noqa: SIM905 - a table
)
_DASHED = frozenset(["sql", "lua", "hs", "elm", "ada", "vhd"])
_QUOTED = r'(?P<kept>"(?:\\.|[^"\\\n])*+"|' + r"'(?:\\.|[^'\\\n])*+'"
_SLASHES = re.compile(
    rf"{_QUOTED}|`(?:\\.|[^`\\])*+`)|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|<!--(?:(?!-->).)*+", re.DOTALL
)
_DASHES = re.compile(rf"{_QUOTED})|--[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)", re.DOTALL)
_HASHES = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)|'
    rf"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)|{_QUOTED})|(?:(?<=\s)|^)\#[^\n]*+",
    re.DOTALL | re.MULTILINE,
)

_KEYWORD = (
    r"(?:def|class|function\*?|func|fn|fun|struct|enum|trait|interface|type|namespace|module|mod|const|let|var|val"
    r"|static|union|record|object|protocol|macro_rules!|\#\s*define|sub|proc|procedure|defmodule|defp|data|newtype"
    r"|table|view|message|service|rpc|typedef|alias|export)"
)
_LEADING = (
    r"(?:export|default|pub(?:\([^)\n]*\))?|public|private|protected|internal|static|readonly|final|abstract|override"
    r"|async|get|set|declare|local|readonly|self\.|this\.|(?:module\.)?exports\.|@\w+|\*)\s*"
)
_STATEMENT = (
    r"(?!\s*(?:return|await|if|while|else|elif|for|switch|throw|raise|new|case|yield|assert|print|echo|not|and|or"
    r"|defer|go|do|then|sudo|exec|del|delete|in|is|typeof)\b)"
)
_TYPES = r"(?:[\w<>\[\],.*&?]++\s++)"
_KEYWORD_BEFORE = re.compile(
    rf"(?:\b|(?=\#)){_KEYWORD}\s+(?:mut\s+|&)?(?:\([^)\n]*\)\s*)?(?:(?:[A-Z]\w*|self)(?:\.|::))?$"
)
_KEY_BEFORE = re.compile(rf"\s*(?:{_LEADING})*[\"']?$")
_KEY_AFTER = re.compile(r"[\"']?\??\s*(?:(?::[^=\n]*|[ ][\w.*\[\]]+\s*)?(?<![=!<>])=(?![=>])|:(?!:))")
_BODY_BEFORE = re.compile(rf"{_STATEMENT}\s*(?:{_LEADING})*{_TYPES}*[*&]*(?:\w+::)?$")
_BODY_AFTER = re.compile(
    r"\s*(?:<[^>\n]*>)?\(([^;\n]*)\)\s*(?:(?::|->)[^;{\n]*|throws\s[^{\n]*|const\s*|noexcept\s*)?\{"
)
_HEAD_BEFORE = re.compile(rf"{_STATEMENT}\s*{_TYPES}+[*&]*$")
_HEAD_AFTER = re.compile(r"\s*\([^;{}=\n]*\)\s*$")
_GOES_ON = re.compile(r"[\w$]")
_JOINING = frozenset("_$")


def _stands_as_definition(before: str, after: str) -> bool:
    """Tell by what stands around a name: a keyword, an assignment or key, a body, or a head as in C."""
    if _KEYWORD_BEFORE.search(before) and not after.lstrip().startswith((".", "}")):
        return True
    if _KEY_BEFORE.match(before) and _KEY_AFTER.match(after):
        return True
    body = _BODY_AFTER.match(after) if _BODY_BEFORE.match(before) else None
    if body is not None:
        return not _CALLBACK.search(body[1])
    return bool(_HEAD_AFTER.match(after) and _HEAD_BEFORE.match(before))


_ANY = re.compile(
    rf"\b{_KEYWORD}\s+(?!{_KEYWORD}\s)(?:mut\s+)?(?:\([^)\n]*\)\s*)?([A-Za-z_$][\w$]*)"
    rf"|^(?:{_LEADING})*([A-Za-z_$][\w$]*)\s*(?:=(?!=)|\(\)\s*\{{)",
    re.MULTILINE,
)
_NO_NAMES = frozenset(
    {"self", "this", "default", "if", "for", "return", "function", "class", "from", "async", "const"}
)
_BRINGS_IN = re.compile(
    r"\s*(?:import|from|use|pub use|using|include|require|export \*|export \{)\b(?!.*=>)|.*\brequire\("
)
_CALLBACK = re.compile(r"=>|\bfunction\b|\bfunc\(|\|\w*\|")
