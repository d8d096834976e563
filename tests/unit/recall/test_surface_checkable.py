"""The quick look never overlooks a memory in which the rules would find a claim."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.memories.topic import Header, Topic
from memdir.recall.surface import is_checkable
from memdir.verify.claims.dates import date_claims
from memdir.verify.claims.parser import claims_in

WHEN = datetime(2026, 11, 15, tzinfo=UTC)
CLAIMS = [
    "The parser is in src/parse.py.",
    "See src/parse.py:12 and line 7 of app.go.",
    "Call parse_config() first, then `load`.",
    "Run npm run build, or make deploy.",
    "Everything is in the Makefile and in .gitignore.",
    "Ask CODEOWNERS, see Dockerfile and [this](docs/x.md).",
    "Freeze until 2030-01-01; due Q3 2031; by March 2032.",
    "The class HttpClient calls Session::open and self->next.",
    "```\nmake tests\n```",
]
PLAIN = [
    "Prefers tabs over spaces.",
    "No summaries at the end.\n\n**Why:** the diff is read anyway.",
    "部署在星期二",
]


def topic(body: str, expires: str = "") -> Topic:
    return Topic(Header("a.md", "a", "", None, WHEN, expires=expires), body, body)


@pytest.mark.parametrize("text", CLAIMS)
def test_a_text_with_a_claim_is_looked_at(text: str) -> None:
    assert claims_in(text) or date_claims(text, None, date(2026, 1, 1))
    assert is_checkable(topic(text))


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_are_not(text: str) -> None:
    assert not is_checkable(topic(text))


def test_a_memory_that_expires_is_looked_at() -> None:
    assert is_checkable(topic("Plain words", expires="2030-01-01"))


_PIECES = [
    *(
        "the ",
        "use ",
        "run ",
        "make",
        "make ",
        "just ",
        "npm ",
        "cargo ",
        "test",
        " build",
        "Makefile",
        "LICENSE",
    ),
    *(
        "`",
        "``",
        "```\n",
        "\n",
        ".",
        "/",
        "_",
        "::",
        "->",
        "(",
        ")",
        "()",
        "#L1",
        ":12",
        "~",
        "$x",
        "@",
        "src",
        "py",
    ),
    *(
        "camelCase",
        "Httpx",
        "V2",
        "2030",
        "-01-01",
        "due ",
        "Q3 ",
        "until ",
        "May ",
        "\u2014",
        ", ",
        "[a](",
        "ä",
    ),
    *("--", "-to", "port ", "8081", ":", " is ", "set to ", "retries", '"', "'", " it ", " spec", "="),
]


@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=10).map("".join))
def test_no_mixture_is_overlooked(text: str) -> None:
    if claims_in(text) or date_claims(text, None, date(2026, 1, 1)):
        assert is_checkable(topic(text))
