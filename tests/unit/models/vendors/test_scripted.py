"""The scripted model behaves like a vendor's: it answers in order, hangs, fails, and can be called off."""

from threading import Timer

import pytest

from memdir.errors import Cancelled, ModelBusy, ModelReplyError, ModelTimeout
from memdir.models.protocol import Cancel, Message, Question, Reply, Usage
from memdir.models.vendors.scripted import Hang, ScriptedModel

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
