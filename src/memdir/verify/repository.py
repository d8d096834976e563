"""What git knows of a project's past: the commit of a time, removed and renamed paths, old contents.

Git only reads here, in a repository that nobody vouches for. Nothing that its configuration names is run: no
hook, monitor, filter, pager, signature check, external diff or transport. Answers are bounded in bytes and in
time; what does not fit is no answer.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from select import select
from time import monotonic

from memdir.text.value import value_class

__all__ = [
    "Branches",
    "CheckDeadline",
    "CodeLine",
    "GitCommand",
    "NameChanges",
    "NoGitAnswer",
    "OutOfTime",
    "Removal",
    "Repository",
]

LARGEST_FILE = 1_000_000
"""Bytes of a file that is searched for symbols or lines: code is smaller."""

MOST_REFLOGS = 2_000
"""Entries of reflogs, and merges, that are read for the names of branches."""

MOST_REMOVALS = 60
"""Commits that are looked at for what became of a path."""


LARGEST_ANSWER = 16_000_000
"""Bytes of one answer: the file list of a very large repository."""

LARGEST_FEED = 12_000
"""Bytes that are written to git before anything is read: they must fit into a pipe."""

_ANSWER_SECONDS = 3.0
"""For one question besides the checks: the first commit of a history of a million takes about as long."""

_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "log.showSignature=false",
    "gpg.program=false",
    "diff.renameLimit=400",
    "submodule.recurse=false",
    "protocol.allow=never",
)
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
}


class OutOfTime(Exception):
    """The time for a check is up."""


@value_class(frozen=True, slots=True)
class CheckDeadline:
    """A moment of a timer."""

    timer: Callable[[], float]
    end: float

    def seconds_left(self) -> float:
        """Return the seconds that are left; raise when there are none."""
        seconds = self.end - self.timer()
        if seconds <= 0:
            raise OutOfTime
        return seconds


class NoGitAnswer(Exception):
    """Git could not be asked, or said more than can be read."""


@value_class(frozen=True, slots=True)
class GitCommand:
    """The git of this machine on one working tree."""

    program: str
    root: str
    home: str = ""
    """Where the user's own configuration lies; without it none is read."""

    def run(self, *arguments: str, deadline: CheckDeadline, feed: bytes = b"") -> bytes:
        """Run one command and return what it printed; an exit code other than 0 or 1 is no answer."""
        if len(feed) > LARGEST_FEED:
            raise NoGitAnswer
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        own = {"HOME": self.home} if self.home else {"GIT_CONFIG_GLOBAL": os.devnull}
        # core.worktree of the repository could lead elsewhere
        env = {**_ENVIRONMENT, **own, "PATH": os.path.dirname(self.program), "GIT_WORK_TREE": self.root}
        try:
            child = subprocess.Popen(
                [self.program, "--no-pager", "--no-replace-objects", *settings, *arguments],
                stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self.root,
                env=env,
            )
        except (OSError, ValueError) as error:
            raise NoGitAnswer from error
        with child:  # waits for it and closes its pipes
            try:
                return _answer(child, feed, deadline)
            finally:
                child.kill()

    def answer(self, *arguments: str) -> bytes:
        """Run one command for a few seconds at the most; empty where there is no answer."""
        try:
            return self.run(*arguments, deadline=CheckDeadline(monotonic, monotonic() + _ANSWER_SECONDS))
        except (NoGitAnswer, OutOfTime):
            return b""


def _answer(child: "subprocess.Popen[bytes]", feed: bytes, deadline: CheckDeadline) -> bytes:
    assert child.stdout is not None  # noqa: S101 - it was asked for above
    if feed and child.stdin is not None:
        try:
            child.stdin.write(feed)
            child.stdin.close()
        except OSError as error:
            raise NoGitAnswer from error
    pieces: list[bytes] = []
    size, out = 0, child.stdout.fileno()
    while True:
        if not select([out], [], [], deadline.seconds_left())[0]:
            raise OutOfTime
        piece = os.read(out, 1 << 16)
        if not piece:
            break
        size += len(piece)
        if size > LARGEST_ANSWER:
            raise NoGitAnswer
        pieces.append(piece)
    try:
        code = child.wait(deadline.seconds_left())
    except subprocess.TimeoutExpired as error:
        raise OutOfTime from error
    if code not in (0, 1):  # 1: grep found nothing
        raise NoGitAnswer
    return b"".join(pieces)


@value_class(frozen=True, slots=True)
class Removal:
    """A commit that removed a path."""

    commit: str
    """Empty for what is removed in the index and not committed yet."""
    at: datetime
    path: str


@value_class(frozen=True, slots=True)
class NameChanges:
    """Paths that the index gained and lost since a commit."""

    came: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


@value_class(frozen=True, slots=True)
class Branches:
    """The branches of a repository."""

    names: frozenset[str]
    """Local and remote branches and tags, without the name of the remote."""
    former: frozenset[str]
    """Branches that somebody had checked out or merged here."""
    renamed: dict[str, str]
    has_remote: bool
    partial: bool
    """Whether the clone has one branch of its remote only."""


@value_class(frozen=True, slots=True)
class CodeLine:
    """A line that holds a word."""

    path: str
    text: str


@value_class(frozen=True, slots=True)
class Repository:
    """One repository, asked in few and large questions, all before one deadline."""

    git: GitCommand
    deadline: CheckDeadline

    def tracked_paths(self) -> list[str]:
        """Return the paths that git tracks, as in the index."""
        return _names(self._run("ls-files", "-z", "--cached"))

    def tree(self, commit: str) -> list[str]:
        """Return the paths of a commit."""
        return _names(self._run("ls-tree", "-r", "-z", "--name-only", commit))

    def branches(self) -> Branches:
        """Return the branches and tags that there are, and what reflogs and merges tell of others."""
        refs = self._lines("for-each-ref", "--format=%(refname)")
        most = f"-n{MOST_REFLOGS}"
        events = "\n".join(self._lines("log", "-g", "--all", "--format=%gs", most))
        merges = "\n".join(self._lines("log", "--merges", "--format=%s", most, "HEAD"))
        former = {*_MERGED.findall(merges), *(name for pair in _MOVED.findall(events) for name in pair)}
        remote = [ref for ref in refs if ref.startswith("refs/remotes/") and not ref.endswith("/HEAD")]
        names = frozenset(_REF.sub("", ref) for ref in refs)
        return Branches(
            names, frozenset(former), dict(_RENAMED.findall(events)), bool(remote), len(remote) == 1
        )

    def _run(self, *arguments: str, feed: bytes = b"") -> bytes:
        return self.git.run(*arguments, deadline=self.deadline, feed=feed)

    def _lines(self, *arguments: str) -> list[str]:
        said = self._run(*arguments).decode("utf-8", "replace")
        return [line for line in said.split("\n") if line]

    def commit_at(self, moment: datetime) -> str:
        """Return the newest commit up to a moment; the oldest when all are later, empty without any."""
        second = int(moment.timestamp())
        asked = ("rev-list", "--timestamp", f"-n{_TIES}", f"--before={second}", "HEAD")
        try:
            found = _STAMPED.findall(self._run(*asked).decode("ascii", "replace"))
            roots = [] if found else self._lines("rev-list", "--max-parents=0", "HEAD")
        except NoGitAnswer:  # no commit at all yet
            return ""
        earlier = [commit for at, commit in found if int(at) < second or not self._made_after(commit, moment)]
        return next(iter(earlier or roots[-1:]), "")

    def full_commit(self, commit: str) -> str:
        """Return the full name of a commit, empty when this repository no longer has it."""
        try:
            said = self._run("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
        except NoGitAnswer:
            return ""
        return said.decode("ascii", "replace").strip()

    def removals(self, paths: Iterable[str]) -> list[Removal]:
        """Return where these paths, or paths that end in them, were removed; newest first."""
        specs = [spec for path in paths for spec in _specs(path)]
        options = ("--no-renames", "--diff-filter=D", "--name-only")
        staged = self._staged_changes(*options, specs=specs)
        said = self._log(*options, f"-n{MOST_REMOVALS}", "--", *specs)
        found = [Removal(_STAGED, _LATEST, name) for name in staged]
        return found + [Removal(commit, at, name) for commit, at, names in said for name in names]

    def renames(self, commits: Iterable[str]) -> dict[str, str]:
        """Return which path became which in these commits."""
        wanted = list(dict.fromkeys(commits))[:MOST_REMOVALS]
        moved: dict[str, str] = {}
        options = ("-M40%", "--no-rename-empty", "--diff-filter=R", "--name-status")
        commits = [commit for commit in wanted if commit != _STAGED]
        found = [self._staged_changes(*options)] if _STAGED in wanted else []
        if commits:
            said = self._log("--no-walk=unsorted", *options, *commits)
            found += [names for *_, names in said]
        for names in found:
            for at in range(0, len(names) - 2, 3):
                if _is_same(names[at], names[at + 1], names[at + 2]):
                    moved.setdefault(names[at + 1], names[at + 2])
        return moved

    def names_since(self, then: str, paths: Iterable[str]) -> NameChanges:
        """Return which of these paths, or paths ending in them, the index gained and lost since a commit."""
        specs = [spec for path in paths for spec in _specs(path)]
        options = ("--cached", "-z", "--no-renames", "--diff-filter=AD", "--name-status")
        said = _names(self._run("diff-index", *options, then, "--", *specs))
        pairs = list(zip(said[::2], said[1::2], strict=False))
        came, left = (tuple(name for sign, name in pairs if sign == wanted) for wanted in "AD")
        return NameChanges(came, left)

    def changes_since(self, then: str, paths: Sequence[str]) -> list[list[str]]:
        """Return for each commit since then the names it changed at or below these paths."""
        specs = [f":(literal){path.rstrip('/')}" for path in paths]
        said = self._log("--no-renames", "--name-only", f"{then}..HEAD", "--", *specs)
        return [names for _, _, names in said]

    def commits_mentioning(self, name: str) -> list[str]:
        """Return the newest commits whose changed lines hold a word."""
        lines = f"-G{_WORD_START}{re.escape(name)}{_WORD_END}"
        return [commit for commit, _, _ in self._log("--no-renames", "-n8", lines)]

    def versions(self, paths: Sequence[str]) -> list[str]:
        """Return the newest commits that changed one of these files."""
        specs = [f":(literal){path}" for path in paths]
        said = self._log("--no-renames", "-n30", "--", *specs) if specs else []
        return [commit for commit, _, _ in said]

    def contents(self, commit: str, paths: Sequence[str]) -> dict[str, str]:
        """Return the texts of those of these paths that a commit has."""
        wanted = [path for path in dict.fromkeys(paths) if "\n" not in path]
        feed = "".join(f"{commit}:{path}\n" for path in wanted).encode("utf-8", "surrogateescape")
        if not wanted:
            return {}
        answer = self._run("cat-file", "--batch", feed=feed)
        found: dict[str, str] = {}
        for path in wanted:
            line, _, answer = answer.partition(b"\n")
            if line.endswith((b" missing", b" ambiguous")) or b" " not in line:
                continue
            size = int(line.rsplit(b" ", 1)[1])
            if b" blob " in line and size <= LARGEST_FILE:
                found[path] = answer[:size].decode("utf-8", "replace")
            answer = answer[size + 1 :]
        return found

    def lines_with(self, names: Sequence[str], commit: str) -> list[CodeLine]:
        """Return the lines that hold one of these words, in a commit or (empty) in the working tree."""
        words = [word for name in names for word in ("-e", name)]
        where = [commit] if commit else ["--untracked"]
        options = ("-z", "-I", "-w", "-F", "--no-color", "--no-recurse-submodules", "--no-textconv")
        said = self._run("grep", *options, *words, *where, "--", ".", *_LEFT_OUT)
        hits: list[CodeLine] = []
        for row in said.decode("utf-8", "replace").split("\n"):
            path, _, text = row.partition("\0")
            if path and len(hits) < MOST_HITS:
                hits.append(CodeLine(path.removeprefix(f"{commit}:") if commit else path, text))
        return hits

    def ignored_paths(self, paths: Sequence[str]) -> set[str]:
        """Return those of these paths that git is told to ignore."""
        feed = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
        try:
            return set(_names(self._run("check-ignore", "-z", "--stdin", "--no-index", feed=feed)))
        except NoGitAnswer:  # one of them lies behind a link
            return set()

    def _made_after(self, commit: str, moment: datetime) -> bool:
        """Tell whether a commit of the same second came after the moment, by the time of its object file."""
        path = os.path.join(self.git.root, ".git", "objects", commit[:2], commit[2:])
        try:
            return os.stat(path).st_mtime > moment.timestamp()
        except OSError:  # packed, or a linked worktree: an agent that saves and commits at once has neither
            return False

    def _staged_changes(self, *options: str, specs: Sequence[str] = ()) -> list[str]:
        """Return what git tells about the changes that wait in the index for the next commit."""
        words = ("diff-index", "--cached", "-z", *options, "HEAD", "--", *specs)
        try:
            return _names(self._run(*words))
        except NoGitAnswer:  # no commit yet
            return []

    def _log(self, *arguments: str) -> list[tuple[str, datetime, list[str]]]:
        """Return commits with the names that follow each."""
        options = ("-z", "--format=%x01%H %ct%x02", "--no-ext-diff", "--no-textconv", "--no-color")
        try:
            said = self._run("log", *options, "--no-show-signature", *arguments)
        except NoGitAnswer:  # no commit yet, or a past too long to tell
            return []
        return [
            (
                commit.decode(),
                datetime.fromtimestamp(int(at), UTC),
                [name.lstrip("\n") for name in _names(names) if name.strip("\n")],
            )
            for commit, at, names in _ENTRY.findall(said)
        ]


def _is_same(status: str, old: str, new: str) -> bool:
    """Tell whether a rename of git is one file: two small scripts may share only their first lines."""
    name = old.rpartition("/")[2] == new.rpartition("/")[2]
    return name or int(status[1:] or 0) >= _SAME_FILE


_SAME_FILE = 60
"""Per cent of its bytes that a file of another name must have kept."""

MOST_HITS = 5_000
"""Lines with a word that are looked at: a word with more is in every second file."""

_LEFT_OUT = (":(exclude,glob)**/*.min.js", ":(exclude,glob)**/*.lock", ":(exclude,glob)**/*.map")
_WORD_START, _WORD_END = r"(^|[^A-Za-z0-9_])", r"([^A-Za-z0-9_]|$)"
_TIES = 16
"""Commits of one second that are told apart."""
_STAGED, _LATEST = "", datetime.max.replace(tzinfo=UTC)
"""The commit and the time that stand for staged changes: they come after all commits."""
_REF = re.compile(r"^refs/(?:heads|tags|remotes/[^/]+)/")
_MOVED = re.compile(r"^checkout: moving from (\S+) to (\S+)$", re.MULTILINE)
_RENAMED = re.compile(r"^Branch: renamed refs/heads/(\S+) to refs/heads/(\S+)$", re.MULTILINE)
_MERGED = re.compile(r"^Merge (?:remote-tracking )?branch '(?:origin/)?([^']+)'", re.MULTILINE)
_STAMPED = re.compile(r"^(\d{1,12}) ([0-9a-f]{40,64})$", re.MULTILINE)
_ENTRY = re.compile(rb"\x01([0-9a-f]{40,64}) (\d{1,12})\x02([^\x01]*)")


def _names(data: bytes) -> list[str]:
    return [name for name in data.decode("utf-8", "surrogateescape").split("\0") if name]


def _specs(path: str) -> list[str]:
    """Return git's patterns for a path, for longer paths that end in it, and for the files below those."""
    plain = re.sub(r"([*?\[\]\\])", r"\\\1", path.rstrip("/"))
    return [f":(literal){path.rstrip('/')}", f":(glob)**/{plain}", f":(glob)**/{plain}/**"]
