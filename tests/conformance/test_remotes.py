"""Every remote keeps what machines send, gives it to the others, and loses nothing that anybody wrote."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.conformance.remotes import KINDS, Machine, Shared
from tests.conftest import Clock
from tests.unit.text.secrets.test_search import FAMILIES

from memdir.errors import RemoteError
from memdir.sync.remote import Outgoing, Pending, RemoteFile, Snapshot

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@pytest.fixture(params=KINDS)
def shared(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Shared:
    return Shared(request.param, tmp_path, clock)


@pytest.fixture
def ann(shared: Shared) -> Machine:
    return shared.machine("ann")


@pytest.fixture
def ben(shared: Shared) -> Machine:
    return shared.machine("ben")


def remember(machine: Machine, name: str = "bun", body: str = "First.\n\nSecond.\n\nThird.") -> None:
    machine.memory.remember(body, kind="reference", name=name, description=f"About {name}")


def both_sync(*machines: Machine) -> None:
    for machine in (*machines, *machines):
        machine.syncer.sync()


def test_a_memory_reaches_the_other_machine_with_its_time_and_its_pointer(ann: Machine, ben: Machine) -> None:
    remember(ann)
    old = Path(ann.memory.directory, "reference_bun.md")
    os.utime(old, ns=(10**18, 10**18))
    assert ann.syncer.sync().pushed == ("reference_bun.md",)
    assert ben.syncer.sync().pulled == ("reference_bun.md",)
    assert ann.files() == ben.files()
    assert Path(ben.memory.directory, "reference_bun.md").stat().st_mtime_ns == 10**18
    assert "(reference_bun.md)" in Path(ben.memory.directory, "MEMORY.md").read_text()


def test_nothing_new_is_said_and_done(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    result = ben.syncer.sync()
    assert not result.changed
    assert result.lines() == ["Nothing new."]


def test_what_came_in_is_one_step_of_sync_in_history_and_can_be_undone(ann: Machine, ben: Machine) -> None:
    remember(ann)
    ann.syncer.sync()
    operation = ben.syncer.sync().operations[-1]
    (entry,) = ben.memory.history.list(limit=1)
    assert (entry.verb, entry.by.actor) == ("sync", "sync")
    ben.memory.undo(operation)
    assert ben.files() == {}


def test_changes_of_two_machines_to_one_memory_are_merged(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.edit("bun", "First.", "First, by Ann.")
    ben.edit("bun", "Third.", "Third, by Ben.")
    ann.syncer.sync()
    assert ben.syncer.sync().merged == ("reference_bun.md",)
    ann.syncer.sync()
    assert ann.files() == ben.files()
    assert "First, by Ann." in ann.memory.read("bun").body
    assert "Third, by Ben." in ann.memory.read("bun").body


def test_a_true_conflict_keeps_both_texts_on_both_machines(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.edit("bun", "Second.", "Two.")
    ben.edit("bun", "Second.", "Zwei.")
    ann.syncer.sync()
    (conflict,) = ben.syncer.sync().conflicts
    assert conflict.copy == "reference_bun.conflict-ben-2026-11-15.md"
    both_sync(ann, ben)
    assert ann.files() == ben.files()
    assert "Two." in ann.memory.read("bun").body
    assert "Zwei." in ann.memory.read("bun-conflict-ben-2026-11-15").body
    assert ben.syncer.status().conflicts == (conflict.copy,)


def test_two_memories_that_were_made_with_one_name_are_both_kept(ann: Machine, ben: Machine) -> None:
    remember(ann, body="Of Ann.")
    remember(ben, body="Of Ben.")
    both_sync(ann, ben)
    assert ann.files() == ben.files()
    assert len(ann.files()) == 2


def test_a_deletion_travels_and_leaves_a_copy_in_the_trash(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.memory.forget("bun")
    assert ann.syncer.sync().deleted_there == ("reference_bun.md",)
    assert ben.syncer.sync().deleted_here == ("reference_bun.md",)
    assert ben.files() == {}
    assert any(Path(ben.memory.state, "trash").rglob("*reference_bun*"))


@pytest.mark.parametrize("deleted_first", [True, False])
def test_a_change_wins_over_a_deletion_and_that_is_said(
    ann: Machine, ben: Machine, *, deleted_first: bool
) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.memory.forget("bun")
    ben.edit("bun", "Second.", "Second, changed.")
    order = (ann, ben) if deleted_first else (ben, ann)
    results = [machine.syncer.sync() for machine in (*order, *order)]
    assert any("the change was kept" in note for result in results for note in result.notes)
    assert ann.files() == ben.files()
    assert "Second, changed." in ann.memory.read("bun").body


def test_a_renamed_memory_is_renamed_everywhere(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.memory.rename("bun", "runtime")
    both_sync(ann, ben)
    assert [*ben.files()] == ["reference_runtime.md"]


def test_a_text_with_a_secret_is_never_sent(shared: Shared, ann: Machine) -> None:
    remember(ann, "fine")
    ann.write("reference_key.md", f"---\nname: key\ntype: reference\n---\nThe token is {SECRET}\n")
    result = ann.syncer.sync()
    assert [one.file for one in result.refused] == ["reference_key.md"]
    assert "github" in result.refused[0].because
    assert SECRET not in "".join(result.lines())
    assert not [data for data in shared.contents() if SECRET.encode() in data]


def test_a_file_that_got_a_secret_stays_as_it_was_on_the_remote(
    shared: Shared, ann: Machine, ben: Machine
) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.write("reference_bun.md", ann.memory.read("bun").text + f"\nToken: {SECRET}\n")
    ben.edit("bun", "First.", "First, by Ben.")
    for machine in (ben, ann, ben, ann):
        machine.syncer.sync()
    assert "First, by Ben." in ann.memory.read("bun").body
    assert SECRET in ann.memory.read("bun").body
    assert not [data for data in shared.contents() if SECRET.encode() in data]


def test_nothing_of_a_corpus_of_secrets_ever_reaches_the_remote(
    shared: Shared, ann: Machine, ben: Machine
) -> None:
    """In files and in names, before the first sync, in later changes, and in what is merged."""
    planted = {
        f"{family} {n}": make() for family, shapes in FAMILIES.items() for n, make in enumerate(shapes)
    }
    for number, text in enumerate(planted.values()):
        ann.write(f"reference_planted-{number}.md", f"---\nname: planted-{number}\n---\nFine.\n")
        if number % 2:
            ann.write(f"reference_planted-{number}.md", f"---\nname: planted-{number}\n---\n{text}\n")
    both_sync(ann, ben)
    for number, text in enumerate(planted.values()):
        ann.write(f"reference_planted-{number}.md", f"---\nname: planted-{number}\n---\nFine.\n\n{text}\n")
    named = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    ann.write(f"{named}.md", "---\nname: fine\n---\nFine.\n")
    result = ann.syncer.sync()
    assert len(result.refused) == len(planted) + 1
    held = b"\n".join(shared.contents())
    assert held.count(b"Fine.") >= len(planted) // 2
    for name, text in {**planted, "named": named}.items():
        lines = [line for line in text.split("\n") if len(line) > 12]
        assert not [line for line in lines if line.encode() in held], f"{name} reached the remote"


def test_outside_edits_and_folders_below_are_synced(ann: Machine, ben: Machine) -> None:
    ann.write("deep/er/note.md", "---\nname: note\n---\nText\n")
    both_sync(ann, ben)
    ben.write("deep/er/note.md", "---\nname: note\n---\nText, longer\n")
    both_sync(ben, ann)
    assert ann.files() == ben.files() == {"deep/er/note.md": b"---\nname: note\n---\nText, longer\n"}


def test_reserved_and_hidden_files_are_not_sent(shared: Shared, ann: Machine) -> None:
    remember(ann)
    for file in (".hidden.md", "team/a.md", "sessions/b.md", "hubs/c.md", ".consolidate-lock"):
        ann.write(file, "not for others")
    ann.syncer.sync()
    assert not [data for data in shared.contents() if b"not for others" in data]


def test_a_link_is_neither_sent_nor_written_over(ann: Machine, ben: Machine, tmp_path: Path) -> None:
    remember(ann)
    ann.syncer.sync()
    outside = tmp_path / "outside.md"
    outside.write_text("outside")
    os.makedirs(ben.memory.directory)
    os.symlink(outside, os.path.join(ben.memory.directory, "reference_bun.md"))
    result = ben.syncer.sync()
    assert [one.file for one in result.refused] == ["reference_bun.md"]
    assert outside.read_text() == "outside"
    assert os.path.islink(os.path.join(ben.memory.directory, "reference_bun.md"))


def test_a_link_in_the_place_of_a_folder_is_not_followed(ann: Machine, ben: Machine, tmp_path: Path) -> None:
    ann.write("deep/note.md", "---\nname: note\n---\nText\n")
    ann.write("folder.md", "---\nname: folder\n---\nText\n")
    remember(ann)
    ann.syncer.sync()
    outside = tmp_path / "outside"
    outside.mkdir()
    Path(ben.memory.directory, "folder.md").mkdir(parents=True)
    os.symlink(outside, os.path.join(ben.memory.directory, "deep"))
    result = ben.syncer.sync()
    assert result.pulled == ("reference_bun.md",)
    assert [one.file for one in result.refused] == ["deep/note.md", "folder.md"]
    assert not [*outside.iterdir()]
    assert ann.syncer.sync().deleted_here == ()


def test_what_is_not_seen_here_is_not_deleted_there(ann: Machine, ben: Machine) -> None:
    ann.write("deep/note.md", "---\nname: note\n---\nText\n")
    both_sync(ann, ben)
    top = Path(ben.memory.directory)
    (top / "deep").rename(top / ".away")
    os.symlink(".away", top / "deep")
    assert [one.file for one in ben.syncer.sync().refused] == ["deep/note.md"]
    assert ann.syncer.sync().deleted_here == ()
    assert "deep/note.md" in ann.files()


def test_a_file_over_the_limit_stays_here(ann: Machine, ben: Machine) -> None:
    ann.write("reference_big.md", "x" * 250_001)
    ann.write("reference_fits.md", "x" * 250_000)
    assert [one.file for one in ann.syncer.sync().refused] == ["reference_big.md"]
    ben.syncer.sync()
    assert [*ben.files()] == ["reference_fits.md"]


def test_bytes_that_are_no_text_arrive_as_they_are(ann: Machine, ben: Machine) -> None:
    Path(ann.memory.directory).mkdir(parents=True)
    Path(ann.memory.directory, "odd.md").write_bytes(b"---\r\nname: odd\r\n---\r\n\xff\xfe caf\xe9\r\n")
    both_sync(ann, ben)
    assert ann.files() == ben.files()


def test_a_remote_that_lost_everything_gets_it_back(shared: Shared, ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ben.edit("bun", "First.", "First, changed.")
    if shared.kind == "git":
        shared.git("update-ref", "-d", "refs/heads/main")
    else:
        for path in (shared.path / "project").iterdir():
            path.unlink()
    result = ben.syncer.sync()
    assert result.pushed == ("reference_bun.md",)
    assert "again" in result.notes[0]
    both_sync(ann, ben)
    assert ann.files() == ben.files()
    assert "First, changed." in ann.memory.read("bun").body
    assert "First.\n" in ann.memory.read("bun-conflict-ann-2026-11-15").body  # nobody knows which came first


def test_a_rewound_remote_gets_back_what_it_lost(shared: Shared, ann: Machine, ben: Machine) -> None:
    remember(ann, "old")
    both_sync(ann, ben)
    before = shared.git("rev-parse", "main").decode().strip() if shared.kind == "git" else ""
    known = set((shared.path / "project").iterdir()) if shared.kind == "folder" else set()
    remember(ann, "new")
    ann.edit("old", "First.", "First, changed.")
    both_sync(ann, ben)
    if shared.kind == "git":
        shared.git("update-ref", "refs/heads/main", before)
    else:
        for path in {*(shared.path / "project").iterdir()} - known:
            path.unlink()
    assert set(ben.syncer.sync().pushed) == {"reference_new.md", "reference_old.md"}
    both_sync(ann, ben)
    assert ann.files() == ben.files()
    assert len(ann.files()) == 2
    assert "First, changed." in ann.memory.read("old").body


@pytest.mark.parametrize("damage", ["record.json", "seen.json", "mirror.git", "versions.json"])
def test_damaged_records_cost_no_memory(shared: Shared, ann: Machine, ben: Machine, damage: str) -> None:
    remember(ann)
    both_sync(ann, ben)
    place = Path(ben.memory.state, "sync", damage)
    if damage == "mirror.git" and place.exists():
        for path in [*place.rglob("objects/*/*"), *place.rglob("*.pack")]:
            path.chmod(0o600)
            path.write_bytes(b"damaged")
    elif place.exists():
        place.write_bytes(b'{"damaged')
    ann.edit("bun", "First.", "First, changed.")
    remember(ben, "other")
    ann.syncer.sync()
    again = shared.machine("ben")
    again.syncer.sync()
    both_sync(ann, again)
    assert ann.files() == again.files()
    copies = {"reference_bun.conflict-ben-2026-11-15.md"} if damage == "record.json" else set[str]()
    assert {*ann.files()} == {"reference_bun.md", "reference_other.md", *copies}


def test_a_memory_directory_that_was_lost_comes_back(ann: Machine, ben: Machine) -> None:
    for number in range(20):
        remember(ann, f"number {number}")
    both_sync(ann, ben)
    for file in [*ben.files()][:15]:
        Path(ben.memory.directory, file).unlink()
    result = ben.syncer.sync()
    assert len(result.pulled) == 15
    assert "nobody forgot them" in result.notes[0]
    assert ann.files() == ben.files()


def test_who_wrote_a_text_is_known_everywhere(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    by = ben.syncer.authors()["reference_bun.md"]
    assert (by.who, by.session, by.actor) == ("Ann <ann@example.org>", "session-ann", "user")
    assert by.at == "2026-11-15T09:30:00Z"
    ben.edit("bun", "First.", "Mine.")
    assert ben.syncer.authors() == {}


def test_a_remote_that_is_not_there_is_told_in_one_sentence(shared: Shared, ann: Machine) -> None:
    remember(ann)
    ann.syncer.sync()
    shared.path.rename(shared.path.with_name("gone"))
    ann.edit("bun", "First.", "Later.")
    with pytest.raises(RemoteError, match=r"cannot be (reached|used).*is here is safe"):
        ann.syncer.sync()
    shared.path.with_name("gone").rename(shared.path)
    assert ann.syncer.sync().pushed == ("reference_bun.md",)


def test_a_change_made_while_a_sync_reads_is_not_written_over(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.edit("bun", "Third.", "Third, by Ann.")
    ann.syncer.sync()
    read, changes = ben.remote.read, ["First, by Ben."]

    def slow_read(files: Sequence[RemoteFile]) -> list[bytes | None]:
        if changes:
            ben.edit("bun", "First.", changes.pop())
        return read(files)

    ben.remote.read = slow_read  # type: ignore[method-assign]
    assert ben.syncer.sync().merged == ("reference_bun.md",)
    assert "First, by Ben." in ben.memory.read("bun").body
    assert "Third, by Ann." in ben.memory.read("bun").body


def test_a_sync_between_fetch_and_publish_of_another_is_merged(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.edit("bun", "First.", "First, by Ann.")
    ben.edit("bun", "Third.", "Third, by Ben.")
    publish, others = ben.remote.publish, [ann]

    def slow_publish(
        changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        if others:
            others.pop().syncer.sync()
        return publish(changes, snapshot, announce)

    ben.remote.publish = slow_publish  # type: ignore[method-assign]
    ben.syncer.sync()
    both_sync(ann, ben)
    assert ann.files() == ben.files()
    assert "First, by Ann." in ann.memory.read("bun").body
    assert "Third, by Ben." in ann.memory.read("bun").body


def test_a_rule_that_came_from_a_remote_asks_until_it_is_approved(ann: Machine, ben: Machine) -> None:
    ann.memory.remember(
        "Never push to main.", name="no-push", kind="feedback", enforce="Bash: git push * main"
    )
    both_sync(ann, ben)
    assert [rule.bound for rule in ann.memory.rules.list()] == [True]
    assert [rule.bound for rule in ben.memory.rules.list()] == [False]
    ann.edit("no-push", "Never push", "Never ever push")
    both_sync(ann, ben)
    assert "Never ever push" in ben.memory.read("no-push").body
    assert [rule.bound for rule in ben.memory.rules.list()] == [False]


def conflicting(ann: Machine, ben: Machine) -> None:
    remember(ann)
    both_sync(ann, ben)
    ann.edit("bun", "Second.", "Two.")
    ben.edit("bun", "Second.", "Zwei.")
    both_sync(ann, ben)


def test_the_doctor_and_the_inbox_list_a_conflict(ann: Machine, ben: Machine) -> None:
    conflicting(ann, ben)
    findings = [one for one in ann.memory.doctor.examine().findings if one.code == "sync-conflict"]
    assert [one.file for one in findings] == ["reference_bun.conflict-ben-2026-11-15.md"]
    (proposal,) = ann.memory.inbox.list()
    assert proposal.files == ["reference_bun.md", "reference_bun.conflict-ben-2026-11-15.md"]


def test_a_conflict_is_settled_by_applying_the_other_text(ann: Machine, ben: Machine) -> None:
    conflicting(ann, ben)
    (proposal,) = ann.memory.inbox.list()
    ann.memory.inbox.apply(proposal.id)
    both_sync(ann, ben)
    assert ann.memory.inbox.list() == []
    assert [*ben.files()] == ["reference_bun.md"]
    assert "Zwei." in ben.memory.read("bun").body


def test_a_conflict_is_settled_by_rejecting_the_other_text(ann: Machine, ben: Machine) -> None:
    conflicting(ann, ben)
    (proposal,) = ben.memory.inbox.list()
    ben.memory.inbox.reject(proposal.id)
    both_sync(ben, ann)
    assert ann.memory.inbox.list() == []
    assert [*ann.files()] == ["reference_bun.md"]
    assert "Two." in ann.memory.read("bun").body
