"""Where a rule may be and cannot be read, that is told; what cannot be known never counts as no rule."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.contents import compiled_rules, parts_of
from tests.reliability.harness.fork import forked, loaded
from tests.reliability.harness.sandbox import NOBODY, scratch

from memdir import Memory
from memdir.memories.enforce import holds_rule
from memdir.memories.history.recorder import Recorder
from memdir.memory_tool.tool import MemoryTool
from memdir.rules.compiler import CompiledRules, compile_rules
from memdir.rules.store import rows_in_force

RULE = '---\nname: deploys\ndescription: d\nmetadata:\n  enforce: "Bash: make deploy"\n---\nx\n'


@pytest.fixture
def memory() -> Iterator[Memory]:
    with scratch(anybody=True) as folder:
        yield Memory.at(Path(folder, "memory"), Path(folder, "state"))


def seen_by_somebody(memory: Memory) -> str:
    """Return what a user whom permissions stop is told about the rules."""
    loaded()
    for folder, _, files in os.walk(os.path.dirname(memory.directory)):
        for path in (folder, *[os.path.join(folder, file) for file in files]):
            os.chmod(path, os.stat(path).st_mode | 0o055 if os.stat(path).st_mode & 0o700 else 0)
    found = forked(lambda: print(compiled_rules(memory).unknown), user=NOBODY if os.geteuid() == 0 else -1)
    return found.decode().strip()


def closed_file(memory: Memory) -> str:
    path = Path(memory.directory, "deploys.md")
    path.write_text(RULE)
    path.chmod(0)
    return f"{path} cannot be read (Permission denied)"


def closed_folder(memory: Memory) -> str:
    path = Path(memory.directory, "deep")
    path.mkdir()
    (path / "deploys.md").write_text(RULE)
    path.chmod(0)
    return f"{path}/ cannot be read (Permission denied)"


def closed_directory(memory: Memory) -> str:
    Path(memory.directory).chmod(0)
    return f"{memory.directory} cannot be read (Permission denied)"


@pytest.mark.parametrize("close", [closed_file, closed_folder, closed_directory])
def test_what_cannot_be_read_may_hold_a_rule(memory: Memory, close: Callable[[Memory], str]) -> None:
    memory.remember("x", name="x")
    assert compiled_rules(memory).unknown == ""
    assert seen_by_somebody(memory) == ""
    why = close(memory)
    assert seen_by_somebody(memory) == why


def test_a_file_in_the_place_of_the_directory_is_not_no_rules(memory: Memory) -> None:
    assert compiled_rules(memory) == CompiledRules()
    Path(memory.directory).write_text("x")
    assert "Not a directory" in compiled_rules(memory).unknown
    assert not compiled_rules(memory).settled


def test_a_header_that_breaks_its_reader_may_hold_a_rule(memory: Memory) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    Path(memory.state, "rules").unlink(missing_ok=True)  # else it is not read again
    parts_of(memory).recorder = None  # type: ignore[assignment]
    found = compiled_rules(memory)
    assert found.rows == ()
    assert "feedback_x.md cannot be read (AttributeError" in found.unknown


@pytest.mark.parametrize("sign", ["x", "\u6771"])
def test_a_rule_is_read_at_the_very_end_of_the_longest_header(memory: Memory, sign: str) -> None:
    memory.remember("x", name="x")
    filler = f"  note: {sign * 60_000}\n"
    Path(memory.directory, "deploys.md").write_text(RULE.replace("metadata:\n", f"metadata:\n{filler}"))
    assert [row[6] for row in compiled_rules(memory).rows] == ["Bash: make deploy"]


LONG = "  k: " + "x" * 70_000 + "\n"


@pytest.mark.parametrize(
    "filler",
    ["  k{}: [v]\n" * 2_000, "  note: {}\n" + LONG, "\n" + LONG, "# what it is\n" + LONG, "\n" + 4 * LONG],
)
def test_a_header_that_goes_on_after_what_is_read_may_hold_a_rule(memory: Memory, filler: str) -> None:
    memory.remember("x", name="x")
    text = RULE.replace("metadata:\n", f"metadata:\n{filler.format(*range(2_000))}")
    Path(memory.directory, "deploys.md").write_text(text)
    assert compiled_rules(memory).rows == ()
    assert "deploys.md cannot be read (the header is too long" in compiled_rules(memory).unknown
    assert holds_rule(text)


def test_rules_before_the_end_of_what_is_read_hold_and_more_may_follow(memory: Memory) -> None:
    memory.remember("x", name="x")
    text = RULE.replace("---\nx", "  k: [v]\n" * 2_000 + "  enforce: 'Bash: rm'\n---\nx")
    Path(memory.directory, "deploys.md").write_text(text)
    for _ in range(2):
        found = compiled_rules(memory)
        assert [row[6] for row in found.rows] == ["Bash: make deploy"]
        assert "deploys.md cannot be read (the header is too long" in found.unknown


def test_a_rule_that_cannot_be_read_hides_none_behind_the_end_of_what_is_read(memory: Memory) -> None:
    memory.remember("x", name="x")
    text = RULE.replace("Bash: make deploy", "no rule")
    Path(memory.directory, "deploys.md").write_text(text.replace("---\nx", "  k: [v]\n" * 2_000 + "---\nx"))
    for _ in range(2):
        assert "deploys.md cannot be read (the header is too long" in compiled_rules(memory).unknown


def test_a_rule_file_with_a_second_name_still_counts(memory: Memory) -> None:
    path = Path(memory.remember("x", name="x", enforce="Bash: x").path)
    os.link(path, path.parent.parent / "second")
    assert [row[6] for row in compiled_rules(memory).rows] == ["Bash: x"]


def test_nothing_is_settled_while_a_file_may_change_and_show_the_same_time(memory: Memory) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    path = Path(memory.directory, "other.md")
    unsettled = 0
    for number in range(200):
        path.write_text(RULE.replace('deploy"', f'go{number:03}"'))
        found = compiled_rules(memory)
        unsettled += not found.settled
        assert f"Bash: make go{number:03}" in [row[6] for row in found.rows]
    assert unsettled == 200
    path.unlink()
    time.sleep(0.05)
    assert compiled_rules(memory).settled


def test_a_foreign_rule_is_settled_only_when_history_had_time_to_know_it(memory: Memory) -> None:
    memory.remember("x", name="x", enforce="Bash: x", actor="host", source="assistant")
    time.sleep(0.05)
    assert not compiled_rules(memory).settled


def test_records_that_cannot_be_read_leave_the_writer_open(memory: Memory) -> None:
    memory.remember("x", name="x", enforce="Bash: x")
    memory.history.list()
    time.sleep(0.05)
    state = Path(memory.state)
    for part in ("journal", "history.git"):
        aside = state / f"{part}.aside"
        if (state / part).exists():
            (state / part).rename(aside)
        (state / part).mkdir() if part == "journal" else (state / part).write_text("x")
        (state / "rules").unlink(missing_ok=True)
        found = compiled_rules(memory)
        assert not found.settled
        assert "cannot be looked up" in found.rows[0][5]
        (state / part).rmdir() if part == "journal" else (state / part).unlink()
        if aside.exists():
            aside.rename(state / part)
        again = compiled_rules(memory)
        assert (again.settled, again.rows[0][5]) == (True, "")


def by_mcp(memory: Memory) -> None:
    memory.remember("x", name="x", enforce="Bash: x", actor="host", source="assistant", reason="through MCP")


def by_the_tool(memory: Memory) -> None:
    MemoryTool(memory).call({"command": "create", "path": "/memories/x.md", "file_text": RULE})


def by_an_editor(memory: Memory) -> None:
    memory.remember("y", name="y")
    Path(memory.directory, "x.md").write_text(RULE)


def by_an_extractor(memory: Memory) -> None:
    memory.remember("x", name="x", enforce="Bash: x", actor="extractor", source="assistant")


def with_a_false_reason(memory: Memory) -> None:
    memory.remember(
        "x", name="x", enforce="Bash: x", actor="host", source="assistant", reason="the user, of course"
    )


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (by_mcp, "an agent (through MCP)"),
        (by_the_tool, "an agent (through the memory tool)"),
        (by_an_editor, "somebody outside memdir"),
        (by_an_extractor, "the extractor"),
        (with_a_false_reason, "an agent"),
    ],
)
def test_whoever_wrote_a_rule_is_named(memory: Memory, plant: Callable[[Memory], None], words: str) -> None:
    plant(memory)
    assert [row[5] for row in compiled_rules(memory).rows] == [words]


@pytest.mark.parametrize("text", ["12/31/2029", "1 Jan 2029", "soon", "2029", "0", "2029-1-1"])
def test_only_a_day_that_can_be_read_ends_a_rule(text: str) -> None:
    row = ("x.md", "1", "x", "", text, "", "Bash: x", "")
    assert rows_in_force([row], "2030-06-01") == [row]
    for day, holds in (("2030-06-01", True), ("2030-05-31", False), ("2030-05-31T10:00:00Z", False)):
        assert bool(rows_in_force([(*row[:4], day, *row[5:])], "2030-06-01")) is holds


def test_a_rule_that_was_saved_many_times_is_the_users_after_a_few_questions(memory: Memory) -> None:
    for number in range(150):
        memory.remember(f"Never {number}.", name="x", enforce="Bash: x")
    memory.history.list()
    asked, git = 0, parts_of(memory).recorder.history.git
    run = git.run

    def counted(*words: str, feed: bytes = b"", seconds: float = 60, more: Sequence[str] = ()) -> bytes:
        nonlocal asked
        asked += 1
        return run(*words, feed=feed, seconds=seconds, more=more)

    git.run = counted  # type: ignore[method-assign]
    assert compiled_rules(memory).rows[0][5] == ""
    assert asked <= 9


def test_a_rule_that_is_saved_again_is_compared_with_what_was_known_of_it(memory: Memory) -> None:
    memory.remember("Never.", name="x", enforce="Bash: x")
    time.sleep(0.05)
    assert compiled_rules(memory).settled
    for text, enforce, whose in (
        ("Never ever.", "Bash: x", ""),
        ("Never ever.", "Bash: x; Bash: y", ""),
    ):
        memory.remember(text, name="x", enforce=enforce)
        assert compiled_rules(memory).rows[0][5] == whose
    path = Path(memory.directory, "feedback_x.md")
    path.write_text(path.read_text().replace("Bash: y", "Bash: z"))
    assert compiled_rules(memory).rows[0][5] == "somebody outside memdir"
    time.sleep(0.05)
    memory.remember("Never at all.", name="x")
    assert compiled_rules(memory).rows[0][5] == "somebody outside memdir"


def test_a_memory_that_held_no_rule_may_get_one(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memdir.rules.compiler._TICK_NS", 0)  # else a file must be seconds old to be cached
    path = Path(memory.remember("Deploys go out by hand.", name="deploys").path)
    assert compiled_rules(memory).rows == ()
    memory.remember("Deploys go out by hand.", name="deploys", enforce="Bash: make deploy")
    assert compiled_rules(memory).unknown == ""
    assert [row[0] for row in compiled_rules(memory).rows] == [path.name]


def test_a_call_after_a_save_asks_no_history_who_wrote_the_rule(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memdir.rules.compiler._TICK_NS", 0)  # else a file must be older to be cached
    memory.remember("No pushes", name="push", enforce="Bash: git push *")

    def asked() -> Recorder:
        raise AssertionError("history was asked")

    found = compile_rules(asked, memory.directory, memory.state)
    assert [(row[2], row[5]) for row in found.rows] == [("push", "")]
    assert (found.unknown, found.settled) == ("", True)


def test_a_rule_gives_the_why_of_its_memory_short_and_without_credentials(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memdir.rules.compiler._TICK_NS", 0)  # else a file must be older to be cached
    key = "ghp_" + "9aK3x7Qw" * 4 + "Zt51"
    memory.remember("No pushes", name="push", enforce="Bash: git push *", why="a push deploys")
    memory.remember("No deploys", name="ship", enforce="Bash: make ship", why="so much " * 60)
    memory.remember("No logins", name="login", enforce="Bash: login", why=f"the key {key}", allow_secret=True)
    reasons = {rule.memory: rule.reason for rule in memory.rules.list()}
    assert reasons["push"] == "No pushes; why: a push deploys"
    assert reasons["ship"].endswith("so much…")
    assert len(reasons["ship"]) < 230
    assert "the key" in reasons["login"]
    cached = Path(memory.state, "rules").read_text()
    assert "a push deploys" in cached
    assert all(key not in text for text in (*reasons.values(), cached))
