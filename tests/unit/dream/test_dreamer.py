"""A dream is a checked patch: applied whole when nothing speaks against it, otherwise left to a person."""

from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest
from tests.steps import interrupted
from tests.tool_calls import calls
from tests.unit.dream.dream_run import (
    NOW,
    USER,
    called_off,
    contents,
    context,
    dreamed,
    filled,
    leftover_files,
    memory,
    told,
    waiting,
    writer_at,
)

from memdir.dream.dreamer import APPLIED, FAILED, INBOX, NOTHING, SKIPPED, WOULD, Dreamer
from memdir.dream.ledger import DROPPED, KEPT, LOST, MERGED, SUPERSEDED
from memdir.dream.lock import LOCK_NAME
from memdir.dream.patch import Patch, apply_patch
from memdir.errors import Conflict, ModelBusy, ModelReplyError, ModelTimeout
from memdir.inbox.proposals import Inbox, apply_edits
from memdir.memories.change import Change
from memdir.memories.history.undo import undo_operation, undoable
from memdir.memories.topic import Provenance
from memdir.models.protocol import Cancel, Question, Reply
from memdir.models.vendors.scripted import Hang, ScriptedModel, Step

DEPLOY = memory("Deploys go out on Tuesdays only.\n\n**Why:** support is staffed then.", name="deploy")
RELEASE = memory("Releases are cut on Mondays.\n\nDeploys of the shop go out on Tuesdays.", name="release")
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
    undo_operation(writer, entry, USER, NOW)
    assert contents(folder) == before
    assert waiting(folder) == []


def test_what_is_gone_without_a_word_waits_for_a_person(folder: Path) -> None:
    before = contents(folder)
    result = dreamed(folder, MERGE)
    assert (result.ended, contents(folder)) == (INBOX, before)
    (lost,) = result.ledger.of(LOST)
    assert lost.statement.text == "Deploys of the shop go out on Tuesdays."
    (because,) = waiting(folder)
    assert "1 statement is unaccounted for" in because
    (proposal,) = Inbox(str(folder / "state")).proposals()
    assert proposal.files == ["project_deploy.md", "project_release.md"]
    apply_edits(writer_at(folder), proposal.edits, USER, NOW, verb="apply")  # and can be applied as it is
    assert list(contents(folder)) == ["project_deploy.md"]


def test_the_model_is_told_which_statements_are_gone(folder: Path) -> None:
    model = ScriptedModel([MERGE, ACCOUNT, "Done."])
    Dreamer(writer_at(folder), replace(context(), model=model)).preview()
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
    assert "project_release.md#2: Deploys of the shop go out on Tuesdays." in results[1]
    assert "project_release.md#1" not in results[1]
    assert third.messages[-1].text == "Every statement is accounted for."
    assert first.job == "dream"


def test_the_model_need_not_account_for_what_another_memory_says_word_for_word(folder: Path) -> None:
    twin = memory("Deploys of the shop go out on Tuesdays.", name="twin")
    apply_edits(writer_at(folder), [Change("project_twin.md", None, twin)], USER, NOW, verb="remember")
    model = ScriptedModel([MERGE, "Done."])
    Dreamer(writer_at(folder), replace(context(), model=model)).preview()
    results = [message.text for message in model.asked[1].messages if message.role == "tool"]
    assert not any("no longer stand" in result for result in results)


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
    apply_edits(writer_at(folder), [Change("user_role.md", None, role)], USER, NOW, verb="remember")
    before = contents(folder)
    result = dreamed(folder, MERGE, calls(told(row)))
    assert (result.ended, contents(folder)) == (INBOX, before)
    assert because in result.ledger.of(LOST)[0].because


def test_a_merge_that_would_say_both_of_two_contradicting_things_waits_for_a_person(folder: Path) -> None:
    slow = memory("The timeout of the client is 45 s.", name="slow")
    fast = memory("The timeout of the client is 30 s.", name="fast")
    texts = [Change("project_slow.md", None, slow), Change("project_fast.md", None, fast)]
    apply_edits(writer_at(folder), texts, USER, NOW, verb="remember")
    both = f"{slow.rstrip()}\n\nThe timeout of the client is 30 s.\n"
    merge = calls(
        ("write", {"path": "project_slow.md", "text": both}), ("forget", {"path": "project_fast.md"})
    )
    before = contents(folder)
    result = dreamed(folder, merge)
    assert (result.ended, contents(folder)) == (INBOX, before)
    assert any("may contradict each other" in one for one in result.objections)


def logged(folder: Path, *lines: str) -> None:
    day = folder / "memory" / "logs" / "2026" / "11" / "2026-11-13.md"
    day.parent.mkdir(parents=True)
    day.write_text("".join(f"- {line}\n" for line in lines))


def test_what_is_dropped_or_superseded_stands_in_the_ledger_with_its_reason(folder: Path) -> None:
    logged(folder, "16:20 deploys go out daily from now on")
    edit = calls(
        ("write", {"path": "project_deploy.md", "text": DAILY}),
        (
            "edit",
            {"path": "project_release.md", "old": "\n\nDeploys of the shop go out on Tuesdays.", "new": ""},
        ),
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
    assert result.ledger.of(DROPPED)[0].statement.text == "Deploys of the shop go out on Tuesdays."


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
        ("edit", {"path": "project_forged.md", "old": "\nPinned by", "new": "\nOther things.\n\nPinned by"})
    )
    result = dreamed(tmp_path, edit)
    assert result.ended == APPLIED, result.objections
    text = contents(tmp_path)["project_forged.md"]
    assert "pinned" not in text
    assert "enforce" not in text
    assert 'actor: "dream"' in text


def test_a_header_keeps_what_the_dream_left_out(tmp_path: Path) -> None:
    more = 'metadata:\n  created: "2026-01-01T00:00:00Z"\n  anchors: "x"\n  expires: "2030-01-01"\n'
    was = memory("One thing.", name="one", more=more)
    filled(tmp_path, {"project_one.md": was})
    new = '---\ndescription: "One thing."\ntype: "project"\n---\n\nOne thing.\n\nThe one thing here.\n'
    result = dreamed(tmp_path, calls(("write", {"path": "project_one.md", "text": new})))
    assert result.ended == APPLIED, result.objections
    text = contents(tmp_path)["project_one.md"]
    for line in ('created: "2026-01-01T00:00:00Z"', 'anchors: "x"', 'expires: "2030-01-01"', 'name: "one"'):
        assert line in text
    assert 'type: "project"' in text
    assert 'source: "assistant"' in text


LEGAL = memory("Legal must approve every export.", name="legal", kind="feedback")


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("---\n\n", "metadata:\n  expires: 2020-01-01\n---\n\n", "its expires set to '2020-01-01'"),
        ("---\n\n", "metadata:\n  supersedes: legal\n---\n\n", "its supersedes set to 'legal'"),
        ("---\n\n", "expires: 2020-01-01\n---\n\n", "its expires set to '2020-01-01'"),
        (
            "---\n\n",
            'metadata:\n  enforce: "Bash: *"\n  pinned: true\n---\n\n',
            "its enforce set to 'Bash: *'",
        ),
        ("---\n\n", 'metadata:\n  pinned: "true"\n---\n\n', "its pinned set to 'true'"),
        ("---\n\n", 'metadata:\n  source: "user"\n---\n\n', "claim 'user' as its source"),
        ('type: "feedback"', 'type: "reference"', "of type 'reference' instead of feedback"),
        ('name: "legal"', 'name: "lunch"', "named 'lunch' instead of 'legal'"),
        (': "Legal must approve every export', ': "Legal need not approve any export', "would differ in"),
        (': "Legal must approve every export', ': "Exports', "would differ in"),
    ],
)
def test_a_header_is_changed_by_nobody_but_a_person(tmp_path: Path, old: str, new: str, because: str) -> None:
    filled(tmp_path, {"feedback_legal.md": LEGAL})
    text = LEGAL.replace(old, new, 1)
    assert text != LEGAL
    result = dreamed(tmp_path, calls(("write", {"path": "feedback_legal.md", "text": text})))
    assert (result.ended, contents(tmp_path)) == (INBOX, {"feedback_legal.md": LEGAL})
    assert because in result.objections[0]
    assert because in waiting(tmp_path)[0]


def test_a_new_memory_that_takes_in_others_may_not_end_at_once(tmp_path: Path) -> None:
    filled(tmp_path, {"feedback_legal.md": LEGAL})
    text = LEGAL.replace("---\n\n", 'metadata:\n  expires: "2020-01-01"\n---\n\n', 1)
    result = dreamed(
        tmp_path,
        calls(
            ("write", {"path": "feedback_all.md", "text": text}), ("forget", {"path": "feedback_legal.md"})
        ),
    )
    assert (result.ended, contents(tmp_path)) == (INBOX, {"feedback_legal.md": LEGAL})


def test_a_memory_is_not_kept_by_one_that_ends_sooner(tmp_path: Path) -> None:
    ending = LEGAL.replace("---\n\n", 'metadata:\n  expires: "2026-12-01"\n---\n\n', 1)
    texts = {"feedback_legal.md": LEGAL, "feedback_twin.md": ending}
    filled(tmp_path, texts)
    gone = calls(("forget", {"path": "feedback_legal.md"}))
    account = calls(told(("feedback_legal.md#1", "merged", "feedback_twin.md", "it says the same")))
    result = dreamed(tmp_path, gone, account)
    assert (result.ended, contents(tmp_path)) == (INBOX, texts)
    assert "which ends sooner" in result.ledger.of(LOST)[0].because


SERVICES = {
    f"project_svc-{n}.md": memory(f"Service number {n} is owned by team {n}.", name=f"svc-{n}")
    for n in range(5)
}


@pytest.mark.parametrize("fate", ["merged", "superseded"])
@pytest.mark.parametrize("gone", [[0], [0, 1, 2, 3]])
def test_what_speaks_of_another_number_does_not_say_it(tmp_path: Path, fate: str, gone: list[int]) -> None:
    filled(tmp_path, SERVICES)
    into = f"project_svc-{gone[-1] + 1}.md"
    forget = calls(*(("forget", {"path": f"project_svc-{n}.md"}) for n in gone))
    rows = [(f"project_svc-{n}.md#1", fate, into, "it says the same") for n in gone]
    result = dreamed(tmp_path, forget, calls(told(*rows)))
    assert (result.ended, contents(tmp_path)) == (INBOX, SERVICES)
    assert len(result.ledger.of(LOST)) == len(gone)


@pytest.mark.parametrize("fate", ["merged", "superseded", "dropped"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Legal must approve every export.", "Legal need not approve any export."),
        ("Legal must approve every export.", "Legal must not approve every export."),
        ("Legal must approve every export.", "Finance must approve every export."),
        ("Deploys go out on Tuesdays.", "Deploys go out on Thursdays."),
        ("Deploys go out on Tuesdays.", "Deploys never go out on Tuesdays."),
        ("Run `make ship` before 14:00.", "Run `make sink` before 14:00."),
        ("Run make ship before 14:00.", "Run make ship before 15:00."),
        ("Team 1 owns service 2.", "Team 2 owns service 1."),
        ("Telemetry is enabled in production.", "Telemetry is disabled in production."),
        ("Keep at most two replicas.", "Keep at most three replicas."),
        ("Keep at most two replicas.", "Keep at least two replicas."),
        ("出口必须由法务批准。", "出口不必由法务批准。"),
    ],
)
def test_what_turns_a_statement_around_waits_for_a_person(
    tmp_path: Path, old: str, new: str, fate: str
) -> None:
    file, text = "project_one.md", memory(old)
    filled(tmp_path, {file: text})
    write = calls(("write", {"path": file, "text": text.replace(old, new)}))
    account = calls(told((f"{file}#1", fate, file, "the new text says so")))
    result = dreamed(tmp_path, write, account)
    assert (result.ended, contents(tmp_path)) == (INBOX, {file: text})
    body_only = calls(("write", {"path": file, "text": f"{new}\n".join(text.rsplit(f"{old}\n", 1))}))
    assert dreamed(tmp_path, body_only, account).ended == INBOX


def test_a_word_that_gave_way_to_another_is_missed(tmp_path: Path) -> None:
    one, other = (
        memory(f"Deploys of the {team} team are announced on the board.") for team in ("shop", "search")
    )
    filled(tmp_path, {"project_one.md": one, "project_other.md": other})
    account = calls(told(("project_one.md#1", "merged", "project_other.md", "it says the same")))
    result = dreamed(tmp_path, calls(("forget", {"path": "project_one.md"})), account)
    assert result.ended == INBOX
    assert "differs in shop" in result.ledger.of(LOST)[0].because


def test_the_model_is_told_why_an_account_is_not_believed(tmp_path: Path) -> None:
    filled(tmp_path, SERVICES)
    row = ("project_svc-0.md#1", "merged", "project_svc-1.md", "it says the same")
    model = ScriptedModel([calls(("forget", {"path": "project_svc-0.md"}), told(row)), "Done."])
    Dreamer(writer_at(tmp_path), replace(context(), model=model)).preview()
    assert "project_svc-1.md, which differs in 0" in model.asked[1].messages[-1].text


def test_a_date_may_take_the_place_of_a_relative_one(tmp_path: Path) -> None:
    more = 'metadata:\n  modified: "2026-11-10T08:00:00Z"\n'
    was = memory("The shop is frozen from tomorrow.", more=more)
    filled(tmp_path, {"project_one.md": was})
    new = was.replace("from tomorrow", "from 2026-11-11")
    account = calls(told(("project_one.md#1", "merged", "project_one.md", "as a date")))
    result = dreamed(tmp_path, calls(("write", {"path": "project_one.md", "text": new})), account)
    assert result.ended == APPLIED, result.objections
    wrong = calls(
        (
            "edit",
            {
                "path": "project_one.md",
                "old": "\nThe shop is frozen from 2026-11-11",
                "new": "\nThe shop is frozen from 2026-11-12",
            },
        )
    )
    assert dreamed(tmp_path, wrong, account).ended == INBOX


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
    assert (leftover_files(folder), waiting(folder)) == ([], [])
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


@pytest.mark.parametrize(
    ("step", "kind"), [(interrupted, KeyboardInterrupt), (RuntimeError("a bug"), RuntimeError)]
)
def test_an_interrupt_and_a_bug_leave_directory_and_lock_as_they_were(
    folder: Path, step: Step, kind: type[BaseException]
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


def test_a_patch_waits_when_a_file_that_keeps_its_statements_changed(folder: Path) -> None:
    seen = contents(folder)
    kept = Change("project_deploy.md", DAILY, DAILY)
    patch = Patch((Change("project_release.md", seen["project_release.md"], None),), relied_on=(kept,))
    with pytest.raises(Conflict, match=r"project_deploy\.md was changed by someone else"):
        apply_patch(writer_at(folder), patch, USER, NOW)
    assert contents(folder) == seen


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
        inner.append(Dreamer(writer_at(folder), replace(context(), now=now)).dream().ended)
        return "Done."

    assert Dreamer(writer_at(folder), replace(context(second), now=now)).dream().ended == NOTHING
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
