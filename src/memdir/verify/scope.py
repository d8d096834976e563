"""All that the checks of one memory share: the project, the commit of then, the anchors, the time left."""

from collections.abc import Sequence
from datetime import datetime

from memdir.verify.anchors import Anchors
from memdir.verify.claims.parser import Claim
from memdir.verify.git_command import CheckDeadline
from memdir.verify.project import Project, ProjectFiles
from memdir.verify.repository import NameChanges, Repository

__all__ = ["CheckScope"]

_PATIENCE = 0.5
"""Seconds: a person who asks waits longer than that, a prompt never does."""


class CheckScope:
    """One memory in front of its project."""

    def __init__(
        self,
        project: Project,
        saved_at: datetime,
        anchors: Anchors,
        deadline: CheckDeadline,
        *,
        claims: Sequence[Claim],
        text: str,
        then: str | None = None,
    ) -> None:
        """Hold what the checks need; nothing is asked before a check wants it.

        A memory about to be saved brings its commit along: all that is there now is what it means.
        """
        self.text = text
        self.project, self.saved_at, self.anchors, self.deadline = project, saved_at, anchors, deadline
        self.claims = claims
        self.is_new = then is not None
        self._then = then
        self._since: dict[str, int] = {}
        self._files_then: list[str] | None = None

    @property
    def files(self) -> ProjectFiles:
        """The files of the project now."""
        return self.project.files(self.deadline)

    @property
    def repository(self) -> Repository | None:
        """The repository, once it has shown that it can be read."""
        _ = self.files
        return self.project.repository

    @property
    def then(self) -> str:
        """The commit that was checked out when the memory was saved, as well as can be told; or nothing."""
        if self._then is None:
            self._then = self._commit_then()
        return self._then

    def files_then(self) -> list[str]:
        """Return the paths that git tracked then."""
        if self._files_then is None:
            known = self.repository is not None and self.then
            self._files_then = self.repository.tree(self.then, self.deadline) if known else []  # type: ignore[union-attr]
        return self._files_then

    def names_since(self, paths: Sequence[str]) -> NameChanges:
        """Return which names like these the index gained and lost since then."""
        if not (self.repository and self.then) or not paths:
            return NameChanges()
        return self.repository.names_since(self.then, paths, self.deadline)

    @property
    def patient(self) -> bool:
        """Whether there is time to search the whole past for what was not there then."""
        return self.deadline.left() > _PATIENCE

    def texts_then(self, paths: Sequence[str]) -> dict[str, str]:
        """Return what these files held then."""
        if not (self.repository and self.then):
            return {}
        return self.repository.contents(self.then, paths, self.deadline)

    def commits_since(self, paths: Sequence[str]) -> dict[str, int]:
        """Return for each path how many commits have changed it, or something below it, since then."""
        if not (self.repository and self.then) or not paths:
            return {}
        fresh = {path: 0 for path in paths if path not in self._since}
        for names in self.repository.touched(self.then, list(fresh), self.deadline):
            for path in fresh:
                fresh[path] += any(name == path or name.startswith(f"{path}/") for name in names)
        self._since |= fresh
        return {path: self._since[path] for path in paths}

    def _commit_then(self) -> str:
        repository = self.repository
        if repository is None:
            return ""
        # A claim without a print came into the text after the anchors: their commit is too old for it.
        whole = all(self.anchors.of(claim) for claim in self.claims if claim.sure)
        commit = self.anchors.commit if whole else ""
        known = repository.known(commit, self.deadline) if commit else ""
        return known or repository.commit_at(self.saved_at, self.deadline)
