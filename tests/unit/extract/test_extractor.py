"""A transcript tells of every line that nobody can read: its number and why."""

import json
from pathlib import Path
from typing import Any

from memdir.conversation.transcripts import LONGEST_LINE
from memdir.extract.extractor import messages_source, transcript_source


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
