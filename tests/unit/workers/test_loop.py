"""A run ends, whatever the model does, as a value that says why; nothing is changed by it."""

from pathlib import Path
from threading import Timer, active_count
from typing import Any

import pytest

from memdir.errors import (
    Cancelled,
    CapReached,
    MissingExtra,
    ModelBusy,
    ModelRejected,
    ModelReplyError,
    ModelTimeout,
)
from memdir.models.protocol import Cancel, Message, Question, Reply, ToolCall
from memdir.models.vendors.scripted import Hang, ScriptedModel, Step
from memdir.workers.loop import DONE, FAILED, MAX_REPLY, TURNS, WorkerLimits, WorkerRun, run_worker
from memdir.workers.overlay import Overlay
from memdir.workers.policy import Policy
from memdir.workers.tools import Toolbox

ROLE = '---\nname: "role"\ndescription: "What the user does"\ntype: "user"\n---\n\nA data scientist.\n'
HEAD = Question((Message("user", "learn"),), system="You learn.", timeout=5.0, job="extract")


class Ticks:
    """A clock that moves by one second each time somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def directory(directory: Path) -> Path:
    (directory / "user_role.md").write_text(ROLE)
    return directory


def box(memory: Path) -> Toolbox:
    return Toolbox(Policy(str(memory)), Overlay(str(memory)))


def asks(*calls: tuple[str, dict[str, Any]], text: str = "", stop: str = "tools") -> Reply:
    made = tuple(ToolCall(f"c{number}", name, arguments) for number, (name, arguments) in enumerate(calls))
    return Reply(text, made, stop=stop)


WRITE = ("write", {"path": "user_new.md", "text": ROLE.replace("role", "new")})


def ran(memory: Path, *steps: Step, **more: Any) -> WorkerRun:
    before = {path.name: path.read_bytes() for path in memory.iterdir()}
    threads = active_count()
    more.setdefault("clock", lambda: 0.0)
    done = run_worker(ScriptedModel(steps), HEAD, box(memory), **more)
    assert {path.name: path.read_bytes() for path in memory.iterdir()} == before
    assert active_count() <= threads
    assert done.because
    return done


def test_looks_in_turn_one_and_changes_in_turn_two(directory: Path) -> None:
    model = ScriptedModel(
        [
            asks(("read", {"path": "user_role.md"}), ("glob", {"pattern": "*.md"})),
            asks(("edit", {"path": "user_role.md", "old": "A data", "new": "A senior data"}), WRITE),
            "Two memories.",
        ]
    )
    done = run_worker(model, HEAD, box(directory), clock=lambda: 0.0)
    assert (done.ended, done.text, len(model.asked)) == (DONE, "Two memories.", 3)
    assert [(edit.verb, edit.file) for edit in done.edits] == [
        ("edit", "user_role.md"),
        ("create", "user_new.md"),
    ]
    last = model.asked[-1]
    assert [message.role for message in last.messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        "tool",
        "tool",
    ]
    assert last.system == "You learn."
    assert {tool.name for tool in last.tools} == {"read", "grep", "glob", "shell", "write", "edit", "forget"}


def test_turns_are_bounded_and_what_was_asked_for_by_then_counts(directory: Path) -> None:
    model = ScriptedModel([asks(WRITE), *[asks(("read", {"path": "user_role.md"}))] * 9])
    done = run_worker(model, HEAD, box(directory), clock=lambda: 0.0, limits=WorkerLimits(turns=5))
    assert (done.ended, len(model.asked)) == (TURNS, 5)
    assert [edit.file for edit in done.edits] == ["user_new.md"]


def test_a_refusal_carries_its_reason_to_the_model(directory: Path) -> None:
    model = ScriptedModel(
        [
            asks(
                ("write", {"path": "../../etc/x.md", "text": "x"}),
                ("write", {"path": "MEMORY.md", "text": "x"}),
                ("forget", {"path": "ghost.md"}),
                ("launch", {"missiles": 1}),
                ("shell", {"command": "rm -rf ."}),
                ("read", {}),
            ),
            "sorry",
        ]
    )
    done = run_worker(model, HEAD, box(directory), clock=lambda: 0.0)
    results = model.asked[1].messages[2:]
    assert all(result.failed and result.text for result in results)
    assert [result.call_id for result in results] == [f"c{number}" for number in range(6)]
    assert (done.ended, done.edits) == (DONE, ())


FAULTS: list[Step] = [
    ModelTimeout("late"),
    ModelBusy("429"),
    ModelRejected("401"),
    ModelReplyError("garbage"),
    CapReached("the day's tokens are used"),
    MissingExtra("httpx2"),
    Cancelled("called off"),
    Reply("I cannot help with that.", stop="refusal"),
    Reply("half a sent", stop="length"),
    Reply("x" * 1_000_000),
    asks(("write", {"path": "user_x.md", "text": "x" * MAX_REPLY})),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_fault_ends_the_run_without_effect(directory: Path, fault: Step, at: int) -> None:
    done = ran(directory, *[asks(WRITE)] * at, fault)
    assert (done.ended, done.edits) == (FAILED, ())
    assert "has no step" not in done.because


def test_an_error_is_named_in_the_run(directory: Path) -> None:
    assert ran(directory, ModelBusy("try later")).because == "ModelBusy: try later"


def test_silence_ends_with_the_runs_time(directory: Path) -> None:
    done = ran(directory, Hang(), limits=WorkerLimits(seconds=0.05))
    assert (done.ended, done.edits) == (FAILED, ())
    assert "ModelTimeout" in done.because


def test_the_time_of_the_run_is_shared_by_its_questions(directory: Path) -> None:
    model = ScriptedModel(default=asks(WRITE))
    done = run_worker(model, HEAD, box(directory), clock=Ticks(), limits=WorkerLimits(turns=50, seconds=8))
    assert done.ended == FAILED
    assert "longer than 8 seconds" in done.because
    assert [question.timeout for question in model.asked] == [5.0, 5.0, 3.0, 1.0]


def test_a_run_that_is_called_off_ends_soon(directory: Path) -> None:
    cancel = Cancel()
    Timer(0.05, cancel.set).start()
    done = ran(directory, asks(WRITE), Hang(), cancel=cancel)
    assert (done.ended, done.edits) == (FAILED, ())
    assert ran(directory, cancel=cancel).because == "The run was called off."


def test_calls_of_a_reply_that_was_cut_off_are_not_made(directory: Path) -> None:
    model = ScriptedModel([asks(WRITE, stop="length"), "gave up"])
    assert run_worker(model, HEAD, box(directory), clock=lambda: 0.0).edits == ()
    assert "cut off" in model.asked[1].messages[-1].text


def test_what_is_taken_back_is_no_edit(directory: Path) -> None:
    done = ran(directory, asks(WRITE), asks(("forget", {"path": "user_new.md"})), "nothing after all")
    assert (done.ended, done.edits) == (DONE, ())


def test_the_same_answers_give_the_same_run(directory: Path) -> None:
    steps: list[Step] = [asks(("read", {"path": "user_role.md"}), WRITE), "done"]
    assert ran(directory, *steps) == ran(directory, *steps)
