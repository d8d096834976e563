"""Notes keep their fixed sections within limits, whoever writes them; one file is all a model may touch."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memdir.conversation.messages import Spoken, ToolUse
from memdir.conversation.transcripts import read
from memdir.errors import Conflict, ModelError, ModelTimeout
from memdir.models.protocol import Reply, ToolCall
from memdir.models.vendors.scripted import Hang, ScriptedModel, Step
from memdir.notes.file import NotesFile, condense, long_sections, parse_template
from memdir.notes.update import Noted, NotesRules, NotesTaker, compaction_text, notes_gate, notes_template
from memdir.text.clip import tokens
from memdir.workers.queue import NotNow, Now

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
RULES = NotesRules(enabled=True)
TEMPLATE = notes_template("")
BLANK = TEMPLATE.render({})
NAMES = [section.name for section in TEMPLATE.sections]


def user(text: str) -> Spoken:
    return Spoken("u", "user", text, NOW)


def used(*paths: str) -> Spoken:
    uses = tuple(ToolUse(f"t{n}", "Edit", {"file_path": path}) for n, path in enumerate(paths))
    return Spoken("a", "assistant", "", NOW, uses)


def file_in(folder: Path, session: str = "s-1") -> NotesFile:
    return NotesFile(str(folder / "memory"), str(folder / "state"), session)


def taker(folder: Path, rules: NotesRules = RULES, prompt: str = "") -> NotesTaker:
    return NotesTaker(file_in(folder), TEMPLATE, rules, prompt)


def edits(*made: dict[str, Any]) -> Reply:
    return Reply("", tuple(ToolCall(f"c{n}", "edit", given) for n, given in enumerate(made)), stop="tools")


def by_model(folder: Path, *steps: Step, rules: NotesRules = RULES, seconds: float = 5.0) -> Noted | NotNow:
    model = ScriptedModel([*steps, "Done."])
    return taker(folder, rules).by_model(model, [user("Mend the shop.")], timer=lambda: 0.0, seconds=seconds)


def below(heading: str, text: str, file: str = "sessions/s-1.md") -> dict[str, Any]:
    about = next(section.about for section in TEMPLATE.sections if section.name == heading)
    return {"path": file, "old": about, "new": f"{about}\n\n{text}"}


def test_the_sections_are_fixed() -> None:
    assert NAMES == [
        "Title",
        "Current state",
        "Task",
        "Files and functions",
        "Workflow",
        "Errors and corrections",
        "System documentation",
        "Learnings",
        "Key results",
        "Worklog",
    ]
    assert all(section.about for section in TEMPLATE.sections)


def test_a_model_edits_the_one_file(tmp_path: Path) -> None:
    noted = by_model(tmp_path, edits(below("Task", "Mend the shop."), below("Title", "Mending the shop")))
    assert isinstance(noted, Noted)
    assert (noted.method, noted.changed) == ("model", True)
    assert TEMPLATE.bodies(file_in(tmp_path).text())["Task"] == "Mend the shop."
    assert noted.path.endswith("memory/sessions/s-1.md")


def test_headings_and_descriptions_come_back_whatever_a_model_does_to_them(tmp_path: Path) -> None:
    about = TEMPLATE.sections[2].about
    wild = edits(
        below("Title", "Ours"),
        {"path": "sessions/s-1.md", "old": f"# Task\n{about}", "new": "## My own section\n\nKept text."},
        {"path": "sessions/s-1.md", "old": "# Workflow", "new": "# Workflow!"},
    )
    noted = by_model(tmp_path, wild)
    assert isinstance(noted, Noted)
    assert [line for line in noted.text.split("\n") if line in BLANK.split("\n") and line] == [
        line for line in BLANK.split("\n") if line
    ]
    assert "Kept text." in noted.text


@pytest.mark.parametrize("path", ["MEMORY.md", "project_x.md", "sessions/other.md", "../x.md", "/etc/passwd"])
def test_no_other_file_can_be_touched(tmp_path: Path, path: str) -> None:
    (tmp_path / "memory" / "sessions").mkdir(parents=True)
    noted = by_model(tmp_path, edits({"path": path, "old": "a", "new": "b"}))
    assert isinstance(noted, Noted)
    assert [p.name for p in (tmp_path / "memory").rglob("*.md")] == ["s-1.md"]


@pytest.mark.parametrize(
    "step", [ModelTimeout("late"), ModelError("no"), Hang(), Reply("no", stop="refusal")]
)
def test_a_fault_leaves_the_notes_as_they_were(tmp_path: Path, step: Step) -> None:
    file_in(tmp_path).put("", BLANK)
    noted = by_model(tmp_path, edits(below("Task", "x")), step, seconds=0.05)
    assert isinstance(noted, NotNow)
    assert noted.failed
    assert noted.because.startswith("No notes were taken, and it will be tried again. ")
    assert file_in(tmp_path).text() == BLANK


def test_the_model_hears_what_was_said_and_what_is_too_long(tmp_path: Path) -> None:
    file_in(tmp_path).put("", TEMPLATE.render({"Learnings": "line\n" * 4_000}))
    model = ScriptedModel(["Done."])
    said = [user("Mend </system> the shop."), used("/p/shop.py")]
    taker(tmp_path).by_model(model, said, timer=lambda: 0.0, seconds=5.0)
    (question,) = model.asked
    assert [tool.name for tool in question.tools] == ["edit"]
    assert "condense them now: Learnings" in question.messages[0].text
    assert "/p/shop.py" in question.messages[0].text
    assert "</system>" not in question.messages[0].text
    assert question.job == "notes"


def test_the_users_own_prompt_and_template_take_their_place(tmp_path: Path) -> None:
    model = ScriptedModel(["Done."])
    taker(tmp_path, prompt="Note in rhymes.").by_model(model, [user("x")], timer=lambda: 0.0, seconds=5.0)
    assert model.asked[0].system == "Note in rhymes."
    own = notes_template("# Mine\n_What I want._\n\n# Log\n")
    assert [section.name for section in own.sections] == ["Mine", "Log"]
    assert notes_template("no headings at all") == TEMPLATE
    assert parse_template("# A\n# A\n") is None


def test_secrets_and_tags_do_not_get_into_notes(tmp_path: Path) -> None:
    noted = taker(tmp_path).by_rules([user("Use password = hunter2-Abc! </system-reminder> now")], NOW)
    assert "hunter2" not in noted.text
    assert "</system-reminder>" not in noted.text


SAID = "The vpn password hunter2sunflower9 works. Mend the shop. The guest password is marigold."


def test_passwords_in_prose_do_not_get_into_notes_by_rules(tmp_path: Path) -> None:
    failed = Spoken("r", "tool", "login failed: wrong password marigold\nboom", NOW, failed=True)
    noted = taker(tmp_path).by_rules([user("password marigold"), user(SAID), failed], NOW)
    assert "hunter2" not in noted.text
    assert "marigold" not in noted.text
    assert TEMPLATE.bodies(noted.text)["Title"] == "Mend the shop."
    assert "boom" in noted.text


def test_passwords_in_prose_are_neither_shown_to_a_model_nor_taken_from_it(tmp_path: Path) -> None:
    model = ScriptedModel([edits(below("Learnings", f"- {SAID}\n- password marigold")), "Done."])
    noted = taker(tmp_path).by_model(model, [user(SAID)], timer=lambda: 0.0, seconds=5.0)
    assert isinstance(noted, Noted)
    assert TEMPLATE.bodies(noted.text)["Learnings"] == "- Mend the shop."
    shown = model.asked[0].messages[0].text
    assert "Mend the shop." in shown
    assert "hunter2" not in shown
    assert "marigold" not in shown


def test_rules_note_requests_files_errors_and_the_log(tmp_path: Path) -> None:
    failed = Spoken("r", "tool", "Traceback: boom", NOW, answers="t0", failed=True)
    taker(tmp_path).by_rules([user("Mend the shop."), used("/p/a.py", "/p/b.py"), failed], NOW)
    taker(tmp_path).by_rules([user("Now the tests."), used("/p/a.py")], NOW)
    bodies = TEMPLATE.bodies(file_in(tmp_path).text())
    assert bodies["Title"] == "Mend the shop."
    assert bodies["Task"] == "Mend the shop."
    assert bodies["Current state"] == "Last request: Now the tests."
    assert bodies["Files and functions"] == "- /p/a.py (Edit)\n- /p/b.py (Edit)"
    assert bodies["Errors and corrections"] == "- Edit: Traceback: boom"
    assert bodies["Worklog"] == "- 2026-11-15 09:30 Mend the shop.\n- 2026-11-15 09:30 Now the tests."
    assert bodies["Learnings"] == ""


def test_sections_and_the_whole_stay_within_their_limits() -> None:
    long = TEMPLATE.render({name: "\n".join(f"{name} {n}" for n in range(2_000)) for name in NAMES})
    short = condense(TEMPLATE, long, 200, 1_000)
    assert tokens(short) <= 1_000
    assert TEMPLATE.bodies(short)["Worklog"].endswith("Worklog 1999")
    assert TEMPLATE.bodies(short)["Task"].startswith("Task 0\n")
    assert long_sections(TEMPLATE, long, 200, 1_000) == NAMES
    assert long_sections(TEMPLATE, short, 200, 1_000) == []
    assert condense(TEMPLATE, BLANK, 200, 1_000) == BLANK
    assert tokens(condense(TEMPLATE, TEMPLATE.render({"Task": "é" * 9_000}), 200, 1_000)) <= 1_000


def test_a_compaction_starts_from_what_is_filled_in() -> None:
    text = compaction_text(TEMPLATE.render({"Task": "Mend.", "Worklog": "- a"}), TEMPLATE, RULES)
    assert text == "# Task\n\nMend.\n\n# Worklog\n\n- a"
    assert compaction_text(BLANK, TEMPLATE, RULES) == ""
    assert compaction_text("", TEMPLATE, RULES) == ""


def test_notes_are_taken_first_after_many_tokens_then_with_calls_or_at_a_break() -> None:
    rules = NotesRules(enabled=True, first_tokens=100, every_tokens=50, tool_calls=2)
    assert isinstance(notes_gate([user("x" * 396)], rules, first=True), NotNow)
    assert isinstance(notes_gate([user("x" * 400), used("a")], rules, first=True), Now)
    assert isinstance(notes_gate([user("x" * 40), used("a", "b")], rules, first=False), NotNow)
    assert isinstance(notes_gate([user("x" * 400), used("a", "b")], rules, first=False), Now)
    assert isinstance(notes_gate([user("x" * 400), used("a")], rules, first=False), NotNow)
    assert isinstance(notes_gate([user("x" * 400)], rules, first=False), Now)


def test_who_wrote_meanwhile_wins(tmp_path: Path) -> None:
    notes = file_in(tmp_path)
    notes.put("", "one\n")
    with pytest.raises(Conflict):
        notes.put("", "two\n")
    assert notes.text() == "one\n"


@pytest.mark.parametrize("session", ["../../etc/x", "a/b", ".", "", "ü" * 300, "x\0y"])
def test_any_id_gives_a_file_in_its_place(tmp_path: Path, session: str) -> None:
    notes = file_in(tmp_path, session)
    notes.put("", "text\n")
    assert notes.text() == "text\n"
    assert Path(notes.path).parent == tmp_path / "memory" / "sessions"


@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_one_huge_message_calls_for_notes(tmp_path: Path, role: str) -> None:
    said = {"role": role, "content": "A line of a log that somebody pasted.\n" * 6_000}
    talk = tmp_path / "talk.jsonl"
    talk.write_text(json.dumps(said) + "\n")
    messages = read(str(talk)).messages
    assert sum(len(one.text) for one in messages) < 100_000, "only a part of it is kept"
    assert isinstance(notes_gate(messages, RULES, first=True), Now)
    assert isinstance(notes_gate(messages[:0], RULES, first=True), NotNow)


def test_one_huge_reply_in_several_blocks_calls_for_notes(tmp_path: Path) -> None:
    def block(number: int) -> dict[str, Any]:
        text = [{"type": "text", "text": "word " * 10_000}]
        message = {"id": "m1", "role": "assistant", "content": text}
        return {"type": "assistant", "uuid": f"u{number}", "message": message}

    talk = tmp_path / "talk.jsonl"
    talk.write_text("".join(json.dumps(block(number)) + "\n" for number in range(4)))
    (one,) = read(str(talk)).messages
    assert one.left_out > 100_000
    assert isinstance(notes_gate([one], RULES, first=True), Now)
