"""A proposal is kept until a person applied or rejected it."""

from pathlib import Path

import pytest
from tests.unit.inbox.proposal import BY, NOW, proposed

from memdir import Draft, Memory
from memdir.errors import NoSuchMemory
from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change


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


def test_a_rejected_proposal_can_still_be_applied_and_may_then_be_proposed_again(memory: Memory) -> None:
    waiting = Inbox(memory.state).add(proposed(memory, Draft("Use tabs.", "feedback", "tabs")))
    rejected, operation = memory.inbox.reject(waiting)
    assert (memory.inbox.list(), memory.inbox.rejections(), operation) == ([], [rejected], "")
    assert memory.inbox.reject(waiting) == (rejected, "")
    assert memory.inbox.apply(waiting[:8])[0] == rejected
    assert memory.read("tabs").body == "Use tabs."
    assert memory.inbox.rejections() == []
    memory.forget("tabs")
    assert Inbox(memory.state).add(proposed(memory, Draft("Use tabs.", "feedback", "tabs")))


def test_of_a_rejected_proposal_with_a_credential_only_the_mark_stays(memory: Memory) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    proposal = Proposal((Change("x.md", None, f"token {secret}"),), BY, "tool output", NOW)
    inbox = Inbox(memory.state)
    memory.inbox.reject(inbox.add(proposal))
    (left,) = Path(memory.state, "inbox").iterdir()
    assert left.read_bytes() == b""
    assert (memory.inbox.rejections(), inbox.add(proposal)) == ([], "")


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


def test_a_time_without_a_zone_does_no_harm(memory: Memory) -> None:
    inbox = Inbox(memory.state)
    ids = [inbox.add(proposed(memory, Draft(word, "feedback", word))) for word in ("one", "two")]
    path = Path(memory.state, "inbox", f"{ids[0]}.json")
    path.write_text(path.read_text().replace("+00:00", ""))
    assert {one.id for one in inbox.proposals()} == {*ids}
