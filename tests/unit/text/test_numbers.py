"""A number is said with its noun in the form that goes with it."""

from memdir.text.numbers import count


def test_a_count_agrees_with_its_noun() -> None:
    assert [count(1, "memory"), count(0, "memory"), count(3_000, "line")] == [
        "1 memory",
        "0 memories",
        "3,000 lines",
    ]
