"""Git as a command that only reads, in a repository that nobody vouches for.

Nothing that the repository's own configuration names is run: no hook, monitor, filter, pager, signature
check, external diff or transport. Answers are bounded in bytes and in time; what does not fit is no answer.
"""

import os
import subprocess
from collections.abc import Callable
from select import select
from time import monotonic

from memdir.text.value import value_class

__all__ = ["CheckDeadline", "GitCommand", "NoGitAnswer", "OutOfTime"]

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


class OutOfTime(Exception):
    """The time for a check is up."""


@value_class(frozen=True, slots=True)
class CheckDeadline:
    """A moment of a timer."""

    timer: Callable[[], float]
    end: float

    def left(self) -> float:
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
        try:
            child = subprocess.Popen(
                [self.program, "--no-pager", "--no-replace-objects", *settings, *arguments],
                stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self.root,
                env=self._environment(),
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

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": os.path.dirname(self.program),
            "LC_ALL": "C",
            "GIT_WORK_TREE": self.root,  # core.worktree of the repository could lead elsewhere
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_ATTR_NOSYSTEM": "1",
            **({"HOME": self.home} if self.home else {"GIT_CONFIG_GLOBAL": os.devnull}),
        }


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
        if not select([out], [], [], deadline.left())[0]:
            raise OutOfTime
        piece = os.read(out, 1 << 16)
        if not piece:
            break
        size += len(piece)
        if size > LARGEST_ANSWER:
            raise NoGitAnswer
        pieces.append(piece)
    try:
        code = child.wait(deadline.left())
    except subprocess.TimeoutExpired as error:
        raise OutOfTime from error
    if code not in (0, 1):  # 1: grep found nothing
        raise NoGitAnswer
    return b"".join(pieces)
