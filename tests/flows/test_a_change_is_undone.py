"""Every change can be taken back, whole; where a file changed since, both texts are offered."""

from pathlib import Path

import pytest
from tests.conftest import Clock

from memdir import Draft, Memory
from memdir.errors import NoSuchMemory
from memdir.store.undo import ChangedSince


def names(memory: Memory) -> set[str]:
    return {header.name for header in memory.list()}


def test_undo_steps_back_one_operation_at_a_time(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    memory.remember("two", kind="user", name="a")
    memory.forget("a")
    assert memory.undo().undid.verb == "forget"
    assert memory.read("a").body.strip() == "two"
    memory.undo()
    assert memory.read("a").body.strip() == "one"
    memory.undo()
    assert names(memory) == set()
    assert memory.index().content == ""
    with pytest.raises(NoSuchMemory, match="nothing to undo"):
        memory.undo()


def test_an_undo_can_be_undone(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    undone = memory.undo()
    memory.undo(undone.operation)
    assert memory.read("a").body.strip() == "one"


def test_any_operation_can_be_undone_by_its_id(memory: Memory) -> None:
    first = memory.remember("one", kind="user", name="a")
    memory.remember("two", kind="user", name="b")
    memory.undo(first.operation[:5])
    assert names(memory) == {"b"}


def test_a_restored_text_keeps_its_time(memory: Memory, clock: Clock) -> None:
    memory.remember("one", kind="user", name="a")
    then = memory.read("a").header.saved_at
    clock.forward(days=3)
    memory.forget("a")
    memory.undo()
    assert memory.read("a").header.saved_at == then


def test_a_file_that_changed_since_is_not_overwritten(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a", description="first")
    updated = memory.remember("two", kind="user", name="a")
    memory.remember("three", kind="user", name="a")
    with pytest.raises(ChangedSince) as caught:
        memory.undo(updated.operation)
    (collision,) = caught.value.collisions
    assert "three" in (collision.now or "")
    assert "one" in (collision.then or "")
    assert memory.read("a").body.strip() == "three"


def test_after_a_collision_both_texts_can_be_kept(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    updated = memory.remember("two", kind="user", name="a")
    memory.remember("three", kind="user", name="a")
    memory.undo(updated.operation, on_collision="both")
    assert memory.read("a").body.strip() == "three"
    assert memory.read("a-before").body.strip() == "one"


def test_after_a_collision_the_old_text_can_be_brought_back(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    updated = memory.remember("two", kind="user", name="a")
    memory.remember("three", kind="user", name="a")
    undone = memory.undo(updated.operation, on_collision="overwrite")
    assert memory.read("a").body.strip() == "one"
    memory.undo(undone.operation)
    assert memory.read("a").body.strip() == "three"


def test_a_change_made_outside_is_recorded_and_can_be_undone(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    path = Path(memory.directory) / "user_a.md"
    path.write_text(path.read_text().replace("one", "edited by hand"))
    newest = memory.history()[0]
    assert newest.by.actor == "outside"
    assert "edited by hand" in memory.diff(newest.id)
    memory.undo(newest.id)
    assert memory.read("a").body.strip() == "one"


def test_a_file_deleted_outside_can_be_restored(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    (Path(memory.directory) / "user_a.md").unlink()
    assert memory.restore("a").created
    assert memory.read("a").body.strip() == "one"


def test_any_version_can_be_restored(memory: Memory) -> None:
    first = memory.remember("one", kind="user", name="a")
    memory.remember("two", kind="user", name="a")
    memory.remember("three", kind="user", name="a")
    memory.restore("a")
    assert memory.read("a").body.strip() == "two"
    memory.restore("a", first.operation)
    assert memory.read("a").body.strip() == "one"
    memory.restore("a")
    assert memory.read("a").body.strip() == "two", "the newest text that differs from the present one"
    with pytest.raises(NoSuchMemory, match="memdir history"):
        memory.restore("ghost")
    with pytest.raises(NoSuchMemory, match="No change begins"):
        memory.diff("zzzz")


def test_history_says_who_did_what_and_why(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a", actor="extractor", source="assistant", reason="said twice")
    memory.remember_many([Draft("two", kind="user", name="b")])
    newest, oldest = memory.history()
    assert (oldest.by.actor, oldest.by.source, oldest.by.reason) == ("extractor", "assistant", "said twice")
    assert oldest.by.session == "session-1"
    assert newest.files == ("user_b.md",)
    assert [entry.id for entry in memory.history("a")] == [oldest.id]


def test_a_header_that_claims_an_author_is_only_a_claim(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    known = memory.provenance("a")
    assert known is not None
    assert known.source == "user"
    forged = Path(memory.directory) / "user_forged.md"
    forged.write_text(
        (Path(memory.directory) / "user_a.md").read_text().replace('name: "a"', 'name: "forged"')
    )
    assert memory.provenance("forged") is None
    memory.history()
    assert memory.provenance("forged") is None


def test_without_git_saving_and_forgetting_work_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as path:
        path.setenv("PATH", str(tmp_path))
        memory = Memory.at(tmp_path / "m", state=tmp_path / "s")
        memory.remember("one", kind="user", name="a")
        memory.remember("two", kind="user", name="a")
        memory.forget("a")
        assert any(finding.code == "no-git" for finding in memory.doctor().findings)
        assert "two" in (tmp_path / "s" / "trash").rglob("*.md").__next__().read_text()
    later = Memory.at(tmp_path / "m", state=tmp_path / "s")
    assert [entry.verb for entry in later.history()] == ["forget", "remember", "remember"]
