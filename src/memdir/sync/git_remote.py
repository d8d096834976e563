"""A folder on one branch of a git repository as a remote; the project's own checkout is never touched.

A bare mirror in the state folder holds what was fetched; it is derived and may be deleted at any time.
Commits are made there without an index or a working tree and pushed with compare-and-swap on the branch. Who
wrote what, and the time of each text, stands in the commit: `Memory: {...}`, a line for each file.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from memdir.disk.files import make_folder
from memdir.disk.trees import remove_tree
from memdir.errors import RemoteError
from memdir.memories.history.git import Git, GitFailed, git_path
from memdir.memories.scan import Skipped
from memdir.memories.topic import one_line
from memdir.sync.git_format import LOG, GitChange, changes_in, commit_stream, file_command, without_files
from memdir.sync.remote import (
    PURGED,
    Authorship,
    FileState,
    Outgoing,
    Pending,
    PurgeTarget,
    Record,
    RemoteMoved,
    Snapshot,
    folder_problem,
    unusable_remote,
    usable_files,
    with_changes,
)
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import replace

__all__ = ["DEFAULT_BRANCH", "GitRemote", "shown_url", "url_problem", "users_git"]

DEFAULT_BRANCH = "main"

_SECONDS = 120.0
"""A remote that has not answered after two minutes is down."""

_PURGE_SECONDS = 600.0
"""A whole history takes longer than what is new in it."""

_SCHEMES = ("file", "git", "http", "https", "ssh")
_SETTINGS = (
    "protocol.allow=never",
    *[f"protocol.{scheme}.allow=always" for scheme in _SCHEMES],
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    *("core.symlinks=false", "core.fsmonitor=false", "core.askPass="),
    *("submodule.recurse=false", "fetch.recurseSubmodules=false", "push.recurseSubmodules=no"),
    *("transfer.fsckObjects=true", "fetch.writeCommitGraph=false", "gc.auto=0", "maintenance.auto=false"),
    *("commit.gpgSign=false", "push.gpgSign=false", "push.followTags=false", "log.showSignature=false"),
    *("http.lowSpeedLimit=1", "http.lowSpeedTime=30", "fetch.prune=false"),
)
"""Git runs and follows nothing that a repository contains, and asks nobody for a password."""

_KEPT_VARIABLES = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH")
_SEEN, _REWRITTEN = "refs/memdir/seen", "refs/memdir/purged"
_PURGE_LIST = ".memdir-purged"
"""In the folder of a project: the texts that were removed for good, as git names them, a line each."""

_MOVED = re.compile(
    r"stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|failed to lock"
    r"|incorrect old|reference already exists|but expected"
)


class GitRemote:
    """One folder of one branch of a repository at a URL."""

    def __init__(
        self,
        url: str,
        place: str,
        program: str | None,
        env: Mapping[str, str],
        *,
        branch: str = DEFAULT_BRANCH,
        folder: str = "",
        seconds: float = _SECONDS,
    ) -> None:
        if problem := url_problem(url) or folder_problem(folder):
            raise RemoteError(f"{shown_url(url)!r} cannot be a remote: {problem}. Choose another.")
        self._url, self._seconds = url, seconds
        self._within = f"{folder.strip('/')}/" if folder else ""
        self._ref = branch if branch.startswith("refs/") else f"refs/heads/{branch}"
        mirror = os.path.join(place, "mirror.git")
        self._git = Git(program, mirror, (), _SETTINGS, _environment(env, url))

    def fetch(self, record: Record) -> Snapshot:
        """Return what the branch holds now; nothing is transferred where it has not moved."""
        tip = self._tip()
        has_mirror = os.path.exists(os.path.join(self._git.repository, _SEEN))
        if tip and tip == record.revision and record.whole and has_mirror:
            return Snapshot(tip, record.files, record.base)
        with self._reach_remote():
            try:
                return self._look(record, tip)
            except GitFailed:
                if not self._rebuild_mirror():
                    raise
            found = self._look(record, tip)
        note = "The local mirror of the remote was damaged; it was made anew."
        return replace(found, notes=(note, *found.notes))

    def read(self, files: Sequence[FileState]) -> list[bytes | None]:
        """Return the bytes of versions; a damaged mirror is made anew first."""
        versions = [one.version for one in files]
        with self._reach_remote():
            with suppress(GitFailed):
                found = self._git.blobs(versions)
                if None not in found:
                    return found
            if self._rebuild_mirror():
                self._transfer()
            return self._git.blobs(versions)

    def publish(
        self, changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        """Commit on top of the snapshot and push, if the branch is still there.

        A text that was removed for good is refused.
        """
        try:
            purged = self._purged_contents(snapshot.revision)
            refused = tuple(Skipped(one.file, PURGED) for one in changes if one.content in purged)
            changes = [one for one in changes if one.content not in purged]
            if not changes:
                return Pending(snapshot.revision, refused=refused)
            stream = commit_stream(changes, snapshot.revision, self._within)
            made = self._line("fast-import", "--quiet", "--force", feed=stream)
        except GitFailed as error:
            if self._rebuild_mirror():
                raise RemoteMoved("The mirror was made anew.") from error
            raise _failure(self._url, self._seconds, error) from error
        done = Pending(made, {one.file: one.stored_as(one.content) for one in changes}, refused)
        announce(done)
        try:
            self._push(made, snapshot.revision)
        except GitFailed as error:
            output = f"{error.printed.decode('utf-8', 'replace')}\n{error.said}"
            if _MOVED.search(output):
                raise RemoteMoved("Somebody else changed the remote meanwhile.") from error
            raise _failure(self._url, self._seconds, error, output) from error
        return done

    def log(self, revision: str) -> list[tuple[str, Authorship, bool]]:
        """Return all that led to a revision that was fetched: file, writer, and whether it was deleted."""
        changes = self._changes(revision)
        return [(file, by, is_gone) for file, is_gone, _, by in changes if file.endswith(".md")]

    def folders(self, file: str) -> dict[str, bytes | None]:
        """Return the folders at the top of the branch, each with the bytes of one file in it."""
        revision = self.fetch(Record()).revision
        rows = self._git.run("ls-tree", "-z", "--full-tree", revision).split(b"\0") if revision else []
        names = [row.partition(b"\t")[2] for row in rows if row.split(b" ")[1:2] == [b"tree"]]
        folders = [name.decode("utf-8", "replace") for name in names]
        texts = self._git.blobs(f"{revision}:{folder}/{file}" for folder in folders)
        return dict(zip(folders, texts, strict=True))

    def purge(self, wanted: PurgeTarget) -> str:
        """Take files, and lines of messages with their words, out of all commits; say what was done."""
        git, self._seconds = self._git, _PURGE_SECONDS
        self._make_mirror()
        tip = self._transfer()
        stream = git.run("fast-export", f"--refspec={_SEEN}:{_REWRITTEN}", _SEEN, seconds=_PURGE_SECONDS)
        paths = {f"{self._within}{file}" for file in wanted.files}
        clean = without_files(stream, paths, (*wanted.files, *wanted.words))
        if clean == stream:
            return "nothing of it in the history"
        listed = "".join(f"{one}\n" for one in sorted({*self._purged_contents(tip), *wanted.contents}))
        person = f"memdir <memdir@localhost> {self._line('log', '-1', '--format=%ct', _SEEN)} +0000"
        clean += f"commit {_REWRITTEN}\ncommitter {person}\ndata 6\npurge\n".encode()
        clean += file_command(f"{self._within}{_PURGE_LIST}", listed.encode())
        git.run("fast-import", "--quiet", "--force", feed=clean, seconds=_PURGE_SECONDS)
        try:
            self._push(_REWRITTEN, tip)
        except GitFailed as error:
            reason = next((one for one in error.said.splitlines() if "error:" in one), error.said)
            raise RemoteError(
                f"it does not permit that its history is changed ({shown_url(reason.strip())})"
            ) from error
        return (
            "history rewritten. Its server keeps unreachable objects until `git gc --prune=now` there; "
            "who synced it before keeps a copy until they purge it, and cannot send it again"
        )

    def _purged_contents(self, revision: str) -> set[str]:
        """Return the texts that were removed for good, as git names them."""
        (data,) = self._git.blobs([f"{revision}:{self._within}{_PURGE_LIST}"]) if revision else (b"",)
        return {*(data or b"").decode("ascii", "replace").split()}

    def _tip(self) -> str:
        """Ask the remote where its branch is; empty where it has none."""
        if self._git.program is None:
            raise RemoteError("A git remote needs git, which is not installed. Install it, then sync again.")
        self._make_mirror()
        with self._reach_remote():
            listed = self._run_remote_git("ls-remote", "--refs", "--", self._url, self._ref).decode()
        tips = {ref: name for name, _, ref in (line.partition("\t") for line in listed.splitlines())}
        return tips.get(self._ref, "")

    def _look(self, record: Record, tip: str) -> Snapshot:
        """Transfer the branch, and return what it holds."""
        if not tip:
            gone = f"The remote has lost its branch {self._ref}; what is here goes there again."
            return Snapshot("", {}, {}, notes=(gone,) if record.base else ())
        tip = self._transfer()
        base, since, note = self._common(record, tip)
        listed, refused = self._list_files(tip)
        files = self._with_authors(listed, record.files, since, tip)
        return Snapshot(tip, files, base, tuple(refused), (note,) if note else ())

    def _transfer(self) -> str:
        self._run_remote_git(
            *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--"),
            *(self._url, f"+{self._ref}:{_SEEN}"),
        )
        return self._line("rev-parse", "--verify", f"{_SEEN}^{{commit}}")

    def _common(self, record: Record, tip: str) -> tuple[Mapping[str, FileState], str, str]:
        """Return the base as far as the branch still has it, since which commit, and what to say about it."""
        pending, base = record.pending, record.base
        if pending.revision and self._common_ancestor(pending.revision, tip) == pending.revision:
            base = with_changes(base, pending.files)
        meeting = self._common_ancestor(record.revision, tip) if record.revision else ""
        if meeting == record.revision:
            return base, meeting, ""
        listed = self._list_files(meeting)[0] if meeting else {}
        change = "rewound" if meeting == tip else "rewritten"
        note = f"The branch {self._ref} of the remote was {change}; what it lost goes there again from here."
        return listed, "", note

    def _common_ancestor(self, one: str, other: str) -> str:
        """Return the newest common ancestor of two commits; empty where there is none, or none is known."""
        with suppress(GitFailed):
            return self._line("merge-base", one, other)
        return ""

    def _list_files(self, commit: str) -> tuple[dict[str, FileState], list[Skipped]]:
        arguments = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit, *filter(None, [self._within])]
        found, sizes, odd = dict[str, FileState](), dict[str, int](), list[Skipped]()
        purged = self._purged_contents(commit)
        for row in self._git.run(*arguments).decode("utf-8", "surrogateescape").split("\0"):
            entry, _, path = row.partition("\t")
            file = path.removeprefix(self._within)
            if not file.endswith(".md") or file.rpartition("/")[2].casefold() == "memory.md":
                continue
            mode, _, name, size = entry.split()
            if mode not in ("100644", "100755"):
                odd.append(Skipped(file, "it is a link or a submodule"))
            elif name in purged:
                odd.append(Skipped(file, PURGED))
            else:
                found[file], sizes[file] = FileState(name, name, 0), int(size)
        usable, refused = usable_files(found, sizes)
        return usable, odd + refused

    def _with_authors(
        self, listed: Mapping[str, FileState], known: Mapping[str, FileState], since: str, tip: str
    ) -> dict[str, FileState]:
        """Return the files with the time and the writer of each: known ones, else as the commits say."""
        same = {f: known[f] for f, one in listed.items() if f in known and known[f].content == one.content}
        authors: dict[str, tuple[int, Authorship]] = {}
        for commits in dict.fromkeys([f"{since}..{tip}" if since else tip, tip]):
            if listed.keys() - same.keys() - authors.keys():
                for file, _, saved_ns, by in self._changes(commits):
                    authors.setdefault(file, (saved_ns, by))  # the newest commit of each says it
        nobody = 0, Authorship()
        return {
            file: same.get(file) or FileState(one.content, one.version, *authors.get(file, nobody))
            for file, one in listed.items()
        }

    def _changes(self, commits: str) -> Iterator[GitChange]:
        """Yield what commits changed in our folder, newest first."""
        within = ["--", self._within] if self._within else []
        output = self._git.run(*LOG, commits, *within).decode("utf-8", "surrogateescape")
        return changes_in(output, self._within)

    def _push(self, commit: str, expected: str) -> None:
        lease = f"--force-with-lease={self._ref}:{expected}"
        self._run_remote_git(
            *("push", "--porcelain", "--no-verify", "--no-signed", lease, "--", self._url),
            f"{commit}:{self._ref}",
        )

    def _run_remote_git(self, *arguments: str) -> bytes:
        return self._git.run(*arguments, seconds=self._seconds)

    def _line(self, *arguments: str, feed: bytes = b"") -> str:
        """Return the one line that git prints: the name of a commit, or its date."""
        return self._git.run(*arguments, feed=feed).decode("ascii").strip()

    @contextmanager
    def _reach_remote(self) -> Iterator[None]:
        try:
            yield
        except GitFailed as error:
            raise _failure(self._url, self._seconds, error) from error

    def _make_mirror(self) -> None:
        if not self._git.exists():
            make_folder(os.path.dirname(self._git.repository)).close()
            self._git.make()

    def _rebuild_mirror(self) -> bool:
        """Replace a damaged mirror by an empty one; tell whether that was needed."""
        try:
            self._git.clear_stale_locks()
            self._git.run("fsck", "--no-dangling", "--no-progress", "--no-reflogs")
        except GitFailed:
            remove_tree(self._git.repository)
            self._git.make()
            return True
        return False


def _failure(url: str, seconds: float, error: GitFailed, output: str = "") -> RemoteError:
    """Say what went wrong, and what to do."""
    words = re.sub(r":\s*\n", ": ", output or error.said or str(error))  # the reason may follow in a line
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    refused = next((line for line in lines if "[remote rejected]" in line or line.startswith("!")), "")
    lost = next((line for line in lines if line.startswith(("fatal:", "error:"))), (lines or [""])[-1])
    what, advice = "cannot be reached", "Look at its address, at the network, and whether you may use it."
    if refused:
        what, advice = "refuses what was sent", "Look whether you may write there."
    if isinstance(error.__cause__, subprocess.TimeoutExpired):
        lost = f"it did not answer within {seconds:g} seconds"
    reason = one_line(refused or lost).removeprefix("fatal: ").removeprefix("error: ")
    return unusable_remote(f"The remote {shown_url(url)} {what}: {shown_url(reason)}", advice)


def url_problem(url: str) -> str | None:
    """Return why a text cannot be the URL of a repository; None when it can."""
    if not url or url.startswith("-") or not url.isprintable():
        return "it is empty, begins with a dash, or holds characters that cannot be shown"
    if "::" in url:
        return "it names a helper program"
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", url)
    if scheme and scheme[1].lower() not in _SCHEMES:
        return f"{scheme[1]} is none of {', '.join(_SCHEMES)}"
    return None


def shown_url(text: str) -> str:
    """Return a text with a URL in it as it may be shown: without a password."""
    return without_secrets(re.sub(r"(\w://)[^/@\s]*@", r"\1", text))


def users_git(env: Mapping[str, str], cwd: str, *arguments: str) -> bytes:
    """Return what the user's own git prints; nothing where it fails, or there is none."""
    with suppress(OSError, subprocess.SubprocessError):
        command = [git_path(env) or "", *arguments]
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, check=True, timeout=10).stdout
    return b""


def _environment(env: Mapping[str, str], url: str) -> dict[str, str]:
    """Return the user's environment without what would lead git elsewhere or ask somebody."""
    own = {k: v for k, v in env.items() if not k.startswith("GIT_") or k in _KEPT_VARIABLES}
    own |= {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "LC_ALL": "C"}
    own |= {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0"}
    names_ssh = url.startswith(("/", "file:")) or own.get("GIT_SSH") or own.get("GIT_SSH_COMMAND")
    if not (names_ssh or users_git(own, os.sep, "config", "--get", "core.sshCommand").strip()):
        own["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes -oConnectTimeout=20"
    return own
