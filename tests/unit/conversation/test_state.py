"""A conversation remembers what it was shown and what that cost, whichever process shows it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.conversation.charges import spent

from memdir.conversation.state import Conversation, Share

BUDGET = 100


@pytest.fixture(params=["s1", "", "Ünusual/../id\n", "x" * 300])
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Conversation:
    return Conversation(str(tmp_path), request.param)


def test_what_was_taken_is_remembered_and_charged(talk: Conversation) -> None:
    assert talk.take([Share("a b.md", "m1", 30), Share("ü.md", "m2", 30)], BUDGET) == {}
    assert talk.shown_marks() == {"a b.md": "m1", "ü.md": "m2"}
    assert spent(talk) == 60


def test_the_same_content_is_refused_and_a_changed_one_is_not(talk: Conversation) -> None:
    talk.take([Share("a.md", "m1", 10)], BUDGET)
    assert "already" in talk.take([Share("a.md", "m1", 10)], BUDGET)["a.md"]
    assert talk.take([Share("a.md", "m2", 10)], BUDGET) == {}
    assert (talk.shown_marks(), spent(talk)) == ({"a.md": "m2"}, 20)


def test_what_does_not_fit_is_refused_and_the_next_that_fits_is_not(talk: Conversation) -> None:
    refused = talk.take([Share("a.md", "m", 60), Share("b.md", "m", 60), Share("c.md", "m", 40)], BUDGET)
    assert list(refused) == ["b.md"]
    assert "100" not in refused["b.md"]
    assert "40 left" in refused["b.md"]
    assert spent(talk) == BUDGET


def test_a_compaction_resets_set_and_total(talk: Conversation) -> None:
    talk.take([Share("a.md", "m", 60)], BUDGET)
    talk.forget_shown()
    talk.forget_shown()
    assert (talk.shown_marks(), spent(talk)) == ({}, 0)


def test_what_is_given_back_can_be_shown_again(talk: Conversation) -> None:
    talk.take([Share("a.md", "m", 60), Share("b.md", "m", 10)], BUDGET)
    talk.give_back(["a.md"])
    assert (talk.shown_marks(), spent(talk)) == ({"b.md": "m"}, 10)


def test_another_process_knows_it_by_the_session(tmp_path: Path) -> None:
    Conversation(str(tmp_path), "s1").take([Share("a.md", "m", 60)], BUDGET)
    assert spent(Conversation(str(tmp_path), "s1")) == 60
    assert spent(Conversation(str(tmp_path), "s2")) == 0
    assert spent(Conversation(str(tmp_path), "")) == 0


def test_instructions_and_memories_do_not_disturb_each_other(tmp_path: Path) -> None:
    talk = Conversation(str(tmp_path), "s1")
    talk.add_instructions(["/p/CLAUDE.md"], "a")
    talk.take([Share("a.md", "m", 60)], BUDGET)
    talk.forget_instructions()
    assert spent(talk) == 60
    talk.add_instructions(["/p/CLAUDE.md"], "a")
    talk.forget_shown()
    assert Conversation(str(tmp_path), "s1").instructions_seen("a") == frozenset({"/p/CLAUDE.md"})


@pytest.mark.parametrize("session", ["s1", ""])
def test_what_was_loaded_under_other_settings_is_to_be_read_again(tmp_path: Path, session: str) -> None:
    talk = Conversation(str(tmp_path), session)
    assert talk.instructions_seen("a") == frozenset()
    talk.add_instructions(["/p/CLAUDE.md"], "a")
    talk.add_instructions(["/p/x.md"], "a")
    assert talk.instructions_seen("a") == frozenset({"/p/CLAUDE.md", "/p/x.md"})
    assert talk.instructions_seen("b") is None
    talk.add_instructions(["/p/y.md"], "b")
    assert (talk.instructions_seen("b"), talk.instructions_seen("a")) == (frozenset({"/p/y.md"}), None)


def test_a_damaged_record_counts_as_far_as_it_can_be_read(tmp_path: Path) -> None:
    talk = Conversation(str(tmp_path), "s1")
    talk.take([Share("a.md", "m", 60)], BUDGET)
    record = tmp_path / "conversations" / "s1.shown"
    record.write_bytes(record.read_bytes() + b"\xff garbage\nm 99999999999999 x\nm -1 y\nm 5")
    assert spent(Conversation(str(tmp_path), "s1")) == 60


def test_conversations_of_last_month_are_dropped(tmp_path: Path) -> None:
    for session in ("old", "young"):
        Conversation(str(tmp_path), session).take([Share("a.md", "m", 1)], BUDGET)
    folder = tmp_path / "conversations"
    past = (folder / "young.shown").stat().st_mtime - 31 * 86_400
    os.utime(folder / "old.shown", (past, past))
    for number in range(30):  # one in a few tidies up
        Conversation(str(tmp_path), f"new{number}").take([Share("a.md", "m", 1)], BUDGET)
    left = {path.name for path in folder.iterdir()}
    assert left == {"young.shown", *(f"new{number}.shown" for number in range(30))}
    assert (folder / "new0.shown").stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


_TAKER = """
import sys
from memdir.conversation.state import Conversation, Share
state, name = sys.argv[1:]
taken = 0
for number in range(20):
    share = Share(f"{name}-{number}.md", "m", 7)
    taken += 7 * (not Conversation(state, "s1").take([share], 100))
    taken += 7 * (not Conversation(state, "s1").take([Share(f"both-{number}.md", "m", 7)], 100))
print(taken)
"""


def test_processes_at_once_do_not_overspend(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _TAKER, str(tmp_path)]
    takers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in "abc"]
    taken = sum(int(taker.communicate(timeout=50)[0]) for taker in takers)
    talk = Conversation(str(tmp_path), "s1")
    assert taken == spent(talk) == 98
    assert len(talk.shown_marks()) == 14
