"""The scripted model behaves like a vendor's: it answers in order, hangs, fails, and can be called off."""

import json
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from memdir.errors import Cancelled, ModelBusy, ModelReplyError, ModelTimeout, Rejected
from memdir.models.protocol import Cancel, Message, Model, Question, Reply, ToolCall, Usage
from memdir.models.vendors.scripted import Hang, ScriptedModel, read_script

HELLO = Question((Message("user", "hello"),))


def test_steps_are_answered_in_order_and_every_question_is_kept() -> None:
    model = ScriptedModel(["one", Reply("two", usage=Usage(3, 4)), lambda q: q.messages[0].text.upper()])
    replies = [model.ask(HELLO) for _ in range(3)]
    assert [reply.text for reply in replies] == ["one", "two", "HELLO"]
    assert replies[1].usage.total == 7
    assert model.asked == [HELLO] * 3


def test_a_script_that_has_ended_says_so_unless_it_has_a_default() -> None:
    with pytest.raises(ModelReplyError, match="no step for question 1"):
        ScriptedModel().ask(HELLO)
    assert ScriptedModel(default="again").ask(HELLO).text == "again"


def test_an_error_in_the_script_is_raised() -> None:
    with pytest.raises(ModelBusy):
        ScriptedModel([ModelBusy("busy")]).ask(HELLO)


def test_silence_ends_with_the_questions_time() -> None:
    with pytest.raises(ModelTimeout, match=r"0\.02 s"):
        ScriptedModel([Hang()]).ask(Question(HELLO.messages, timeout=0.02))


def test_silence_ends_when_the_question_is_called_off() -> None:
    cancel = Cancel()
    Timer(0.02, cancel.set).start()
    with pytest.raises(Cancelled):
        ScriptedModel([Hang()]).ask(Question(HELLO.messages, timeout=30, cancel=cancel))


def test_a_question_called_off_before_it_was_asked_gets_no_answer() -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(Cancelled):
        ScriptedModel(["late"]).ask(Question(HELLO.messages, cancel=cancel))


def model(tmp_path: Path, content: Any) -> Model:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(content))
    return read_script(str(path))


def ask(job: str = "", timeout: float = 5.0) -> Question:
    return Question((Message("user", "hello"),), job=job, timeout=timeout)


def test_replies_come_in_order_and_then_the_default(tmp_path: Path) -> None:
    call = {"id": "1", "name": "look", "arguments": {"at": "x"}}
    script = {"replies": ["one", {"calls": [call], "usage": {"input": 3, "output": 4}}], "default": "again"}
    made = model(tmp_path, script)
    assert made.ask(ask()).text == "one"
    second = made.ask(ask())
    assert (second.calls, second.stop, second.usage) == (
        (ToolCall("1", "look", {"at": "x"}),),
        "tools",
        Usage(3, 4),
    )
    assert [made.ask(ask()).text for _ in range(2)] == ["again", "again"]


def test_a_job_has_replies_of_its_own(tmp_path: Path) -> None:
    made = model(tmp_path, {"jobs": {"extract": ["for extract"]}, "default": "for all others"})
    assert made.ask(ask("recall")).text == "for all others"
    assert made.ask(ask("extract")).text == "for extract"
    with pytest.raises(ModelReplyError, match="no step"):
        made.ask(ask("extract"))


def test_troubles_and_silence_can_be_scripted(tmp_path: Path) -> None:
    made = model(tmp_path, [{"error": "busy", "message": "too many"}, {"hang": True}])
    with pytest.raises(ModelBusy, match="too many"):
        made.ask(ask())
    with pytest.raises(ModelTimeout):
        made.ask(ask(timeout=0.01))


@pytest.mark.parametrize(
    "content", [3, [3], {"replies": 3}, [{"error": "odd"}], {"jobs": []}, [{"usage": {"x": 1}}]]
)
def test_a_file_that_is_no_script_is_told(tmp_path: Path, content: Any) -> None:
    with pytest.raises(Rejected, match="is no script of a model"):
        model(tmp_path, content)
