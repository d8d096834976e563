"""A git remote takes only plain files with plain names, runs nothing, and says plainly what failed."""

import http.server
import os
import shutil
import socket
import sys
import threading
from functools import partial
from pathlib import Path

import pytest
from tests import repository
from tests.conformance.remotes import GIT, Shared
from tests.conftest import Clock

from memdir.errors import RemoteError
from memdir.sync.git_remote import GitRemote, shown_url, url_problem
from memdir.sync.remote import Record, folder_problem
from memdir.text.value import replace


@pytest.fixture
def shared(tmp_path: Path, clock: Clock) -> Shared:
    return Shared("git", tmp_path, clock)


def planted(shared: Shared, *entries: tuple[str, str, bytes], at: bytes = b"1 +0000") -> None:
    """Commit entries of any mode and name, as somebody who means harm could."""
    lines = [b"commit refs/heads/main\ncommitter Eve <eve@example.org> %b\ndata 1\nx\n" % at]
    for mode, path, data in entries:
        name = path.encode("utf-8", "surrogateescape").replace(b"\\", b"\\\\").replace(b'"', b'\\"')
        lines.append(b'M %b inline "%b"\ndata %d\n%b\n' % (mode.encode(), name, len(data), data))
    shared.git("fast-import", "--quiet", "--force", feed=b"".join(lines))


@pytest.mark.parametrize(
    "name",
    [
        "a\\b.md",
        "%2e%2e%2fescape.md",
        "CON.md",
        "colon:stream.md",
        "\u2025\u2044escape.md",
        "MEMORY.MD.md/memory.md",
        ".hidden.md",
        "team/other.md",
        "trailing ./x.md",
        "zero\u200bwidth.md",
        "d/" * 17 + "deep.md",
    ],
)
def test_a_hostile_name_is_refused_and_the_rest_is_taken(shared: Shared, name: str) -> None:
    planted(shared, ("100644", f"project/{name}", b"hostile"), ("100644", "project/fine.md", b"fine"))
    east = shared.machine("east")
    east.syncer.sync()
    assert [*east.files()] == ["fine.md"]


def test_links_and_submodules_are_refused(shared: Shared) -> None:
    commit = b"1" * 40
    planted(shared, ("120000", "project/link.md", b"/etc/passwd"), ("100644", "project/fine.md", b"fine"))
    feed = b"commit refs/heads/main\ncommitter E <e@x> 2 +0000\ndata 1\ny\nfrom refs/heads/main^0\n"
    shared.git("fast-import", "--quiet", feed=feed + b"M 160000 " + commit + b" project/module.md\n")
    east = shared.machine("east")
    result = east.syncer.sync()
    assert [*east.files()] == ["fine.md"]
    assert {one.file for one in result.refused} == {"link.md", "module.md"}


def test_names_that_differ_only_in_case_are_not_both_taken(shared: Shared) -> None:
    planted(shared, ("100644", "project/Note.md", b"one"), ("100644", "project/note.md", b"two"))
    east = shared.machine("east")
    result = east.syncer.sync()
    assert len(east.files()) == 1
    assert "case or the form of letters" in result.refused[0].because


def test_names_that_differ_only_in_the_form_of_a_letter_are_not_both_taken(shared: Shared) -> None:
    planted(shared, ("100644", "project/caf\u00e9.md", b"one"), ("100644", "project/cafe\u0301.md", b"two"))
    east, west = shared.machine("east"), shared.machine("west")
    result = east.syncer.sync()
    assert len(east.files()) == 1
    assert "case or the form of letters" in result.refused[0].because
    west.write("caf\u00e9.md", "ours")
    assert {"form of letters" in one.because for one in west.syncer.sync().refused} == {True}
    assert west.files() == {"caf\u00e9.md": b"ours"}
    assert shared.git("show", "main:project/caf\u00e9.md") == b"one"


@pytest.mark.parametrize("mode", ["100644", "120000"])
def test_what_cannot_be_taken_is_neither_deleted_here_nor_written_over_there(
    shared: Shared, mode: str
) -> None:
    east = shared.machine("east")
    east.write("note.md", "ours")
    east.syncer.sync()
    planted(shared, (mode, "project/note.md", b"x" * 250_001))
    result = east.syncer.sync()
    assert [one.file for one in result.refused] == ["note.md"]
    assert east.files() == {"note.md": b"ours"}
    east.write("note.md", "changed")
    east.syncer.sync()
    assert shared.git("cat-file", "-s", "main:project/note.md") == b"250001\n"


def test_a_giant_is_refused(shared: Shared) -> None:
    planted(shared, ("100644", "project/giant.md", b"x" * 250_001))
    east = shared.machine("east")
    assert east.syncer.sync().refused[0].because == "it is over 250,000 bytes"
    assert east.files() == {}


def test_a_secret_on_the_remote_is_not_taken(shared: Shared) -> None:
    planted(shared, ("100644", "project/key.md", b"token: ghp_" + b"a1B2c3D4e5" * 3 + b"f6G7h8"))
    east = shared.machine("east")
    assert "credential (github-token)" in east.syncer.sync().refused[0].because
    assert east.files() == {}


def test_files_of_other_projects_and_other_sorts_are_left_alone(shared: Shared) -> None:
    planted(shared, ("100644", "other/x.md", b"other"), ("100755", "project/run.sh", b"#!/bin/sh"))
    east = shared.machine("east")
    east.memory.remember("Mine.", kind="reference", name="mine", description="Mine")
    east.syncer.sync()
    listed = shared.git("ls-tree", "-r", "--name-only", "main").decode().split()
    assert listed == ["other/x.md", "project/reference_mine.md", "project/run.sh"]


def test_a_memory_that_somebody_wrote_with_plain_git_has_its_author_and_time(shared: Shared) -> None:
    planted(shared, ("100644", "project/note.md", b"---\nname: note\n---\nText\n"))
    east = shared.machine("east")
    east.syncer.sync()
    assert east.authors()["note.md"].who == "Eve <eve@example.org>"
    assert Path(east.memory.directory, "note.md").stat().st_mtime == 1


def test_a_commit_after_the_last_year_in_utc_is_taken_as_one_without_a_date(shared: Shared) -> None:
    planted(shared, ("100644", "project/note.md", b"Text"), at=b"253402304399 -0100")
    east = shared.machine("east")
    east.syncer.sync()
    assert east.authors()["note.md"].at == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "url", ["", "-upload-pack=touch x", "ext::sh -c 'touch x'", "fd::17", "ftp://example.org/x", "a\nb"]
)
def test_a_url_that_would_run_something_is_refused(url: str, tmp_path: Path) -> None:
    assert url_problem(url)
    with pytest.raises(RemoteError):
        GitRemote(url, str(tmp_path), GIT, os.environ)


@pytest.mark.parametrize("folder", ["..", "a/../b", "/etc", ".git", "a b", "-x"])
def test_a_folder_that_leads_elsewhere_is_refused(folder: str) -> None:
    assert folder_problem(folder)


def test_a_password_is_never_shown() -> None:
    assert shown_url("https://east:s3cr3t@example.org/m.git") == "https://example.org/m.git"


def test_no_hook_of_the_user_runs(shared: Shared, tmp_path: Path) -> None:
    hooks, ran = tmp_path / "hooks", tmp_path / "ran"
    hooks.mkdir()
    for name in ("pre-push", "reference-transaction", "post-checkout"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / name).chmod(0o700)
    config = tmp_path / "config"
    config.write_text(f"[core]\n hooksPath = {hooks}\n")
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    (tmp_path / ".gitconfig").write_text(config.read_text())
    planted(shared, ("100644", "project/fine.md", b"fine"))
    remote = GitRemote(f"file://{shared.path}", str(tmp_path / "place"), GIT, env, folder="project")
    assert [*remote.fetch(Record()).files] == ["fine.md"]
    assert not ran.exists()


def test_variables_of_a_surrounding_git_lead_nowhere(shared: Shared, tmp_path: Path) -> None:
    planted(shared, ("100644", "project/fine.md", b"fine"))
    env = {**os.environ, "GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere", "GIT_WORK_TREE": "/nowhere"}
    remote = GitRemote(f"file://{shared.path}", str(tmp_path / "place"), GIT, env, folder="project")
    assert [*remote.fetch(Record()).files] == ["fine.md"]


def test_a_branch_of_the_projects_own_remote_does_not_touch_the_checkout(
    tmp_path: Path, clock: Clock
) -> None:
    shared = Shared("git", tmp_path, clock)
    project = tmp_path / "project"

    git = partial(repository.git, project)
    shared.git("clone", "--quiet", str(shared.path), str(project), inside=False)
    (project / "code.py").write_text("pass\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "code")
    git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    before = git("for-each-ref"), git("status", "--porcelain")
    east = shared.machine("east")
    east.memory.remember("Shared.", kind="reference", name="shared", description="Shared")
    place = str(tmp_path / "place")
    remote = GitRemote(str(shared.path), place, GIT, os.environ, branch="memdir/team")
    assert replace(east.syncer, remote=remote).sync().pushed == ("reference_shared.md",)
    assert (git("for-each-ref"), git("status", "--porcelain")) == before
    assert shared.git("ls-tree", "--name-only", "refs/heads/memdir/team").split() == [b"reference_shared.md"]
    assert shared.git("ls-tree", "--name-only", "refs/heads/main").split() == [b"code.py"]


@pytest.mark.parametrize("lost", ["mirror.git", "mirror.git/objects"])
def test_a_mirror_that_is_gone_is_made_anew_though_the_remote_did_not_move(shared: Shared, lost: str) -> None:
    east = shared.machine("east")
    east.write("note.md", "ours")
    east.syncer.sync()
    east.syncer.sync()
    shutil.rmtree(Path(east.memory.state, "sync", lost))
    east.write("note.md", "changed")
    assert east.syncer.sync().pushed == ("note.md",)
    assert shared.git("show", "main:project/note.md") == b"changed"


def test_a_remote_that_refuses_a_push_is_told_with_its_words(shared: Shared) -> None:
    hook = shared.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o700)
    east = shared.machine("east")
    east.memory.remember("Mine.", kind="reference", name="mine", description="Mine")
    with pytest.raises(
        RemoteError, match=r"refuses what was sent: .*pre-receive hook declined\)\. Look whether you"
    ):
        east.syncer.sync()
    hook.unlink()
    assert east.syncer.sync().pushed == ("reference_mine.md",)


def test_a_tree_that_no_honest_git_makes_is_not_even_fetched(shared: Shared) -> None:
    blob = shared.git("hash-object", "-w", "--stdin", feed=b"evil").strip().decode()
    entry = b"100644 ..\0" + bytes.fromhex(blob)
    tree = (
        shared.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", feed=entry).strip().decode()
    )
    text = f"tree {tree}\nauthor E <e@x> 1 +0000\ncommitter E <e@x> 1 +0000\n\nx\n".encode()
    commit = shared.git("hash-object", "-t", "commit", "-w", "--stdin", feed=text).strip().decode()
    shared.git("update-ref", "refs/heads/main", commit)
    with pytest.raises(RemoteError, match="cannot be reached"):
        shared.machine("east").syncer.sync()


def test_a_remote_that_never_answers_is_given_up(tmp_path: Path) -> None:
    silent = f"{sys.executable} -c 'import sys; sys.stdin.read()'"
    env = {**os.environ, "GIT_SSH_COMMAND": silent, "GIT_SSH_VARIANT": "simple"}
    remote = GitRemote("ssh://example.org/m.git", str(tmp_path / "place"), GIT, env, seconds=3)
    with pytest.raises(RemoteError, match="did not answer within 3 seconds"):
        remote.fetch(Record())


def test_a_server_that_is_down_is_told_with_the_reason(tmp_path: Path) -> None:
    with socket.socket() as taken:  # bound and not listening: nobody answers there
        taken.bind(("127.0.0.1", 0))
        url = f"git://127.0.0.1:{taken.getsockname()[1]}/app.git"
        with pytest.raises(RemoteError, match="Connection refused"):
            GitRemote(url, str(tmp_path / "place"), GIT, os.environ).fetch(Record())


def test_the_program_for_ssh_is_that_of_the_persons_own_settings(tmp_path: Path) -> None:
    script = tmp_path / "my-ssh"
    script.write_text("#!/bin/sh\necho fatal: Mine was called. >&2\nexit 1\n")
    script.chmod(0o755)
    (tmp_path / ".gitconfig").write_text(f"[core]\nsshCommand = {script}\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    remote = GitRemote("git@127.0.0.1:x.git", str(tmp_path / "place"), GIT, env)
    with pytest.raises(RemoteError, match=r": Mine was called\. Look at its address"):
        remote.fetch(Record())


def test_nobody_is_asked_for_a_password(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    ask = tmp_path / "ask"
    ask.write_text(f"#!/bin/sh\ntouch {asked}\necho secret\n")
    ask.chmod(0o700)
    server = http.server.HTTPServer(("127.0.0.1", 0), _Locked)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = {**os.environ, "GIT_ASKPASS": str(ask), "SSH_ASKPASS": str(ask), "HOME": str(tmp_path)}
    url = f"http://127.0.0.1:{server.server_port}/m.git"
    try:
        with pytest.raises(RemoteError, match="cannot be reached"):
            GitRemote(url, str(tmp_path / "place"), GIT, env).fetch(Record())
    finally:
        server.shutdown()
        server.server_close()
    assert not asked.exists()


class _Locked(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="memory"')
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_without_git_it_says_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(RemoteError, match="needs git"):
        GitRemote("file:///nowhere", str(tmp_path / "place"), None, os.environ).fetch(Record())
