"""Every change can be taken back, whole; where a file changed since, both texts are offered."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.conftest import Clock
from tests.contents import index_path

from memdir import Draft, Memory
from memdir.errors import NoSuchMemory, Rejected, StorageError
from memdir.memories.history.undo import ChangedSince

MINE = "# Mine\n\nMy words.\n\n- [B](user_b.md)\n- [My a](user_a.md)\n\n## Later\n"


def names(memory: Memory) -> set[str]:
    return {header.name for header in memory.list()}


@pytest.fixture
def worded(memory: Memory) -> Memory:
    """Make a directory whose index a person arranged, and then spoiled, with a save after each."""
    memory.remember("a", kind="user", name="a")
    memory.remember("b", kind="user", name="b")
    index_path(memory).write_text(MINE)
    memory.remember("c", kind="user", name="c")
    index_path(memory).write_text("oops\n")
    memory.remember("d", kind="user", name="d")
    return memory


def index_changes(memory: Memory) -> list[str]:
    return [entry.id for entry in memory.history.list("MEMORY.md")]


def written_after(clock: Clock, path: Path, text: str, seconds: float = 5) -> None:
    """Write a file as an editor would, some seconds after what was done last."""
    path.write_text(text)
    moment = (clock.now.timestamp() + seconds) * 10**9
    os.utime(path, ns=(int(moment), int(moment)))


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
    assert memory.context.index().content == ""
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
    assert "three" in (collision.before or "")
    assert "one" in (collision.after or "")
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
    newest = memory.history.list()[0]
    assert newest.by.actor == "outside"
    assert "edited by hand" in memory.history.diff(newest.id)
    memory.undo(newest.id)
    assert memory.read("a").body.strip() == "one"


def test_a_file_deleted_outside_can_be_restored(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    (Path(memory.directory) / "user_a.md").unlink()
    assert memory.history.restore("a").created
    assert memory.read("a").body.strip() == "one"


def test_any_version_can_be_restored(memory: Memory) -> None:
    first = memory.remember("one", kind="user", name="a")
    memory.remember("two", kind="user", name="a")
    memory.remember("three", kind="user", name="a")
    memory.history.restore("a")
    assert memory.read("a").body.strip() == "two"
    memory.history.restore("a", first.operation)
    assert memory.read("a").body.strip() == "one"
    memory.history.restore("a")
    assert memory.read("a").body.strip() == "two", "the newest text that differs from the present one"
    with pytest.raises(NoSuchMemory, match="memdir history"):
        memory.history.restore("ghost")
    with pytest.raises(NoSuchMemory, match="No change begins"):
        memory.history.diff("zzzz")


def test_history_says_who_did_what_and_why(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a", actor="extractor", source="assistant", reason="said twice")
    memory.transfer.remember_many([Draft("two", kind="user", name="b")])
    newest, oldest = memory.history.list()
    assert (oldest.by.actor, oldest.by.source, oldest.by.reason) == ("extractor", "assistant", "said twice")
    assert oldest.by.session == "session-1"
    assert newest.files == ("user_b.md",)
    assert [entry.id for entry in memory.history.list("a")] == [oldest.id]


def test_a_header_that_claims_an_author_is_only_a_claim(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    known = memory.history.provenance("a")
    assert known is not None
    assert known.source == "user"
    forged = Path(memory.directory) / "user_forged.md"
    forged.write_text(
        (Path(memory.directory) / "user_a.md").read_text().replace('name: "a"', 'name: "forged"')
    )
    assert memory.history.provenance("forged") is None
    memory.history.list()
    assert memory.history.provenance("forged") is None


def test_without_git_saving_and_forgetting_work_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as path:
        path.setenv("PATH", str(tmp_path))
        memory = Memory.at(tmp_path / "m", state=tmp_path / "s")
        memory.remember("one", kind="user", name="a")
        memory.remember("two", kind="user", name="a")
        memory.forget("a")
        assert any(finding.code == "no-git" for finding in memory.doctor.examine().findings)
        assert "two" in (tmp_path / "s" / "trash").rglob("*.md").__next__().read_text()
    later = Memory.at(tmp_path / "m", state=tmp_path / "s")
    assert [entry.verb for entry in later.history.list()] == ["forget", "remember", "remember"]


def test_a_change_of_the_index_outside_is_kept_with_both_texts(worded: Memory) -> None:
    spoiled, arranged = index_changes(worded)
    assert "-# Mine\n" in worded.history.diff(spoiled)
    assert "+oops\n" in worded.history.diff(spoiled)
    assert "+# Mine\n" in worded.history.diff(arranged)
    assert "-- [A](user_a.md)" in worded.history.diff(arranged)


def test_undo_brings_words_and_order_of_the_index_back_with_the_pointers_of_today(worded: Memory) -> None:
    worded.forget("b")
    undone = worded.undo(index_changes(worded)[0])
    assert undone.files == ("MEMORY.md",)
    text = index_path(worded).read_text()
    assert text.startswith("# Mine\n\nMy words.\n\n- [My a](user_a.md)\n")
    assert "oops" not in text
    assert "user_b.md" not in text, "it is gone"
    assert "](user_c.md)" in text
    assert "](user_d.md)" in text
    assert worded.doctor.examine().ok
    worded.undo(undone.operation)
    assert index_path(worded).read_text().startswith("oops\n")


def test_a_deleted_index_is_a_change_that_can_be_seen_and_undone(worded: Memory) -> None:
    worded.undo(index_changes(worded)[0])
    before = index_path(worded).read_text()
    index_path(worded).unlink()
    newest = worded.history.list()[0]
    assert newest.files == ("MEMORY.md",)
    assert "-# Mine\n" in worded.history.diff(newest.id)
    worded.undo(newest.id)
    assert index_path(worded).read_text() == before


def test_words_of_the_index_that_changed_since_are_not_overwritten(worded: Memory) -> None:
    change = index_changes(worded)[0]
    index_path(worded).write_text("oops\n\nNewer words.\n")
    with pytest.raises(ChangedSince):
        worded.undo(change)
    assert index_path(worded).read_text() == "oops\n\nNewer words.\n"
    worded.undo(change, on_collision="both")
    text = index_path(worded).read_text()
    assert all(line in text for line in ("My words.", "Newer words.", "](user_d.md)"))


def test_pointers_that_a_host_adds_and_takes_are_no_change_of_words(memory: Memory) -> None:
    memory.remember("a", kind="user", name="a")
    memory.remember("b", kind="user", name="b")
    (Path(memory.directory) / "user_b.md").unlink()
    index_path(memory).write_text("- [A](user_a.md)\n- [New](user_new.md) — of the host\n")
    memory.remember("c", kind="user", name="c")
    assert "MEMORY.md" not in {file for entry in memory.history.list() for file in entry.files}


def test_a_change_of_the_index_is_recorded_once_whatever_its_bytes(memory: Memory) -> None:
    memory.remember("a", kind="user", name="a")
    index_path(memory).write_bytes(b"Words \xff of mine\n")
    assert [len(memory.history.list()) for _ in range(3)] == [2, 2, 2]


def test_the_index_is_no_memory_to_restore(worded: Memory) -> None:
    with pytest.raises(Rejected, match="memdir undo ID"):
        worded.history.restore("MEMORY.md")
    with pytest.raises(Rejected, match="memdir undo ID"):
        worded.history.restore("MEMORY.md", index_changes(worded)[1])
    assert "MEMORY.md" not in index_path(worded).read_text()


def test_undo_takes_back_an_edit_made_outside_that_is_the_newest_change(memory: Memory, clock: Clock) -> None:
    clock.now = datetime.now(UTC)
    memory.remember("one", kind="user", name="a")
    path = Path(memory.directory) / "user_a.md"
    written_after(clock, path, path.read_text().replace("one", "by hand"))
    assert memory.undo().undid.by.actor == "outside"
    assert memory.read("a").body.strip() == "one"
    memory.undo()
    assert names(memory) == set()


def test_undo_takes_back_a_save_that_followed_an_edit_made_outside(memory: Memory, clock: Clock) -> None:
    clock.now = datetime.now(UTC)
    memory.remember("one", kind="user", name="a")
    path = Path(memory.directory) / "user_a.md"
    written_after(clock, path, path.read_text().replace("one", "by hand"), seconds=-5)
    memory.remember("two", kind="user", name="b")
    assert memory.undo().undid.files == ("user_b.md",)
    assert memory.undo().undid.by.actor == "outside"
    assert memory.read("a").body.strip() == "one"


def test_undo_never_removes_what_was_there_before_history_began(memory: Memory, clock: Clock) -> None:
    directory = Path(memory.directory)
    directory.mkdir(parents=True)
    for name in ("old", "older"):
        written_after(clock, directory / f"{name}.md", f"---\nname: {name}\n---\n{name}\n", seconds=-5)
    memory.remember("updated", name="old")
    assert memory.undo().undid.verb == "remember"
    with pytest.raises(NoSuchMemory, match="nothing to undo"):
        memory.undo()
    assert names(memory) == {"old", "older"}


def test_an_edit_that_was_replaced_before_it_was_seen_goes_back_to_the_text_before_it(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    path = Path(memory.directory) / "user_a.md"
    path.write_text(path.read_text().replace("one", "by hand"))
    saved = memory.remember("two", kind="user", name="a")
    memory.undo(saved.operation)
    assert memory.read("a").body.strip() == "by hand"
    memory.undo(f"{saved.operation}-outside")
    assert memory.read("a").body.strip() == "one"


def test_where_the_undone_change_made_the_file_there_is_no_old_text_to_put_beside(memory: Memory) -> None:
    made = memory.remember("one", kind="user", name="a")
    newer = memory.remember("two", kind="user", name="a")
    for how in ("stop", "both"):
        with pytest.raises(ChangedSince, match="deletes") as caught:
            memory.undo(made.operation, on_collision=how)
        assert caught.value.newer == newer.operation
        assert "'both'" not in str(caught.value)
    assert memory.read("a").body.strip() == "two"


def test_what_the_doctor_does_to_words_of_the_index_can_be_undone(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    long = f"- [A](user_a.md) — {'my own words ' * 20}\n"
    index_path(memory).write_text(long)
    (operation,) = memory.doctor.examine(fix=True).operations
    assert index_path(memory).read_text() != long
    memory.undo(operation)
    assert index_path(memory).read_text() == long
    index_path(memory).write_text(f"{long}- [Gone](gone.md)\n")
    memory.remember("two", kind="user", name="a")
    assert memory.history.list()[0].verb == "remember"


def test_what_cannot_be_written_names_the_verb_and_the_place(tmp_path: Path) -> None:
    memory = Memory.at("/proc/nowhere", state=tmp_path / "s")
    with pytest.raises(StorageError, match="Not saved: /proc/nowhere: "):
        memory.remember("one", kind="user", name="a")


def test_a_memory_that_cannot_be_read_is_not_called_missing(memory: Memory) -> None:
    memory.remember("one", kind="user", name="a")
    (Path(memory.directory) / "user_b.md").symlink_to("user_a.md")
    with pytest.raises(StorageError, match=r"user_b\.md is there and is not read: a link"):
        memory.read("b")


def test_without_git_or_a_journal_nobody_is_promised_an_undo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    memory = Memory.at(tmp_path / "m", state=tmp_path / "file" / "s")
    memory.remember("one", kind="user", name="a")
    assert not memory.history.undo_works
    monkeypatch.setenv("PATH", str(tmp_path))
    memory = Memory.at(tmp_path / "m", state=tmp_path / "s")
    memory.forget("a")
    assert not memory.history.undo_works
    assert memory.history.restore("a").created, "the trash needs no git"


def test_undo_takes_back_what_an_undone_undo_brought_back(memory: Memory) -> None:
    memory.remember("0", kind="user", name="zero")
    memory.remember("1", kind="user", name="one")
    redone = memory.undo(memory.undo().operation)
    assert memory.undo().undid.id == redone.operation
    assert names(memory) == {"zero"}
    memory.undo()
    assert names(memory) == set()


def test_a_change_after_a_redo_is_named_as_the_newer_one(memory: Memory) -> None:
    first = memory.remember("one", kind="user", name="a")
    undo = memory.undo(memory.remember("two", kind="user", name="a").operation)
    redone = memory.undo(undo.operation)
    with pytest.raises(ChangedSince) as found:
        memory.undo(first.operation)
    assert found.value.newer == redone.operation


def test_nothing_to_save_is_no_change(memory: Memory) -> None:
    assert memory.transfer.remember_many([]) == []
    assert not os.path.exists(memory.directory)
    saved = memory.remember("one", kind="user", name="a")
    memory.transfer.remember_many([])
    assert memory.history.change([]) == ""
    assert [entry.id for entry in memory.history.list()] == [saved.operation]
    assert memory.undo().undid.id == saved.operation
    assert names(memory) == set()


def test_undo_passes_over_a_save_that_left_every_text_as_it_was(memory: Memory) -> None:
    saved = memory.remember("one", kind="user", name="a")
    topic = memory.read("a")
    same = memory.edit(topic, topic.text)
    assert memory.undo().undid.id == saved.operation
    assert names(memory) == set()
    memory.undo(memory.history.list()[0].id)
    with pytest.raises(NoSuchMemory, match="nothing to undo"):
        memory.undo(same.operation)


def test_undoing_what_is_so_already_says_so_and_is_not_recorded(worded: Memory) -> None:
    saved = worded.remember("one", kind="user", name="e")
    worded.forget("e")
    index = index_path(worded).read_text()
    worded.undo(index_changes(worded)[0])
    recorded = worded.history.list()
    for operation in (saved.operation, index_changes(worded)[1]):
        with pytest.raises(NoSuchMemory, match=f"nothing to undo.* before {operation} already"):
            worded.undo(operation)
    assert worded.history.list() == recorded
    assert index_path(worded).read_text() != index


def test_a_memory_that_cannot_be_forgotten_leaves_nothing_in_the_state_folder(
    memory: Memory, tmp_path: Path
) -> None:
    memory.remember("one", kind="user", name="a")
    (tmp_path / "state" / "trash").write_text("in the way")
    with pytest.raises(StorageError, match="Not forgotten"):
        memory.forget("a")
    assert not [path.name for path in (tmp_path / "state").iterdir() if path.name.startswith(".")]
    assert names(memory) == {"a"}
