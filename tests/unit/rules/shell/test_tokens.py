"""The signs of a shell text are found by hand exactly where these expressions find them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memdir.rules.invocation import assignment_in
from memdir.rules.shell.tokens import (
    ENDS,
    blanks_end,
    call_end,
    function_at,
    ignored_end,
    keyword_at,
    name_end,
    redirection_at,
    run_end,
    separator_at,
)

AFTER = r"(?=[ \t\r\n;&|<>()]|\Z)"
BLANKS = re.compile(r"(?:[ \t\r]|\\\n)*+")
SEPARATOR = re.compile(r"&&|\|\||;;&|;;|;&|[;&\n]")
REDIRECTION = re.compile(r"(?:[0-9]+|\{\w+\})?(<<<|<<-|<<|<&|<>|>>|>&|>\||&>>|&>|<|>)")
KEYWORD = re.compile(r"(?:[a-z]{1,8}|[{}!]|\[\[)" + AFTER)
IGNORED = re.compile(r"(?:then|elif|else|do|!|coproc|time(?:[ \t]+-p)?)" + AFTER)
CALL = re.compile(r"[ \t]*\([ \t]*\)")
FUNCTION = re.compile(r"function[ \t]+([^ \t\n();&|<>]+)(?:[ \t]*\([ \t]*\))?")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")

SIGNS = [
    *" \t\r\n\\;&|<>(){}[]!-=+*#?$@'\"0²é_aZ\u2028",
    "\\\n",
    ";;&",
    "<<<",
    "<<-",
    "&>>",
    "{fd}",
    "12",
    "[[",
]
WORDS = [
    "then",
    "elif",
    "do",
    "!",
    "coproc",
    "time",
    " -p",
    "if",
    "function",
    "function f",
    "()",
    " ( )",
    "name",
]
TEXTS = st.lists(st.sampled_from([*SIGNS, *WORDS]), max_size=7).map("".join)
PLACES = st.integers(0, 3)


def found(expression: re.Pattern[str], text: str, at: int) -> tuple[str, int]:
    """Return what an expression finds at a place, its last group if it has one, and where that ends."""
    match = expression.match(text, at)
    return (match[match.lastindex or 0], match.end()) if match else ("", 0)


@given(TEXTS, PLACES)
def test_what_parts_words_and_commands(text: str, at: int) -> None:
    at = min(at, len(text))
    assert blanks_end(text, at) == found(BLANKS, text, at)[1]
    sign, end = redirection_at(text, at)
    assert (sign, end if sign else 0) == found(REDIRECTION, text, at)
    assert separator_at(text, at) == ("" if sign else found(SEPARATOR, text, at)[0])
    assert run_end(text, at, ENDS) == at + len(re.split(r"[ \t\r\n;&|<>()]", text[at:])[0])


@given(TEXTS, PLACES)
def test_which_words_are_keywords_and_names(text: str, at: int) -> None:
    at = min(at, len(text))
    assert keyword_at(text, at) == found(KEYWORD, text, at)[0]
    assert ignored_end(text, at) == found(IGNORED, text, at)[1]
    assert call_end(text, at) == found(CALL, text, at)[1]
    assert text[at : name_end(text, at)] == found(NAME, text, at)[0]
    if text.startswith("function", at):
        function = FUNCTION.match(text, at)
        assert function_at(text, at) == ((function[1], function.end()) if function else None)


@given(st.text("aZ_0+=é² ", max_size=8))
def test_what_sets_a_variable(text: str) -> None:
    match = ASSIGNMENT.match(text)
    assert assignment_in(text) == ((match[1], bool(match[2]), text[match.end() :]) if match else None)
