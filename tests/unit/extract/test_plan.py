"""What was decided is written once, whatever happens between the save and the cursor."""

from pathlib import Path

import pytest
from tests.flows.talks import TUESDAYS, bodies, memo, memory_in, scripted, transcript, write

from memdir.conversation.cursors import Cursors
from memdir.disk import files
from memdir.memory import Memory

DEPLOYS = write("project_deploys.md", memo("project", "deploys", "Deploys are on Tuesdays only."))
STAGING = write("reference_staging.md", memo("reference", "staging", "Staging is at example.net."), "m2")


class PowerCut(BaseException):
    """What stands for the end of the process."""


@pytest.fixture
def crashed(tmp_path: Path) -> Memory:
    """Save and propose, and end before the cursor moves."""
    transcript(tmp_path / "talk.jsonl", ("user", TUESDAYS), ("assistant", "Staging is at example.net."))
    memory = memory_in(tmp_path, model=scripted(DEPLOYS, STAGING))
    memory.jobs.turn_ended(tmp_path / "talk.jsonl")

    def cut(step: str) -> None:
        if step.startswith("rename") and step.endswith(".json") and memory.inbox.list():
            raise PowerCut

    files.on_step = cut
    try:
        with pytest.raises(PowerCut):
            memory.jobs.work(10)
    finally:
        files.on_step = None
    return memory_in(tmp_path, model=scripted())  # one that cannot be asked anything


def test_the_cursor_did_not_move_although_all_was_saved(crashed: Memory) -> None:
    assert list(bodies(crashed)) == ["project_deploys.md"]
    assert Cursors(crashed.state).of(f"{Path(crashed.directory).parent}/talk.jsonl") is None


def test_the_next_worker_moves_it_and_adds_nothing_and_asks_nobody(crashed: Memory) -> None:
    (report,) = crashed.jobs.work(10)
    assert report.done
    assert list(bodies(crashed)) == ["project_deploys.md"]
    assert len(crashed.inbox.list()) == 1
    assert [entry.verb for entry in crashed.history.list()] == ["extract"]


def test_what_a_person_undid_meanwhile_is_not_done_again(crashed: Memory) -> None:
    crashed.undo()
    (report,) = crashed.jobs.work(10)
    assert report.done
    assert crashed.list() == []


def test_a_result_that_cannot_be_read_is_worked_out_again(crashed: Memory, tmp_path: Path) -> None:
    (kept,) = (tmp_path / "state" / "unfinished" / "extract").glob("*.json")
    kept.write_text('{"since": 7')
    memory_in(tmp_path, model=scripted(DEPLOYS, STAGING)).jobs.work(10)
    assert (list(bodies(crashed)), len(crashed.inbox.list())) == (["project_deploys.md"], 1)


def test_two_memories_of_one_name_are_both_saved_and_one_that_is_said_twice_once(tmp_path: Path) -> None:
    monday = "Remember: the Monday report goes to finance."
    friday = "Remember: the Friday report goes to the board."
    transcript(tmp_path / "talk.jsonl", ("user", monday), ("user", friday))
    calls = [
        write("project_a.md", memo("project", "report", "The Monday report goes to finance.")),
        write("project_b.md", memo("project", "Report", "The Friday report goes to the board."), "m2"),
        write("project_c.md", memo("project", "report", "The Monday report goes to finance.")),
    ]
    memory = memory_in(tmp_path, model=scripted(*calls))
    memory.jobs.turn_ended(tmp_path / "talk.jsonl")
    memory.jobs.work(10)
    assert bodies(memory) == {
        "project_report.md": "The Monday report goes to finance.",
        "project_report-2.md": "The Friday report goes to the board.",
    }
    assert {header.name for header in memory.list()} == {"report", "report-2"}
