"""What waits in the inbox is written byte for byte as it was shown, or not at all."""

from pathlib import Path

import pytest
from tests.contents import parts_of
from tests.unit.inbox.proposal import BY, NOW, proposed

from memdir import Draft, Memory
from memdir.errors import Conflict, Rejected, SecretFound
from memdir.inbox.proposals import Inbox, apply_edits, draft_edits
from memdir.memories.change import Change


def test_working_a_draft_out_writes_nothing(memory: Memory) -> None:
    edits = draft_edits(
        parts_of(memory).writer, [Draft("Deploys freeze on Fridays.", "project", "freeze")], BY, NOW
    )
    assert [(edit.file, edit.before) for edit in edits] == [("project_freeze.md", None)]
    assert not Path(memory.directory).exists()


def test_what_was_shown_is_what_is_written(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    made = inbox.add(proposed(memory, Draft("Deploys freeze on Fridays.", "project", "freeze")))
    shown = inbox.proposal(made)
    apply_edits(parts_of(memory).writer, shown.edits, shown.by, NOW, verb="apply")
    assert memory.read("freeze").text == shown.edits[0].after
    assert memory.history.list()[0].by == BY


def test_one_file_that_changed_meanwhile_stops_the_whole_proposal(memory: Memory) -> None:
    memory.remember("Use tabs.", kind="feedback", name="tabs")
    drafts = [Draft("Use spaces.", "feedback", "tabs"), Draft("New.", "feedback", "new")]
    proposal = proposed(memory, *drafts)
    memory.remember("Use tabs, always.", kind="feedback", name="tabs")
    with pytest.raises(Conflict, match=r"feedback_tabs\.md changed since"):
        apply_edits(parts_of(memory).writer, proposal.edits, proposal.by, NOW, verb="apply")
    assert [header.name for header in memory.list()] == ["tabs"]
    assert memory.read("tabs").body == "Use tabs, always."


def test_several_changes_are_one_step_that_can_be_undone(memory: Memory) -> None:
    memory.remember("Use tabs.", kind="feedback", name="tabs")
    text = memory.read("tabs").text
    edits = [
        Change("feedback_tabs.md", text, None),
        *proposed(memory, Draft("New.", "feedback", "new")).edits,
    ]
    apply_edits(parts_of(memory).writer, edits, BY, NOW, verb="dream")
    assert [header.name for header in memory.list()] == ["new"]
    memory.undo()
    assert [header.name for header in memory.list()] == ["tabs"]


@pytest.mark.parametrize("file", ["MEMORY.md", "../x.md", "/etc/x.md", "a\0.md", "notes.txt"])
def test_only_memories_can_be_written(memory: Memory, file: str) -> None:
    with pytest.raises(Rejected):
        apply_edits(parts_of(memory).writer, [Change(file, None, "x")], BY, NOW, verb="apply")


def test_a_secret_is_refused_when_it_is_applied(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    with pytest.raises(SecretFound):
        apply_edits(parts_of(memory).writer, [Change("x.md", None, f"token {secret}")], BY, NOW, verb="apply")


def test_a_rejected_conflict_comes_back_by_an_undo(memory: Memory) -> None:
    memory.remember("Use tabs.", kind="feedback", name="tabs")
    copy = Path(memory.directory, "feedback_tabs.conflict-west-2026-11-15.md")
    copy.write_text(memory.read("tabs").text.replace("Use tabs.", "Use spaces."))
    (conflict,) = memory.inbox.list()
    _, operation = memory.inbox.reject(conflict.id)
    assert (memory.inbox.list(), copy.exists()) == ([], False)
    memory.undo(operation)
    assert memory.inbox.list() == [conflict]
