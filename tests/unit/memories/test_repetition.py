"""Words that came out of memory are recognised when somebody repeats them; what is new never is."""

import pytest

from memdir.memories.repetition import Echoes, is_echo, sentences

FREEZE = """---
name: "mobile-freeze"
description: "Merge freeze for the mobile release"
type: "project"
---

The merge freeze for the mobile release begins on Thursday 2026-03-05.

**Why:** the release branch is cut that day.

**How to apply:** flag changes that are not critical and are planned after the freeze begins.
"""
TERSE = "The user prefers terse replies with no summary at the end."
CHINESE = "用户喜欢简短的回答，最后不要总结。"
MEMORIES = [FREEZE, TERSE, CHINESE]


@pytest.mark.parametrize(
    "text",
    [
        "The merge freeze for the mobile release begins on Thursday 2026-03-05.",
        "As I remember, the merge freeze for the mobile release begins on Thursday 2026-03-05.",
        "Got it. The release branch is cut that day.",
        "- **The merge freeze** for the mobile release begins on Thursday 2026-03-05",
        "You prefer terse replies with no summary at the end, I remember.",
        "> flag changes that are not critical and are planned after the freeze begins",
        FREEZE,
        "用户喜欢简短的回答",
    ],
)
def test_a_model_or_tool_that_repeats_a_memory_is_an_echo(text: str) -> None:
    assert is_echo(text, MEMORIES)


@pytest.mark.parametrize(
    "text",
    [
        "The merge freeze for the mobile release begins on Friday 2026-03-06.",
        "The merge freeze for the mobile release begins on Thursday 2026-03-12.",
        "The merge freeze for the mobile release does not begin on Thursday 2026-03-05.",
        "The release branch is not cut that day.",
        "The user prefers terse replies with summary at the end.",
        "The user prefers long replies with a summary at the end.",
        "The merge freeze for the mobile release begins on Thursday 2026-03-05. The web team ignores it.",
        "Please use tabs in Makefiles.",
        "用户喜欢很长的回答和总结",
        "Got it.",
        "",
    ],
)
def test_what_differs_or_adds_is_no_echo(text: str) -> None:
    assert not is_echo(text, MEMORIES)


def test_a_person_may_not_add_one_word_that_matters() -> None:
    said = "The merge freeze for the mobile release begins on Thursday 2026-03-05"
    assert Echoes(MEMORIES).repeats(f"I know the {said[4:]}", typed=True)
    assert not Echoes(MEMORIES).repeats(f"{said} at noon", typed=True)
    assert is_echo(f"{said} at noon", MEMORIES)


def test_one_memory_has_to_say_it_not_two_together() -> None:
    memories = Echoes([TERSE, FREEZE])
    assert not memories.repeats("The user prefers terse replies in the release branch cut", typed=True)


INSTRUCTIONS = (
    "# Rules\n\nAlways use pnpm instead of npm for installing packages.\n"
    "- Run the tests with `just test` before each commit.\nNever deploy the shop on Friday afternoon.\n"
)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Use pnpm, not npm, for installing packages", True),
        ("use pnpm rather than npm for installing packages", True),
        ("Run tests with just test before every commit", True),
        ("Do not deploy the shop on Friday afternoon", True),
        ("Use npm, not pnpm, for installing packages", False),
        ("Use pnpm for installing packages", False),
        ("Use pnpm 9, not npm, for installing packages", False),
        ("Deploy the shop on Friday afternoon", False),
        ("Run just test", False),
        ("Run the tests with just test before each release", False),
        ("", False),
    ],
)
def test_telling_words_in_their_order_say_the_same(text: str, held: bool) -> None:
    assert Echoes([INSTRUCTIONS]).hold(text) is held


def test_without_memories_nothing_is_an_echo() -> None:
    assert not is_echo(TERSE, [])


def test_sentences_lose_their_marks() -> None:
    assert sentences("# A heading\n- one thing. Another!\n\n第一。第二") == [
        "A heading",
        "one thing.",
        "Another!",
        "第一",
        "第二",
    ]
