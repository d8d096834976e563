"""People can ask why something was not recalled."""

from tests.unit.conversation.charges import spent
from tests.unit.recall.place import Place

QUERY = "how do we deploy"


def test_the_rule_that_kept_a_memory_out_is_named_with_its_place(place: Place) -> None:
    answer = place.recaller().why_not("c.md", QUERY)
    assert (answer.because, answer.rank, answer.of) == (
        "it helps with a probability of 0.30, 0.50 is needed",
        3,
        3,
    )
    assert answer.ranked is not None
    assert answer.best is not None
    assert (answer.ranked.score, answer.best.score) == (0.3, 0.9)


def test_one_that_would_be_recalled_is_said_to_be(place: Place) -> None:
    assert place.recaller().why_not("b.md", QUERY).because == ""


def test_what_was_already_shown_is_said_to_be(place: Place) -> None:
    recaller = place.recaller(session="s1")
    recaller.recall(QUERY)
    assert recaller.why_not("a.md", QUERY).because == "this conversation was already shown it"


def test_prompts_that_are_never_looked_at_name_that_rule(place: Place) -> None:
    assert "words" in place.recaller().why_not("a.md", "ok").because
    assert (
        "off" in place.recaller(off="memory is off because a variable says so").why_not("a.md", QUERY).because
    )


def test_a_file_that_is_no_memory_is_said_to_be_none(place: Place) -> None:
    assert "not among" in place.recaller().why_not("ghost.md", QUERY).because


def test_asking_shows_charges_and_writes_nothing(place: Place) -> None:
    recaller = place.recaller(session="s1")
    recaller.why_not("a.md", QUERY)
    assert place.receipts() == []
    assert spent(recaller.conversation) == 0
