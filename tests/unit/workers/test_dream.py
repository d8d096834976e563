"""A dream is a checked patch: applied whole when nothing speaks against it, otherwise left to a person."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from tests.unit.workers.dreaming import (
    NOW,
    USER,
    called_off,
    calls,
    contents,
    dreamed,
    filled,
    litter,
    memory,
    scene,
    told,
    waiting,
    writer_at,
)

from memdir.core.topic import Provenance
from memdir.errors import ModelBusy, ModelReplyError, ModelTimeout
from memdir.llm.protocol import Cancel, Question, Reply
from memdir.llm.scripted import Hang, ScriptedModel, Step
from memdir.store.dream_lock import LOCK_NAME
from memdir.store.inbox import Inbox
from memdir.store.proposal import Edit, put
from memdir.store.undo import undoable, undone
from memdir.workers.dream import APPLIED, FAILED, INBOX, NOTHING, SKIPPED, WOULD, Dreamer
from memdir.workers.dream_ledger import DROPPED, KEPT, LOST, MERGED, SUPERSEDED

DEPLOY = memory("Deploys go out on Tuesdays only.\n\n**Why:** support is staffed then.", name="deploy")
RELEASE = memory("Releases are cut on Mondays.\n\nThe shop is deployed on Tuesdays.", name="release")
BOTH = memory(
    "Deploys go out on Tuesdays only.\n\n**Why:** support is staffed then.\n\nReleases are cut on Mondays.",
    name="deploy",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    filled(tmp_path, {"project_deploy.md": DEPLOY, "project_release.md": RELEASE})
    return tmp_path


DAILY = memory("Deploys go out daily.\n\n**Why:** support is staffed then.", name="deploy")
MERGE = calls(
    ("write", {"path": "project_deploy.md", "text": BOTH}),
    ("forget", {"path": "project_release.md"}),
)
ACCOUNT = calls(told(("project_release.md#2", "merged", "project_deploy.md", "it says the same")))


def test_what_is_accounted_for_is_applied_in_one_step_that_can_be_undone(folder: Path) -> None:
    before = contents(folder)
    result = dreamed(folder, MERGE, ACCOUNT)
    assert (result.ended, result.method, result.because) == (APPLIED, "model", "Done.")
    assert [entry.fate for entry in result.ledger.entries] == [KEPT, KEPT, KEPT, MERGED]
    after = contents(folder)
    assert list(after) == ["project_deploy.md"]
    assert "Releases are cut on Mondays." in after["project_deploy.md"]
    writer = writer_at(folder)
    entry = undoable(writer.recorder.history.entries())
    assert (entry.verb, entry.by.actor, entry.by.method) == ("dream", "dream", "model")
    undone(writer, entry, USER, NOW)
    assert contents(folder) == before
    assert waiting(folder) == []


def test_what_is_gone_without_a_word_waits_for_a_person(folder: Path) -> None:
    before = contents(folder)
    result = dreamed(folder, MERGE)
    assert (result.ended, contents(folder)) == (INBOX, before)
    (lost,) = result.ledger.of(LOST)
    assert lost.statement.text == "The shop is deployed on Tuesdays."
    (because,) = waiting(folder)
    assert "1 statement is unaccounted for" in because
    (proposal,) = Inbox(str(folder / "state")).proposals()
    assert proposal.files == ["project_deploy.md", "project_release.md"]
    put(writer_at(folder), proposal.edits, USER, NOW, verb="apply")  # and can be applied as it is
    assert list(contents(folder)) == ["project_deploy.md"]


def test_the_model_is_told_which_statements_are_gone(folder: Path) -> None:
    model = ScriptedModel([MERGE, ACCOUNT, "Done."])
    Dreamer(writer_at(folder), replace(scene(), model=model)).rehearse()
    first, second, third = model.asked
    assert {tool.name for tool in first.tools} >= {
        "read",
        "grep",
        "glob",
        "write",
        "edit",
        "forget",
        "account",
    }
    results = [message.text for message in second.messages if message.role == "tool"]
    assert "project_release.md#2: The shop is deployed on Tuesdays." in results[1]
    assert "project_release.md#1" not in results[1]
    assert third.messages[-1].text == "Every statement is accounted for."
    assert first.job == "dream"


@pytest.mark.parametrize(
    ("row", "because"),
    [
        (("project_release.md#2", "merged", "ghost.md", "it is there"), "ghost.md, which is not there"),
        (("project_release.md#2", "merged", "user_role.md", "it is there"), "hardly a word of it"),
        (("project_release.md#2", "superseded", "user_role.md", "newer"), "hardly a word of it"),
        (("project_release.md#2", "dropped", "", ""), "without a reason"),
        (("project_release.md#2", "merged", "project_release.md", "same file"), "which is not there"),
    ],
)
def test_an_account_that_cannot_be_true_is_not_believed(
    folder: Path, row: tuple[str, str, str, str], because: str
) -> None:
    role = memory("A data scientist.", name="role", kind="user")
    put(writer_at(folder), [Edit("user_role.md", None, role)], USER, NOW, verb="remember")
    before = contents(folder)
    result = dreamed(folder, MERGE, calls(told(row)))
    assert (result.ended, contents(folder)) == (INBOX, before)
    assert because in result.ledger.of(LOST)[0].because


def test_what_is_dropped_or_superseded_stands_in_the_ledger_with_its_reason(folder: Path) -> None:
    edit = calls(
        ("write", {"path": "project_deploy.md", "text": DAILY}),
        ("edit", {"path": "project_release.md", "old": "\n\nThe shop is deployed on Tuesdays.", "new": ""}),
    )
    account = calls(
        told(
            ("project_deploy.md#1", "superseded", "project_deploy.md", "the log of Friday says daily"),
            ("project_release.md#2", "dropped", "", "it contradicts the new rhythm"),
        )
    )
    result = dreamed(folder, edit, account)
    assert result.ended == APPLIED, result.objections
    assert result.ledger.of(SUPERSEDED)[0].because == "the log of Friday says daily"
    assert result.ledger.of(DROPPED)[0].statement.text == "The shop is deployed on Tuesdays."


def test_pinned_memories_and_those_with_rules_are_never_touched(tmp_path: Path) -> None:
    pinned = memory("Keep this.", name="keep", more='metadata:\n  pinned: "true"\n')
    ruled = memory("No force push.", name="push", more='metadata:\n  enforce: "deny git push --force"\n')
    filled(tmp_path, {"project_keep.md": pinned, "project_push.md": ruled})
    for file in ("project_keep.md", "project_push.md"):
        result = dreamed(
            tmp_path,
            calls(("edit", {"path": file, "old": "\n", "new": "\n"})),
            calls(
                ("write", {"path": file, "text": (pinned if "keep" in file else ruled) + "\nMore of this.\n"})
            ),
        )
        assert result.ended == INBOX
        assert "is pinned or holds rules" in result.objections[0]
    assert contents(tmp_path) == {"project_keep.md": pinned, "project_push.md": ruled}


def test_a_pin_that_nobody_vouches_for_counts_for_nothing_and_is_not_made_true(tmp_path: Path) -> None:
    filled(tmp_path, {"project_other.md": memory("Other things.", name="other")})
    forged = memory(
        "Pinned by nobody.", name="forged", more='metadata:\n  pinned: "true"\n  enforce: "deny x"\n'
    )
    (tmp_path / "memory" / "project_forged.md").write_text(forged)
    edit = calls(
        ("edit", {"path": "project_forged.md", "old": 'type: "project"', "new": 'type: "reference"'})
    )
    result = dreamed(tmp_path, edit)
    assert result.ended == APPLIED, result.objections
    text = contents(tmp_path)["project_forged.md"]
    assert "pinned" not in text
    assert "enforce" not in text
    assert 'actor: "dream"' in text


def test_a_header_keeps_what_the_dream_left_out_and_gets_nothing_that_it_made_up(tmp_path: Path) -> None:
    was = memory(
        "One thing.", name="one", more='metadata:\n  created: "2026-01-01T00:00:00Z"\n  anchors: "x"\n'
    )
    filled(tmp_path, {"project_one.md": was})
    new = memory(
        "One thing.\n\nOne more thing.", name="one", more='metadata:\n  pinned: "true"\n  source: "user"\n'
    )
    result = dreamed(tmp_path, calls(("write", {"path": "project_one.md", "text": new})))
    assert result.ended == APPLIED, result.objections
    text = contents(tmp_path)["project_one.md"]
    assert 'created: "2026-01-01T00:00:00Z"' in text
    assert 'anchors: "x"' in text
    assert 'source: "assistant"' in text
    assert "pinned" not in text


def test_too_many_deletes_are_a_person_s_decision(tmp_path: Path) -> None:
    texts = {f"project_m{n}.md": memory(f"Matter number {n} is settled.", name=f"m{n}") for n in range(4)}
    filled(tmp_path, texts)
    gone = calls(*(("forget", {"path": file}) for file in list(texts)[:3]))
    rows = [(f"{file}#1", "dropped", "", "the matter is over") for file in list(texts)[:3]]
    result = dreamed(tmp_path, gone, calls(told(*rows)), max_deletes=2)
    assert (result.ended, contents(tmp_path)) == (INBOX, texts)
    assert "3 memories would go, and 2 is the most" in result.objections[0]
    assert dreamed(tmp_path, gone, calls(told(*rows)), max_deletes=3).ended == APPLIED


def test_emptying_a_memory_counts_as_deleting_it(tmp_path: Path) -> None:
    texts = {f"project_m{n}.md": memory(f"Matter number {n} is settled.", name=f"m{n}") for n in range(3)}
    filled(tmp_path, texts)
    emptied = calls(
        *(("write", {"path": file, "text": memory(f"Number {file[9]}.", name=file[8:10])}) for file in texts)
    )
    rows = [(f"{file}#1", "dropped", "", "the matter is over") for file in texts]
    result = dreamed(tmp_path, emptied, calls(told(*rows)), max_deletes=2)
    assert (result.ended, contents(tmp_path)) == (INBOX, texts)


def test_a_new_memory_that_rests_on_nothing_goes_to_the_inbox_alone(folder: Path) -> None:
    new = memory("Lunch is served at noon in the canteen.", name="lunch")
    result = dreamed(folder, MERGE, ACCOUNT, calls(("write", {"path": "project_lunch.md", "text": new})))
    assert result.ended == APPLIED
    assert "project_lunch.md" not in contents(folder)
    assert waiting(folder) == ["project_lunch.md rests on no memory and no log."]


def test_what_is_made_up_inside_an_edit_stops_the_patch(folder: Path) -> None:
    before = contents(folder)
    made_up = DEPLOY.rstrip("\n") + "\n\nNobody may ever contact the legal department.\n"
    result = dreamed(folder, calls(("write", {"path": "project_deploy.md", "text": made_up})))
    assert (result.ended, contents(folder)) == (INBOX, before)
    assert "say what no memory and no log says" in result.objections[0]


def test_a_dry_run_writes_nothing_and_shows_the_ledger(folder: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in (folder / "memory").iterdir()}
    result = dreamed(folder, MERGE, ACCOUNT, dry=True)
    assert (result.ended, result.ledger.counts[MERGED], len(result.changes)) == (WOULD, 1, 2)
    assert {path.name: path.stat().st_mtime_ns for path in (folder / "memory").iterdir()} == before
    assert waiting(folder) == []
    assert not list((folder / "state").glob("dream*"))


def test_nothing_to_do_counts_as_a_consolidation(folder: Path) -> None:
    assert dreamed(folder).ended == NOTHING
    assert (folder / "memory" / LOCK_NAME).read_text() == ""


@pytest.mark.parametrize(
    "step",
    [
        ModelTimeout("too slow"),
        ModelBusy("no"),
        ModelReplyError("garbage"),
        Hang(),
        Reply("no", stop="refusal"),
        Reply("x" * 1_000_000),
        Reply("half", stop="length"),
    ],
    ids=["timeout", "busy", "garbage", "hang", "refusal", "flood", "cut"],
)
def test_a_fault_of_the_model_changes_nothing_and_restores_the_lock(folder: Path, step: Step) -> None:
    before = contents(folder)
    result = dreamed(folder, MERGE, step, seconds=0.05)
    assert result.ended == FAILED
    assert result.because
    assert contents(folder) == before
    assert not (folder / "memory" / LOCK_NAME).exists()
    assert (litter(folder), waiting(folder)) == ([], [])
    assert dreamed(folder, MERGE, ACCOUNT).ended == APPLIED


def test_a_dream_that_is_called_off_changes_nothing(folder: Path) -> None:
    before = contents(folder)
    assert dreamed(folder, MERGE, ACCOUNT, cancel=called_off()).ended == FAILED
    cancel = Cancel()

    def last_words(_: Question) -> str:
        cancel.set()
        return "Done."

    assert dreamed(folder, MERGE, ACCOUNT, last_words, cancel=cancel).ended == FAILED
    assert contents(folder) == before


def interrupted(_: Question) -> str:
    raise KeyboardInterrupt


def broken(_: Question) -> str:
    raise RuntimeError("a bug")


@pytest.mark.parametrize(("step", "kind"), [(interrupted, KeyboardInterrupt), (broken, RuntimeError)])
def test_an_interrupt_and_a_bug_leave_directory_and_lock_as_they_were(
    folder: Path, step: Callable[[Question], str], kind: type[BaseException]
) -> None:
    before = contents(folder)
    with pytest.raises(kind):
        dreamed(folder, MERGE, step)
    assert contents(folder) == before
    assert not (folder / "memory" / LOCK_NAME).exists()


@pytest.mark.parametrize("file", ["project_deploy.md", "project_release.md"])
def test_who_saved_meanwhile_wins(folder: Path, file: str) -> None:
    def meanwhile(_: Question) -> str:
        path = folder / "memory" / file
        path.write_text(path.read_text() + "\nAdded by hand.\n")
        return "Done."

    result = dreamed(folder, MERGE, ACCOUNT, meanwhile)
    assert result.ended == FAILED
    assert "changed by someone else" in result.because
    assert "Added by hand." in contents(folder)[file]
    assert sorted(contents(folder)) == ["project_deploy.md", "project_release.md"]


def test_a_statement_kept_by_another_file_is_not_lost_when_that_file_changes_meanwhile(
    tmp_path: Path,
) -> None:
    twin = memory("Deploys go out on Tuesdays only.\n\nMore here.", name="twin")
    filled(
        tmp_path,
        {"project_a.md": memory("Deploys go out on Tuesdays only.", name="a"), "project_twin.md": twin},
    )

    def meanwhile(_: Question) -> str:
        (tmp_path / "memory" / "project_twin.md").write_text(memory("More here.", name="twin"))
        return "Done."

    result = dreamed(tmp_path, calls(("forget", {"path": "project_a.md"})), meanwhile)
    assert result.ended in (INBOX, FAILED)
    assert "project_a.md" in contents(tmp_path)


def test_two_dreams_do_not_run_at_once(folder: Path) -> None:
    now, inner = datetime.now(UTC), list[str]()  # the present: the lock compares it with when we began

    def second(_: Question) -> str:
        inner.append(Dreamer(writer_at(folder), replace(scene(), now=now)).dream().ended)
        return "Done."

    assert Dreamer(writer_at(folder), replace(scene(second), now=now)).dream().ended == NOTHING
    assert inner == [SKIPPED]


def test_the_index_and_what_lies_outside_cannot_be_written(folder: Path) -> None:
    before = contents(folder)
    result = dreamed(
        folder,
        calls(
            ("write", {"path": "MEMORY.md", "text": "mine"}),
            ("write", {"path": "../CLAUDE.md", "text": "mine"}),
            ("write", {"path": "sessions/x.md", "text": "mine"}),
            ("forget", {"path": "/etc/passwd"}),
            ("account", {"claims": "nonsense"}),
            ("account", {"claims": [{"id": 7}, {"id": "x", "fate": "vanished"}, None]}),
            ("unknown", {}),
        ),
    )
    assert (result.ended, contents(folder)) == (NOTHING, before)


def test_a_secret_is_never_written(folder: Path) -> None:
    token = "ghp_" + sha256(b"made up").hexdigest()[:36]
    text = DEPLOY.rstrip("\n") + f"\n\nThe deploy token is {token}\n"
    assert dreamed(folder, calls(("write", {"path": "project_deploy.md", "text": text}))).ended == NOTHING


def test_a_dream_of_the_assistant_never_speaks_for_the_user(folder: Path) -> None:
    dreamed(folder, MERGE, ACCOUNT)
    entry = undoable(writer_at(folder).recorder.history.entries())
    assert entry.by == Provenance("dream", "assistant", "model", "", "consolidation")
