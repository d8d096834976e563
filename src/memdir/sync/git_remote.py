"""A folder on one branch of a git repository as a remote; the project's own checkout is never touched.

A bare mirror in the state folder holds what was fetched; it is derived and may be deleted at any time.
Commits are made there without an index or a working tree and pushed with compare-and-swap on the branch. Who
wrote what, and the time of each text, stands in the commit: `Memory: {...}`, a line for each file.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime

from memdir.disk.files import make_folder
from memdir.errors import RemoteError
from memdir.memories.history.git import Git, GitFailed
from memdir.memories.scan import Skipped
from memdir.memories.topic import one_line
from memdir.sync.remote import (
    Authorship,
    Outgoing,
    Pending,
    Record,
    RemoteFile,
    RemoteMoved,
    Snapshot,
    folder_problem,
    usable_files,
)
from memdir.text.secrets.fast_search import without_secrets
from memdir.text.value import replace

__all__ = ["DEFAULT_BRANCH", "GitRemote", "changes_in", "shown_url", "url_problem"]

DEFAULT_BRANCH = "main"

_SECONDS = 120.0
"""A remote that has not answered after two minutes is down."""

_LOG_FORMAT = "--format=%x1e%an <%ae>%x1f%aI%x1f%B%x1f"
"""With this and `-z --name-only`, `git log` prints what `_authors_in` reads."""

_FILES_A_COMMIT = 100
"""A commit names each of its files in its message, which should stay readable."""

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
"""Nothing that a repository carries runs or is followed; nobody is asked for a password."""

_KEPT_VARIABLES = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH")
_SEEN, _OURS = "refs/memdir/seen", "refs/memdir/ours"
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
        """Take a URL, and the folder in which the mirror may lie; nothing is opened yet."""
        if problem := url_problem(url) or folder_problem(folder):
            raise RemoteError(f"{shown_url(url)!r} cannot be a remote: {problem}.")
        self.url, self.folder = url, folder.strip("/")
        self.within = f"{self.folder}/" if self.folder else ""
        self._ref = branch if branch.startswith("refs/") else f"refs/heads/{branch}"
        self._place, self._seconds = place, seconds
        self.git = Git(
            program, os.path.join(place, "mirror.git"), (), _SETTINGS, _environment(env, program, url)
        )

    def fetch(self, record: Record) -> Snapshot:
        """Return what the branch holds now; nothing is transferred where it has not moved."""
        tip = self._tip()
        if tip and tip == record.revision and record.whole:
            return Snapshot(tip, record.remote, record.base)
        with self._reach_remote():
            try:
                return self._looked_at(record, tip)
            except GitFailed:
                if not self._rebuild_mirror():
                    raise
            looked = self._looked_at(record, tip)
        note = "The local mirror of the remote was damaged; it was made anew."
        return replace(looked, notes=(note, *looked.notes))

    def read(self, files: Sequence[RemoteFile]) -> list[bytes | None]:
        """Return the bytes of versions; a damaged mirror is made anew first."""
        versions = [one.version for one in files]
        with self._reach_remote():
            try:
                found = self.git.blobs(versions)
                if all(data is not None for data in found) or not self._rebuild_mirror():
                    return found
            except GitFailed:
                if not self._rebuild_mirror():
                    raise
            self._transfer()
            return self.git.blobs(versions)

    def publish(
        self, changes: Sequence[Outgoing], snapshot: Snapshot, announce: Callable[[Pending], None]
    ) -> Pending:
        """Commit on top of the snapshot and push, if the branch is still there."""
        stream = _commit_stream(changes, snapshot.revision, _OURS, self.folder)
        try:
            made = self.git.run("fast-import", "--quiet", "--force", feed=stream).decode("ascii").strip()
        except GitFailed as error:
            if self._rebuild_mirror():
                raise RemoteMoved("The mirror was made anew.") from error
            raise self._failure(error) from error
        files: dict[str, RemoteFile | None] = {one.file: None for one in changes}
        kept = [one for one in changes if one.data is not None]
        files |= {one.file: RemoteFile(one.content, one.content, one.saved_ns, one.by) for one in kept}
        done = Pending(made, files)
        announce(done)
        self._push(made, snapshot.revision)
        return done

    def log(self, revision: str) -> list[tuple[str, Authorship, bool]]:
        """Return all that led to a revision that was fetched: file, writer, and whether it was deleted."""
        return changes_in(self._log("--name-status", revision), self.within)

    def _log(self, names: str, commits: str) -> str:
        """Return what commits changed in our folder, with what they say about it."""
        within = ["--", self.folder] if self.folder else []
        output = self.git.run("log", "--no-renames", names, "-z", _LOG_FORMAT, commits, *within)
        return output.decode("utf-8", "surrogateescape")

    def _tip(self) -> str:
        """Ask the remote where its branch is; empty where it has none."""
        if self.git.program is None:
            raise RemoteError("A git remote needs git, which is not installed. Install it, then sync again.")
        if not self.git.exists():
            make_folder(self._place).close()
            self.git.make()
        with self._reach_remote():
            listed = self._run_remote_git("ls-remote", "--refs", "--", self.url, self._ref).decode()
        rows = [line.split("\t") for line in listed.splitlines()]
        names = [row[0] for row in rows if row[1:] == [self._ref]]
        return names[0] if names else ""

    def _looked_at(self, record: Record, tip: str) -> Snapshot:
        if not tip:
            gone = f"The remote has lost its branch {self._ref}; what is here goes there again."
            return Snapshot("", {}, {}, notes=(gone,) if record.base else ())
        tip = self._transfer()
        base, since, note = self._common(record, tip)
        listed, refused = self._list_files(tip)
        files = self._with_authors(listed, record.remote, since, tip)
        return Snapshot(tip, files, base, tuple(refused), (note,) if note else ())

    def _transfer(self) -> str:
        self._run_remote_git(
            *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--"),
            *(self.url, f"+{self._ref}:{_SEEN}"),
        )
        return self.git.run("rev-parse", "--verify", f"{_SEEN}^{{commit}}").decode("ascii").strip()

    def _common(self, record: Record, tip: str) -> tuple[dict[str, RemoteFile], str, str]:
        """Return the base as far as the branch still has it, since which commit, and what to say about it."""
        base = dict(record.base)
        pending = record.pending
        if pending.revision and self._common_ancestor(pending.revision, tip) == pending.revision:
            for file, one in pending.files.items():
                base.pop(file, None)
                base |= {file: one} if one else {}
        meeting = self._common_ancestor(record.revision, tip) if record.revision else ""
        if meeting == record.revision:
            return base, meeting, ""
        listed = self._list_files(meeting)[0] if meeting else {}
        told = "rewound" if meeting == tip else "rewritten"
        note = f"The branch {self._ref} of the remote was {told}; what it lost goes there again from here."
        return listed, "", note

    def _common_ancestor(self, one: str, other: str) -> str:
        """Return the newest common ancestor of two commits; empty where there is none, or none is known."""
        try:
            return self.git.run("merge-base", one, other).decode("ascii").strip()
        except GitFailed:
            return ""

    def _list_files(self, commit: str) -> tuple[dict[str, RemoteFile], list[Skipped]]:
        arguments = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit, *filter(None, [self.within])]
        found, sizes, odd = dict[str, RemoteFile](), dict[str, int](), list[Skipped]()
        for row in self.git.run(*arguments).decode("utf-8", "surrogateescape").split("\0"):
            entry, _, path = row.partition("\t")
            file = path.removeprefix(self.within)
            if not file.endswith(".md") or file.rpartition("/")[2].casefold() == "memory.md":
                continue
            mode, _, name, size = entry.split()
            if mode not in ("100644", "100755"):
                odd.append(Skipped(file, "it is a link or a submodule"))
                continue
            found[file], sizes[file] = RemoteFile(name, name, 0), int(size)
        usable, refused = usable_files(found, sizes)
        return usable, odd + refused

    def _with_authors(
        self, listed: Mapping[str, RemoteFile], known: Mapping[str, RemoteFile], since: str, tip: str
    ) -> dict[str, RemoteFile]:
        """Return the files with the time and the writer of each: known ones, else as the commits say."""
        same = {f: known[f] for f, one in listed.items() if f in known and known[f].content == one.content}
        new = listed.keys() - same.keys()
        told: dict[str, tuple[int, Authorship]] = {}
        for commits in dict.fromkeys([f"{since}..{tip}" if since else tip, tip]):
            if left := new - told.keys():  # the newest commit of each says it
                told |= _authors_in(self._log("--name-only", commits), self.within, left)
        nobody = 0, Authorship()
        return {
            file: same.get(file) or RemoteFile(one.content, one.version, *told.get(file, nobody))
            for file, one in listed.items()
        }

    def _push(self, commit: str, expected: str) -> None:
        lease = f"--force-with-lease={self._ref}:{expected}"
        try:
            self._run_remote_git(
                *("push", "--porcelain", "--no-verify", "--no-signed", lease, "--", self.url),
                f"{commit}:{self._ref}",
            )
        except GitFailed as error:
            told = f"{error.printed.decode('utf-8', 'replace')}\n{error.said}"
            if _MOVED.search(told):
                raise RemoteMoved("Somebody else changed the remote meanwhile.") from error
            raise self._failure(error, told) from error

    def _run_remote_git(self, *arguments: str) -> bytes:
        return self.git.run(*arguments, seconds=self._seconds)

    @contextmanager
    def _reach_remote(self) -> Iterator[None]:
        try:
            yield
        except GitFailed as error:
            raise self._failure(error) from error

    def _rebuild_mirror(self) -> bool:
        """Replace a damaged mirror by an empty one; tell whether that was needed."""
        try:
            self.git.clear_stale_locks()
            self.git.run("fsck", "--no-dangling", "--no-progress", "--no-reflogs")
        except GitFailed:
            shutil.rmtree(self.git.repository, ignore_errors=True)
            self.git.make()
            return True
        return False

    def _failure(self, error: GitFailed, told: str = "") -> RemoteError:
        """Say what went wrong in one sentence, and that nothing is lost."""
        words = re.sub(r":\s*\n", ": ", told or error.said or str(error))  # the reason may follow in a line
        said = [line.strip() for line in words.splitlines() if line.strip()]
        refused = next((line for line in said if "[remote rejected]" in line or line.startswith("!")), "")
        lost = next(
            (line for line in said if line.startswith(("fatal:", "error:"))), said[-1] if said else ""
        )
        what = "refuses what was sent" if refused else "cannot be reached"
        if isinstance(error.__cause__, subprocess.TimeoutExpired):
            lost = f"it did not answer within {self._seconds:g} seconds"
        reason = one_line(refused or lost).removeprefix("fatal: ").removeprefix("error: ")
        return RemoteError(
            f"The remote {shown_url(self.url)} {what}: {shown_url(reason).rstrip('.')}. "
            "What is here is safe, and goes there with the next sync that works."
        )


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


def _environment(env: Mapping[str, str], program: str | None, url: str) -> dict[str, str]:
    """Return the user's environment without what would lead git elsewhere or ask somebody."""
    own = {k: v for k, v in env.items() if not k.startswith("GIT_") or k in _KEPT_VARIABLES}
    own |= {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "LC_ALL": "C"}
    own |= {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0"}
    is_local = url.startswith(("/", "file:"))
    if not own.get("GIT_SSH") and not own.get("GIT_SSH_COMMAND") and not (is_local or _has_ssh(own, program)):
        own["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes -oConnectTimeout=20"
    return own


def _has_ssh(env: Mapping[str, str], program: str | None) -> bool:
    """Tell whether the person's own settings of git name the program for ssh."""
    command = [program or "", "config", "--get", "core.sshCommand"]
    try:
        done = subprocess.run(command, cwd=os.sep, env=env, capture_output=True, check=False, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return False
    return bool(done.stdout.strip())


def _commit_stream(changes: Sequence[Outgoing], parent: str, ref: str, folder: str) -> bytes:
    """Return what `git fast-import` reads: a commit for each hundred files, and the question for its name."""
    before = f"from {parent}\n" if parent else ""
    parts = [f"reset {ref}\n{before}\n".encode()]
    for start in range(0, len(changes), _FILES_A_COMMIT):
        some = changes[start : start + _FILES_A_COMMIT]
        parts += [_commit(some, before, ref), *(_file_command(one, folder) for one in some)]
        before = ""
    return b"".join([*parts, b"get-mark :1\n"])


def _authors_in(log: str, within: str, files: set[str]) -> dict[str, tuple[int, Authorship]]:
    """Return time of the text and writer of files, as the newest commit of each says.

    `within` begins their paths in the log.
    """
    told: dict[str, tuple[int, Authorship]] = {}
    for row in log.split("\x1e")[1:]:
        who, at, message, names = [*row.split("\x1f", 3), "", "", ""][:4]
        changed = {path.strip("\n").removeprefix(within) for path in names.split("\0")}
        if wanted := (changed & files) - told.keys():
            told |= _authors(who, at, message, wanted)
    return told


def changes_in(log: str, within: str) -> list[tuple[str, Authorship, bool]]:
    """Return each change of a file that commits made: who made it, and whether it deleted the file.

    The log is printed with `-z --name-status`.
    """
    found: list[tuple[str, Authorship, bool]] = []
    for row in log.split("\x1e")[1:]:
        head, _, names = row.rpartition("\x1f")
        words = [word for word in names.replace("\n", "").split("\0") if word]
        states = {
            path.removeprefix(within): state for state, path in zip(words[::2], words[1::2], strict=False)
        }
        listed = "\0".join(f"{within}{file}" for file in states)
        told = _authors_in(f"\x1e{head}\x1f{listed}", within, {*states})
        files = [file for file in states if file in told and file.endswith(".md")]
        found += [(file, told[file][1], states[file] == "D") for file in files]
    return found


def _file_command(one: Outgoing, folder: str) -> bytes:
    path = f"{folder}/{one.file}" if folder else one.file
    name = path.encode("utf-8", "surrogateescape").replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    if one.data is None:
        return b'D "%b"\n' % name
    return b'M 100644 inline "%b"\ndata %d\n%b\n' % (name, len(one.data), one.data)


def _commit(changes: Sequence[Outgoing], parent: str, ref: str) -> bytes:
    by = changes[0].by
    name, _, address = by.who.rpartition("<") if "<" in by.who else (by.who, "", "")
    name, address = (re.sub(r"[<>\x00-\x1f]", "", text).strip() for text in (name, address))
    person = f"{name or 'unknown'} <{address}>"
    when = f"{int(datetime.fromisoformat(by.at).timestamp())} +0000"
    rows = [
        {"file": c.file, "saved": c.saved_ns, "who": c.by.who, "session": c.by.session, "actor": c.by.actor}
        for c in changes
    ]
    subject = changes[0].file if len(changes) == 1 else f"{len(changes)} memories"
    lines = [f"Sync {subject}", "", *(f"Memory: {json.dumps(row)}" for row in rows)]
    message = without_secrets("\n".join(lines)).encode("utf-8", "surrogateescape")
    head = f"commit {ref}\nmark :1\nauthor {person} {when}\ncommitter {person} {when}\ndata {len(message)}\n"
    return head.encode("utf-8", "surrogateescape") + message + b"\n" + parent.encode()


def _authors(who: str, at: str, message: str, files: set[str]) -> dict[str, tuple[int, Authorship]]:
    """Return time and writer of files that one commit changed: as its lines say, else as its author is."""
    try:
        moment = datetime.fromisoformat(at).astimezone(UTC)
    except (ValueError, OverflowError):  # no date, or one that is past the last year in UTC
        moment = datetime.fromtimestamp(0, UTC)
    stamp = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    told = dict.fromkeys(files, (int(moment.timestamp()) * 10**9, Authorship(_plain(who), stamp)))
    for line in message.split("\n"):
        row: dict[str, object] = {}
        with suppress(ValueError, RecursionError):
            row = json.loads(line.removeprefix("Memory: ")) if line.startswith("Memory: {") else {}
        file, saved = row.get("file"), row.get("saved")
        if isinstance(file, str) and file in told and isinstance(saved, int):
            words = [_plain(str(row.get(key, ""))) for key in ("who", "session", "actor")]
            told[file] = saved, Authorship(words[0], stamp, words[1], words[2])
    return told


def _plain(text: str) -> str:
    return one_line(text)[:300]
