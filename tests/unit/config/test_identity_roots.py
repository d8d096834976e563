"""All worktrees of a repository are one project, found without git; nobody can claim another's."""

import os
import shutil
import subprocess
import tracemalloc
from pathlib import Path

import pytest

from memdir.config.identity import canonical_root, checkout_root

# ------------------------------------------------------------------ checkouts, made by real git


def _git(cwd: Path, *arguments: str) -> str:
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(cwd),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    command = ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *arguments]
    return subprocess.run(
        command, cwd=cwd, env=env, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder by its real path, so that expectations can be written down plainly."""
    return tmp_path.resolve()


@pytest.fixture
def main(folder: Path) -> Path:
    """Make a repository with one commit and a sub-directory."""
    main = folder / "main"
    (main / "src" / "deep").mkdir(parents=True)
    _git(main, "init", "-q")
    _git(main, "commit", "-q", "--allow-empty", "-m", "first")
    return main


def test_outside_git_the_directory_is_its_own_root(folder: Path) -> None:
    (folder / "plain").mkdir()
    assert canonical_root(f"{folder}/plain") == f"{folder}/plain"


def test_a_directory_that_does_not_exist_is_its_own_root(folder: Path) -> None:
    assert canonical_root(f"{folder}/nothing/here") == f"{folder}/nothing/here"


def test_any_depth_of_a_checkout_leads_to_its_top(main: Path) -> None:
    for path in ("", "src", "src/deep", "src/../src", ".git/refs"):
        assert canonical_root(f"{main}/{path}") == str(main)


def test_a_link_into_a_checkout_leads_to_the_real_one(main: Path, folder: Path) -> None:
    (folder / "link").symlink_to(main / "src")
    assert canonical_root(f"{folder}/link") == str(main)


def test_a_worktree_leads_to_the_main_checkout(main: Path, folder: Path) -> None:
    _git(main, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    (folder / "side" / "src").mkdir()
    assert canonical_root(f"{folder}/side/src") == str(main)
    assert checkout_root(f"{folder}/side/src") == f"{folder}/side"


def test_a_worktree_inside_the_main_checkout_leads_to_it(main: Path) -> None:
    _git(main, "worktree", "add", "-q", ".trees/side", "-b", "side")
    assert canonical_root(f"{main}/.trees/side") == str(main)


def test_a_worktree_with_relative_links_leads_to_the_main_checkout(main: Path, folder: Path) -> None:
    _git(main, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    (folder / "side" / ".git").write_text("gitdir: ../main/.git/worktrees/side\n")
    (main / ".git/worktrees/side/gitdir").write_text("../../../../side/.git\n")
    assert _git(folder / "side", "rev-parse", "--show-toplevel") == f"{folder}/side"
    assert canonical_root(f"{folder}/side") == str(main)


def test_a_worktree_reached_through_a_linked_folder_leads_to_the_main_checkout(
    main: Path, folder: Path
) -> None:
    (folder / "trees").mkdir()
    (folder / "alias").symlink_to("trees")
    _git(main, "worktree", "add", "-q", f"{folder}/alias/side", "-b", "side")
    assert canonical_root(f"{folder}/alias/side") == str(main)
    assert canonical_root(f"{folder}/trees/side") == str(main)


def test_a_worktree_of_a_bare_repository_leads_to_the_bare_directory(main: Path, folder: Path) -> None:
    _git(folder, "clone", "-q", "--bare", str(main), "store.git")
    _git(folder / "store.git", "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    assert canonical_root(f"{folder}/side") == f"{folder}/store.git"
    assert canonical_root(f"{folder}/store.git") == f"{folder}/store.git"


def test_a_submodule_is_its_own_root(main: Path, folder: Path) -> None:
    _git(folder, "init", "-q", "outer")
    _git(folder / "outer", "submodule", "--quiet", "add", str(main), "libs/inner")
    assert (folder / "outer/libs/inner/.git").is_file()
    assert canonical_root(f"{folder}/outer/libs/inner") == f"{folder}/outer/libs/inner"
    assert canonical_root(f"{folder}/outer/libs") == f"{folder}/outer"


def test_a_worktree_of_a_submodule_leads_to_the_submodule(main: Path, folder: Path) -> None:
    _git(folder, "init", "-q", "outer")
    _git(folder / "outer", "submodule", "--quiet", "add", str(main), "libs/inner")
    inner = folder / "outer/libs/inner"
    _git(inner, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    assert canonical_root(f"{folder}/side") == str(inner)


def test_a_submodules_claim_to_a_checkout_needs_its_consent(main: Path, folder: Path) -> None:
    _git(folder, "init", "-q", "outer")
    _git(folder / "outer", "submodule", "--quiet", "add", str(main), "inner")
    _git(folder / "outer/inner", "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    store = folder / "outer/.git/modules/inner"
    _git(folder, "init", "-q", "--separate-git-dir", str(folder / "elsewhere"), "other")
    _git(folder, "config", "-f", str(store / "config"), "core.worktree", str(folder / "other"))
    assert canonical_root(f"{folder}/side") == str(store)


def test_a_checkout_with_a_separate_git_directory_is_its_own_root(folder: Path) -> None:
    _git(folder, "init", "-q", "--separate-git-dir", str(folder / "store"), "work")
    assert (folder / "work/.git").is_file()
    assert canonical_root(f"{folder}/work") == f"{folder}/work"


def test_a_worktree_moved_by_git_still_leads_to_the_main_checkout(main: Path, folder: Path) -> None:
    _git(main, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    _git(main, "worktree", "move", str(folder / "side"), str(folder / "moved"))
    assert canonical_root(f"{folder}/moved") == str(main)


def test_a_worktree_moved_by_hand_is_its_own_root_until_git_repairs_it(main: Path, folder: Path) -> None:
    _git(main, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    (folder / "side").rename(folder / "moved")
    assert canonical_root(f"{folder}/moved") == f"{folder}/moved"
    _git(folder / "moved", "worktree", "repair")
    assert canonical_root(f"{folder}/moved") == str(main)


def test_a_copy_of_a_worktree_is_its_own_root(main: Path, folder: Path) -> None:
    _git(main, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    shutil.copytree(folder / "side", folder / "copy")
    assert canonical_root(f"{folder}/copy") == f"{folder}/copy"


def test_a_worktree_whose_repository_is_gone_is_its_own_root(main: Path, folder: Path) -> None:
    _git(main, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    shutil.rmtree(main)
    assert canonical_root(f"{folder}/side") == f"{folder}/side"


def test_variables_of_git_change_nothing(main: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _git(folder, "init", "-q", "other")
    monkeypatch.setenv("GIT_DIR", f"{folder}/other/.git")
    monkeypatch.setenv("GIT_WORK_TREE", f"{folder}/other")
    monkeypatch.setenv("GIT_COMMON_DIR", f"{folder}/other/.git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(main))
    assert canonical_root(f"{main}/src") == str(main)


# ------------------------------------------------------------------ forged and odd .git entries


@pytest.fixture
def victim(main: Path, folder: Path) -> Path:
    """Give a repository with a worktree, `side`, whose memory somebody else would like to have."""
    _git(main, "worktree", "add", "-q", str(folder / "side"), "-b", "side")
    return main


@pytest.fixture
def evil(folder: Path) -> Path:
    """Give a folder that somebody unpacked from the internet."""
    (folder / "evil").mkdir()
    return folder / "evil"


def test_a_git_file_that_points_at_anothers_worktree_is_not_followed(victim: Path, evil: Path) -> None:
    (evil / ".git").write_text(f"gitdir: {victim}/.git/worktrees/side\n")
    assert canonical_root(str(evil)) == str(evil)


@pytest.mark.parametrize("target", ["main/.git", "main", "side/.git", "side", "main/.git/worktrees"])
def test_a_git_file_that_points_at_any_other_place_is_not_followed(
    victim: Path, evil: Path, target: str
) -> None:
    (evil / ".git").write_text(f"gitdir: {victim.parent}/{target}\n")
    assert canonical_root(str(evil)) == str(evil)


@pytest.mark.parametrize("target", ["main/.git", "side/.git", "main/.git/worktrees/side"])
def test_a_git_entry_that_is_a_link_to_anothers_is_not_followed(
    victim: Path, evil: Path, target: str
) -> None:
    (evil / ".git").symlink_to(victim.parent / target)
    assert canonical_root(str(evil)) == str(evil)


def test_a_made_up_worktree_entry_that_names_anothers_repository_is_not_followed(
    victim: Path, evil: Path
) -> None:
    entry = evil / "fake" / "worktrees" / "x"
    entry.mkdir(parents=True)
    (evil / ".git").write_text("gitdir: fake/worktrees/x\n")
    (entry / "gitdir").write_text(f"{evil}/.git\n")
    (entry / "commondir").write_text(f"{victim}/.git\n")
    assert canonical_root(str(evil)) == str(evil)


def test_a_linked_folder_does_not_make_a_made_up_entry_real(victim: Path, evil: Path) -> None:
    entry = evil / "entry"
    entry.mkdir()
    (evil / "fake").mkdir()
    (evil / "fake" / "worktrees").symlink_to(victim / ".git/worktrees")
    (evil / "entry" / "gitdir").write_text(f"{evil}/.git\n")
    (evil / "entry" / "commondir").write_text(f"{victim}/.git\n")
    for pointer in ("fake/worktrees/side", "fake/worktrees/../../entry", "entry"):
        (evil / ".git").write_text(f"gitdir: {pointer}\n")
        assert canonical_root(str(evil)) == str(evil)


def test_an_entry_that_points_back_through_a_link_to_the_forger_is_not_enough(
    victim: Path, evil: Path
) -> None:
    (evil / ".git").symlink_to(victim.parent / "side" / ".git")
    assert os.path.realpath(evil / ".git") == f"{victim.parent}/side/.git"
    assert canonical_root(str(evil)) == str(evil)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"gitdir:",
        b"gitdir: \n",
        b"gitdir: \0/etc\n",
        b"gitdir: nowhere\n",
        b"gitdir: .\n",
        b"gitdir: .git\n",
        b"gitdir: /\n",
        b"gitdir: \xff\xfe\n",
        b"GITDIR: /\n",
        b"ref: refs/heads/main\n",
        b"gitdir: " + b"../" * 100_000,
        b"gitdir: /" + b"x" * 4000,
        b"\x00" * 64,
        b"x" * 2_000_000,
    ],
)
def test_a_git_file_of_any_content_makes_its_directory_the_root(evil: Path, content: bytes) -> None:
    (evil / ".git").write_bytes(content)
    assert canonical_root(str(evil)) == str(evil)


def test_a_huge_sparse_git_file_is_not_read_into_memory(evil: Path) -> None:
    with (evil / ".git").open("wb") as file:
        file.truncate(1 << 28)
    tracemalloc.start()
    try:
        assert canonical_root(str(evil)) == str(evil)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_pipe_or_a_loop_called_git_is_passed_over(main: Path) -> None:
    os.mkfifo(main / "src" / ".git")
    assert canonical_root(f"{main}/src") == str(main)
    (main / "src" / "deep" / ".git").symlink_to(".git")
    assert canonical_root(f"{main}/src/deep") == str(main)


@pytest.mark.parametrize("name", ["commondir", "gitdir"])
def test_pipes_inside_a_forged_entry_do_not_make_it_wait(evil: Path, name: str) -> None:
    entry = evil / "worktrees" / "x"
    entry.mkdir(parents=True)
    (evil / ".git").write_text("gitdir: worktrees/x\n")
    (entry / "commondir").write_text("../..\n")
    (entry / name).unlink(missing_ok=True)
    os.mkfifo(entry / name)
    assert canonical_root(str(evil)) == str(evil)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_git_file_that_may_not_be_read_makes_its_directory_the_root(victim: Path) -> None:
    side = victim.parent / "side"
    (side / ".git").chmod(0)
    assert canonical_root(str(side)) == str(side)


def test_a_repository_inside_a_repository_is_its_own_root(main: Path) -> None:
    _git(main, "init", "-q", "src/deep")
    assert canonical_root(f"{main}/src/deep") == f"{main}/src/deep"
