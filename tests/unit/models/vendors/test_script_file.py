"""A script in a file answers like a vendor: texts, calls, usage, troubles and silence, also by job."""

import json
from pathlib import Path
from typing import Any

import pytest

from memdir.errors import ModelBusy, ModelReplyError, ModelTimeout, Rejected
from memdir.models.protocol import Message, Model, Question, ToolCall, Usage
from memdir.models.vendors.script_file import scripted_file


def model(tmp_path: Path, content: Any) -> Model:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(content))
    return scripted_file(str(path))


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
