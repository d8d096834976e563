"""The figures say when a hook last left a trace, wherever that was."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

from memdir.conversation.receipts import Receipt, Receipts
from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.topic import Provenance
from memdir.memory import Memory

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    env = {"HOME": str(tmp_path / "home"), "PATH": os.environ.get("PATH", os.defpath), **WORDS_ALONE}
    os.makedirs(tmp_path / "home")
    return Memory.open(tmp_path, env)


def touched(path: Path, when: datetime) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (when.timestamp(), when.timestamp()))


def recalled(memory: Memory, session: str, when: datetime) -> None:
    os.makedirs(memory.state, exist_ok=True)
    Receipts(memory.state).add(Receipt("1", f"{when:%Y-%m-%dT%H:%M:%SZ}", "a query", session))


def test_no_hook_leaves_nothing(memory: Memory) -> None:
    assert memory.doctor.status().last_event is None


def test_a_card_is_a_trace(memory: Memory, tmp_path: Path) -> None:
    hooks = tmp_path / "home" / ".claude" / "memdir" / "hooks"
    touched(hooks / "0000aaaa.cache", NOW)
    touched(hooks / "0000bbbb.cache", NOW - timedelta(days=1))
    touched(hooks / "other", NOW + timedelta(days=1))
    assert memory.doctor.status().last_event == NOW


def test_a_recall_for_a_conversation_is_one_and_another_is_not(memory: Memory) -> None:
    recalled(memory, "", NOW + timedelta(hours=1))
    assert memory.doctor.status().last_event is None
    recalled(memory, "some-session", NOW)
    recalled(memory, "", NOW + timedelta(hours=1))
    assert memory.doctor.status().last_event == NOW


def test_a_request_is_one_and_work_that_a_command_did_is_not(memory: Memory) -> None:
    touched(Path(memory.state, "work", "extract", "lock"), NOW)
    assert memory.doctor.status().last_event is None
    touched(Path(memory.state, "work", "extract", "0000aaaa.waiting"), NOW)
    assert memory.doctor.status().last_event == NOW


def test_settings_that_are_passed_over_are_noticed(tmp_path: Path) -> None:
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{")
    notices = (
        Memory.open(tmp_path, {"HOME": str(tmp_path / "home"), "MEMDIR_DIRECTORY": "rel"})
        .doctor.status()
        .notices
    )
    assert ("MEMDIR_DIRECTORY is ignored" in notices[1], str(settings) in notices[0]) == (True, True)


def test_what_a_conversation_was_last_told_is_said(memory: Memory) -> None:
    assert memory.doctor.status().last_load is None
    memory.remember("Use tabs.", name="tabs")
    memory.context.prompt()
    load = memory.doctor.status().last_load
    assert load is not None
    assert (load.kind, load.lines, load.rule) == ("private", 1, "")


def test_a_prompt_that_somebody_only_looks_at_is_not_loaded(memory: Memory) -> None:
    memory.remember("Use tabs.", name="tabs")
    assert memory.context.prompt(preview=True)
    assert memory.doctor.status().last_load is None


def test_a_line_counts_memories_and_names_the_inbox_only_when_something_waits(memory: Memory) -> None:
    memory.remember("Use tabs.", name="tabs")
    assert memory.doctor.status_line() == "memdir 1"
    edit = Change("x.md", None, "---\nname: x\n---\n\nX\n")
    Inbox(memory.state).add(Proposal((edit,), Provenance(), "somebody should look", NOW))
    assert memory.doctor.status_line() == "memdir 1, inbox 1"


def test_a_line_of_a_memory_that_is_off_says_so_and_nothing_else(tmp_path: Path) -> None:
    off = Memory.open(tmp_path, {"HOME": str(tmp_path), "MEMDIR_DISABLE": "1", **WORDS_ALONE})
    assert off.doctor.status_line() == "memdir off"
