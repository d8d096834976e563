"""An agent loop of your own with memory: recall before the model is asked, a tool to remember, no SDK.

    python examples/plain_loop.py

It runs offline: the model is a script. Put `memdir.models.vendors.anthropic` or any other model in its place.
"""

import tempfile
from collections.abc import Mapping
from typing import Any

from memdir import Memory
from memdir.errors import MemdirError
from memdir.models.protocol import Message, Model, Question, Reply, Tool, ToolCall
from memdir.models.vendors.scripted import ScriptedModel

REMEMBER = Tool(
    "remember",
    "Save one fact for later conversations.",
    {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "kind": {"enum": ["user", "feedback", "project", "reference"]},
        },
        "required": ["text"],
    },
)


def converse(model: Model, memory: Memory, prompt: str) -> str:
    """Answer one prompt: the loop goes on until the model calls no more tools."""
    recalled = memory.recall(prompt).text  # empty when nothing is clearly useful
    messages = [Message("user", f"{recalled}\n{prompt}" if recalled else prompt)]
    system = memory.context.prompt(with_index=True)
    while True:
        reply = model.ask(Question(tuple(messages), system, tools=(REMEMBER,)))
        if not reply.calls:
            return reply.text
        messages.append(Message("assistant", reply.text, calls=reply.calls))
        messages += [result(memory, call) for call in reply.calls]


def result(memory: Memory, call: ToolCall) -> Message:
    """Do what the model asked for; an error is a sentence that it can act on."""
    try:
        return Message("tool", saved(memory, call.arguments), call_id=call.id)
    except MemdirError as error:
        return Message("tool", str(error), call_id=call.id, failed=True)


def saved(memory: Memory, arguments: Mapping[str, Any]) -> str:
    """Save what the model wants kept, as its own words and not the user's."""
    done = memory.remember(
        arguments["text"], kind=arguments.get("kind"), source="assistant", actor="host", strict=True
    )
    return f"Saved as {done.file}."


def main() -> None:
    """Hold two conversations; the second knows what the first was told."""
    fact = {"text": "Deploys go out on Tuesdays only, from the release branch.", "kind": "project"}
    model = ScriptedModel(
        [
            Reply("", calls=(ToolCall("1", "remember", fact),)),
            "Noted: deploys go out on Tuesdays.",
            lambda question: f"I was told: {'Tuesdays' in question.messages[0].text}",
        ]
    )
    with tempfile.TemporaryDirectory() as folder:
        for prompt in ("We deploy on Tuesdays only, remember that.", "When can we deploy the new release?"):
            # Each conversation has a handle of its own: a memory is shown once to each.
            memory = Memory.at(f"{folder}/memory", state=f"{folder}/state")
            print(f"> {prompt}\n{converse(model, memory, prompt)}")


if __name__ == "__main__":
    main()
