"""What waits in the inbox is written byte for byte as it was shown, or not at all."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir import Draft, Memory
from memdir.errors import Conflict, NoSuchMemory, Rejected, SecretFound
from memdir.inbox.inbox import Inbox, Proposal
from memdir.inbox.proposals import apply_edits, draft_edits
from memdir.memories.change import Edit
from memdir.memories.topic import Provenance

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
BY = Provenance(actor="extractor", source="tool", method="offline", session="s1", reason="unconfirmed")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.at(tmp_path / "memory", state=tmp_path / "state")


def proposed(memory: Memory, *drafts: Draft) -> Proposal:
    return Proposal(tuple(draft_edits(memory._parts.writer, drafts, BY, NOW)), BY, "tool output", NOW)


def test_working_a_draft_out_writes_nothing(memory: Memory) -> None:
    edits = draft_edits(
        memory._parts.writer, [Draft("Deploys freeze on Fridays.", "project", "freeze")], BY, NOW
    )
    assert [(edit.file, edit.before) for edit in edits] == [("project_freeze.md", None)]
    assert not Path(memory.directory).exists()


def test_what_was_shown_is_what_is_written(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    made = inbox.add(proposed(memory, Draft("Deploys freeze on Fridays.", "project", "freeze")))
    shown = inbox.proposal(made)
    apply_edits(memory._parts.writer, shown.edits, shown.by, NOW, verb="apply")
    assert memory.read("freeze").text == shown.edits[0].after
    assert memory.history.list()[0].by == BY


def test_a_proposal_outlives_the_process_and_can_be_named_by_its_beginning(memory: Memory) -> None:
    proposal = proposed(memory, Draft("Use tabs.", "feedback", "tabs"))
    made = Inbox(memory.state).add(proposal)
    again = Inbox(memory.state).proposal(made[:8])
    assert (again.edits, again.by, again.because, again.at) == (proposal.edits, BY, "tool output", NOW)


def test_the_same_changes_wait_once(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    proposal = proposed(memory, Draft("Use tabs.", "feedback", "tabs"))
    assert inbox.add(proposal) == inbox.add(proposal)
    assert inbox.count() == 1


def test_one_file_that_changed_meanwhile_stops_the_whole_proposal(memory: Memory) -> None:
    memory.remember("Use tabs.", kind="feedback", name="tabs")
    drafts = [Draft("Use spaces.", "feedback", "tabs"), Draft("New.", "feedback", "new")]
    proposal = proposed(memory, *drafts)
    memory.remember("Use tabs, always.", kind="feedback", name="tabs")
    with pytest.raises(Conflict, match=r"feedback_tabs\.md changed since"):
        apply_edits(memory._parts.writer, proposal.edits, proposal.by, NOW, verb="apply")
    assert [header.name for header in memory.list()] == ["tabs"]
    assert memory.read("tabs").body == "Use tabs, always."


def test_several_changes_are_one_step_that_can_be_undone(memory: Memory) -> None:
    memory.remember("Use tabs.", kind="feedback", name="tabs")
    text = memory.read("tabs").text
    edits = [Edit("feedback_tabs.md", text, None), *proposed(memory, Draft("New.", "feedback", "new")).edits]
    apply_edits(memory._parts.writer, edits, BY, NOW, verb="dream")
    assert [header.name for header in memory.list()] == ["new"]
    memory.undo()
    assert [header.name for header in memory.list()] == ["tabs"]


@pytest.mark.parametrize("file", ["MEMORY.md", "../x.md", "/etc/x.md", "a\0.md", "notes.txt"])
def test_only_memories_can_be_written(memory: Memory, file: str) -> None:
    with pytest.raises(Rejected):
        apply_edits(memory._parts.writer, [Edit(file, None, "x")], BY, NOW, verb="apply")


def test_a_secret_is_refused_when_it_is_applied(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    with pytest.raises(SecretFound):
        apply_edits(memory._parts.writer, [Edit("x.md", None, f"token {secret}")], BY, NOW, verb="apply")


def test_what_is_not_there_is_named(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    with pytest.raises(NoSuchMemory, match="No proposal begins with 'zz'"):
        inbox.proposal("zz")
    Path(memory.state, "inbox").mkdir(parents=True)
    Path(memory.state, "inbox", "260101-aaaaaa.json").write_text("{broken")
    assert inbox.proposals() == []
    with pytest.raises(NoSuchMemory):
        inbox.proposal("260101")


def test_a_removed_proposal_is_gone(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    made = inbox.add(proposed(memory, Draft("Use tabs.", "feedback", "tabs")))
    inbox.remove(inbox.proposal(made))
    assert inbox.count() == 0


def test_what_was_rejected_does_not_come_back(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    inbox.reject(inbox.proposal(inbox.add(proposed(memory, Draft("Use tabs.", "feedback", "tabs")))))
    assert inbox.add(proposed(memory, Draft("Use tabs.", "feedback", "tabs"))) == ""
    assert inbox.count() == 0
    assert inbox.add(proposed(memory, Draft("Use spaces.", "feedback", "tabs")))


@pytest.mark.parametrize(
    "damage",
    [
        '"edits": [[]]',
        '"edits": [["a.md", 5, "text", null]]',
        '"edits": [["a.md", null, "text", "soon"]]',
        '"edits": 7',
        '"at": 7',
        '"by": [1, 2, 3, 4, 5]',
        '"edits": ' + "[" * 100_000,
    ],
)
def test_a_damaged_proposal_takes_no_other_with_it(memory: Memory, damage: str) -> None:
    inbox = Inbox(memory.state)
    whole = inbox.add(proposed(memory, Draft("Use tabs.", "feedback", "tabs")))
    text = Path(memory.state, "inbox", f"{whole}.json").read_text()
    Path(memory.state, "inbox", "260101-aaaaaa.json").write_text(f"{text.rstrip()[:-1]}, {damage}}}")
    assert [one.id for one in inbox.proposals()] == [whole]


def test_a_time_without_a_zone_and_a_foreign_byte_among_the_rejected_do_no_harm(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    ids = [inbox.add(proposed(memory, Draft(word, "feedback", word))) for word in ("one", "two")]
    path = Path(memory.state, "inbox", f"{ids[0]}.json")
    path.write_text(path.read_text().replace("+00:00", ""))
    Path(memory.state, "inbox", "rejected").write_bytes(b"\xff\n")
    assert {one.id for one in inbox.proposals()} == {*ids}
    assert inbox.add(proposed(memory, Draft("three", "feedback", "three")))
