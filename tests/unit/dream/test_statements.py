"""A statement is recognised when only its layout changed, and not when a word did."""

import pytest

from memdir.dream.statements import statements


def memory(body: str, description: str = "") -> str:
    return f'---\nname: "x"\ndescription: "{description}"\ntype: "project"\n---\n\n{body}\n'


def keys(body: str) -> list[str]:
    return [one.key for one in statements("x.md", memory(body))]


@pytest.mark.parametrize(
    "other",
    [
        "use tabs in Go files",
        "- Use tabs in **Go** files.",
        "Use tabs in\nGo files",
        "1. Use tabs, in `Go` files!",
    ],
)
def test_layout_and_ordinary_signs_do_not_count(other: str) -> None:
    assert keys(other) == keys("Use tabs in Go files.")


@pytest.mark.parametrize(
    "other",
    [
        "Never use tabs in Go files.",
        "Do not use tabs in Go files.",
        "Use tabs in Go files?",
        "Use the tabs in Go files.",
        "Use tabs in GO files.",
        "Use tabs in Go files, except tests.",
        "Don't:\n\n- Use tabs in Go files.",
        "# Never\n\nUse tabs in Go files.",
    ],
)
def test_a_word_more_or_another_heading_makes_another_statement(other: str) -> None:
    assert keys("Use tabs in Go files.")[0] not in keys(other)


def test_numbers_and_signs_count() -> None:
    assert keys("Keep x < 5") != keys("Keep x > 5")
    assert keys("Keep x != 5") != keys("Keep x = 5")
    assert keys("Run grep -n") != keys("Run grep -N")


def test_sentences_points_and_code_are_statements_of_their_own() -> None:
    found = statements("x.md", memory("One here. Two there.\n\n- three\n- four\n\n```\nmake x\nmake y\n```"))
    assert [one.text for one in found] == [
        "One here.",
        "Two there.",
        "three",
        "four",
        "```\nmake x\nmake y\n```",
    ]
    assert [one.id for one in found] == [f"x.md#{number}" for number in range(1, 6)]


def test_code_that_never_ends_is_not_lost() -> None:
    assert statements("x.md", memory("```\nmake x\nmake y"))[0].text == "```\nmake x\nmake y"


def test_a_description_counts_when_the_body_does_not_say_it() -> None:
    alone = statements("x.md", memory("", "The staging key is rotated on Mondays"))
    assert [one.text for one in alone] == ["The staging key is rotated on Mondays"]
    said = statements(
        "x.md", memory("The staging key is rotated on Mondays by ops.", "Staging key rotated Mondays")
    )
    assert len(said) == 1
