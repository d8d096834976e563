"""Every remote keeps what machines send, gives it to the others, and loses nothing that anybody wrote."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.conformance.remotes import KINDS, Machine, Shared
from tests.conftest import Clock
from tests.unit.text.secrets.test_search import FAMILIES, SEED, _dice

from memdir.errors import RemoteError
from memdir.sync.remote import FileState, Outgoing, Pending, Snapshot

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@pytest.fixture(params=KINDS)
def shared(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Shared:
    return Shared(request.param, tmp_path, clock)


@pytest.fixture
def east(shared: Shared) -> Machine:
    return shared.machine("east")


@pytest.fixture
def west(shared: Shared) -> Machine:
    return shared.machine("west")


def remember(machine: Machine, name: str = "bun", body: str = "First.\n\nSecond.\n\nThird.") -> None:
    machine.memory.remember(body, kind="reference", name=name, description=f"About {name}")


def both_sync(*machines: Machine) -> None:
    for machine in (*machines, *machines):
        machine.syncer.sync()


def test_a_memory_reaches_the_other_machine_with_its_time_and_its_pointer(
    east: Machine, west: Machine
) -> None:
    remember(east)
    old = Path(east.memory.directory, "reference_bun.md")
    os.utime(old, ns=(10**18, 10**18))
    assert east.syncer.sync().pushed == ("reference_bun.md",)
    assert west.syncer.sync().pulled == ("reference_bun.md",)
    assert east.files() == west.files()
    assert Path(west.memory.directory, "reference_bun.md").stat().st_mtime_ns == 10**18
    assert "(reference_bun.md)" in Path(west.memory.directory, "MEMORY.md").read_text()


def test_nothing_new_is_said_and_done(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    result = west.syncer.sync()
    assert not result.changed
    assert result.lines() == ["Nothing new."]


def test_what_came_in_is_one_step_of_sync_in_history_and_can_be_undone(east: Machine, west: Machine) -> None:
    remember(east)
    east.syncer.sync()
    operation = west.syncer.sync().operations[-1]
    (entry,) = west.memory.history.list(limit=1)
    assert (entry.verb, entry.by.actor) == ("sync", "sync")
    west.memory.undo(operation)
    assert west.files() == {}


def test_changes_of_two_machines_to_one_memory_are_merged(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    east.edit("bun", "First.", "First, by East.")
    west.edit("bun", "Third.", "Third, by West.")
    east.syncer.sync()
    assert west.syncer.sync().merged == ("reference_bun.md",)
    east.syncer.sync()
    assert east.files() == west.files()
    assert "First, by East." in east.memory.read("bun").body
    assert "Third, by West." in east.memory.read("bun").body


def test_a_true_conflict_keeps_both_texts_on_both_machines(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    east.edit("bun", "Second.", "Two.")
    west.edit("bun", "Second.", "Zwei.")
    east.syncer.sync()
    (conflict,) = west.syncer.sync().conflicts
    assert conflict.copy == "reference_bun.conflict-west-2026-11-15.md"
    both_sync(east, west)
    assert east.files() == west.files()
    assert "Two." in east.memory.read("bun").body
    assert "Zwei." in east.memory.read("bun-conflict-west-2026-11-15").body
    assert west.syncer.status().conflicts == (conflict.copy,)


def test_two_memories_that_were_made_with_one_name_are_both_kept(east: Machine, west: Machine) -> None:
    remember(east, body="Of East.")
    remember(west, body="Of West.")
    both_sync(east, west)
    assert east.files() == west.files()
    assert len(east.files()) == 2


def test_a_deletion_travels_and_leaves_a_copy_in_the_trash(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    east.memory.forget("bun")
    assert east.syncer.sync().deleted_there == ("reference_bun.md",)
    assert west.syncer.sync().deleted_here == ("reference_bun.md",)
    assert west.files() == {}
    assert any(Path(west.memory.state, "trash").rglob("*reference_bun*"))


@pytest.mark.parametrize("deleted_first", [True, False])
def test_a_change_wins_over_a_deletion_and_that_is_said(
    east: Machine, west: Machine, *, deleted_first: bool
) -> None:
    remember(east)
    both_sync(east, west)
    east.memory.forget("bun")
    west.edit("bun", "Second.", "Second, changed.")
    order = (east, west) if deleted_first else (west, east)
    results = [machine.syncer.sync() for machine in (*order, *order)]
    assert any("the change was kept" in note for result in results for note in result.notes)
    assert east.files() == west.files()
    assert "Second, changed." in east.memory.read("bun").body


def test_a_renamed_memory_is_renamed_everywhere(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    east.memory.rename("bun", "runtime")
    both_sync(east, west)
    assert [*west.files()] == ["reference_runtime.md"]


def test_a_text_with_a_secret_is_never_sent(shared: Shared, east: Machine) -> None:
    remember(east, "fine")
    east.write("reference_key.md", f"---\nname: key\ntype: reference\n---\nThe token is {SECRET}\n")
    result = east.syncer.sync()
    assert [one.file for one in result.refused] == ["reference_key.md"]
    assert "github" in result.refused[0].because
    assert SECRET not in "".join(result.lines())
    assert not [data for data in shared.contents() if SECRET.encode() in data]


def test_a_file_that_got_a_secret_stays_as_it_was_on_the_remote(
    shared: Shared, east: Machine, west: Machine
) -> None:
    remember(east)
    both_sync(east, west)
    east.write("reference_bun.md", east.memory.read("bun").text + f"\nToken: {SECRET}\n")
    west.edit("bun", "First.", "First, by West.")
    for machine in (west, east, west, east):
        machine.syncer.sync()
    assert "First, by West." in east.memory.read("bun").body
    assert SECRET in east.memory.read("bun").body
    assert not [data for data in shared.contents() if SECRET.encode() in data]


def test_nothing_of_a_corpus_of_secrets_ever_reaches_the_remote(
    shared: Shared, east: Machine, west: Machine
) -> None:
    """In files and in names, before the first sync, in later changes, and in what is merged."""
    _dice.seed(SEED)
    planted = {
        f"{family} {n}": make() for family, shapes in FAMILIES.items() for n, make in enumerate(shapes)
    }
    for number, text in enumerate(planted.values()):
        east.write(f"reference_planted-{number}.md", f"---\nname: planted-{number}\n---\nFine.\n")
        if number % 2:
            east.write(f"reference_planted-{number}.md", f"---\nname: planted-{number}\n---\n{text}\n")
    both_sync(east, west)
    for number, text in enumerate(planted.values()):
        east.write(f"reference_planted-{number}.md", f"---\nname: planted-{number}\n---\nFine.\n\n{text}\n")
    named = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    east.write(f"{named}.md", "---\nname: fine\n---\nFine.\n")
    result = east.syncer.sync()
    assert len(result.refused) == len(planted) + 1
    held = b"\n".join(shared.contents())
    assert held.count(b"Fine.") >= len(planted) // 2
    for name, text in {**planted, "named": named}.items():
        lines = [line for line in text.split("\n") if len(line) > 12]
        assert not [line for line in lines if line.encode() in held], f"{name} reached the remote"


def test_outside_edits_and_folders_below_are_synced(east: Machine, west: Machine) -> None:
    east.write("deep/er/note.md", "---\nname: note\n---\nText\n")
    both_sync(east, west)
    west.write("deep/er/note.md", "---\nname: note\n---\nText, longer\n")
    both_sync(west, east)
    assert east.files() == west.files() == {"deep/er/note.md": b"---\nname: note\n---\nText, longer\n"}


def test_reserved_and_hidden_files_are_not_sent(shared: Shared, east: Machine) -> None:
    remember(east)
    for file in (".hidden.md", "team/a.md", "sessions/b.md", "hubs/c.md", ".consolidate-lock"):
        east.write(file, "not for others")
    east.syncer.sync()
    assert not [data for data in shared.contents() if b"not for others" in data]


def test_a_link_is_neither_sent_nor_written_over(east: Machine, west: Machine, tmp_path: Path) -> None:
    remember(east)
    east.syncer.sync()
    outside = tmp_path / "outside.md"
    outside.write_text("outside")
    os.makedirs(west.memory.directory)
    os.symlink(outside, os.path.join(west.memory.directory, "reference_bun.md"))
    result = west.syncer.sync()
    assert [one.file for one in result.refused] == ["reference_bun.md"]
    assert outside.read_text() == "outside"
    assert os.path.islink(os.path.join(west.memory.directory, "reference_bun.md"))


def test_a_link_in_the_place_of_a_folder_is_not_followed(
    east: Machine, west: Machine, tmp_path: Path
) -> None:
    east.write("deep/note.md", "---\nname: note\n---\nText\n")
    east.write("folder.md", "---\nname: folder\n---\nText\n")
    remember(east)
    east.syncer.sync()
    outside = tmp_path / "outside"
    outside.mkdir()
    Path(west.memory.directory, "folder.md").mkdir(parents=True)
    os.symlink(outside, os.path.join(west.memory.directory, "deep"))
    result = west.syncer.sync()
    assert result.pulled == ("reference_bun.md",)
    assert [one.file for one in result.refused] == ["deep/note.md", "folder.md"]
    assert not [*outside.iterdir()]
    assert east.syncer.sync().deleted_here == ()


def test_what_is_not_seen_here_is_not_deleted_there(east: Machine, west: Machine) -> None:
    east.write("deep/note.md", "---\nname: note\n---\nText\n")
    both_sync(east, west)
    top = Path(west.memory.directory)
    (top / "deep").rename(top / ".away")
    os.symlink(".away", top / "deep")
    assert [one.file for one in west.syncer.sync().refused] == ["deep/note.md"]
    assert east.syncer.sync().deleted_here == ()
    assert "deep/note.md" in east.files()


def test_a_file_over_the_limit_stays_here(east: Machine, west: Machine) -> None:
    east.write("reference_big.md", "x" * 250_001)
    east.write("reference_fits.md", "x" * 250_000)
    assert [one.file for one in east.syncer.sync().refused] == ["reference_big.md"]
    west.syncer.sync()
    assert [*west.files()] == ["reference_fits.md"]


def test_bytes_that_are_no_text_arrive_as_they_are(east: Machine, west: Machine) -> None:
    Path(east.memory.directory).mkdir(parents=True)
    Path(east.memory.directory, "odd.md").write_bytes(b"---\r\nname: odd\r\n---\r\n\xff\xfe caf\xe9\r\n")
    both_sync(east, west)
    assert east.files() == west.files()


def test_a_remote_that_lost_everything_gets_it_back(shared: Shared, east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    west.edit("bun", "First.", "First, changed.")
    shared.empty()
    result = west.syncer.sync()
    assert result.pushed == ("reference_bun.md",)
    assert "again" in result.notes[0]
    both_sync(east, west)
    assert east.files() == west.files()
    assert "First, changed." in east.memory.read("bun").body
    assert (
        "First.\n" in east.memory.read("bun-conflict-east-2026-11-15").body
    )  # nobody knows which came first


def test_a_rewound_remote_gets_back_what_it_lost(shared: Shared, east: Machine, west: Machine) -> None:
    remember(east, "old")
    both_sync(east, west)
    before = shared.state()
    remember(east, "new")
    east.edit("old", "First.", "First, changed.")
    both_sync(east, west)
    shared.rewind(before)
    assert set(west.syncer.sync().pushed) == {"reference_new.md", "reference_old.md"}
    both_sync(east, west)
    assert east.files() == west.files()
    assert len(east.files()) == 2
    assert "First, changed." in east.memory.read("old").body


def test_a_remote_that_is_rewound_in_the_midst_of_a_sync_loses_nothing(
    shared: Shared, east: Machine, west: Machine
) -> None:
    remember(east, "old")
    both_sync(east, west)
    before, publish = shared.state(), west.remote.publish
    remember(east, "new")
    both_sync(east, west)
    remember(west, "third")
    states = [before]

    def slow_publish(
        changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        if states:
            shared.rewind(states.pop())
        return publish(changes, snapshot, announce)

    west.remote.publish = slow_publish  # type: ignore[method-assign]
    west.syncer.sync()
    both_sync(east, west)
    assert east.files() == west.files()
    assert sorted(east.files()) == ["reference_new.md", "reference_old.md", "reference_third.md"]


def test_when_somebody_deleted_everything_one_undo_brings_it_back_for_all(
    east: Machine, west: Machine
) -> None:
    names = [f"note-{number}" for number in range(30)]
    for name in names:
        remember(east, name)
    both_sync(east, west)
    for name in names:
        east.memory.forget(name)
    east.syncer.sync()
    result = west.syncer.sync()
    assert len(result.deleted_here) == len(names)
    west.memory.history.undo(result.operations[0])
    both_sync(west, east)
    assert east.files() == west.files()
    assert len(east.files()) == len(names)


@pytest.mark.parametrize("damage", ["record.json", "seen.json", "mirror.git", "versions.json"])
def test_damaged_records_cost_no_memory(shared: Shared, east: Machine, west: Machine, damage: str) -> None:
    remember(east)
    both_sync(east, west)
    place = Path(west.memory.state, "sync", damage)
    if damage == "mirror.git" and place.exists():
        for path in [*place.rglob("objects/*/*"), *place.rglob("*.pack")]:
            path.chmod(0o600)
            path.write_bytes(b"damaged")
    elif place.exists():
        place.write_bytes(b'{"damaged')
    east.edit("bun", "First.", "First, changed.")
    remember(west, "other")
    east.syncer.sync()
    again = shared.machine("west")
    again.syncer.sync()
    both_sync(east, again)
    assert east.files() == again.files()
    copies = {"reference_bun.conflict-west-2026-11-15.md"} if damage == "record.json" else set[str]()
    assert {*east.files()} == {"reference_bun.md", "reference_other.md", *copies}


def test_a_memory_directory_that_was_lost_comes_back(east: Machine, west: Machine) -> None:
    for number in range(20):
        remember(east, f"number {number}")
    both_sync(east, west)
    for file in [*west.files()][:15]:
        Path(west.memory.directory, file).unlink()
    result = west.syncer.sync()
    assert len(result.pulled) == 15
    assert "nobody forgot them" in result.notes[0]
    assert east.files() == west.files()


def test_who_wrote_a_text_is_known_everywhere(shared: Shared, east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    by = west.authors()["reference_bun.md"]
    assert (by.who, by.session, by.actor) == ("East <east@example.org>", "session-east", "user")
    assert re.fullmatch(shared.sent_at, by.at)
    west.edit("bun", "First.", "Mine.")
    assert west.authors() == {}


def test_a_remote_that_is_not_there_is_told_in_one_sentence(shared: Shared, east: Machine) -> None:
    remember(east)
    east.syncer.sync()
    east.edit("bun", "First.", "Later.")
    with shared.away(), pytest.raises(RemoteError, match=r"cannot be (reached|used).*is here is safe"):
        east.syncer.sync()
    assert east.syncer.sync().pushed == ("reference_bun.md",)


def test_a_change_made_while_a_sync_reads_is_not_written_over(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    east.edit("bun", "Third.", "Third, by East.")
    east.syncer.sync()
    read, changes = west.remote.read, ["First, by West."]

    def slow_read(files: Sequence[FileState]) -> list[bytes | None]:
        if changes:
            west.edit("bun", "First.", changes.pop())
        return read(files)

    west.remote.read = slow_read  # type: ignore[method-assign]
    assert west.syncer.sync().merged == ("reference_bun.md",)
    assert "First, by West." in west.memory.read("bun").body
    assert "Third, by East." in west.memory.read("bun").body


def test_a_sync_between_fetch_and_publish_of_another_is_merged(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    east.edit("bun", "First.", "First, by East.")
    west.edit("bun", "Third.", "Third, by West.")
    publish, others = west.remote.publish, [east]

    def slow_publish(
        changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        if others:
            others.pop().syncer.sync()
        return publish(changes, snapshot, announce)

    west.remote.publish = slow_publish  # type: ignore[method-assign]
    west.syncer.sync()
    both_sync(east, west)
    assert east.files() == west.files()
    assert "First, by East." in east.memory.read("bun").body
    assert "Third, by West." in east.memory.read("bun").body


def test_a_rule_that_came_from_a_remote_asks_until_it_is_approved(east: Machine, west: Machine) -> None:
    east.memory.remember(
        "Never push to main.", name="no-push", kind="feedback", enforce="Bash: git push * main"
    )
    both_sync(east, west)
    assert [rule.bound for rule in east.memory.rules.list()] == [True]
    assert [rule.bound for rule in west.memory.rules.list()] == [False]
    east.edit("no-push", "Never push", "Never ever push")
    both_sync(east, west)
    assert "Never ever push" in west.memory.read("no-push").body
    assert [rule.bound for rule in west.memory.rules.list()] == [False]


def conflicting(east: Machine, west: Machine) -> None:
    remember(east)
    both_sync(east, west)
    east.edit("bun", "Second.", "Two.")
    west.edit("bun", "Second.", "Zwei.")
    both_sync(east, west)


def test_the_doctor_and_the_inbox_list_a_conflict(east: Machine, west: Machine) -> None:
    conflicting(east, west)
    findings = [one for one in east.memory.doctor.examine().findings if one.code == "sync-conflict"]
    assert [one.file for one in findings] == ["reference_bun.conflict-west-2026-11-15.md"]
    (proposal,) = east.memory.inbox.list()
    assert proposal.files == ["reference_bun.md", "reference_bun.conflict-west-2026-11-15.md"]


def test_a_conflict_is_settled_by_applying_the_other_text(east: Machine, west: Machine) -> None:
    conflicting(east, west)
    (proposal,) = east.memory.inbox.list()
    east.memory.inbox.apply(proposal.id)
    both_sync(east, west)
    assert east.memory.inbox.list() == []
    assert [*west.files()] == ["reference_bun.md"]
    assert "Zwei." in west.memory.read("bun").body


def test_a_conflict_is_settled_by_rejecting_the_other_text(east: Machine, west: Machine) -> None:
    conflicting(east, west)
    (proposal,) = west.memory.inbox.list()
    west.memory.inbox.reject(proposal.id)
    both_sync(west, east)
    assert east.memory.inbox.list() == []
    assert [*east.files()] == ["reference_bun.md"]
    assert "Two." in east.memory.read("bun").body
