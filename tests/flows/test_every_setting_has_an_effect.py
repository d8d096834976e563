"""Each setting changes what happens; the one that does not yet is named by the doctor."""

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.flows.talks import TUESDAYS, transcript

from memdir import Memory
from memdir.config.keys import KEYS
from memdir.dream.lock import LOCK_NAME
from memdir.errors import MemdirError
from memdir.models.build import NoModel
from memdir.models.protocol import Reply, ToolCall
from memdir.models.vendors.scripted import ScriptedModel
from memdir.workers.queue import RequestQueue

LOOK = ToolCall("1", "glob", {"pattern": "*.md"})
LONG = "\n".join(f"Line {number} tells how deploys reach production." for number in range(400))


class World:
    """One user with a project and settings; a model on request."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.folder, self.model = folder, ScriptedModel(default=Reply("", (LOOK,), stop="tools"))
        self._opened = 0
        (folder / "project").mkdir(parents=True)
        (folder / "project" / "CLAUDE.md").write_text("Use the linter.\n")
        path = folder / ".claude" / "memdir" / "settings.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings))

    def memory(self, *, asks: bool = False) -> Memory:
        env = {
            "HOME": str(self.folder),
            "PATH": os.environ["PATH"],
            "MEMDIR_WEIGHTS": os.environ["MEMDIR_WEIGHTS"],
        }
        model = self.model if asks else None
        return Memory.open(self.folder / "project", env, "session-1", model=model)

    def talk(self, *said: tuple[str, str]) -> Path:
        return transcript(self.folder / "talk.jsonl", *(said or (("user", TUESDAYS),)))


Observed = Callable[[World], object]


def saved(world: World, count: int = 1, body: str = "Deploys reach production through a pipeline.") -> Memory:
    memory = world.memory()
    for number in range(count):
        memory.remember(f"{body} Number {number}.", kind="project", name=f"deploys-{number}")
    return memory


def recalled(world: World, count: int = 1, body: str = "Deploys reach production.") -> object:
    found = saved(world, count, body).recall("how do deploys reach production?")
    return [len(found.files), len(found.text)]


def kept_index(world: World) -> object:
    return Path(saved(world).directory, "MEMORY.md").exists()


def turned(world: World, *, headless: bool = False) -> str:
    return type(world.memory().jobs.turn_ended(world.talk(), headless=headless)).__name__


def asked(world: World, said: Callable[[ScriptedModel], object]) -> object:
    try:
        world.memory(asks=True).extract(world.talk())
    except MemdirError as error:
        return type(error).__name__
    return said(world.model)


def found(world: World) -> object:
    talk = world.talk(("user", "runbooks are in Notion, space 'Night shift'"))
    return [draft.inbox for draft in world.memory().extract(talk, dry_run=True).drafts]


def drained(world: World) -> int:
    memory = world.memory()
    memory.jobs.turn_ended(world.talk())
    memory.jobs.work(60, ended=True)
    return len(RequestQueue(memory.state, "extract").waiting_requests())


def due(world: World, *, before: timedelta | None = None) -> str:
    memory = saved(world)
    if before is not None:
        lock = Path(memory.directory, LOCK_NAME)
        lock.write_text("")
        then = (datetime.now(UTC) - before).timestamp()
        os.utime(lock, (then, then))
    memory.jobs.dream_due()
    return memory.jobs.dream_due().because


def held(world: World) -> str:
    memory = saved(world)
    lock = Path(memory.directory, LOCK_NAME)
    lock.write_text("1")  # the first process of the machine: alive, and older than any lock
    os.utime(lock, (time.time() - 120, time.time() - 120))
    return memory.jobs.dream(now=True, dry_run=True).ended


def deleted(world: World) -> object:
    memory = world.memory()
    for name in ("one", "two"):
        memory.remember("Kim writes in Go and reviews in Rust.", kind="user", name=name)
    memory.jobs.dream(now=True)
    return [header.name for header in memory.list()]


def noted(world: World, *turns: int, calls: int = 0) -> object:
    """Take notes after each of some turns of so many words; return which of them gave any."""
    memory, results = world.memory(), []
    for words in turns:
        talk = world.talk(("user", "word " * words))
        uses = [{"type": "tool_use", "id": f"t{n}", "name": "Read", "input": {}} for n in range(calls)]
        with talk.open("a") as file:
            file.write(json.dumps({"role": "assistant", "content": uses}) + "\n" if uses else "")
        results.append(type(memory.notes.update(str(talk))).__name__)
    return [results, len(memory.notes.read().text)]


def candidates(world: World) -> object:
    saved(world, 4)
    world.memory(asks=True).recall("how do deploys reach production?")
    return world.model.asked[0].messages[0].text.count("deploys-")


def model_waits(world: World) -> object:
    saved(world, 2)
    world.memory(asks=True).recall("how do deploys reach production?")
    return world.model.asked[0].timeout > 60


NOTES = {"notes.enabled": True, "notes.firstTokens": 10, "notes.everyTokens": 10, "notes.toolCalls": 0}
DREAM = {"dream.sessions": 0}
RECALL = {"recall.budgetMs": 60_000, "recall.modelBudgetMs": 60_000}  # on a busy machine too
CASES: dict[str, tuple[object, Observed, dict[str, Any]]] = {
    "autoMemoryEnabled": (False, lambda world: world.memory().verdict.on, {}),
    "autoMemoryDirectory": (
        "~/elsewhere",
        lambda world: os.path.relpath(world.memory().directory, world.folder) == "elsewhere",
        {},
    ),
    "claudeMdExcludes": (["**/CLAUDE.md"], lambda world: len(world.memory().instructions.load()), {}),
    "layout": ("agents", lambda world: len(world.memory().instructions.load()), {}),
    "model": (
        "openai:x@http://127.0.0.1:9/v1",
        lambda world: isinstance(world.memory().models.choice.model, NoModel),
        {},
    ),
    "team.enabled": (
        True,
        lambda world: "everyone on this project" in world.memory().context.prompt(),
        {},
    ),
    "mode": ("daily-log", lambda world: "logs/YYYY" in world.memory().context.prompt(), {}),
    "skipIndex": (True, kept_index, {}),
    "searchPastContext": (False, lambda world: "TERM" in world.memory().context.prompt(), {}),
    "compactPrompt": ("on", lambda world: len(world.memory().context.prompt()), {}),
    "extract.enabled": (False, turned, {}),
    "extract.everyTurns": (2, turned, {}),
    "extract.headless": (True, lambda world: turned(world, headless=True), {}),
    "extract.maxTurns": (2, lambda world: asked(world, lambda model: len(model.asked)), {}),
    "extract.drainSeconds": (0, drained, {}),
    "extract.savePercent": (100, found, {}),
    "extract.inboxPercent": (100, found, {"extract.savePercent": 100}),
    "dream.enabled": (False, due, DREAM),
    "dream.hours": (1, lambda world: due(world, before=timedelta(hours=2)), DREAM),
    "dream.sessions": (0, due, {}),
    "dream.scanMinutes": (0, due, {}),
    "dream.staleMinutes": (1, held, {}),
    "dream.maxDeletes": (0, deleted, {}),
    "notes.enabled": (True, lambda world: noted(world, 40_000), {}),
    "notes.firstTokens": (10, lambda world: noted(world, 100), {"notes.enabled": True}),
    "notes.everyTokens": (10_000, lambda world: noted(world, 100, 100), NOTES),
    "notes.toolCalls": (3, lambda world: noted(world, 100, 100, calls=1), NOTES),
    "notes.sectionTokens": (20, lambda world: noted(world, 400), NOTES),
    "notes.fileTokens": (60, lambda world: noted(world, 400), NOTES),
    "recall.files": (1, lambda world: recalled(world, 3), RECALL),
    "recall.lines": (3, lambda world: recalled(world, body=LONG), RECALL),
    "recall.bytes": (200, lambda world: recalled(world, body=LONG), RECALL),
    "recall.sessionBytes": (0, recalled, RECALL),
    "recall.certainPercent": (100, recalled, RECALL),
    "recall.candidates": (1, candidates, RECALL),
    "recall.modelBudgetMs": (600_000, model_waits, RECALL),
    "compact.reserveTokens": (
        1_000,
        lambda world: world.memory().context.compaction(160_000, window=200_000, output=32_000).compact,
        {},
    ),
    "compact.failures": (
        1,
        lambda world: (
            world.memory().context.compaction(200_000, window=200_000, output=0, failures=1).compact
        ),
        {},
    ),
    "worker.maxSeconds": (5, lambda world: asked(world, lambda model: model.asked[0].timeout > 5), {}),
    "cost.perDay": (0, lambda world: asked(world, lambda model: len(model.asked)), {}),
    "cost.perConversation": (0, lambda world: asked(world, lambda model: len(model.asked)), {}),
}
"""For each setting another value, what is looked at, and the settings in both cases."""

ELSEWHERE = {"recall.budgetMs", "recall.likelyPercent"}
"""What needs a clock or vectors: tests of recall tell how it is kept."""


def test_every_setting_is_looked_at() -> None:
    assert set(CASES) | ELSEWHERE == set(KEYS)


@pytest.mark.parametrize("key", CASES)
def test_a_setting_changes_what_happens(tmp_path: Path, key: str) -> None:
    value, observed, both = CASES[key]
    usual, again = observed(World(tmp_path / "usual", both)), observed(World(tmp_path / "again", both))
    assert usual == again, "what is looked at depends on settings alone"
    assert observed(World(tmp_path / "other", {**both, key: value})) != usual
