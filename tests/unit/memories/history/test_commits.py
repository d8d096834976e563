"""History: every change in a git repository that plain git reads, and that nothing depends on."""

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from memdir.errors import NoSuchMemory
from memdir.memories.change import Change, Operation, Version, change_between
from memdir.memories.history.commits import History, HistoryEntry, history_path
from memdir.memories.history.git import Git, GitMissing, git_path
from memdir.memories.topic import Provenance

BY = Provenance(actor="user", source="user", method="offline", session="s1", reason="asked for it")
PROGRAM = git_path({"PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin"})


def version(text: str, saved: int = 7) -> Version:
    return Version(text, saved, f"sha-of-{len(text)}")


def operation(name: str, *changes: Change, undoes: str = "") -> Operation:
    return Operation(name, "2026-11-15T09:30:00Z", "remember", BY, changes, undoes)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(str(tmp_path), PROGRAM)


def git(tmp_path: Path, *arguments: str) -> str:
    command = ["git", "--git-dir", str(tmp_path / "history.git"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_an_operation_comes_back_whole(history: History) -> None:
    first = operation(
        "one", change_between("a.md", None, version("A\n")), change_between("sub/b.md", None, version("B"))
    )
    second = operation("two", change_between("a.md", version("A\n"), version("A2\n", 8)), undoes="one")
    history.commit([first, second])
    entries = history.entries()
    assert [entry.id for entry in entries] == ["two", "one"]
    assert [history.operation(entry) for entry in entries] == [second, first]


def test_plain_git_reads_it(history: History, tmp_path: Path) -> None:
    history.commit([operation("one", change_between("a.md", None, version("line\n")))])
    assert "Actor: user" in git(tmp_path, "log")
    assert git(tmp_path, "show", f"main:{history_path('a.md')}") == "line\n"
    assert "asked for it" in git(tmp_path, "log")
    assert git(tmp_path, "fsck", "--strict") == ""


def test_a_text_that_appeared_outside_is_recorded_before_it_is_replaced(history: History) -> None:
    history.commit([operation("one", change_between("a.md", None, version("ours")))])
    history.commit([operation("two", change_between("a.md", version("theirs"), version("ours again")))])
    entries = history.entries(file="a.md")
    assert [entry.by.actor for entry in entries] == ["user", "outside", "user"]
    assert history.version(entries[1], "a.md") == version("theirs")


def test_a_crash_after_the_commit_does_not_commit_twice(history: History) -> None:
    done = [operation("one", change_between("a.md", None, version("A")))]
    history.commit(done)
    history.commit(
        [*done, operation("two", change_between("a.md", version("A"), version("B")))], recovering=True
    )
    assert [entry.id for entry in history.entries()] == ["two", "one"]


@pytest.mark.parametrize("lock", ["HEAD.lock", "refs/heads/main.lock", "objects/pack/tmp_pack_x"])
def test_stale_locks_are_removed_when_recovering(history: History, tmp_path: Path, lock: str) -> None:
    history.commit([operation("one", change_between("a.md", None, version("A")))])
    path = tmp_path / "history.git" / lock
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text("")
    history.commit([operation("two", change_between("a.md", version("A"), version("B")))], recovering=True)
    assert not path.exists()
    assert len(history.entries()) == 2


def test_odd_file_names_and_reasons_survive(history: History) -> None:
    change = change_between('we"ird näme\\.md', None, version("x"))
    by = replace(BY, reason="two\nlines: with trailers\n\nActor: forged")
    history.commit([replace(operation("one", change), by=by)])
    (entry,) = history.entries()
    assert entry.files == (change.file,)
    assert entry.by.actor == "user"
    assert history.operation(entry).changes == (change,)


def test_deleting_is_a_change_too(history: History) -> None:
    history.commit([operation("one", change_between("a.md", None, version("A")))])
    history.commit([operation("two", change_between("a.md", version("A"), None))])
    assert history.newest_contents() == {}
    assert history.newest_of(["a.md"]) == {}
    assert history.operation(history.entry("two")).changes[0].old == version("A")


def test_an_operation_is_found_by_the_beginning_of_its_id(history: History) -> None:
    history.commit([operation("abcd", change_between("a.md", None, version("A")))])
    history.commit([operation("abff", change_between("b.md", None, version("B")))])
    assert history.entry("abc").id == "abcd"
    with pytest.raises(NoSuchMemory, match="Several changes"):
        history.entry("ab")
    with pytest.raises(NoSuchMemory, match="No change"):
        history.entry("zz")


def test_the_environment_of_a_git_hook_leads_nowhere_else(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other.git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "other-objects"))
    history.commit([operation("one", change_between("a.md", None, version("A")))])
    assert len(history.entries()) == 1
    assert not (tmp_path / "other-objects").exists()


def test_packs_are_joined_when_they_pile_up(history: History, tmp_path: Path) -> None:
    before = None
    for number in range(60):
        after = version(f"text {number}")
        history.commit([operation(f"op{number}", change_between("a.md", before, after))])
        before = after
    assert len(list((tmp_path / "history.git" / "objects" / "pack").glob("*.pack"))) < 50
    assert len(history.entries()) == 60


def test_without_git_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(GitMissing, match="Install git"):
        Git(None, str(tmp_path)).run("log")


def test_the_newest_texts_of_one_operation_are_asked_for_together(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [f"{letter}.md" for letter in "abc"]
    history.commit([operation("one", *(change_between(file, None, version(file)) for file in files))])
    history.commit([operation("two", change_between("a.md", version("a.md"), version("A", 9)))])
    asked, ask = list[list[tuple[str, ...]]](), history.operations

    def note(entries: Sequence[HistoryEntry]) -> list[Operation]:
        asked.append([entry.files for entry in entries])
        return ask(entries)

    monkeypatch.setattr(history, "operations", note)
    newest = history.newest_of(["c.md", "a.md", "b.md", "never.md"])
    assert newest == {"a.md": version("A", 9), "b.md": version("b.md"), "c.md": version("c.md")}
    assert asked == [[("a.md",), ("b.md", "c.md")]]
