"""What a host waits for at an event, in processor time: hooks as processes, against a bare interpreter."""

import itertools
import json
import os
import shutil
from collections.abc import Iterator

from bench.figures import Row, interleaved
from bench.ground import Ground
from bench.process import run_once
from bench.topics import filled

__all__ = ["rows"]

_ROUNDS = 40
_RECALL = 5
"""Bare starts of Python that a prompt with something to rank may take."""

_MEANING = 8
"""The same with meanings: a prompt loads the compiled module of numpy alone, all of it takes five."""

_RULES = 20
_MEMORIES = 200
_PROMPT = "How are lighthouse invoices numbered when the harbour office is closed?"
_ANSWER = """---
name: "lighthouse-invoices"
description: "How lighthouse invoices are numbered while the harbour office is closed"
type: "project"
---

Lighthouse invoices get a number of their own series while the harbour office is closed.
"""

_CLAIM = "They are printed by `src/harbour/invoices.py`.\n"
_FOREIGN_PROMPT = "Why does the violin sound flat after a night in the cold rehearsal room?"

_WITH_RULES = """
from memdir import Draft, Memory
rules = [f"Bash: tool{{number}} deploy * prod" for number in range({rules})]
drafts = [Draft("Never.", "feedback", f"rule-{{number}}", enforce=rule) for number, rule in enumerate(rules)]
Memory.open({project!r}).transfer.remember_many(drafts)
"""


def rows(ground: Ground) -> list[Row]:
    """Return every case, against a bare interpreter and against the other runtime that hosts use."""
    measured = list(_measured(ground))
    node = shutil.which("node")
    if node is None:
        return measured
    start = min(run_once([node, "-e", "0"], ground.env).cpu for _ in range(_ROUNDS))
    limited = [row for row in measured if row.at_most is not None and row.at_most < _RECALL]
    return [
        *measured,
        *[Row(f"{row.work} (yardstick: node -e 0)", row.ours, "s", start, 1) for row in limited],
    ]


def _measured(ground: Ground) -> Iterator[Row]:
    empty = _project(ground, "empty", 0)
    yield _row(ground, empty, "UserPromptSubmit", "hook: prompt, nothing to recall", 1.6)
    full = _project(ground, "full", _MEMORIES)
    yield _row(ground, full, "PreToolUse", "hook: tool call, 200 memories, no rules", 1.6)
    yield _row(ground, full, "UserPromptSubmit", "hook: prompt, recall by words over 200", _RECALL, says=True)
    none = "hook: prompt, none of 200 fits"
    yield _row(ground, full, "UserPromptSubmit", none, _RECALL, prompt=_FOREIGN_PROMPT)
    with_claim = _project(ground, "claim", _MEMORIES, _CLAIM)
    yield _row(
        ground, with_claim, "UserPromptSubmit", "hook: prompt, recall of 200 with a claim to check", says=True
    )
    meaning = _project(ground, "meaning", _MEMORIES)
    ground.interpreter(f"from memdir import Memory; Memory.open({meaning!r}).models.learn()")
    with_meanings = "hook: prompt, recall by words and meanings over 200"
    yield _row(ground, meaning, "UserPromptSubmit", with_meanings, _MEANING, says=True)
    ground.interpreter(_WITH_RULES.format(project=full, rules=_RULES))
    yield _row(ground, full, "PreToolUse", "hook: tool call, 20 rules", 3)
    judged = "cd build && tool3 deploy --dry-run 'the new one' staging"
    yield _row(
        ground, full, "PreToolUse", "hook: tool call, 20 rules, judged word by word", 3, command=judged
    )
    denied = "cd build && tool3 deploy --now prod"
    yield _row(ground, full, "PreToolUse", "hook: tool call, 20 rules, denied", 3, says=True, command=denied)


def _project(ground: Ground, name: str, memories: int, more: str = "") -> str:
    project = ground.path(f"hooks-{name}")
    os.mkdir(project)
    if memories:
        asked = f"from memdir import Memory; print(Memory.open({project!r}).directory)"
        directory = ground.interpreter(asked).output.strip()
        filled(directory, memories - 1)
        with open(os.path.join(directory, "project_lighthouse-invoices.md"), "w", encoding="utf-8") as file:
            file.write(_ANSWER + more)
    return project


def _row(
    ground: Ground,
    project: str,
    event: str,
    work: str,
    at_most: float | None = None,
    *,
    says: bool = False,
    prompt: str = _PROMPT,
    command: str = "cd build && make test 2>&1 | tail -20",
) -> Row:
    hook = [os.path.join(os.path.dirname(ground.python), "memdir-hook"), event]
    calls = (_call(ground, project, number, prompt, command) for number in itertools.count())
    for _ in range(2):  # the first call leaves caches and a card for the others
        output = run_once(hook, ground.env, next(calls)).output
    if bool(output) != says:
        raise RuntimeError(f"{work}: the hook said {output[:80]!r}.")
    pair = interleaved(
        lambda: run_once(hook, ground.env, next(calls)).cpu, lambda: ground.interpreter("pass").cpu, _ROUNDS
    )
    note = "processor time, least of the samples"
    return Row(work, min(pair.ours), "s", min(pair.yardstick), at_most, note)


def _call(ground: Ground, project: str, number: int, prompt: str, command: str) -> str:
    """Write the host's JSON of one event, each in a conversation of its own, and return the path."""
    said = {
        "session_id": f"conversation-{number}",
        "transcript_path": ground.path("none.jsonl"),
        "cwd": project,
        "prompt": prompt,
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    path = ground.path("hook.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(said, file)
    return path
