"""A prefetched recall runs beside its caller, can be waited for, and can be called off without a trace."""

from threading import Event

import pytest
from tests.unit.recall.place import Place

from memdir.conversation.state import Conversation
from memdir.errors import Cancelled
from memdir.models.vendors.scripted import Hang, ScriptedModel
from memdir.recall.limits import Late, Limits, RecallTurn
from memdir.recall.prefetch import Prefetch
from memdir.recall.recaller import Recaller

QUERY = "how do we deploy"


def started(recaller: Recaller) -> Prefetch:
    return Prefetch(
        lambda called_off: recaller.recall(QUERY, called_off=called_off),
        lambda recall: recaller.conversation.give_back(recall.files),
    )


def test_the_result_is_that_of_a_recall(place: Place) -> None:
    prefetch = started(place.recaller(session="s1"))
    recall = prefetch.result(20)
    assert recall is not None
    assert (recall.files, prefetch.ready) == (("a.md", "b.md"), True)
    assert prefetch.result(0) is recall


def test_what_is_not_ready_can_be_waited_for_again(place: Place) -> None:
    go = Event()

    def slow() -> tuple[str, ...]:
        go.wait(20)
        return ()

    prefetch = started(place.recaller(findings=lambda _, __: slow()))
    assert prefetch.result(0.01) is None
    assert not prefetch.ready
    go.set()
    assert prefetch.result(20) is not None


def test_calling_it_off_calls_off_the_question(place: Place) -> None:
    model = ScriptedModel(default=Hang())
    prefetch = started(place.recaller(model, session="s1", limits=Limits(model_budget=20)))
    while not model.asked:
        Event().wait(0.005)
    prefetch.cancel()
    recall = prefetch.result(10)
    assert recall is not None
    assert (recall.files, recall.receipt.because) == ((), "it was called off")
    assert model.asked[0].cancel is not None
    assert model.asked[0].cancel.is_set()
    assert place.recaller(session="s1").recall(QUERY).files == ("a.md", "b.md")


def test_what_nobody_took_before_it_was_called_off_was_not_shown(place: Place) -> None:
    prefetch = started(place.recaller(session="s1"))
    while not prefetch.ready:
        Event().wait(0.005)
    prefetch.cancel()
    prefetch.cancel()
    assert place.recaller(session="s1").recall(QUERY).files == ("a.md", "b.md")


def test_what_was_taken_stays_shown(place: Place) -> None:
    prefetch = started(place.recaller(session="s1"))
    prefetch.result(20)
    prefetch.cancel()
    assert place.recaller(session="s1").recall(QUERY).files == ()


def test_an_error_reaches_whoever_takes_the_result() -> None:
    def broken(_: Event) -> None:
        raise ZeroDivisionError

    prefetch = Prefetch(broken, lambda _: None)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        prefetch.result(20)


def ticking() -> RecallTurn:
    """Return a turn whose clock goes on with each look."""
    ticks = iter(range(1_000_000))
    return RecallTurn(QUERY, Limits(), Conversation("", ""), 1e9, lambda: next(ticks))


def test_work_in_time_gives_its_result_or_its_error() -> None:
    turn = ticking()
    assert turn.run(lambda: 7, 1_000) == 7
    with pytest.raises(KeyError):
        turn.run(lambda: dict[str, int]()["x"], 1_000)


def test_work_that_is_late_or_no_longer_wanted_is_left_behind() -> None:
    stop, ended, turn = Event(), Event(), ticking()

    def work() -> None:
        stop.wait(20)
        ended.set()

    with pytest.raises(Late):
        turn.run(work, 3)
    turn.called_off.set()
    with pytest.raises(Cancelled):
        turn.run(work, 1e9)
    assert not ended.is_set()
    stop.set()
