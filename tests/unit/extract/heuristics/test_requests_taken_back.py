"""Who takes something back takes back what is meant and nothing else, and the result says so."""

import pytest
from tests.unit.extract.heuristics.conversation import only, talk

REVIEW = "user: Remember that the sprint review is on Friday."
TAKEN_BACK = "a later message takes it back"
UNWANTED = "the person does not want it kept"


@pytest.mark.parametrize(
    "said",
    [
        "don't remember this: my cat is Tom",
        "Please do not save that my cat is ill.",
        "I'm a bit sick today, no need to remember that.",
        "don't save anything about my cat",
        "don't remember my birthday",
    ],
)
def test_a_refusal_with_a_matter_of_its_own_leaves_what_was_asked_before(said: str) -> None:
    found = talk(REVIEW, f"user: {said}")
    assert [draft.message for draft in found.drafts] == ["1"]
    assert found.skipped == (("2", UNWANTED),)


@pytest.mark.parametrize("said", ["don't remember that", "Sorry. Please don't save that, I was joking."])
def test_a_refusal_that_points_back_takes_the_one_before(said: str) -> None:
    found = talk("user: Remember that lunch is at noon.", REVIEW, f"user: {said}")
    assert [draft.message for draft in found.drafts] == ["1"]
    assert found.skipped == (("3", UNWANTED), ("2", TAKEN_BACK))


def test_a_refusal_of_everything_takes_all_and_names_each() -> None:
    found = talk("user: Remember that lunch is at noon.", REVIEW, "user: don't remember any of this")
    assert found.drafts == ()
    assert found.skipped == (("3", UNWANTED), ("1", TAKEN_BACK), ("2", TAKEN_BACK))


def test_a_refusal_takes_back_what_it_names() -> None:
    found = talk(REVIEW, "user: don't remember that the sprint review is on Friday")
    assert found.drafts == ()
    assert ("1", TAKEN_BACK) in found.skipped


def test_a_request_beside_a_refusal_counts() -> None:
    said = "user: Remember that lunch is at noon. Please do not save that my cat is ill. I'm a baker."
    assert only(said).body == "Lunch is at noon."


@pytest.mark.parametrize("said", ["forget that, I was joking", "Actually never mind.", "scratch that", "nvm"])
def test_what_was_said_last_is_taken_back(said: str) -> None:
    found = talk("user: I prefer tabs over spaces", "user: I'm a data scientist", f"user: {said}")
    assert [draft.message for draft in found.drafts] == ["1"]
    assert found.skipped == (("2", TAKEN_BACK),)


def test_within_a_message_the_sentence_before_is_taken_back() -> None:
    said = "user: Remember that lunch is at noon. Never mind. Remember that dinner is at six."
    assert only(said).body == "Dinner is at six."


def test_a_never_mind_about_something_else_takes_nothing_back() -> None:
    assert only("user: I prefer tabs over spaces", "user: fix the build", "user: never mind").message == "1"


def test_what_a_request_to_forget_drops_is_named() -> None:
    found = talk("user: remember that lunch is at noon", "user: forget about lunch")
    assert found.skipped == (("1", TAKEN_BACK),)
