"""All that a worker's model is told, as rendered: a change of a sentence shows as a diff of a golden file."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.tool_calls import calls

from memdir.config.world import World
from memdir.conversation.messages import Spoken, ToolUse
from memdir.dream.daily_log import LogDay
from memdir.dream.inputs import DreamContext, DreamInput
from memdir.dream.model import model_draft
from memdir.extract.model.extraction import ask_model
from memdir.memories.topic import topic_from
from memdir.models.protocol import Message, Question, Reply, Tool
from memdir.models.vendors.scripted import ScriptedModel, Step
from memdir.notes.file import NotesFile
from memdir.notes.update import NotesRules, NotesTaker, notes_template
from memdir.workers.loop import WorkerLimits

FOLDER = Path(__file__).parents[2] / "golden" / "workers"
NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
DEPLOYS = (
    "---\nname: deploys\ndescription: when we deploy\ntype: project\n---\n\n"
    "We deploy on Tuesdays.\nSupport is fully staffed then.\n"
)
TERSE = "---\nname: terse\ndescription: how to reply\ntype: feedback\n---\n\nReply in one sentence.\n"
MEMORIES = {"project_deploys.md": DEPLOYS, "feedback_terse.md": TERSE}
SPOKEN = (
    Spoken("1", "user", "I am a data scientist. Forget that we deploy on Tuesdays.", NOW),
    Spoken(
        "2",
        "assistant",
        "Staging is at staging.example.net.",
        NOW,
        (ToolUse("t", "Bash", {"command": "ls"}),),
    ),
    Spoken("3", "tool", "README.md\nsrc", NOW, answers="t"),
)


def dreamt(folder: Path, memories: Mapping[str, str], *steps: Step, **more: Any) -> Question:
    """Return the last question of a dream about these memories."""
    model, logs = ScriptedModel([*steps, "Done."]), more.pop("logs", ())
    topics = tuple(topic_from(file, text, NOW) for file, text in memories.items())
    for file, text in memories.items():
        (folder / file).write_text(text)
    context = DreamContext(World({}, "/", "/", timer=lambda: 0.0), NOW, model=model, **more)
    model_draft(model, DreamInput(topics, memories, logs, frozenset()), str(folder), context)
    return model.asked[-1]


def dream(folder: Path) -> Question:
    whole = "# Sunday\n- the freeze began\n- the key changed\n"
    logs = (
        LogDay("logs/2026/11/2026-11-14.md", date(2026, 11, 14), whole, whole),
        LogDay("logs/2026/11/2026-11-15.md", date(2026, 11, 15), "\n\n- the key changed\n", whole),
    )
    return dreamt(
        folder,
        MEMORIES,
        logs=logs,
        drifted=lambda: ["project_deploys.md: src/deploy.py is gone (now: src/ship.py)"],
        transcripts=("/home/dev/.claude/projects/-home-dev-gates",),
        instructions=lambda: "Use the linter.\n",
    )


def dream_nothing(folder: Path) -> Question:
    return dreamt(folder, {})


def dream_answers(folder: Path) -> Question:
    gone = "Support is fully staffed then."
    edit = {"path": "project_deploys.md", "old": f"\n{gone}", "new": ""}
    claim = {"id": "project_deploys.md#2", "fate": "dropped", "because": "It is over."}
    looks = calls(
        ("read", {"path": "project_deploys.md", "lines": 2}),
        ("grep", {"text": "nowhere"}),
        ("read", {"path": "/elsewhere/x.md"}),
    )
    return dreamt(
        folder,
        MEMORIES,
        looks,
        calls(("edit", edit), ("forget", {"path": "feedback_terse.md"})),
        calls(("account", {"claims": [claim]})),
        calls(("account", {"claims": [{**claim, "id": "feedback_terse.md#1"}]})),
        Reply("", calls(("grep", {"text": "x"})).calls, stop="length"),
    )


def noted(folder: Path, bodies: Mapping[str, str], *steps: Step, section_tokens: int = 2_000) -> Question:
    """Return the last question of an update of notes that hold these sections."""
    template, model = notes_template(""), ScriptedModel([*steps, "Done."])
    file = NotesFile(str(folder / "memory"), str(folder / "state"), "s-1")
    if bodies:
        file.put("", template.render(bodies))
    taker = NotesTaker(file, template, NotesRules(section_tokens=section_tokens))
    taker.by_model(model, SPOKEN, timer=lambda: 0.0, seconds=5.0)
    return model.asked[-1]


def notes(folder: Path) -> Question:
    return noted(folder, {})


def notes_long(folder: Path) -> Question:
    bodies = {"Task": "Mend the shop.", "Worklog": "- mended the door\n- mended the lock\n- found the key"}
    return noted(folder, bodies, section_tokens=10)


def notes_answers(folder: Path) -> Question:
    edit = {"path": "sessions/s-1.md", "old": "# Task", "new": "# Task"}
    return noted(folder, {}, calls(("edit", edit), ("edit", {**edit, "path": "MEMORY.md"}), ("read", {})))


def extracted(folder: Path, memories: Mapping[str, str], *steps: Step) -> Question:
    """Return the last question of an extraction beside these memories."""
    model = ScriptedModel([*steps, "Done."])
    for file, text in memories.items():
        (folder / file).write_text(text)
    topics = [topic_from(file, text, NOW) for file, text in memories.items()]
    ask_model(model, SPOKEN, topics, str(folder), limits=WorkerLimits(), timer=lambda: 0.0, now=NOW)
    return model.asked[-1]


def extract(folder: Path) -> Question:
    return extracted(folder, MEMORIES)


def extract_nothing(folder: Path) -> Question:
    return extracted(folder, {})


def extract_answers(folder: Path) -> Question:
    role = "---\nname: role\ndescription: who the user is\ntype: user\n---\n\nThe user is a data scientist.\n"
    write = {"path": "user_role.md", "text": role, "message": "m1"}
    forget = {"path": "project_deploys.md", "message": "m1"}
    return extracted(
        folder,
        MEMORIES,
        calls(
            ("write", write),
            ("write", {**write, "message": "m9"}),
            ("write", {**write, "message": "m2"}),
            ("forget", forget),
            ("forget", {**forget, "message": "m2"}),
        ),
    )


FIRST: list[Callable[[Path], Question]] = [dream, notes, extract]
"""Shown as a whole."""
OTHERS: list[Callable[[Path], Question]] = [
    dream_nothing,
    dream_answers,
    notes_long,
    notes_answers,
    extract_nothing,
    extract_answers,
]
"""Shown without what they have in common with those: system, tools, and the request before an answer."""


def rendered(question: Question, *, whole: bool) -> str:
    """Return what a model is told as text."""
    if whole:
        parts = [f">>> system\n{question.system}", *_messages(question.messages), *_tools(question.tools)]
    else:
        parts = [*_messages(question.messages[1:] or question.messages)]
    return "\n\n".join(parts) + "\n"


def _messages(messages: tuple[Message, ...]) -> Iterator[str]:
    for one in messages:
        calls = [f"{call.name} {json.dumps(call.arguments)}" for call in one.calls]
        yield "\n".join([f">>> {one.role}{' (failed)' if one.failed else ''}", *(calls or [one.text])])


def _tools(tools: tuple[Tool, ...]) -> Iterator[str]:
    for one in tools:
        yield f">>> tool {one.name}\n{one.description}\n{json.dumps(one.schema, indent=1)}"


@pytest.mark.parametrize("told", [*FIRST, *OTHERS], ids=lambda told: told.__name__)
def test_a_worker_tells_its_model_what_the_golden_file_says(
    told: Callable[[Path], Question], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    text = rendered(told(tmp_path), whole=told in FIRST).replace(str(tmp_path), "/home/dev/memory")
    path = FOLDER / f"{told.__name__}.md"
    if request.config.getoption("--update-golden", default=False):
        path.write_text(text)
    assert text == path.read_text()


def test_every_golden_file_belongs_to_a_worker() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == {told.__name__ for told in (*FIRST, *OTHERS)}
