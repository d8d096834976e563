"""A purged memory is nowhere: no file below home and no git object, loose or packed, has a word of it."""

import json
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdir import Draft, Memory
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.change import Change
from memdir.sync.git_format import without_files

WORDS = ("plover-nine", "plover-ten", "How the zebra vault opens", "quokka reason")
FIRST = "The zebra vault opens with plover-nine since Monday."
SECOND = "The zebra vault opens with plover-ten now.\n\n**Why:** plover-nine leaked.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    (made / "project").mkdir(parents=True)
    return made


@pytest.fixture
def memory(home: Path) -> Memory:
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    return Memory.open(home / "project", env, session="talk-1")


def git(*words: str, feed: bytes = b"") -> bytes:
    return subprocess.run(["git", *words], check=True, capture_output=True, input=feed).stdout


def everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes of every file, plain and unpacked, and of every git object."""
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            yield str(path), data
            yield f"{path} (name)", path.name.encode()
            if path.parent.parent.name == "objects" and len(path.parent.name) == 2:
                yield f"{path} (loose)", zlib.decompress(data)
        elif (path / "objects").is_dir():
            every = git("--git-dir", str(path), "cat-file", "--batch-all-objects", "--batch")
            yield f"{path} (objects)", every


def places(folder: Path, *words: str) -> list[str]:
    needles = [word.encode() for word in (*words, *[json.dumps(word)[1:-1] for word in words])]
    return sorted({place for place, data in everything(folder) for one in needles if one in data})


def use_memory(memory: Memory) -> None:
    """Give a memory a life: written, changed, renamed, recalled, forgotten, brought back, logged, noted."""
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    memory.remember(FIRST, kind="reference", name="zebra", reason="quokka reason: zebra vault plover-nine")
    memory.recall("How does the zebra vault open?")
    memory.remember(SECOND, kind="reference", name="zebra", description="How the zebra vault opens")
    memory.rename("zebra", "vault")
    memory.forget("vault")
    memory.undo()
    topic = memory.read("vault")
    index = Path(memory.directory, "MEMORY.md")
    index.write_text(index.read_text() + "\n## Mine\n\nThe zebra vault opens with plover-ten now.\n")
    memory.history.list()
    memory.history.change([_edit(memory)], verb="edit")
    memory.remember("Reviews are on Fridays.", kind="project", name="reviews", supersedes="")
    log = Path(memory.directory, "logs/2026/11/2026-11-15.md")
    log.parent.mkdir(parents=True)
    log.write_text("- 09:00 something else\n- 09:30 The zebra vault opens with plover-ten now.\n")
    assert topic.header.name == "vault"
    memory.recall("How does the zebra vault open?")


def _edit(memory: Memory) -> Change:
    topic = memory.read("vault")
    return Change(
        topic.header.file, topic.text, topic.text + "\nThe zebra vault opens with plover-nine since Monday.\n"
    )


def test_nothing_below_home_has_a_word_of_it(home: Path, memory: Memory) -> None:
    use_memory(memory)
    assert len(places(home, *WORDS)) > 5
    done = memory.transfer.purge("vault")
    assert places(home, *WORDS, "reference_zebra", "reference_vault") == []
    assert done.left == ()
    assert set(done.target.files) == {"reference_vault.md", "reference_zebra.md"}
    assert str(Path(memory.directory)) in done.searched
    assert any("history.git" in one for one in done.removed)


def test_everything_else_is_as_it_was(home: Path, memory: Memory) -> None:
    use_memory(memory)
    before = Path(memory.directory, "project_deploys.md").read_bytes()
    ids = [entry.id for entry in memory.history.list("deploys")]
    memory.transfer.purge("vault")
    again = Memory.open(home / "project", {"HOME": str(home), "PATH": os.environ["PATH"]})
    assert sorted(header.name for header in again.list()) == ["deploys", "reviews"]
    assert Path(again.directory, "project_deploys.md").read_bytes() == before
    assert [entry.id for entry in again.history.list("deploys")] == ids
    by = again.history.provenance("deploys")
    assert by is not None
    assert (by.actor, by.source) == ("user", "user")
    log = Path(again.directory, "logs/2026/11/2026-11-15.md")
    assert log.read_text() == "- 09:00 something else\n"
    assert "## Mine" in Path(again.directory, "MEMORY.md").read_text()
    again.forget("deploys")
    again.undo()
    assert sorted(header.name for header in again.list()) == ["deploys", "reviews"]
    problems = {one.code for one in again.doctor.examine().findings if one.severity == "problem"}
    assert problems <= {"permissions"}


def test_one_that_was_forgotten_long_ago_can_be_purged(home: Path, memory: Memory) -> None:
    use_memory(memory)
    memory.forget("vault")
    assert places(home, *WORDS)
    memory.transfer.purge("vault")
    assert places(home, *WORDS) == []


def test_proposals_and_requests_go_too(home: Path, memory: Memory) -> None:
    use_memory(memory)
    for folder, name in (("inbox", "1.json"), ("work/extract", "talk.waiting"), ("conversations", "talk-1")):
        place = Path(memory.state, folder)
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(json.dumps({"text": FIRST}))
    aside = Path(memory.state, "history.git.damaged-1")
    aside.mkdir()
    (aside / "x").write_bytes(zlib.compress(FIRST.encode()))
    memory.transfer.purge("vault")
    assert places(home, *WORDS) == []
    assert not aside.exists()


@pytest.mark.skipif(shutil.which("setpriv") is None and os.getuid() == 0, reason="root may remove everything")
def test_what_cannot_be_removed_is_left_and_named(home: Path, memory: Memory) -> None:
    use_memory(memory)
    memory.forget("vault")
    packed, closed = Path(memory.state, "history.git.damaged-1"), Path(memory.state, "inbox/closed")
    trash = [path for path in Path(memory.state, "trash").rglob("*.md") if "vault" in path.name]
    log = Path(memory.directory, "logs/2026/11")
    for folder in (packed, closed):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "x").write_text(FIRST)
    folders = [packed, closed, log, *[path.parent for path in trash]]
    for folder in folders:
        folder.chmod(0 if folder == closed else 0o500)
    drop = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    words = ["-m", "memdir", "--cwd", str(home / "project"), "forget", "vault", "--purge", "--yes", "--json"]
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [*drop, sys.executable, *words], env=env, check=True, capture_output=True, text=True
    )
    for folder in folders:
        folder.chmod(0o700)
    said = json.loads(done.stdout)
    left = [str(packed / "x"), str(closed), str(log / "2026-11-15.md"), *map(str, trash)]
    assert sorted(one.partition(": could not be ")[0] for one in said["left"]) == sorted(left)
    assert [one for one in said["removed"] if one.startswith(tuple(left))] == []
    assert f"{packed / 'x'}: could not be removed; remove it yourself" in said["left"]


def test_what_another_memory_says_is_left_and_named(memory: Memory) -> None:
    use_memory(memory)
    copy = memory.remember(FIRST, kind="reference", name="copy").path
    done = memory.transfer.purge("vault")
    assert Path(copy).exists()
    assert [one for one in done.left if one.startswith(f"{copy}: ")]


def test_without_git_the_journal_is_cleaned(home: Path) -> None:
    memory = Memory.open(home / "project", {"HOME": str(home), "PATH": "/nowhere"})
    memory.remember(FIRST, kind="reference", name="zebra")
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    assert places(home, *WORDS)
    memory.transfer.purge("zebra")
    assert places(home, *WORDS) == []
    assert [
        one.verb
        for one in Memory.open(
            home / "project", {"HOME": str(home), "PATH": os.environ["PATH"]}
        ).history.list()
    ]


def test_many_memories_are_rewritten_whole(memory: Memory, home: Path) -> None:
    memory.transfer.remember_many(
        [Draft(f"Fact number {n} is about otters.", "project", f"fact-{n}") for n in range(300)]
    )
    use_memory(memory)
    before = {
        e.id: e.files for e in memory.history.list() if not any("zebra" in f or "vault" in f for f in e.files)
    }
    memory.transfer.purge("vault")
    assert before.items() <= {e.id: e.files for e in memory.history.list()}.items()
    assert places(home, *WORDS) == []


def test_an_agent_cannot_purge_and_an_unknown_name_is_said_to_be_unknown(home: Path, memory: Memory) -> None:
    use_memory(memory)
    agent = Memory.open(home / "project", {"HOME": str(home), "PATH": os.environ["PATH"], "CLAUDECODE": "1"})
    with pytest.raises(Rejected, match="Only a person"):
        agent.transfer.purge("vault")
    with pytest.raises(NoSuchMemory):
        memory.transfer.purge("nothing-of-the-kind")


def remote_of(memory: Memory, tmp_path: Path) -> Path:
    bare = tmp_path / "remote.git"
    git("init", "-q", "--bare", "--initial-branch=main", str(bare))
    memory.sync.init(str(bare), folder="app", who="Ada <ada@example.com>")
    return bare


def test_the_history_of_a_git_remote_is_rewritten(memory: Memory, tmp_path: Path) -> None:
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    bare = remote_of(memory, tmp_path)
    memory.sync.run()
    use_memory(memory)
    memory.sync.run()
    reachable = git("--git-dir", str(bare), "log", "-p", "main")
    assert b"plover-ten" in reachable
    done = memory.transfer.purge("vault")
    assert done.left == ()
    git("--git-dir", str(bare), "gc", "-q", "--prune=now")  # as the server does in its own time
    assert places(tmp_path, *WORDS, "reference_vault") == []
    assert b"project_deploys.md" in git("--git-dir", str(bare), "ls-tree", "-r", "--name-only", "main")
    assert memory.sync.run().pushed == ()
    memory.remember("Reviews moved to Mondays.", kind="project", name="reviews")
    assert memory.sync.run().pushed == ("project_reviews.md",)


def test_an_edit_right_after_a_purge_is_sent_and_conflicts_with_nothing(
    memory: Memory, tmp_path: Path
) -> None:
    remote_of(memory, tmp_path)
    memory.remember(FIRST, kind="reference", name="zebra")
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    memory.sync.run()
    memory.transfer.purge("zebra")
    memory.remember("Deploys go out on Fridays.", kind="project", name="deploys")
    done = memory.sync.run()
    assert (done.pushed, done.conflicts) == (("project_deploys.md",), ())
    assert "Fridays" in memory.read("deploys").body


def test_a_team_memory_is_purged_with_the_history_of_its_remote(memory: Memory, tmp_path: Path) -> None:
    bare = tmp_path / "team.git"
    git("init", "-q", "--bare", "--initial-branch=main", str(bare))
    memory.team.init(memory.team.proposal(str(bare), who="Ada")[0])
    for text in (FIRST, SECOND):
        memory.remember(text, kind="reference", name="zebra", audience="team")
        memory.team.sync()
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys", audience="team")
    memory.team.sync()
    done = memory.transfer.purge("team/zebra")
    assert done.left == ()
    git("--git-dir", str(bare), "gc", "-q", "--prune=now")
    assert places(tmp_path, *WORDS, "reference_zebra") == []
    assert [header.file for header in memory.list()] == ["team/project_deploys.md"]


def test_nobody_sends_it_again_who_still_has_a_copy(memory: Memory, tmp_path: Path) -> None:
    bare = remote_of(memory, tmp_path)
    memory.remember(FIRST, kind="reference", name="zebra")
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    memory.sync.run()
    env = {"HOME": str(tmp_path / "desk"), "PATH": os.environ["PATH"]}
    desk = Memory.at(tmp_path / "desk-memory", tmp_path / "desk-state", env=env)
    desk.sync.init(str(bare), folder="app", who="Desk")
    desk.sync.run()
    memory.transfer.purge("zebra")
    desk.remember("Reviews are on Fridays.", kind="project", name="reviews")
    done = desk.sync.run()
    assert [(one.file, "removed for good" in one.because) for one in done.refused] == [
        ("reference_zebra.md", True)
    ]
    assert done.pushed == ("project_reviews.md",)
    assert b"plover" not in git("--git-dir", str(bare), "log", "-p", "--all")
    memory.sync.run()
    assert sorted(header.name for header in memory.list()) == ["deploys", "reviews"]
    desk.transfer.purge("zebra")
    assert desk.sync.run().refused == ()


def test_a_remote_that_does_not_permit_it_is_named(memory: Memory, tmp_path: Path) -> None:
    bare = remote_of(memory, tmp_path)
    memory.remember(FIRST, kind="reference", name="zebra")
    memory.sync.run()
    git("--git-dir", str(bare), "config", "receive.denyNonFastForwards", "true")
    done = memory.transfer.purge("zebra")
    (told,) = done.left
    assert "does not permit" in told
    assert places(tmp_path / "home", *WORDS) == []


def test_versions_in_a_shared_folder_go_and_the_deletion_stays(memory: Memory, tmp_path: Path) -> None:
    shared = tmp_path / "share"
    shared.mkdir()
    memory.sync.init(str(shared), folder="app", who="Ada")
    use_memory(memory)
    memory.sync.run()
    assert places(shared, *WORDS)
    memory.transfer.purge("vault")
    assert places(shared, *WORDS) == []
    other = Memory.at(
        tmp_path / "other",
        tmp_path / "other-state",
        env={"HOME": str(tmp_path / "o"), "PATH": os.environ["PATH"]},
    )
    other.sync.init(str(shared), folder="app", who="West")
    other.sync.run()
    assert sorted(header.name for header in other.list()) == ["deploys", "reviews"]


def test_odd_paths_and_messages_of_a_stream_are_read() -> None:
    stream = (
        b"blob\nmark :1\ndata 11\nM 1 :1 x.md\n\ncommit refs/heads/x\nmark :2\ncommitter a <b> 1 +0000\n"
        b"data 22\nsave x.md\nD x.md\nkept\n\nM 100644 :1 a/x.md\n"
        b'M 100644 :1 "a/\\303\\251 \\"q\\".md"\nD a/y.md\n\n'
    )
    clean = without_files(stream, {"a/x.md", 'a/é "q".md', "a/y.md"}, ["x.md"])
    assert b"M 1 :1 x.md\n" in clean  # the text of a blob is not a command
    assert b"kept" in clean
    assert b"save" not in clean
    assert b"a/" not in clean
