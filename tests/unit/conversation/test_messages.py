"""A message of either vendor is read as what was said: words, calls and results, each with who said it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.growth import grows_with_the_text

from memdir.conversation.messages import LONGEST_TEXT, Spoken, ToolUse, moment, spoken_in

ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": "which port?"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/p/a"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "8080"}]},
            {"type": "text", "text": "words that a host put beside the result"},
        ],
    },
    {"role": "user", "content": [{"type": "text", "text": "and the host?"}, {"type": "image", "source": {}}]},
]
OPENAI: list[dict[str, Any]] = [
    {"role": "system", "content": "be brief"},
    {"role": "user", "content": "which port?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "t1",
                "type": "function",
                "function": {"name": "Read", "arguments": '{"file_path": "/p/a"}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "t1", "content": "8080"},
]


def said_in(messages: list[dict[str, Any]]) -> list[Spoken]:
    return [one for number, message in enumerate(messages, 1) for one in spoken_in(message, str(number))]


def test_the_shape_of_one_vendor() -> None:
    said = said_in(ANTHROPIC)
    assert [(one.id, one.role, one.text) for one in said] == [
        ("1", "user", "which port?"),
        ("2", "assistant", "I look."),
        ("3", "tool", "8080"),
        ("4", "user", "and the host?"),
    ]
    assert said[1].uses == (ToolUse("t1", "Read", {"file_path": "/p/a"}),)
    assert said[2].answers == "t1"


def test_the_shape_of_the_other() -> None:
    said = said_in(OPENAI)
    assert [(one.role, one.text, one.answers) for one in said] == [
        ("user", "which port?", ""),
        ("assistant", "", ""),
        ("tool", "8080", "t1"),
    ]
    assert said[1].uses == (ToolUse("t1", "Read", {"file_path": "/p/a"}),)


def test_a_reminder_is_nobodys_words() -> None:
    text = (
        "please <system-reminder>tests (feedback, /my m/feedback_tests.md, today)\n\n"
        "Run them all; not /m/other.md\n"
        "</system-reminder>help"
    )
    recalled, own = spoken_in({"role": "user", "content": text}, "1")
    assert (own.role, own.text, own.recalled) == ("user", "please help", False)
    assert recalled.recalled
    assert recalled.role == "tool"


def test_a_reminder_in_a_result_is_taken_out_of_it() -> None:
    block = {
        "type": "tool_result",
        "tool_use_id": "t",
        "content": "8080\n<system-reminder>old</system-reminder>",
    }
    note, result = spoken_in({"role": "user", "content": [block]}, "1")
    assert (note.text, note.recalled, result.text, result.recalled) == ("old", True, "8080", False)


def test_reminders_that_are_never_closed_are_words() -> None:
    text = "<system-reminder>" * 3
    (said,) = spoken_in({"role": "user", "content": text}, "1")
    assert (said.text, said.recalled) == (text, False)


@pytest.mark.parametrize("end", ["", "</system-reminder>"])
def test_the_work_on_many_open_reminders_grows_with_the_text_alone(end: str) -> None:
    def read(text: str) -> None:
        assert len(spoken_in({"role": "user", "content": f"{text}{'/' * len(text)}{end}"}, "1")) == 1

    assert grows_with_the_text(read, "<system-reminder>", 1_000_000)


def test_what_an_editor_adds_beside_the_words_is_left_out() -> None:
    opened = {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"}
    (said,) = spoken_in({"role": "user", "content": [opened, {"type": "text", "text": "rename it"}]}, "1")
    assert said.text == "rename it"


@pytest.mark.parametrize(
    "text",
    [
        "<task-notification>\n<status>completed</status></task-notification>",
        "<command-name>/compact</command-name>",
        "<command-message>x</command-message>",
        "<local-command-stdout>done</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "[Request interrupted by user for tool use]",
        "   ",
        "",
    ],
)
def test_what_nobody_typed_says_nothing(text: str) -> None:
    assert spoken_in({"role": "user", "content": text}, "1") == ()


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"role": 3, "content": "x"},
        {"role": "system", "content": "x"},
        {"role": "developer", "content": "x"},
        {"role": "user", "content": 7},
        {"role": "user", "content": [None, 3, {"type": "text"}, {"type": "text", "text": 5}]},
        {"role": "assistant", "content": {"type": "text"}},
        {"role": "assistant", "content": [], "tool_calls": "none"},
    ],
)
def test_odd_messages_say_nothing_and_raise_nothing(message: dict[str, object]) -> None:
    assert spoken_in(message, "1") == ()


def test_arguments_that_are_no_json_are_empty() -> None:
    call = {"id": "t", "function": {"name": "Read", "arguments": '{"a": '}}
    (said,) = spoken_in({"role": "assistant", "tool_calls": [call]}, "1")
    assert said.uses == (ToolUse("t", "Read", {}),)


def test_of_a_long_message_both_ends_are_kept() -> None:
    (said,) = spoken_in({"role": "user", "content": "begin " + "x" * 200_000 + " end"}, "1")
    assert len(said.text) <= LONGEST_TEXT + 3
    assert said.text.startswith("begin")
    assert said.text.endswith("end")


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2026-11-15T08:49:32.077Z", datetime(2026, 11, 15, 8, 49, 32, 77_000, tzinfo=UTC)),
        ("2026-11-15T08:49:32", datetime(2026, 11, 15, 8, 49, 32, tzinfo=UTC)),
        (1_794_732_572, datetime(2026, 11, 15, 8, 49, 32, tzinfo=UTC)),
        (1_794_732_572_000, datetime(2026, 11, 15, 8, 49, 32, tzinfo=UTC)),
        ("yesterday", None),
        (float("inf"), None),
        (True, None),
        (None, None),
    ],
)
def test_times_are_read_as_they_come(stamp: object, expected: datetime | None) -> None:
    assert moment(stamp) == expected
