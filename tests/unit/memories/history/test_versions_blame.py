"""Past texts of a memory are told newest first, also under earlier names, and each line knows its change."""

from memdir.memories.history.commits import HistoryEntry
from memdir.memories.history.versions import PastText, blamed_lines
from memdir.memories.topic import Provenance
from memdir.memory import Memory


def entry(name: str) -> HistoryEntry:
    return HistoryEntry(name, "2026-11-15T10:00:00Z", "edit", Provenance(), ("a.md",))


def test_a_line_is_of_the_change_that_brought_it() -> None:
    first = PastText(entry("1"), "a.md", None, "one\ntwo\n")
    second = PastText(entry("2"), "a.md", "one\ntwo\n", "one\nnew\ntwo\n")
    lines = blamed_lines([second, first], "one\nnew\nTWO\n")
    assert [(line.line, line.entry.id if line.entry else "") for line in lines] == [
        ("one", "1"),
        ("new", "2"),
        ("TWO", ""),
    ]


def test_what_is_older_than_the_texts_at_hand_counts_to_the_oldest() -> None:
    cut = PastText(entry("9"), "a.md", "old\n", "old\nnew\n")
    assert [line.entry.id for line in blamed_lines([cut], "old\nnew\n") if line.entry] == ["9", "9"]
    assert blamed_lines([], "") == []


def test_past_texts_follow_a_rename(memory: Memory) -> None:
    memory.remember("First words.", kind="user", name="old")
    topic = memory.read("old")
    memory.edit(topic, topic.text.replace("First", "Second"))
    memory.rename("old", "new")
    texts = memory.history.texts("user_new.md", memory.history.list("new"))
    assert [(past.entry.verb, past.file) for past in texts] == [
        ("rename", "user_new.md"),
        ("edit", "user_old.md"),
        ("remember", "user_old.md"),
    ]
    assert "-First words." in texts[1].diff
    assert "+Second words." in texts[1].diff
    assert texts[2].before is None
    (newest,) = memory.history.texts("user_new.md", memory.history.list("new"), limit=1)
    assert newest.before is not None


def test_the_writers_of_many_are_those_of_each(memory: Memory) -> None:
    memory.remember("Mine.", kind="user", name="mine")
    memory.remember("Its own.", kind="user", name="agents", actor="host", source="assistant")
    memory.remember("Renamed.", kind="user", name="before")
    memory.rename("before", "after")
    with open(f"{memory.directory}/user_outside.md", "w", encoding="utf-8") as file:
        file.write("---\nname: outside\ntype: user\nmetadata:\n  source: user\n---\n\nPlanted.\n")
    files = [header.file for header in memory.list()]
    found = memory.history.writers(files, memory.history.list())
    assert found == {file: memory.history.provenance(file) for file in files}
    assert found["user_outside.md"] is None
