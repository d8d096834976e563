"""A transcript is read once: what people, model and tools said since the cursor, and nothing else."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memdir.conversation import transcripts
from memdir.conversation.cursors import Cursor
from memdir.conversation.messages import recent_tools
from memdir.conversation.transcripts import (
    newest_first,
    read,
    tools_in_use,
    whole_lines,
)
from memdir.errors import Rejected, StorageError

RECORDED = Path(__file__).parents[2] / "fixtures" / "claude_code" / "transcripts"
TOOLS, COMPACTED, SUBAGENT = (
    RECORDED / name
    for name in ("a_tools_recall_subagent.jsonl", "b_resume_compact_hooks.jsonl", "a_subagent.jsonl")
)


def host(kind: str, content: Any, uuid: str, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {"type": kind, "message": message, "uuid": uuid, "isSidechain": False, **more}


def written(path: Path, *lines: Any, end: str = "\n") -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + end)
    return path


def texts(path: Path, since: Cursor | None = None) -> list[str]:
    return [message.text for message in read(str(path), since).messages]


def test_a_recorded_conversation_with_tools_and_recall() -> None:
    passage = read(str(TOOLS))
    said = [(one.role, one.text[:12]) for one in passage.messages if not one.recalled and one.role != "tool"]
    assert said == [
        ("user", "I am a data "),
        ("assistant", "Let me look."),
        ("assistant", ""),
        ("assistant", ""),
        ("assistant", "final answer"),
        ("assistant", "done"),
    ]
    assert [one.text.splitlines()[-1] for one in passage.messages if one.recalled] == [
        "Apples body. [[old]]",
        "Old body",
    ]
    assert recent_tools(passage.messages) == ("Agent", "Bash", "Read")
    assert passage.skipped == ()


def test_blocks_of_one_reply_are_one_message() -> None:
    reply = read(str(TOOLS)).messages[1]
    assert (reply.text, [use.name for use in reply.uses]) == ("Let me look.", ["Read"])


def test_the_summary_of_a_recorded_compaction_is_nobodys_words() -> None:
    passage = read(str(COMPACTED))
    assert [one.text for one in passage.messages if one.role == "user"] == [
        "hello first prompt",
        "after compaction prompt",
    ]
    assert [one.text for one in passage.messages if one.role == "assistant"] == [
        "answer one",
        "answer two",
        "done",
    ]
    assert {one.text for one in passage.messages if one.recalled} == {
        "CTX-FROM-SessionStart",
        "CTX-FROM-UserPromptSubmit",
        "CTX-FROM-Stop",
    }


def test_a_sub_agents_conversation_is_not_the_users() -> None:
    assert read(str(SUBAGENT)).messages == ()


@pytest.mark.parametrize("source", [TOOLS, COMPACTED], ids=["tools", "compacted"])
def test_read_in_two_parts_at_any_byte_nothing_is_lost_or_read_twice(tmp_path: Path, source: Path) -> None:
    data = source.read_bytes()
    whole = [(one.id, one.text) for one in read(str(source)).messages if one.role != "assistant"]
    path = tmp_path / "t.jsonl"
    for cut in range(0, len(data), 2_503):
        path.write_bytes(data[:cut])
        first = read(str(path))
        path.write_bytes(data)
        second = read(str(path), first.cursor)
        parts = [*first.messages, *second.messages]
        assert [(one.id, one.text) for one in parts if one.role != "assistant"] == whole
        assert second.cursor == read(str(source)).cursor
        assert first.skipped == second.skipped == ()


def test_plain_messages_are_read_too(tmp_path: Path) -> None:
    path = written(
        tmp_path / "plain.jsonl",
        {"role": "user", "content": "keep it short", "timestamp": "2026-11-15T08:00:00Z"},
        {"role": "assistant", "content": "yes"},
        {"role": "tool", "content": "output", "tool_call_id": "t"},
        {"role": "user", "id": "m4", "content": "last"},
        end="",
    )
    messages = read(str(path)).messages
    assert [(one.id, one.role, one.text) for one in messages] == [
        ("1", "user", "keep it short"),
        ("2", "assistant", "yes"),
        ("3", "tool", "output"),
        ("m4", "user", "last"),
    ]
    assert messages[0].at is not None


def test_garbage_is_counted_and_passed_over(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.jsonl",
        host("user", "one", "u1"),
        "not json",
        "[1, 2]",
        "",
        '{"type": "user", "message": ' + "[" * 100_000,
        "\x00\x00",
        {"type": "user", "message": {"content": None}},
        {"type": "user"},
        {"message": {"role": "user"}, "type": 5},
        host("user", "two", "u2"),
    )
    path.write_bytes(path.read_bytes() + b'\xff\xfe"\n')
    passage = read(str(path))
    assert [one.text for one in passage.messages] == ["one", "two"]
    assert len(passage.skipped) == 5


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 1_000)
    path = tmp_path / "lines"
    path.write_bytes(b"short\n" + b"x" * 5_000 + b"\nlast\n")
    with path.open("rb") as file:
        lines = [(line.data, line.end, line.closed) for line in whole_lines(file)]
    assert lines == [(b"short", 6, True), (None, 5_007, True), (b"last", 5_012, True)]


def test_a_torn_last_line_is_left_for_later(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.jsonl", host("user", "one", "u1"), json.dumps(host("user", "two", "u2"))[:-9], end=""
    )
    first = read(str(path))
    assert [one.text for one in first.messages] == ["one"]
    written(path, host("user", "one", "u1"), host("user", "two", "u2"))
    assert texts(path, first.cursor) == ["two"]


def test_torn_bookkeeping_is_left_too(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", host("user", "one", "u1"), '{"type": "cost-state", "tot', end="")
    first = read(str(path))
    written(path, host("user", "one", "u1"), {"type": "cost-state", "total": 1}, host("user", "two", "u2"))
    second = read(str(path), first.cursor)
    assert ([one.text for one in second.messages], second.skipped) == (["two"], ())


def test_what_was_typed_while_the_model_worked_counts_and_notifications_do_not(tmp_path: Path) -> None:
    def queued(prompt: Any, **more: Any) -> dict[str, Any]:
        attachment = {"type": "queued_command", "prompt": prompt, **more}
        return {"type": "attachment", "uuid": "q", "attachment": attachment}

    path = written(
        tmp_path / "t.jsonl",
        queued("also in euros", commandMode="prompt", origin={"kind": "human"}),
        queued([{"type": "text", "text": "and in yen"}]),
        queued("finished", commandMode="task-notification"),
        queued("from another agent", commandMode="prompt", origin={"kind": "agent"}),
        queued("hidden", commandMode="prompt", isMeta=True),
    )
    assert texts(path) == ["also in euros", "and in yen"]


@pytest.mark.parametrize(
    "more",
    [
        {"isMeta": True},
        {"isSidechain": True},
        {"isCompactSummary": True},
        {"isVisibleInTranscriptOnly": True},
        {"origin": {"kind": "task-notification"}},
        {"message": {"model": "<synthetic>"}},
    ],
    ids=str,
)
def test_what_the_host_wrote_itself_is_skipped(tmp_path: Path, more: dict[str, Any]) -> None:
    path = written(tmp_path / "t.jsonl", host("user", "hidden", "u1", **more), host("user", "seen", "u2"))
    assert texts(path) == ["seen"]


def test_what_was_taken_back_is_not_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "t.jsonl",
        host("user", "hello", "u1", parentUuid=None),
        host("assistant", [{"type": "text", "text": "hi"}], "a1", parentUuid="u1"),
        host("user", "we use mysql", "u2", parentUuid="a1"),
        host("assistant", [{"type": "text", "text": "mysql it is"}], "a2", parentUuid="u2"),
        host("user", "more mysql", "u3", parentUuid="a2"),
        host("user", "we use postgres", "u4", parentUuid="a1"),
    )
    assert texts(path) == ["hello", "hi", "we use postgres"]


def test_results_of_parallel_calls_are_all_kept(tmp_path: Path) -> None:
    def result(call: str) -> list[dict[str, str]]:
        return [{"type": "tool_result", "tool_use_id": call, "content": call}]

    path = written(
        tmp_path / "t.jsonl",
        host("assistant", [{"type": "tool_use", "id": "t1", "name": "Read"}], "a1", message={"id": "m"}),
        host("user", result("t1"), "r1", parentUuid="a1"),
        host("assistant", [{"type": "tool_use", "id": "t2", "name": "Grep"}], "a2", message={"id": "m"}),
        host("user", result("t2"), "r2", parentUuid="a1"),
    )
    messages = read(str(path)).messages
    assert [(one.role, one.text, [use.name for use in one.uses]) for one in messages] == [
        ("assistant", "", ["Read", "Grep"]),
        ("tool", "t1", []),
        ("tool", "t2", []),
    ]


def test_only_the_last_messages_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "MOST_MESSAGES", 10)
    path = written(tmp_path / "t.jsonl", *(host("user", f"n{number}", f"u{number}") for number in range(50)))
    passage = read(str(path))
    assert [one.text for one in passage.messages] == [f"n{number}" for number in range(40, 50)]
    assert texts(path, passage.cursor) == []


STAMPED = [
    host("user", f"n{number}", f"u{number}", timestamp=f"2026-11-15T08:00:0{number}Z") for number in range(6)
]


def test_a_file_that_was_rewritten_goes_on_after_the_last_known_message(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", *STAMPED[:3])
    cursor = read(str(path)).cursor
    written(path, {"type": "mode"}, *STAMPED[:4])
    passage = read(str(path), cursor)
    assert [one.text for one in passage.messages] == ["n3"]
    assert len(read(str(path), cursor, whole=True).messages) == 4
    assert texts(path, passage.cursor) == []


def test_a_file_that_was_cut_says_nothing_twice(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", *STAMPED[:4])
    cursor = read(str(path)).cursor
    written(path, *STAMPED[:2])
    passage = read(str(path), cursor)
    assert passage.messages == ()
    written(path, *STAMPED[:2], STAMPED[5])
    assert texts(path, cursor) == ["n5"]


def test_another_file_in_its_place_is_read_from_the_beginning(tmp_path: Path) -> None:
    path = written(tmp_path / "t.jsonl", host("user", "old", "u1"))
    cursor = read(str(path)).cursor
    written(path, host("user", "another", "x1"), host("user", "conversation", "x2"))
    assert texts(path, cursor) == ["another", "conversation"]


def test_only_the_end_is_read_for_the_tools_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uses = [[{"type": "tool_use", "id": f"t{number:03}", "name": f"n{number:03}"}] for number in range(100)]
    path = written(tmp_path / "t.jsonl", *(host("assistant", use, "a") for use in uses))
    assert len(tools_in_use(str(path))) == 12
    monkeypatch.setattr(transcripts, "TAIL_BYTES", 3 * path.stat().st_size // 100)
    assert tools_in_use(str(path)) == ("n099", "n098", "n097")


def test_the_tools_in_use_are_none_where_nothing_can_be_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert tools_in_use(str(TOOLS)) == ("Agent", "Bash", "Read")
    assert [tools_in_use(path) for path in ("", str(tmp_path / "none"), str(tmp_path / "pipe"))] == [()] * 3


def test_what_is_no_transcript_is_a_clear_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Rejected, match="not a regular file"):
        read(str(tmp_path / "pipe"))
    with pytest.raises(StorageError, match="could not be read"):
        read(str(tmp_path / "missing"))
    with pytest.raises((Rejected, StorageError)):
        read(str(tmp_path))
    (tmp_path / "empty").write_bytes(b"")
    assert read(str(tmp_path / "empty")).messages == ()


def test_transcripts_of_a_folder_come_newest_first(tmp_path: Path) -> None:
    for age, name in enumerate(["new.jsonl", "old.jsonl", "other.txt"]):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1_000_000 - age, 1_000_000 - age))
    (tmp_path / "s" / "subagents").mkdir(parents=True)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "new.jsonl")
    assert [Path(path).name for path in newest_first(str(tmp_path))] == ["new.jsonl", "old.jsonl"]
    assert newest_first(str(tmp_path / "nowhere")) == []
