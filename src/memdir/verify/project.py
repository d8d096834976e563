"""The working tree that memories speak about, and all that the checks of one memory share."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from time import monotonic

from memdir.config.safe_path import Refused, contain
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.text.value import value_class
from memdir.verify.anchors import Anchors
from memdir.verify.claims.mentions import Claim
from memdir.verify.repository import (
    LARGEST_FILE,
    CheckDeadline,
    CodeLine,
    GitCommand,
    NameChanges,
    NoGitAnswer,
    OutOfTime,
    Repository,
)

__all__ = ["MOST_MANIFESTS", "CheckScope", "OutsideProject", "PathState", "Project", "shallow_first"]

MOST_FILES = 20_000
"""Files that are listed where git does not list them."""

MOST_BYTES = 30_000_000
"""Bytes that are searched where git does not search them."""

MOST_MANIFESTS = 40
"""Manifests of one kind that are read: a monorepo may have hundreds, and the shallow ones count."""

_NEVER_ENTERED = frozenset({"node_modules", "__pycache__", "venv", "target", "dist", "build"})
"""Folders of others' or generated code; those that begin with a dot are not entered either."""


class OutsideProject(Exception):
    """A path leads out of the project, or is none."""


class Project:
    """One checkout and, if it has one, its repository; lists are kept, so open it anew for each question."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        git: str | None = None,
        *,
        home: str = "",
        timer: Callable[[], float] = monotonic,
    ) -> None:
        """Open the project in a directory; without a git program only the working tree is looked at."""
        self.root, self._timer = os.path.realpath(root), timer
        kept = os.path.lexists(os.path.join(self.root, ".git"))
        self._git = GitCommand(git, self.root, home) if git and kept else None
        self._files: ProjectFiles | None = None

    def deadline_in(self, seconds: float) -> CheckDeadline:
        """Return the deadline of a check that begins now."""
        return CheckDeadline(self._timer, self._timer() + seconds)

    def relative(self, path: str) -> str:
        """Return a path as it is below the root, whatever it was written like; raise when it leads out."""
        if path.startswith("/"):
            if not path.startswith(f"{self.root}/"):
                raise OutsideProject
            path = path[len(self.root) + 1 :]
        steps = [step for step in path.split("/") if step not in ("", ".")]
        if not steps or ".." in steps or steps[0].startswith("~") or steps[0] == ".git" or "\0" in path:
            raise OutsideProject
        return "/".join(steps)

    def stands(self, path: str) -> bool:
        """Tell whether a file, or a folder with anything in it, is there now; raise when a link leads out."""
        try:
            os.lstat(os.path.join(self.root, path))
        except (OSError, ValueError):
            return False
        real = contain(self.root, path)
        if isinstance(real, Refused):
            raise OutsideProject
        return not _is_empty_folder(real)

    def text(self, path: str) -> str | None:
        """Return the text of a regular file inside, None when there is none or it is too large."""
        data = self.data(path)
        return None if data is None or b"\0" in data[:8_000] else data.decode("utf-8", "replace")

    def data(self, path: str) -> bytes | None:
        """Return the bytes of a regular file inside, None when there is none or it is too large."""
        real = contain(self.root, path)
        data = Unread("") if isinstance(real, Refused) else regular_bytes(real, LARGEST_FILE)
        return None if isinstance(data, Unread) else data

    def files(self, deadline: CheckDeadline) -> "ProjectFiles":
        """Return the files of the project by name: those that git tracks, or all that are there."""
        if self._files is None:
            try:
                tracked = Repository(self._git, deadline).tracked_paths() if self._git else []
            except NoGitAnswer:  # not a repository after all, or one that git refuses to read
                self._git, tracked = None, []
            self._files = ProjectFiles(tracked or list(self._walk(deadline)))
        return self._files

    def repository(self, deadline: CheckDeadline) -> Repository | None:
        """Return the repository, if there is one that git can read."""
        self.files(deadline)  # shows it
        return Repository(self._git, deadline) if self._git else None

    def lines_with(self, names: Sequence[str], deadline: CheckDeadline) -> Iterator[CodeLine]:
        """Yield the lines of the working tree that hold one of these words, found without git."""
        left = MOST_BYTES
        for path in self.files(deadline).paths:
            deadline.seconds_left()
            # A link would have its target searched twice; git does not follow it either.
            text = None if os.path.islink(os.path.join(self.root, path)) else self.text(path)
            left -= len(text or "")
            if left < 0:
                raise OutOfTime
            if text and any(name in text for name in names):
                lines = text.split("\n")
                yield from (CodeLine(path, line) for line in lines if any(name in line for name in names))

    def _walk(self, deadline: CheckDeadline) -> Iterator[str]:
        count = 0
        for folder, folders, names in os.walk(self.root):
            deadline.seconds_left()
            folders[:] = [name for name in folders if not name.startswith(".") and name not in _NEVER_ENTERED]
            below = os.path.relpath(folder, self.root)
            for name in names:
                count += 1
                if count > MOST_FILES:
                    raise OutOfTime
                yield name if below == "." else f"{below.replace(os.sep, '/')}/{name}"


def _is_empty_folder(path: str) -> bool:
    """Tell whether a folder was left behind by a move: git knows no empty ones."""
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is None
    except OSError:
        return False


class ProjectFiles:
    """Paths below a root, to be found by their end, their case or their name."""

    def __init__(self, paths: list[str]) -> None:
        """Take the paths as they are."""
        self.paths = paths

    @cached_property
    def exact(self) -> frozenset[str]:
        """Every path and every folder above one."""
        found = set(self.paths)
        for path in self.paths:
            while (path := path.rpartition("/")[0]) and path not in found:
                found.add(path)
        return frozenset(found)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.exact:
            found.setdefault(path.rpartition("/")[2].casefold(), []).append(path)
        return found

    def ending_in(self, path: str) -> list[str]:
        """Return the paths that are this one or end in it, the shortest first."""
        name = path.rpartition("/")[2].casefold()
        found = [one for one in self._by_name.get(name, ()) if one == path or one.endswith(f"/{path}")]
        return shallow_first(found)

    def case_variant(self, path: str) -> str:
        """Return the path that differs in case alone, empty when there is none."""
        folded = path.casefold()
        alike = self._by_name.get(path.rpartition("/")[2].casefold(), ())
        return next((one for one in alike if one != path and one.casefold() == folded), "")


def shallow_first(paths: Iterable[str]) -> list[str]:
    """Return paths sorted, those with the fewest folders first."""
    return sorted(paths, key=lambda path: (path.count("/"), path))


_PATIENCE = 0.5
"""Seconds: a person who asks waits longer than that, a prompt never does."""


@value_class(frozen=True, slots=True)
class PathState:
    """What a path of a memory is now."""

    path: str = ""
    """Where it is below the root, empty when it is not there."""
    nearest: str = ""
    because: str = ""
    """Why nothing can be said; empty when something can."""
    unknown: bool = False
    """Whether neither the tree nor git has ever known it."""
    returned: str = ""
    """Where it is again after it was removed, for what a memory says was removed."""
    several: bool = False
    """Whether several files have that name, and nothing tells which one is meant."""


class CheckScope:
    """One memory and the project that it is about; git is only asked when a check needs it."""

    def __init__(
        self,
        project: Project,
        deadline: CheckDeadline,
        text: str,
        claims: Sequence[Claim],
        *,
        saved_at: datetime | None = None,
        anchors: Anchors | None = None,
    ) -> None:
        """Keep what the checks need; a memory without `saved_at` is new: the present tree counts."""
        self.project, self.deadline, self.text, self.claims = project, deadline, text, claims
        self.saved_at, self.anchors = saved_at or _LATEST, anchors or Anchors()
        self.is_new = saved_at is None
        self.path_states: dict[str, PathState] = {}
        """What `paths.py` found out about the paths that the memory names, by these names."""
        self._since: dict[str, int] = {}

    @property
    def files(self) -> ProjectFiles:
        """The files of the project now."""
        return self.project.files(self.deadline)

    @cached_property
    def repository(self) -> Repository | None:
        """The repository, once it has shown that it can be read."""
        return self.project.repository(self.deadline)

    @cached_property
    def then(self) -> str:
        """The commit that was checked out when the memory was saved, as well as can be told; or nothing."""
        if self.repository is None:
            return ""
        if self.is_new:
            return self.repository.full_commit("HEAD")
        # A claim without a print came into the text after the anchors: their commit is too old for it.
        whole = all(self.anchors.of(claim) for claim in self.claims if claim.sure)
        commit = self.anchors.commit if whole else ""
        known = self.repository.full_commit(commit) if commit else ""
        return known or self.repository.commit_at(self.saved_at)

    @property
    def past(self) -> Repository | None:
        """The repository, if it knows what was there when the memory was saved."""
        return self.repository if self.then else None

    @property
    def patient(self) -> bool:
        """Whether there is time to search the whole past for what was not there then."""
        return self.deadline.seconds_left() > _PATIENCE

    def lines_with(self, names: Sequence[str], commit: str) -> list[CodeLine]:
        """Return the lines that hold one of these words, in a commit or (empty) in the working tree."""
        if self.repository is not None:
            return self.repository.lines_with(names, commit)
        return list(self.project.lines_with(names, self.deadline))

    @cached_property
    def files_then(self) -> list[str]:
        """The paths that git tracked then."""
        return self.past.tree(self.then) if self.past else []

    def names_since(self, paths: Sequence[str]) -> NameChanges:
        """Return which names like these the index gained and lost since then."""
        return self.past.names_since(self.then, paths) if self.past else NameChanges()

    def texts_then(self, paths: Sequence[str]) -> dict[str, str]:
        """Return what these files held then."""
        return self.past.contents(self.then, paths) if self.past else {}

    def commits_since(self, paths: Sequence[str]) -> dict[str, int]:
        """Return for each path how many commits have changed it, or something below it, since then."""
        if self.past is None:
            return {}
        fresh = {path: 0 for path in paths if path not in self._since}
        for names in self.past.changes_since(self.then, list(fresh)) if fresh else ():
            for path in fresh:
                fresh[path] += any(name == path or name.startswith(f"{path}/") for name in names)
        self._since |= fresh
        return {path: self._since[path] for path in paths}


_LATEST = datetime.max.replace(tzinfo=UTC)
