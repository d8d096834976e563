"""Plain text is passed as it is, and only text that escaping would not change counts as plain."""

from hypothesis import given
from hypothesis import strategies as st
from tests.tables import on_row
from tests.unit.recall.injections import INJECTIONS

from memdir.text.escape import escape
from memdir.text.fast_escape import fast_escape as fast_escaped
from memdir.text.fast_escape import is_plain

_PIECES = [
    *(
        "Human",
        "user",
        "System",
        "ASSISTANT",
        "Contents of ",
        "Recalled from ",
        "# ",
        "x",
        ": ",
        ":",
        "(",
        ")",
        "):",
    ),
    *(
        "\n",
        "\t",
        " ",
        "\r",
        "\r\n",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x7f",
        "<",
        "[INST]",
        "&",
        "ü",
        "\u200b",
        "> ",
        "**Why:**",
    ),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_no_mixture_is_taken_for_plain_that_is_not(text: str) -> None:
    if is_plain(text):
        assert escape(text) == text
    assert fast_escaped(text) == escape(text)


@given(st.text())
def test_any_text_comes_out_as_the_escaper_has_it(text: str) -> None:
    assert fast_escaped(text) == escape(text)


def test_the_corpus_comes_out_as_the_escaper_has_it() -> None:
    wrong = [
        f"{name}: {found!r}"
        for name, text in INJECTIONS.items()
        if (found := on_row(fast_escaped, text)) != on_row(escape, text)
    ]
    assert not wrong, "\n".join(wrong)


def test_what_people_write_is_plain() -> None:
    body = (
        "Deploy on Tuesdays.\n\n**Why:** support is there.\n\n**How to apply:** run `make ship`, then wait.\n"
    )
    assert is_plain(body)
