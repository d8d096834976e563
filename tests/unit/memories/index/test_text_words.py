"""A person's words and order in an index are told from pointers that come and go by themselves."""

import pytest

from memdir.memories.index.text import is_reworded, join_words, restore_words, same_words

MINE = "# Mine\n\n- [A](a.md) — one\n- [B](b.md) — two\n\nWords.\n"


@pytest.mark.parametrize(
    ("after", "is_change"),
    [
        (MINE, False),
        (MINE.replace("\n\n", "\n"), False),
        (f"{MINE}- [C](c.md) — new\n", False),
        (MINE.replace("- [B](b.md) — two\n", ""), False),
        (MINE.replace("- [A](a.md) — one\n", ""), True),
        (MINE.replace("— one", "— my own"), True),
        ("- [B](b.md) — two\n- [A](a.md) — one\n# Mine\nWords.\n", True),
        (f"{MINE}More words.\n", True),
        ("", True),
    ],
)
def test_what_healing_makes_good_is_no_change_of_words(after: str, is_change: bool) -> None:
    assert is_reworded(MINE, after, {"a.md"}.__contains__) is is_change


def test_words_are_the_same_whatever_is_pointed_at_besides() -> None:
    assert same_words(MINE, f"{MINE}- [C](c.md)\n- [more](hubs/user-1.md)\n")
    assert same_words(MINE, MINE.replace("— one", "— another hook"))
    assert not same_words(MINE, f"{MINE}More words.\n")
    assert not same_words("- [A](a.md)\n", "- [A](a.md)\nWords.\n")
    assert not same_words("- [A](a.md)\n- [B](b.md)\n", "- [B](b.md)\n- [A](a.md)\n")


def test_pointers_that_a_change_left_alone_come_back_as_they_are_today() -> None:
    after = MINE.replace("Words.", "Other words.").replace("— two", "— my own")
    now = after.replace("— one", "— hook of today").replace("— my own", "— later")
    assert restore_words(MINE, after, now) == MINE.replace("— one", "— hook of today")


def test_both_keeps_every_line_of_prose() -> None:
    assert join_words(MINE, "Newer.\n- [C](c.md)\n") == f"{MINE}\nNewer.\n"
    assert join_words(MINE, MINE) == MINE
