"""A model chooses where it can; whatever it does instead, the embedded selector answers, in time."""

import threading
from pathlib import Path

import pytest
from tests.unit.recall.place import Place
from tests.unit.recall.test_selector_model_question import UNUSABLE

from memdir.errors import (
    Cancelled,
    CapReached,
    MissingExtra,
    ModelBusy,
    ModelError,
    ModelRejected,
    ModelReplyError,
    ModelTimeout,
)
from memdir.models.protocol import Question, Reply, Usage
from memdir.models.vendors.scripted import Hang, ScriptedModel, Step
from memdir.recall.limits import Limits

QUERY = "how do we deploy"
SLOW = Limits(model_budget=0.1)


def names(*files: str) -> str:
    return '{"selected_memories": [' + ", ".join(f'"{file}"' for file in files) + "]}"


def test_the_choice_of_the_model_counts_in_its_order(place: Place) -> None:
    model = ScriptedModel([Reply(names("c.md", "a.md"), usage=Usage(100, 10))])
    recall = place.recaller(model).recall(QUERY, recent_tools=["Bash"])
    assert recall.files == ("c.md", "a.md")
    receipt = recall.receipt
    assert (receipt.method, receipt.model_tokens, receipt.fallbacks) == ("model", 110, ())
    assert {one.file: one.cut for one in receipt.candidates} == {
        "a.md": "",
        "b.md": "scripted did not choose it",
        "c.md": "",
    }
    assert "- Bash" in model.asked[0].messages[0].text


def test_a_model_that_chooses_nothing_is_believed(place: Place) -> None:
    recall = place.recaller(ScriptedModel([names()])).recall(QUERY)
    assert (recall.files, recall.text, recall.receipt.method) == ((), "", "model")


def test_nobody_is_asked_when_there_is_nothing_to_choose_from(tmp_path: Path) -> None:
    empty = Place(tmp_path, scores=())
    model = ScriptedModel()
    assert empty.recaller(model).recall(QUERY).receipt.because == "there is no memory yet"
    assert model.asked == []


def test_what_was_shown_is_not_offered_again(place: Place) -> None:
    model = ScriptedModel([names("a.md"), names("a.md", "b.md")])
    recaller = place.recaller(model)
    assert recaller.recall(QUERY).files == ("a.md",)
    second = recaller.recall(QUERY)
    assert "a.md" not in model.asked[1].messages[0].text
    assert second.files == ("b.md",)
    assert next(c for c in second.receipt.candidates if c.file == "a.md").cut.startswith("this conversation")


def test_with_everything_shown_nobody_is_asked(place: Place) -> None:
    model = ScriptedModel([names("a.md", "b.md", "c.md")])
    recaller = place.recaller(model)
    recaller.recall(QUERY)
    assert recaller.recall(QUERY).files == ()
    assert len(model.asked) == 1


def test_the_newest_headers_come_first_and_of_too_many_the_best_are_offered(place: Place) -> None:
    for number in range(20):
        place.write(f"z{number:02}.md", "filler")
    model = ScriptedModel(default=names())
    place.recaller(model, limits=Limits(candidates=3, model_budget=20)).recall(QUERY)
    listed = [line for line in model.asked[0].messages[0].text.split("\n") if line.startswith("- ")]
    assert [line.split()[2] for line in listed] == ["a.md", "b.md", "c.md"]
    recall = place.recaller(model).recall(QUERY)
    listed = [line for line in model.asked[1].messages[0].text.split("\n") if line.startswith("- ")]
    assert len(listed) == 23
    assert listed[-1].split()[2] == "a.md"
    assert recall.receipt.others == 0


def leaving(_: Question) -> Reply:
    raise SystemExit(3)


FAULTS: dict[str, Step] = {
    **{
        error.__name__: error("no")
        for error in (ModelError, ModelTimeout, ModelRejected, ModelBusy, ModelReplyError, Cancelled)
    },
    "cap": CapReached("the day's tokens are used up"),
    "extra": MissingExtra("install it"),
    "disk": OSError(5, "input/output error"),
    "connection": ConnectionResetError(104, "reset"),
    "bug": ZeroDivisionError("a bug in an adapter"),
    "exit": leaving,
    "unknown names": names("ghost.md", "../a.md", "MEMORY.md"),
    **{f"reply {name}": reply for name, reply in UNUSABLE.items()},
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_any_failure_falls_back_and_says_why(place: Place, fault: Step) -> None:
    recall = place.recaller(ScriptedModel([fault])).recall(QUERY)
    assert recall.files == ("a.md", "b.md")
    assert recall.receipt.method == "lexical"
    assert len(recall.receipt.fallbacks) == 1
    assert recall.receipt.fallbacks[0].startswith("scripted did not choose: ")


def test_a_model_that_ignores_its_time_is_left_behind(place: Place) -> None:
    go, done = threading.Event(), threading.Event()

    def stubborn(_: Question) -> Reply:
        go.wait(30)
        done.set()
        return Reply(names("c.md"))

    recall = place.recaller(ScriptedModel([stubborn]), limits=SLOW).recall(QUERY)
    assert not done.is_set()
    go.set()
    assert recall.files == ("a.md", "b.md")
    assert "ModelTimeout" in recall.receipt.fallbacks[0]


def test_a_model_that_hangs_is_called_off(place: Place) -> None:
    model = ScriptedModel([Hang()])
    recall = place.recaller(model, limits=SLOW).recall(QUERY)
    assert recall.files == ("a.md", "b.md")
    assert "ModelTimeout" in recall.receipt.fallbacks[0]
    assert model.asked[0].timeout < 0.1
    assert model.asked[0].cancel is not None
    assert model.asked[0].cancel.is_set()


def test_without_time_left_the_model_is_not_asked(place: Place) -> None:
    model = ScriptedModel()
    recall = place.recaller(model).recall(QUERY, budget=0.0)
    assert recall.files == ("a.md", "b.md")
    assert model.asked == []
    assert "no time was left" in recall.receipt.fallbacks[0]


def test_a_credential_in_an_error_does_not_reach_the_receipt(place: Place) -> None:
    key = "ghp_" + "k7Qm2Vx9Tz4Rb8WcYh3Nf6LpJs5Dg1XeUa0K"
    recall = place.recaller(ScriptedModel([ModelRejected(f"wrong key {key}")])).recall(QUERY)
    assert key not in recall.receipt.fallbacks[0]


def test_a_second_best_does_not_get_better_when_the_best_was_shown(tmp_path: Path) -> None:
    place = Place(tmp_path, scores=(0.9, 0.4))
    recaller = place.recaller()
    assert recaller.recall(QUERY).files == ("a.md",)
    assert recaller.recall(QUERY).files == ()


def test_what_was_shown_does_not_use_up_the_limit(tmp_path: Path) -> None:
    place = Place(tmp_path, scores=(0.9, 0.8, 0.7, 0.6))
    recaller = place.recaller()
    assert recaller.recall(QUERY, limit=2).files == ("a.md", "b.md")
    second = recaller.recall(QUERY, limit=1)
    assert second.files == ("c.md",)
    assert next(c for c in second.receipt.candidates if c.file == "d.md").cut.endswith(
        "only 1 are shown at once"
    )


def test_no_thread_stays_behind(place: Place) -> None:
    threads = list[threading.Thread]()

    def until_called_off(question: Question) -> Reply:
        threads.append(threading.current_thread())
        assert question.cancel
        question.cancel.wait()
        raise Cancelled("called off")

    def quick(_: Question) -> str:
        threads.append(threading.current_thread())
        return names("a.md")

    model = ScriptedModel([until_called_off, quick])
    place.recaller(model, limits=SLOW).recall(QUERY)
    place.recaller(model).recall(QUERY)
    assert threading.current_thread() not in threads
    for thread in threads:
        thread.join(5)
    assert [thread.is_alive() for thread in threads] == [False, False]
