"""The tools of a worker give bounded answers, see what is pending, and leave the directory alone."""

import os
import subprocess
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from memdir.models.protocol import Cancel, Message, ToolCall
from memdir.workers.file_tools import MAX_RESULT
from memdir.workers.overlay import Overlay
from memdir.workers.policy import ARGUMENTS, Policy
from memdir.workers.shell import run_pipeline
from memdir.workers.tools import MAX_CALLS, Toolbox, worker_tool

ROLE = '---\nname: "role"\ndescription: "What the user does"\ntype: "user"\n---\n\nA data scientist.\n'


@pytest.fixture
def directory(directory: Path, tmp_path: Path) -> Path:
    (directory / "user_role.md").write_text(ROLE)
    (directory / "MEMORY.md").write_text("- [Role](user_role.md) — what the user does\n")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "big.txt").write_text("\n".join(f"line {number}" for number in range(1, 3_001)))
    return directory


@pytest.fixture
def box(directory: Path) -> Toolbox:
    policy = Policy(str(directory), (str(directory.parent / "project"),))
    return Toolbox(policy, Overlay(str(directory)))


def call(box: Toolbox, tool: str, **arguments: Any) -> Message:
    (message,) = box.answers([ToolCall("1", tool, arguments)])
    return message


def good(box: Toolbox, tool: str, **arguments: Any) -> str:
    message = call(box, tool, **arguments)
    assert not message.failed, message.text
    return message.text


def bad(box: Toolbox, tool: str, **arguments: Any) -> str:
    message = call(box, tool, **arguments)
    assert message.failed, message.text
    return message.text


def test_a_file_is_read_with_line_numbers(box: Toolbox) -> None:
    assert good(box, "read", path="user_role.md").splitlines()[6] == "7\tA data scientist."


def test_a_long_file_comes_in_parts(box: Toolbox, directory: Path) -> None:
    path = str(directory.parent / "project" / "big.txt")
    first = good(box, "read", path=path)
    assert first.endswith("Lines 1 to 400 of 3000 are shown above. More: read with first=401.")
    assert good(box, "read", path=path, first=2_999).splitlines() == ["2999\tline 2999", "3000\tline 3000"]
    assert good(box, "read", path=path, first=5, lines=1).startswith("5\tline 5\n")
    assert "3000 lines" in bad(box, "read", path=path, first=4_000)


def test_no_answer_is_longer_than_its_bound(box: Toolbox, directory: Path) -> None:
    (directory / "long.md").write_text("word " * 50_000)
    (directory / "many.md").write_text("word\n" * 50_000)
    for tool, arguments in [
        ("read", {"path": "long.md"}),
        ("grep", {"text": "word"}),
        ("shell", {"command": "cat many.md"}),
    ]:
        assert len(good(box, tool, **arguments)) < MAX_RESULT + 300


def test_what_cannot_be_read_says_why(box: Toolbox, directory: Path) -> None:
    assert "cannot be read" in bad(box, "read", path="ghost.md")
    assert "not a regular file" in bad(box, "read", path=".")
    (directory / "huge.md").write_bytes(b"x" * (5 << 20))
    assert "larger" in bad(box, "read", path="huge.md")
    (directory / "binary.md").write_bytes(b"\xff\xfe ok \xff")
    assert "ok" in good(box, "read", path="binary.md")


def test_lines_are_found_by_plain_text_and_alternatives(box: Toolbox) -> None:
    assert good(box, "grep", text="DATA SCI") == "user_role.md:7: A data scientist."
    assert good(box, "grep", text="nothing|scientist", path="user_role.md").startswith("user_role.md:7")
    assert good(box, "grep", text="d.ta") == "Nothing was found."
    assert "needs a text" in bad(box, "grep", text=" | ")


def test_names_are_found_newest_first_and_pending_ones_before(box: Toolbox, directory: Path) -> None:
    (directory / "sub").mkdir()
    (directory / "sub" / "a.md").write_text(ROLE)
    os.utime(directory / "sub" / "a.md", (1, 1))
    assert good(box, "write", path="user_new.md", text=ROLE)
    assert good(box, "glob", pattern="**/*.md").splitlines()[0] == "user_new.md"
    assert good(box, "glob", pattern="*.md").splitlines()[0] == "user_new.md"
    assert good(box, "glob", pattern="**/a.md") == "sub/a.md"
    assert good(box, "glob", pattern="*.txt", path=str(directory.parent / "project")).endswith("big.txt")
    assert good(box, "glob", pattern="*.nothing") == "Nothing was found."


def test_links_are_not_followed_when_searching(box: Toolbox, directory: Path) -> None:
    secret = directory.parent / "outside"
    secret.mkdir()
    (secret / "a.md").write_text("needle")
    (directory / "linked").symlink_to(secret)
    (directory / "link.md").symlink_to(secret / "a.md")
    assert good(box, "grep", text="needle") == "Nothing was found."
    assert "link" not in good(box, "glob", pattern="**/*.md")
    assert good(box, "shell", command="grep -r needle .") == "Nothing was found."


def test_changes_are_seen_by_looks_and_the_disk_stays(box: Toolbox, directory: Path) -> None:
    assert good(box, "edit", path="user_role.md", old="scientist", new="engineer")
    assert "engineer" in good(box, "read", path="user_role.md")
    assert good(box, "grep", text="engineer").startswith("user_role.md:7")
    assert good(box, "write", path="user_two.md", text=ROLE.replace("role", "two"))
    assert good(box, "forget", path="user_two.md")
    assert "to be forgotten" in bad(box, "read", path="user_two.md")
    assert "two" not in good(box, "glob", pattern="*.md")
    assert sorted(os.listdir(directory)) == ["MEMORY.md", "user_role.md"]
    assert (directory / "user_role.md").read_text() == ROLE


def test_an_edit_names_a_passage_that_stands_there_once(box: Toolbox) -> None:
    assert "does not stand" in bad(box, "edit", path="user_role.md", old="absent", new="x")
    assert "does not stand" in bad(box, "edit", path="user_role.md", old="", new="x")
    assert "stands 2 times" in bad(box, "edit", path="user_role.md", old="---", new="x")
    assert "no memory" in bad(box, "edit", path="ghost.md", old="a", new="b")
    assert "no memory" in bad(box, "forget", path="ghost.md")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no header", "no type"),
        (ROLE.replace('type: "user"', 'type: "opinion"'), "no type"),
        (ROLE.replace('description: "What the user does"\n', ""), "no description"),
        (ROLE + "x" * 300_000, "over 250,000 bytes"),
        (ROLE + "\0", "NUL"),
        (ROLE + "\ud800", "surrogate"),
        (ROLE + "key: AKIA" + "IOSFODNN7" + "ABCDEFG\n", "credential"),
    ],
)
def test_a_text_that_cannot_be_a_memory_is_not_taken(box: Toolbox, text: str, reason: str) -> None:
    assert reason in bad(box, "write", path="user_x.md", text=text)
    assert box.overlay.edits() == ()


def test_an_edit_cannot_make_one_either(box: Toolbox) -> None:
    assert "no type" in bad(box, "edit", path="user_role.md", old='type: "user"', new="")


def test_a_name_that_differs_in_case_only_is_refused(box: Toolbox) -> None:
    assert "Write to user_role.md" in bad(box, "write", path="User_Role.md", text=ROLE)


@pytest.mark.parametrize("name", ["user_my role.md", "user_rôle.md", f"user_{'r' * 96}.md", "a b/user_x.md"])
def test_a_new_file_is_called_as_every_file_of_ours(box: Toolbox, directory: Path, name: str) -> None:
    assert "cannot be made: its name" in bad(box, "write", path=name, text=ROLE)
    (directory / name).parent.mkdir(exist_ok=True)
    (directory / name).write_text(ROLE)
    good(box, "write", path=name, text=ROLE)  # one that is there is changed all the same


def test_a_shell_command_runs_in_the_memory_directory_without_a_shell(box: Toolbox) -> None:
    assert good(box, "shell", command="cat user_role.md | grep -n scientist") == "7:A data scientist.\n"
    assert good(box, "shell", command="grep -c '$HOME' user_role.md").strip() == "0"
    assert good(box, "shell", command="wc -l user_role.md").split() == ["7", "user_role.md"]
    assert "No such file" in bad(box, "shell", command="cat ghost.md")


def test_a_command_that_says_too_much_or_waits_is_ended(directory: Path) -> None:
    (directory / "many").write_text("word\n" * 200_000)
    assert len(run_pipeline([["cat", "many", "many"]], str(directory), seconds=10).text) < MAX_RESULT + 300
    assert "ended after" in run_pipeline([["tail", "-f", "many"], ["wc"]], str(directory), seconds=0.1).text
    cancel = Cancel()
    Timer(0.05, cancel.set).start()
    endless = [["tail", "-f", "many"], ["wc"]]
    assert "called off" in run_pipeline(endless, str(directory), seconds=30, cancel=cancel).text
    assert "could not be run" in run_pipeline([["no-such-program"]], str(directory), seconds=1).text
    left = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "args="], capture_output=True, text=True, check=False
    )
    assert "tail" not in left.stdout


def test_answers_come_in_the_order_of_the_calls_whatever_runs_beside(box: Toolbox) -> None:
    calls = [
        ToolCall("a", "read", {"path": "user_role.md"}),
        ToolCall("b", "edit", {"path": "user_role.md", "old": "data", "new": "rocket"}),
        ToolCall("c", "grep", {"text": "rocket"}),
        ToolCall("d", "edit", {"path": "user_role.md", "old": "rocket", "new": "marine"}),
        ToolCall("e", "nonsense", {}),
    ]
    answers = box.answers(calls)
    assert [answer.call_id for answer in answers] == ["a", "b", "c", "d", "e"]
    assert [answer.failed for answer in answers] == [False, False, False, False, True]
    assert answers[2].text == "Nothing was found."  # looks see what was there before the turn
    assert "marine" in (box.overlay.text("user_role.md") or "")


def test_too_many_calls_are_refused(box: Toolbox) -> None:
    answers = box.answers(
        [ToolCall(str(number), "read", {"path": "MEMORY.md"}) for number in range(MAX_CALLS + 5)]
    )
    assert [answer.failed for answer in answers] == [False] * MAX_CALLS + [True] * 5


def test_a_directory_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    box = Toolbox(Policy(str(tmp_path / "none")), Overlay(str(tmp_path / "none")))
    assert good(box, "grep", text="x") == "Nothing was found."
    assert good(box, "glob", pattern="*") == "Nothing was found."
    assert bad(box, "shell", command="ls")
    assert good(box, "write", path="user_role.md", text=ROLE)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_model_is_told_what_each_tool_takes(name: str) -> None:
    tool = worker_tool(name)
    assert tool.description
    assert tool.schema["properties"].keys() == ARGUMENTS[name].keys()
    assert all(about["description"] for about in tool.schema["properties"].values())
    assert tool.schema["required"] == [key for key, kind in ARGUMENTS[name].items() if not kind.endswith("?")]
