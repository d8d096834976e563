"""A person chooses a remote once on each machine, and the memory of a project is on all of them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.conformance.remotes import GIT
from tests.conftest import Clock

from memdir.cli.app import memdir
from memdir.errors import Rejected, RemoteError
from memdir.memory import Memory

Opened = Callable[[str, str], Memory]


@pytest.fixture(params=["git", "folder"])
def remote(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = tmp_path / "remote"
    if request.param == "git":
        subprocess.run([GIT, "init", "--quiet", "--bare", str(path)], check=True)
    else:
        path.mkdir()
    return str(path)


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Opened:
    """Open the memory of a project on a machine: each has a home of its own."""

    def open_there(machine: str, project: str) -> Memory:
        home = tmp_path / machine
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "USER": machine, "GIT_CONFIG_NOSYSTEM": "1"}
        (home / project).mkdir(parents=True, exist_ok=True)
        return Memory.open(home / project, env=env, clock=clock)

    return open_there


def committed(tmp_path: Path, machine: str, project: str, copy_of: Path | None = None) -> Path:
    """Make a project with a first commit, or clone one."""
    place = tmp_path / machine / project
    place.parent.mkdir(parents=True, exist_ok=True)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    if copy_of:
        subprocess.run([GIT, "clone", "--quiet", str(copy_of), str(place)], check=True)
        return place
    subprocess.run([GIT, "init", "--quiet", str(place)], check=True)
    words = [GIT, "-C", str(place), *who, "commit", "--quiet", "--allow-empty", "-m", f"first of {place}"]
    subprocess.run(words, check=True)
    return place


def test_a_memory_saved_on_one_machine_is_recalled_on_the_other(opened: Opened, remote: str) -> None:
    laptop, desk = opened("laptop", "shop"), opened("desk", "shop")
    laptop.sync.init(remote)
    desk.sync.init(remote, folder="shop")
    laptop.remember("Deploys go out on Tuesdays only.", kind="project", name="deploys")
    laptop.sync.run()
    desk.sync.run()
    assert "Tuesdays" in desk.recall("When do deploys go out?", budget=30).text
    assert desk.sync.status().waiting == ()


def test_many_projects_share_one_remote(opened: Opened, remote: str) -> None:
    shop, bank = opened("laptop", "shop"), opened("laptop", "bank")
    for memory, name in ((shop, "of-shop"), (bank, "of-bank")):
        memory.sync.init(remote)
        memory.remember(f"A fact {name}.", kind="project", name=name)
        memory.sync.run()
    again = opened("desk", "shop")
    again.sync.init(remote, folder="shop")
    again.sync.run()
    assert [header.name for header in again.list()] == ["of-shop"]


def test_a_clone_under_another_name_is_offered_its_folder_with_the_evidence(
    opened: Opened, remote: str, tmp_path: Path
) -> None:
    first = committed(tmp_path, "laptop", "shop")
    laptop = opened("laptop", "shop")
    laptop.sync.init(remote)
    laptop.remember("A fact.", kind="project", name="fact")
    laptop.sync.run()
    committed(tmp_path, "desk", "my-shop", copy_of=first)
    (likely, *_), _ = opened("desk", "my-shop").sync.folders(remote)
    assert (likely.folder, likely.strong) == ("shop", True)
    assert likely.evidence[0].startswith("the same first commit")


def test_another_project_of_the_same_name_gets_a_folder_of_its_own(
    opened: Opened, remote: str, tmp_path: Path
) -> None:
    committed(tmp_path, "laptop", "shop")
    opened("laptop", "shop").sync.init(remote)
    committed(tmp_path, "desk", "shop")
    found, free = opened("desk", "shop").sync.folders(remote)
    assert [one.strong for one in found] == [False]
    assert free == "shop-2"
    with pytest.raises(Rejected, match="perhaps of another project"):
        opened("desk", "shop").sync.init(remote)


def test_a_forged_project_gets_nothing_without_a_person_who_says_so(
    opened: Opened, remote: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = committed(tmp_path, "laptop", "shop")
    laptop = opened("laptop", "shop")
    laptop.sync.init(remote)
    laptop.remember("A private fact.", kind="project", name="fact")
    laptop.sync.run()
    forged = committed(tmp_path, "laptop", "forged", copy_of=first)
    monkeypatch.setenv("HOME", str(tmp_path / "laptop"))
    for name in ("CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT"):
        monkeypatch.delenv(name, raising=False)
    words = ["--cwd", str(forged), "sync", "init", remote]
    CliRunner().invoke(memdir, [*words, "--yes"])
    assert (
        opened("laptop", "forged").sync.settings is None or opened("laptop", "forged").sync.run().pulled == ()
    )
    refused = CliRunner().invoke(memdir, words, input="n\nn\n")
    assert "Is the folder 'shop' this project's (the same first commit" in refused.output
    assert opened("laptop", "forged").list() == []


def test_the_path_of_a_project_is_not_told_to_the_remote(opened: Opened, remote: str, tmp_path: Path) -> None:
    opened("laptop", "shop").sync.init(remote)
    held = b"".join(path.read_bytes() for path in Path(remote).rglob("*") if path.is_file())
    if Path(remote, "HEAD").exists():
        held = subprocess.run(
            [GIT, "--git-dir", remote, "cat-file", "--batch-all-objects", "--batch"],
            check=True,
            capture_output=True,
        ).stdout
    assert b"shop" in held
    assert str(tmp_path).encode() not in held


def test_another_remote_begins_with_nothing_in_common(opened: Opened, remote: str, tmp_path: Path) -> None:
    laptop = opened("laptop", "shop")
    laptop.sync.init(remote)
    laptop.remember("A fact.", kind="project", name="fact")
    laptop.sync.run()
    other = tmp_path / "other"
    other.mkdir()
    laptop.sync.init(str(other))
    result = laptop.sync.run()
    assert result.pushed == ("project_fact.md",)
    assert result.notes == ()


def test_without_a_remote_it_says_how_to_choose_one(opened: Opened) -> None:
    with pytest.raises(Rejected, match="memdir sync init URL"):
        opened("laptop", "shop").sync.run()


def test_a_repository_cannot_choose_the_remote(opened: Opened, tmp_path: Path) -> None:
    settings = tmp_path / "laptop" / "shop" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"memdir": {"sync": {"url": "https://evil.example.org/m.git"}}}')
    assert opened("laptop", "shop").sync.settings is None


def test_a_remote_that_was_not_reached_leaves_the_old_one_as_it_was(
    opened: Opened, remote: str, tmp_path: Path
) -> None:
    laptop = opened("laptop", "shop")
    laptop.sync.init(remote)
    laptop.remember("A fact.", kind="project", name="fact")
    laptop.sync.run()
    laptop.forget("fact")
    with pytest.raises(RemoteError):
        laptop.sync.init(f"file://{tmp_path}/nowhere.git", folder="shop")
    assert laptop.sync.run().deleted_there == ("project_fact.md",)
    assert laptop.list() == []
