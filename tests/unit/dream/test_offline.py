"""With no model a dream removes what stands elsewhere word for word, and asks a person about the rest."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.tool_calls import calls
from tests.unit.dream.dream_run import (
    NOW,
    USER,
    contents,
    dreamed,
    filled,
    memory,
    waiting,
    writer_at,
)

from memdir.dream.daily_log import MAX_DAYS, LogCursor, LogCursors, log_days
from memdir.dream.dreamer import APPLIED, FAILED, INBOX, NOTHING, Dreamed
from memdir.errors import ModelTimeout
from memdir.inbox.proposals import Inbox
from memdir.memories.history.undo import undo_operation, undoable
from memdir.models.protocol import Question, Reply

SHORT = memory("Deploys go out on Tuesdays only.", name="short")
LONG = memory("- deploys go out on Tuesdays only\n- the shop is frozen in December", name="long")


def offline(folder: Path, **more: Any) -> Dreamed:
    return dreamed(folder, model=False, **more)


def test_a_memory_that_another_holds_goes_in_one_undoable_step(tmp_path: Path) -> None:
    texts = {
        "project_short.md": SHORT,
        "project_long.md": LONG,
        "project_copy.md": SHORT.replace("short", "copy"),
    }
    filled(tmp_path, texts)
    result = offline(tmp_path)
    assert (result.ended, result.method) == (APPLIED, "offline")
    assert contents(tmp_path) == {"project_long.md": LONG}
    assert {entry.fate for entry in result.ledger.entries} == {"kept"}
    writer = writer_at(tmp_path)
    undo_operation(writer, undoable(writer.recorder.history.entries()), USER, NOW)
    assert contents(tmp_path) == texts


def test_what_only_looks_the_same_stays(tmp_path: Path) -> None:
    never = memory("Never:\n\n- deploys go out on Tuesdays only", name="never")
    other_kind = memory("Deploys go out on Tuesdays only.", name="kind", kind="feedback")
    pinned = memory("Deploys go out on Tuesdays only.", name="pin", more='metadata:\n  pinned: "true"\n')
    ends = memory(
        "Deploys go out on Tuesdays only.", name="ends", more='metadata:\n  expires: "2030-01-01"\n'
    )
    for text in (never, other_kind, pinned, ends):
        folder = tmp_path / text.split('"')[1]
        folder.mkdir()
        kind = "feedback" if text is other_kind else "project"
        filled(folder, {"project_long.md": LONG, f"{kind}_x.md": text})
        offline(folder)
        assert len(contents(folder)) == 2, text


def test_a_duplicate_that_others_link_to_stays(tmp_path: Path) -> None:
    linking = memory("How [[short]] came about is in the wiki.", name="linking")
    filled(tmp_path, {"project_short.md": SHORT, "project_long.md": LONG, "project_linking.md": linking})
    assert offline(tmp_path).ended == NOTHING


def test_near_duplicates_become_a_proposal_that_loses_nothing(tmp_path: Path) -> None:
    one = memory("The staging database of the shop is reset every Sunday night.", name="one")
    two = memory("The staging database of the shop is reset every Sunday night, with backups.", name="two")
    filled(tmp_path, {"project_one.md": one, "project_two.md": two})
    assert offline(tmp_path).ended == INBOX
    assert contents(tmp_path) == {"project_one.md": one, "project_two.md": two}
    (proposal,) = Inbox(str(tmp_path / "state")).proposals()
    merged = next(edit.after for edit in proposal.edits if edit.after)
    assert "every Sunday night." in merged
    assert "with backups." in merged
    assert [edit.after for edit in proposal.edits].count(None) == 1
    assert offline(tmp_path).proposals == (proposal.id,)  # asked once, not every night


CONTRADICTING = [
    ("The staging database is reset every Sunday night at two.", "at two", "at three"),
    ("We deploy the shop on Tuesdays.", "on Tuesdays", "on Wednesdays now, no longer on Tuesdays"),
    ("The timeout of the client is 30 s.", "30 s", "45 s"),
]


@pytest.mark.parametrize(("text", "was", "now"), CONTRADICTING)
def test_of_two_that_contradict_each_other_the_newer_is_proposed_to_replace_the_older(
    tmp_path: Path, text: str, was: str, now: str
) -> None:
    old, new = memory(text, name="one"), memory(text.replace(was, now), name="two")
    filled(tmp_path, {"project_one.md": old, "project_two.md": new})
    os.utime(tmp_path / "memory" / "project_one.md", (1_700_000_000, 1_700_000_000))
    assert offline(tmp_path).ended == INBOX
    (proposal,) = Inbox(str(tmp_path / "state")).proposals()
    after = {edit.file: edit.after for edit in proposal.edits}
    assert after["project_one.md"] is None
    assert 'supersedes: "one (2023-11-14)"' in str(after["project_two.md"])
    assert str(after["project_two.md"]).endswith(f"\n{text.replace(was, now)}\n"), "never both"
    assert "may contradict" in proposal.because


def test_two_of_one_age_that_contradict_each_other_are_not_made_one(tmp_path: Path) -> None:
    for name, hour in (("one", "two"), ("two", "three")):
        text = memory(f"The staging database is reset every Sunday night at {hour}.", name=name)
        filled(tmp_path, {f"project_{name}.md": text})
        os.utime(tmp_path / "memory" / f"project_{name}.md", (1_700_000_000, 1_700_000_000))
    assert offline(tmp_path).ended == NOTHING


def test_what_has_expired_becomes_a_proposal(tmp_path: Path) -> None:
    over = memory("The freeze is on.", name="over", more='metadata:\n  expires: "2026-11-14"\n')
    today = memory("The fair is on.", name="today", more='metadata:\n  expires: "2026-11-15"\n')
    filled(tmp_path, {"project_over.md": over, "project_today.md": today})
    offline(tmp_path)
    assert waiting(tmp_path) == ["project_over.md expired on 2026-11-14."]


def test_links_to_nothing_and_drifted_memories_are_reported(tmp_path: Path) -> None:
    filled(tmp_path, {"project_a.md": memory("See [[project_a]], [[b]] and [[ghost]].", name="b")})
    result = offline(tmp_path, drifted=lambda: ["project_a.md: src/x.py is gone"])
    assert result.reports == (
        "project_a.md links to [[ghost]], which does not exist.",
        "project_a.md: src/x.py is gone",
    )


def test_the_index_is_mended(tmp_path: Path) -> None:
    filled(tmp_path, {"project_long.md": LONG})
    index = tmp_path / "memory" / "MEMORY.md"
    index.write_text("- [Gone](gone.md) — nothing\n")
    assert offline(tmp_path).reports == ("The index was mended.",)
    assert "project_long.md" in index.read_text()


def test_daily_logs_are_distilled_once(tmp_path: Path) -> None:
    filled(tmp_path, {"project_long.md": LONG})
    logs = tmp_path / "memory" / "logs" / "2026" / "11"
    logs.mkdir(parents=True)
    (logs / "2026-11-14.md").write_text(
        "# Saturday\n\n- 09:10 Remember that the release branch is frozen until 2027.\n- 10:00 read files\n"
    )
    yesterday = NOW.timestamp() - 86_400
    os.utime(logs / "2026-11-14.md", (yesterday, yesterday))
    result = offline(tmp_path)
    assert result.ended == APPLIED, result
    (new,) = [text for text in contents(tmp_path).values() if "release branch" in text]
    assert 'actor: "dream"' in new
    assert 'method: "offline"' in new
    assert any("1 of 2 logged lines" in report for report in result.reports)
    again = offline(tmp_path)
    assert again.ended == NOTHING
    (report,) = again.reports  # what rules make nothing of is not forgotten
    assert report.startswith("1 of 1 logged lines (2026-11-14)")


def logged(folder: Path, text: str, day: str = "2026-11-14") -> Path:
    """Leave a log that was last written to on its day."""
    path = folder / "memory" / "logs" / day[:4] / day[5:7] / f"{day}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    at = datetime.fromisoformat(f"{day}T20:00:00+00:00").timestamp()
    os.utime(path, (at, at))
    return path


REQUEST = "- 09:10 Remember that the release branch is frozen until 2027.\n"
ODD = "- 10:00 Looked at the widgets with the vendor for three days.\n"


def test_a_line_that_rules_make_nothing_of_is_shown_to_a_model_later(tmp_path: Path) -> None:
    filled(tmp_path, {"project_long.md": LONG})
    logged(tmp_path, f"# Saturday\n\n{REQUEST}{ODD}")
    offline(tmp_path)
    offline(tmp_path)
    asked: list[str] = []

    def first(question: Question) -> str:
        asked.append(question.messages[0].text)
        return "Done."

    result = dreamed(tmp_path, first)
    assert f"logs/2026/11/2026-11-14.md\n  {ODD}" in asked[0]
    assert "release branch is frozen until 2027.\n" not in asked[0].partition("Daily logs")[2]
    assert result.reports == ("1 of 1 logged lines were read, and no memory says them.",)
    dreamed(tmp_path, first)
    assert "2026-11-14" not in asked[1]


def test_a_log_that_the_model_did_not_open_waits(outside_dev: Callable[[], Path]) -> None:
    folder = outside_dev()
    filled(folder, {"project_long.md": LONG})
    day = logged(folder, ODD)
    dreamed(folder)
    asked: list[str] = []

    def first(question: Question) -> Reply:
        asked.append(question.messages[0].text)
        return calls(("read", {"path": str(day)}))

    dreamed(folder, first)
    assert "2026-11-14.md" in asked[0]
    dreamed(folder, first)
    assert "2026-11-14.md" not in asked[1]


def test_after_a_dream_that_failed_all_lines_are_read_again(tmp_path: Path) -> None:
    filled(tmp_path, {"project_long.md": LONG})
    logged(tmp_path, REQUEST)
    assert dreamed(tmp_path, ModelTimeout("too slow")).ended == FAILED
    assert offline(tmp_path).ended == APPLIED


def test_only_what_was_added_to_a_day_is_read_and_a_rewritten_day_is_read_whole(tmp_path: Path) -> None:
    cursor = LogCursor.behind("a\nb\nc\n", [2])
    assert cursor.rest("a\nb\nc\nd\n") == "\nb\n\nd\n"
    assert cursor.rest("a\nB\nc\nd\n") == "a\nB\nc\nd\n"
    cursors = LogCursors(str(tmp_path))
    cursors.put({"x": cursor})
    cursors.put({"y": LogCursor()})
    assert cursors.all() == {"x": cursor, "y": LogCursor()}
    (tmp_path / "dream.logs").write_text("[]")
    assert cursors.all() == {}


def test_days_beyond_the_most_wait_for_the_next_dream(tmp_path: Path) -> None:
    filled(tmp_path, {"project_long.md": LONG})
    logged(tmp_path, REQUEST, "2026-01-01")
    first = datetime(2026, 3, 1, tzinfo=UTC)
    for number in range(MAX_DAYS):
        logged(tmp_path, "# Nothing\n", (first + timedelta(days=number)).date().isoformat())
    assert offline(tmp_path).ended == NOTHING
    assert offline(tmp_path).ended == APPLIED


def test_what_a_person_rejected_is_not_asked_again_and_that_is_said(tmp_path: Path) -> None:
    over = memory("The freeze is on.", name="over", more='metadata:\n  expires: "2026-11-14"\n')
    filled(tmp_path, {"project_over.md": over})
    (asked,) = offline(tmp_path).proposals
    inbox = Inbox(str(tmp_path / "state"))
    inbox.reject(inbox.proposal(asked))
    again = offline(tmp_path)
    assert (again.ended, again.proposals) == (NOTHING, ())
    assert again.reports == ("Not asked again, because a person rejected it before: 1.",)


def test_only_days_in_their_place_are_logs(tmp_path: Path) -> None:
    for name in ("logs/2026/11/2026-11-14.md", "logs/2026/11/notes.md", "logs/2026/12/2026-11-14.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("- x\n")
    (tmp_path / "logs" / "2026" / "11" / "2026-11-13.md").symlink_to("/etc/passwd")
    assert [day.file for day in log_days(str(tmp_path))] == ["logs/2026/11/2026-11-14.md"]
    assert log_days(str(tmp_path), datetime.max.replace(tzinfo=UTC)) == []
    assert log_days(str(tmp_path / "nowhere")) == []
