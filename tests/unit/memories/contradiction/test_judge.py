"""Contradictions are seen in most words, and what only looks like one is left alone."""

import pytest
from bench.contradiction import pairs, stepwise, varied
from hypothesis import example, given
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.memories.contradiction.judge import contradicts_itself, may_contradict
from memdir.text.word_starts import word_starts

TABLES = {**pairs.TABLES, **varied.TABLES, **stepwise.TABLES}
CONTRADICTING = [pair for table, _ in TABLES.values() for pair in table]
HARMLESS = [pair for _, table in TABLES.values() for pair in table]


def test_the_tables_are_large_enough_to_tell_something() -> None:
    assert len(CONTRADICTING) >= 120
    assert len(HARMLESS) >= 120


def test_nearly_nine_of_ten_contradictions_are_seen() -> None:
    missed = [pair for pair in CONTRADICTING if not on_row(may_contradict, *pair)]
    assert len(missed) <= len(CONTRADICTING) * 0.12, "\n".join(map(str, missed))


def test_nineteen_of_twenty_contradictions_in_plain_words_are_seen() -> None:
    plain = [pair for table, _ in pairs.TABLES.values() for pair in table]
    missed = [pair for pair in plain if not on_row(may_contradict, *pair)]
    assert len(missed) <= len(plain) // 20, "\n".join(map(str, missed))


def test_what_only_looks_like_a_contradiction_is_left_alone() -> None:
    wrong = [(pair, found) for pair in HARMLESS if (found := on_row(may_contradict, *pair))]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("pair", [*CONTRADICTING, *HARMLESS], ids=lambda pair: pair[0][:30])
def test_it_does_not_matter_which_comes_first(pair: tuple[str, str]) -> None:
    assert bool(may_contradict(*pair)) == bool(may_contradict(*pair[::-1]))


def test_nearly_all_that_contradicts_shares_the_start_of_a_word() -> None:
    """By that alone pairs are picked that are looked at more closely."""
    missed = [
        pair for pair in CONTRADICTING if not on_row(word_starts, pair[0]) & on_row(word_starts, pair[1])
    ]
    assert len(missed) <= len(CONTRADICTING) // 50, "\n".join(map(str, missed))


@pytest.mark.parametrize(
    "text", [*(one for pair in HARMLESS[:20] for one in pair), "", " ", "**Why:** x", "。。"]
)
def test_nothing_contradicts_itself(text: str) -> None:
    assert may_contradict(text, text) == ""


def test_the_reason_names_the_two_values() -> None:
    assert may_contradict("The timeout is 30 s.", "The timeout is 45 s.") == '"30 s" or "45 s"'
    assert may_contradict("Wir deployen dienstags.", "Wir deployen mittwochs, nicht mehr dienstags.") == (
        '"dienstags" is taken back'
    )


def test_amounts_that_are_the_same_in_another_unit_do_not_contradict() -> None:
    assert may_contradict("The cache lives for 1 hour.", "The cache lives for 60 minutes.") == ""


def test_reasons_and_later_details_are_not_compared() -> None:
    one = "Deploy on Tuesdays.\n\n**Why:** the timeout is 30 s."
    two = "Review on Mondays.\n\n**Why:** the timeout is 45 s."
    assert may_contradict(one, two) == ""


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("The office is in Hamburg.", "The office moved to Leipzig.", '"Hamburg" or "Leipzig"'),
        ("Log retention is two weeks.", "Logs are now kept for 90 days.", '"two weeks" or "90 days"'),
        ("Karin reviews the changes.", "The changes are reviewed by Pavel.", '"Karin" or "Pavel"'),
        ("The old gateway takes orders.", "The old gateway has been shut down.", '"old gateway" is gone'),
        ("Direct commits are forbidden.", "Direct commits are fine.", "one denies what the other says"),
        ("Only admins can export data.", "Everyone can export data.", "one says only, the other both"),
        ("Prefer tabs over spaces.", "Prefer spaces over tabs.", "the other way round"),
        ("The beta starts in May.", "The beta was brought forward to March.", '"May" or "March"'),
        (
            "The timeout is 30 seconds.",
            "Calls time out after 10 seconds now.",
            '"30 seconds" or "10 seconds"',
        ),
        ("部署在星期二。", "部署在星期四。", '"星期二" or "星期四"'),
        ("部署在礼拜二。", "部署在礼拜天。", '"礼拜二" or "礼拜天"'),
    ],
)
def test_the_reason_says_what_became_otherwise(old: str, new: str, because: str) -> None:
    assert may_contradict(old, new) == because


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The shop has 3 hosts in staging.", "The shop now has 9 hosts in production."),
        ("Customers pay by card.", "Customers can now also pay by transfer."),
        ("The login page waits 30 seconds.", "The export page now waits 90 seconds."),
        ("The queue moved to Kafka.", "The queue is watched with Burrow."),
        ("Feature flags come from Unleash.", "Feature flags are removed after a month."),
        ("Do not open port 22.", "Port 443 may be opened."),
        ("部署在周日。", "部署在星期天。"),
        ("本周天气不错。", "本周二天气不错。"),
    ],
)
def test_another_thing_place_or_value_besides_is_no_contradiction(one: str, two: str) -> None:
    assert may_contradict(one, two) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Mock the database in tests. Never mock the database in tests.",
        "We set the request timeout to 30 s. Request timeout: 45 s.",
    ],
)
def test_one_text_that_says_both_is_seen(text: str) -> None:
    assert contradicts_itself(text)


WORDS = sorted({word for pair in (*CONTRADICTING, *HARMLESS) for text in pair for word in text.split()})
TEXT = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=30).map(" ".join)
CHINESE = st.text("一二三四五六日天下上中个月周星期礼拜曜在部署，。 ", max_size=30)


@given(TEXT | CHINESE, TEXT | CHINESE)
@example("部署在周下个星期。", "")
def test_no_text_breaks_it_and_none_comes_first(one: str, two: str) -> None:
    assert bool(may_contradict(one, two)) == bool(may_contradict(two, one))
    contradicts_itself(one)
