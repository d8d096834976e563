"""A schema can be told in words, and what comes back is read as it is meant."""

import pytest

from memdir.models.protocol import Message, Question
from memdir.models.schema import is_closed, told, unfenced

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}


def test_the_words_end_the_question() -> None:
    (message,) = told(Question((Message("user", "Which?"),), schema=SCHEMA)).messages
    assert message.text.startswith("Which?\n\n")
    assert message.text.endswith('{"type": "object", "properties": {"a": {"type": "string"}}}')


def test_behind_the_result_of_a_call_they_are_a_message_of_their_own() -> None:
    asked = told(Question((Message("user", "Which?"), Message("tool", "this", call_id="1")), schema=SCHEMA))
    assert [message.role for message in asked.messages] == ["user", "tool", "user"]
    assert asked.schema is None


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ('```\n{"a": 1}```', '{"a": 1}'),
        ('{"a": 1}', '{"a": 1}'),
        ('Here: ```json\n{"a": 1}\n```', 'Here: ```json\n{"a": 1}\n```'),
    ],
)
def test_a_fence_around_the_whole_is_taken_off(text: str, inside: str) -> None:
    assert unfenced(text) == inside


def test_only_a_schema_that_names_everything_can_be_followed_to_the_letter() -> None:
    closed = {**SCHEMA, "required": ["a"], "additionalProperties": False}
    assert is_closed(closed)
    assert not is_closed(SCHEMA)
    assert is_closed({"type": "array", "items": closed})
    assert not is_closed({"type": "array", "items": {"anyOf": [closed, SCHEMA]}})
