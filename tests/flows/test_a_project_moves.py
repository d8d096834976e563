"""A project that moves keeps its memories when a person says so; nothing that a repository carries is enough.

The names of the tests are the rows of the table in docs/identity.md.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.repository import git

from memdir import Memory
from memdir.errors import NoSuchMemory, Rejected
from memdir.transfer.orphans import Orphan

REMOTE = "https://ada:hunter2@example.com/acme/app.git"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


@pytest.fixture
def opened(home: Path) -> Callable[..., Memory]:
    def at(project: Path, **more: str) -> Memory:
        return Memory.open(project, {"HOME": str(home), "PATH": os.environ["PATH"], **more})

    return at


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "src" / "app"
    made.mkdir(parents=True)
    git(made, "init", "-q")
    git(made, "remote", "add", "origin", REMOTE)
    (made / "a.py").write_text("x = 1\n")
    git(made, "add", "a.py")
    git(made, "commit", "-q", "-m", "first")
    return made


def save_deploys(memory: Memory) -> str:
    return memory.remember("Deploys go out on Tuesdays only.", kind="project", name="deploys").path


def adopted(memory: Memory, orphan: Orphan) -> list[str]:
    memory.transfer.apply(memory.transfer.adoption(orphan))
    return [header.name for header in memory.list()]


def test_renamed(project: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    moved = project.rename(project.parent / "application")
    memory = opened(moved)
    (orphan,) = memory.transfer.orphans()
    assert (orphan.root, orphan.gone, orphan.likely, orphan.memories) == (str(project), True, True, 1)
    assert [words.rpartition(" ")[0] for words in orphan.evidence] == [
        "the same first commit",
        "the same remote",
    ]
    assert memory.list() == []
    assert adopted(memory, orphan) == ["deploys"]


def test_moved(project: Path, tmp_path: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    (tmp_path / "work").mkdir()
    moved = project.rename(tmp_path / "work" / "app")
    (orphan,) = opened(moved).transfer.orphans()
    assert "a folder of the same name, app" in orphan.evidence
    assert adopted(opened(moved), orphan) == ["deploys"]


def test_cloned(project: Path, tmp_path: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    git(tmp_path, "clone", "-q", str(project), str(tmp_path / "clone"))
    memory = opened(tmp_path / "clone")
    assert memory.transfer.notice() == ""  # the other one is still used: nobody is pushed to take from it
    (orphan,) = memory.transfer.orphans()
    assert (orphan.gone, orphan.likely) == (False, True)
    assert memory.list() == []


def test_worktree(project: Path, tmp_path: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    git(project, "worktree", "add", "-q", str(tmp_path / "branch"))
    memory = opened(tmp_path / "branch")
    assert [header.name for header in memory.list()] == ["deploys"]  # one memory; there is nothing to adopt
    assert memory.transfer.orphans() == []


def test_symlinked(project: Path, tmp_path: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    (tmp_path / "link").symlink_to(project)
    memory = opened(tmp_path / "link")
    assert [header.name for header in memory.list()] == ["deploys"]
    assert memory.transfer.orphans() == []


def test_second_machine(project: Path, tmp_path: Path, opened: Callable[..., Memory]) -> None:
    first = opened(project)
    path = Path(save_deploys(first))
    bundle = tmp_path / "stick.memdir"
    first.transfer.export(bundle)
    other_home = tmp_path / "other-home"
    other_home.mkdir()
    git(tmp_path, "clone", "-q", str(project), str(tmp_path / "elsewhere"))
    second = opened(tmp_path / "elsewhere", HOME=str(other_home))
    assert second.transfer.orphans() == []
    second.transfer.apply(second.transfer.plan(bundle))
    (header,) = second.list()
    assert Path(second.directory, header.file).read_bytes() == path.read_bytes()
    assert set(second.transfer.fingerprint().commits) == set(first.transfer.fingerprint().commits)


def test_no_git(tmp_path: Path, opened: Callable[..., Memory]) -> None:
    plain = tmp_path / "notes"
    plain.mkdir()
    save_deploys(opened(plain))
    made = opened(plain).transfer.make_id()
    save_deploys(opened(plain))
    os.utime(Path(opened(plain).state, "identity.json"), (0, 0))  # a day has passed
    opened(plain).remember("The office closes at six.", kind="project", name="office")
    moved = plain.rename(tmp_path / "diary")
    assert (moved / ".memdir-id").read_text() == f"{made}\n"
    (orphan,) = opened(moved).transfer.orphans()
    assert (orphan.evidence, orphan.likely) == (("the same .memdir-id",), True)
    assert sorted(adopted(opened(moved), orphan)) == ["deploys", "office"]


def test_no_git_and_no_id_is_found_by_its_old_path(tmp_path: Path, opened: Callable[..., Memory]) -> None:
    plain = tmp_path / "notes"
    plain.mkdir()
    save_deploys(opened(plain))
    moved = plain.rename(tmp_path / "diary")
    memory = opened(moved)
    assert memory.transfer.notice() == ""
    (orphan,) = memory.transfer.orphans()
    assert (orphan.evidence, orphan.likely) == ((), False)
    assert memory.transfer.orphan(str(plain)) == orphan
    assert adopted(memory, orphan) == ["deploys"]


def test_forged(project: Path, tmp_path: Path, opened: Callable[..., Memory]) -> None:
    """Everything that names the victim is copied, and the victim is gone; still nothing comes by itself."""
    victim = opened(project)
    save_deploys(victim)
    forged = tmp_path / "forged"
    git(tmp_path, "clone", "-q", str(project), str(forged))
    git(forged, "remote", "set-url", "origin", REMOTE)
    shutil.rmtree(project)
    memory = opened(forged)
    assert memory.list() == []
    assert not memory.recall("When do deploys go out?", budget=30.0).files
    assert "deploys" not in memory.context.prompt(with_index=True).lower().replace("memdir", "")
    told = memory.transfer.notice()
    assert "`memdir adopt` shows them and asks" in told
    assert "Tuesdays" not in told
    agent = opened(forged, CLAUDECODE="1")  # the repository talks an agent into it
    (orphan,) = agent.transfer.orphans()
    with pytest.raises(Rejected, match="Only a person"):
        agent.transfer.adoption(orphan)
    plan = memory.transfer.adoption(orphan)
    with pytest.raises(Rejected, match="Only a person"):
        agent.transfer.apply(plan)
    assert memory.list() == []


def test_what_is_adopted_has_its_time_its_source_and_a_way_back(
    project: Path, opened: Callable[..., Memory]
) -> None:
    path = Path(save_deploys(opened(project)))
    os.utime(path, ns=(10**18 + 123456789, 10**18 + 123456789))
    text = path.read_bytes()
    memory = opened(project.rename(project.parent / "application"))
    (orphan,) = memory.transfer.orphans()
    done = memory.transfer.apply(memory.transfer.adoption(orphan))
    (header,) = memory.list()
    new = Path(memory.directory, header.file)
    assert (new.read_bytes(), new.stat().st_mtime_ns) == (text, 10**18 + 123456789)
    entry = memory.history.list()[0]
    assert (entry.verb, entry.by.actor, entry.by.source) == ("adopt", "user", "import")
    assert str(project) in entry.by.reason
    assert path.exists()  # nothing is taken away from the old place
    assert memory.transfer.orphans() == []  # decided, and recorded outside the project
    memory.undo(done.operation)
    assert memory.list() == []


def test_it_is_said_once(project: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    moved = project.rename(project.parent / "application")
    memory = opened(moved)
    said = memory.transfer.notice()
    assert str(project) in said
    assert "hunter2" not in said
    assert memory.transfer.notice() == ""
    assert opened(moved).transfer.notice() == ""
    findings = [one for one in memory.doctor.examine().findings if one.code == "orphan"]
    assert [one.severity for one in findings] == ["advice"]  # a check keeps its finding


def test_a_host_tells_the_user_and_not_twice(project: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    moved = project.rename(project.parent / "application")
    told = opened(moved).hosts.session.begin("startup").context
    assert "Memories that may belong to this project" in told
    assert "do not run the command yourself" in told
    assert "may belong" not in opened(moved).hosts.session.begin("startup").context


def test_a_declined_one_is_not_suggested_again(project: Path, opened: Callable[..., Memory]) -> None:
    save_deploys(opened(project))
    memory = opened(project.rename(project.parent / "application"))
    (orphan,) = memory.transfer.orphans()
    memory.transfer.decline(orphan)
    assert memory.transfer.orphans() == []
    assert memory.transfer.notice() == ""
    assert memory.transfer.orphan(str(project)).directory == orphan.directory  # it can still be named


def test_a_directory_of_claude_code_itself_is_found_by_its_conversations(
    project: Path, home: Path, opened: Callable[..., Memory]
) -> None:
    """Older versions kept one directory for each working directory, also inside one project."""
    inner = project / "web"
    inner.mkdir()
    slug = "".join(one if one.isascii() and one.isalnum() else "-" for one in str(inner))
    folder = home / ".claude" / "projects" / slug
    (folder / "memory").mkdir(parents=True)
    (folder / "talk.jsonl").write_text(f'{{"type":"user","cwd":"{inner}"}}\n')
    (folder / "memory" / "terse.md").write_text(
        "---\nname: terse\ndescription: Be brief\ntype: feedback\n---\nBe brief.\n"
    )
    memory = opened(project)
    (orphan,) = memory.transfer.orphans()
    assert (orphan.host, orphan.likely, orphan.gone) == ("claude-code", True, False)
    assert orphan.evidence == (f"{inner} is part of this project",)
    assert adopted(memory, orphan) == ["terse"]


def test_memories_of_codex_are_offered_and_never_pushed(
    project: Path, home: Path, opened: Callable[..., Memory]
) -> None:
    (home / ".codex" / "memories").mkdir(parents=True)
    (home / ".codex" / "memories" / "MEMORY.md").write_text("# Memory\n\nPrefers ruff over black.\n")
    memory = opened(project)
    assert memory.transfer.notice() == ""
    (orphan,) = memory.transfer.orphans()
    assert (orphan.host, orphan.likely) == ("codex", False)
    assert adopted(memory, orphan) == ["codex-memory"]
    assert "Prefers ruff over black." in memory.read("codex-memory").body


def test_a_path_that_never_had_memories_is_said_to_have_none(
    project: Path, tmp_path: Path, opened: Callable[..., Memory]
) -> None:
    with pytest.raises(NoSuchMemory, match="holds none"):
        opened(project).transfer.orphan(str(tmp_path / "nowhere"))
    save_deploys(opened(project))
    with pytest.raises(NoSuchMemory):
        opened(project).transfer.orphan(str(project))  # its own


def test_a_shallow_clone_is_not_recognised_by_its_cut(
    project: Path, tmp_path: Path, opened: Callable[..., Memory]
) -> None:
    (project / "b.py").write_text("y = 2\n")
    git(project, "add", "b.py")
    git(project, "commit", "-q", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{project}", str(tmp_path / "shallow"))
    assert opened(tmp_path / "shallow").transfer.fingerprint().commits == ()
    assert opened(project).transfer.fingerprint().commits == (
        git(project, "rev-list", "--max-parents=0", "HEAD"),
    )
