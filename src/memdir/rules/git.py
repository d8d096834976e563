"""What a rule has to know about git: options before the command, where a push goes, branches and worktrees.

Branches are read from git's own files: a hook has no time to start git.

A host waits for this module: it does without `typing`.
"""

import os

from memdir.hook_paths import in_home
from memdir.rules.command_line import operands_of, spellings
from memdir.rules.invocation import UNKNOWN, absolute_path, word_at
from memdir.text.program_names import SAME_AS_GIT, program
from memdir.text.value import field, value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["GLOBAL_VALUES", "GitReader", "branch_in", "command_of", "destination", "worktrees"]

GLOBAL_VALUES = frozenset([name for name, (_, taken) in (spellings("git") or {}).items() if taken])
"""Options before the command that take the next word as their value."""

_PUSH_VALUES = "-o --push-option --receive-pack --exec --repo"
_EVERYTHING = frozenset({"--all", "--mirror", "--branches"})
_NEW_BRANCH = frozenset({"-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"})
_CURRENT = frozenset({"branch --show-current", "rev-parse --abbrev-ref HEAD", "symbolic-ref --short HEAD"})
"""Commands that print the name of the current branch."""


@value_class(frozen=True, slots=True)
class GitReader:
    """Reads git commands in the order in which they would run, so that it knows the branch of each."""

    branch: "Callable[[str], str] | None"
    """Tells which branch is checked out in a directory; empty stands for unknown."""
    home: str = ""
    switched: dict[str, str] = field(default_factory=dict)

    def form(self, words: "Sequence[str]", directory: str) -> list[str] | None:
        """Return a git command in its plain form, a push with its destinations; None for other programs."""
        name = program(words[0])
        if name != "git" and not name.startswith("git-") and name not in SAME_AS_GIT:
            return None
        rest, directory = command_of(words, directory, self.home)
        if word_at(rest, 0) == "subtree":
            operands = operands_of(rest, "-P --prefix -b --branch -m --message --annotate --onto")
            rest = operands if word_at(operands, 0) == "push" else rest
        verb = word_at(rest, 0)
        if verb in ("push", "send-pack") and words[-1] != "--help":
            return ["git", *self._push(rest[1:], directory)]
        if verb in ("checkout", "switch"):
            self._switch(rest[1:], directory)
        return ["git", *rest]

    def branch_output(self, form: "Sequence[str]", directory: str) -> str | None:
        """Return what a command in plain form prints, if it asks for the current branch."""
        return self._branch(directory) if " ".join(form[1:]) in _CURRENT else None

    def _branch(self, directory: str) -> str:
        known = self.switched.get(directory) or (self.branch(directory) if self.branch and directory else "")
        return known or UNKNOWN

    def _switch(self, rest: "Sequence[str]", directory: str) -> None:
        plain = [word for word in rest if not word.startswith("-")]
        if not plain or "--" in rest or "." in plain[0].rpartition("/")[2]:
            return  # files are checked out, not a branch
        if len(plain) == 1 or _NEW_BRANCH & {*rest}:
            self.switched[directory] = plain[0]

    def _push(self, rest: "Sequence[str]", directory: str) -> list[str]:
        options = [word for word in rest if word[:1] == "-" and word != "--"]
        operands = [word for word in operands_of(["push", *rest], _PUSH_VALUES) if word != "-"]
        remote, refs = operands[:1] or [UNKNOWN], operands[1:]
        if any(ref.startswith("+") for ref in refs):
            options.append("--force")
        if any(len(ref) > 1 and ref.lstrip("+")[:1] == ":" for ref in refs):
            options.append("--delete")
        if _EVERYTHING & {*options}:
            refs = [UNKNOWN]
        elif not refs and "--tags" not in options:
            refs = ["HEAD"]
        current = self._branch(directory) if {*refs} & {"HEAD", "@", "+HEAD", "+@"} else ""
        return ["push", *options, *remote, *[destination(ref, current) for ref in refs]]


def destination(ref: str, current: str = "HEAD") -> str:
    """Return the branch that a refspec writes to: main for `HEAD:main`, `+main` and `refs/heads/main`."""
    source, colon, target = ref.removeprefix("+").partition(":")
    name = target if colon else source
    name = current if name in ("HEAD", "@") else name
    if not name or "*" in name:
        return UNKNOWN  # every branch that both sides have
    return name.removeprefix("refs/").removeprefix("heads/")


def command_of(words: "Sequence[str]", directory: str, home: str = "") -> tuple[list[str], str]:
    """Return a git command from its name on, and the directory in which it works."""
    name, at = program(words[0]), 1
    if name.startswith("git-"):
        return [name[4:], *words[1:]], directory
    while at < len(words) and words[at].startswith("-"):
        word = words[at]
        value = word_at(words, at + 1) if word in GLOBAL_VALUES else ""
        if word == "-C":
            value = in_home(value, home)
            known = (directory or value.startswith("/")) and UNKNOWN not in value and value[:1] != "~"
            directory = absolute_path(value, directory) if known else ""
        elif word.partition("=")[0] in ("--git-dir", "--work-tree"):
            directory = ""
        at += 2 if word in GLOBAL_VALUES else 1
    return [*words[at:]], directory


_LONGEST = 4096
"""Bytes of the files read here; each holds one short line."""


def branch_in(directory: str) -> str:
    """Return the branch of the working tree around a directory; empty when there is none."""
    here = os.path.abspath(directory)
    while True:
        if line := _first_line(os.path.join(_repository(os.path.join(here, ".git")), "HEAD")):
            return line.removeprefix(_BRANCH) if line.startswith(_BRANCH) else ""
        above = os.path.dirname(here)
        if above == here:
            return ""
        here = above


def worktrees(root: str) -> list[str]:
    """Return the linked worktrees of the repository whose main checkout, or itself if bare, is this."""
    for repository in (_repository(os.path.join(root, ".git")), root):
        folder = os.path.join(repository, "worktrees")
        try:
            names = os.listdir(folder)
        except (OSError, ValueError):
            continue
        links = [_first_line(os.path.join(folder, name, "gitdir")) for name in names]
        pairs = zip(names, links, strict=True)
        return [os.path.dirname(os.path.join(folder, name, link)) for name, link in pairs if link]
    return []


_BRANCH = "ref: refs/heads/"


def _repository(path: str) -> str:
    """Return where the repository lies: in a further worktree, `.git` is a file that names the place."""
    named = _first_line(path)
    place = named.removeprefix("gitdir: ") if named.startswith("gitdir: ") else ""
    return os.path.join(os.path.dirname(path), place) if place else path


def _first_line(path: str) -> str:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        return os.read(fd, _LONGEST).decode("utf-8", "surrogateescape").partition("\n")[0].rstrip()
    except OSError:
        return ""  # a directory, as .git itself mostly is
    finally:
        os.close(fd)
