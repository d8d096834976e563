"""Words are found by hand exactly where these expressions find them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memdir.rules.invocation import assignment_in
from memdir.rules.shell.scanner import ENDS, Scanner, Text, Variable

BLANKS = re.compile(r"(?:[ \t\r]|\\\n)*+")
PLAIN = re.compile(r"[^ \t\r\n;&|<>()\\'\"$`]+")
NAME = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])")
BRACED = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!#-])\}")
ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")
TEXTS = st.text(" \t\r\n\\;&|<>(){}[]!-=+*#?$@'\"0²é_aZ\u2028", max_size=8)


def scanner(text: str) -> Scanner:
    return Scanner(text, set())


@given(TEXTS)
def test_blanks_end_where_something_else_begins(text: str) -> None:
    source = scanner(text)
    source.skip_blanks()
    found = BLANKS.match(text)
    assert found
    assert source.at == found.end()


@given(TEXTS)
def test_a_word_is_all_before_the_first_sign_that_ends_it(text: str) -> None:
    word, found = scanner(text).word(), PLAIN.match(text)
    if found:
        assert word
        assert word[0] == Text(found[0], quoted=False)
    assert (word is None) == (not text or (text[0] in ENDS and text[:2] not in ("<(", ">(")))


@given(st.text("aZ_0²é@*#?$!-{}", max_size=5))
def test_the_name_of_a_variable_is_read_as_far_as_it_goes(text: str) -> None:
    word = scanner(f"${text}").word()
    for expression in (NAME, BRACED):
        if found := expression.match(f"${text}"):
            assert word
            assert word[0] == Variable(found[1], quoted=False, whole=found[1] == "@")


@given(st.text("aZ_0+=é² ", max_size=8))
def test_what_sets_a_variable(text: str) -> None:
    match = ASSIGNMENT.match(text)
    assert assignment_in(text) == ((match[1], bool(match[2]), text[match.end() :]) if match else None)
