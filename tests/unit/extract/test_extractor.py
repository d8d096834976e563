"""What was said is read with the reason for every part that is left out: a line, a turn, a message."""

import json
from pathlib import Path
from typing import Any

from memdir.conversation.messages import Spoken, ToolUse
from memdir.conversation.transcripts import LONGEST_LINE
from memdir.extract.extractor import messages_due, messages_source, transcript_source
from memdir.extract.gate import Skip

SAID = Spoken("u1", "user", "We deploy on Tuesdays.")


def said(text: str) -> str:
    return json.dumps({"role": "user", "content": text}) + "\n"


def test_lines_that_are_too_long_or_no_json_are_named(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(said("one") + "x" * (LONGEST_LINE + 1) + "\n" + "no json\n" + "\n" + said("two"))
    passage = transcript_source(str(path)).read(None)
    assert [one.text for one in passage.messages] == ["one", "two"]
    assert passage.skipped == (
        ("2", "the line is longer than 16 MB and was not read"),
        ("3", "the line is no JSON and was not read"),
    )


def test_only_lines_behind_the_cursor_are_named(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text("no json\n" + said("one"))
    source = transcript_source(str(path))
    since = source.read(None).cursor
    path.write_text(path.read_text() + said("two") + "again none\n")
    assert source.read(since).skipped == (("4", "the line is no JSON and was not read"),)


def test_what_can_be_read_whole_names_none(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(said("one"))
    assert transcript_source(str(path)).read(None).skipped == ()


def test_messages_may_be_the_lines_of_a_hosts_file() -> None:
    line = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "Use tabs."}}
    other = {"type": "user", "uuid": "u2", "isMeta": True, "message": {"role": "user", "content": "x"}}
    given: list[dict[str, Any]] = [line, other, {"role": "user", "content": "And no spaces."}]
    said = messages_source(given).read(None).messages
    assert [(one.id, one.text) for one in said] == [("u1", "Use tabs."), ("3", "And no spaces.")]


def test_the_third_of_three_turns_is_extracted_and_the_ones_before_wait() -> None:
    said = [SAID, SAID]
    early = messages_due(said, "/memory", 3)
    assert isinstance(early, Skip)
    assert early.waits
    assert isinstance(messages_due([*said, SAID], "/memory", 3), tuple)


def test_without_a_number_any_turn_is_enough() -> None:
    assert messages_due([SAID], "/memory") == (SAID,)


def test_messages_in_which_nobody_spoke_count_as_read() -> None:
    recalled = Spoken("u1", "user", "We deploy on Tuesdays.", recalled=True)
    assert messages_due([recalled], "/memory") == Skip("nobody said anything new")


def _wrote(path: str, **result: Any) -> list[Spoken]:
    use = ToolUse("c1", "Write", {"file_path": path, "content": "text"})
    return [
        SAID,
        Spoken("a1", "assistant", "", uses=(use,)),
        Spoken("t1", "tool", "", answers="c1", **result),
    ]


def test_what_the_host_saved_itself_counts_as_read(tmp_path: Path) -> None:
    decided = messages_due(_wrote(str(tmp_path / "user_role.md")), str(tmp_path))
    assert isinstance(decided, Skip)
    assert not decided.waits
    assert "user_role.md" in decided.because


def test_a_write_that_failed_or_went_elsewhere_does_not_count(tmp_path: Path) -> None:
    assert isinstance(messages_due(_wrote(str(tmp_path / "a.md"), failed=True), str(tmp_path)), tuple)
    assert isinstance(messages_due(_wrote("/elsewhere/a.md"), str(tmp_path)), tuple)
