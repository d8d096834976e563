"""`memory.sync`: the private memory kept in step with a remote of the person's own."""

from __future__ import annotations

import os
from collections.abc import Callable

from memdir.build import Parts
from memdir.config.fingerprint import FolderSuggestion, normalised_remote, suggest_folder
from memdir.errors import Rejected
from memdir.handles.team import TeamHandle, remotes_of
from memdir.memories.history.authorship import refuse_agents
from memdir.sync.git_remote import DEFAULT_BRANCH
from memdir.sync.hub_client import is_hub_url
from memdir.sync.remote import folder_called
from memdir.sync.remotes import (
    RemoteSettings,
    free_folder,
    mark_project,
    open_remote,
    person,
    project_folders,
    remote_settings,
    try_remote,
)
from memdir.sync.result import SyncResult, SyncStatus
from memdir.sync.syncer import Syncer
from memdir.team.remote import readers
from memdir.text.value import value_class

__all__ = ["SyncHandle"]

_CODE_BRANCHES = ("main", "master")


@value_class(frozen=True, slots=True)
class SyncHandle:
    """The remote of one private memory directory."""

    _parts: Parts

    def init(
        self,
        url: str,
        *,
        folder: str = "",
        branch: str = DEFAULT_BRANCH,
        who: str = "",
        sure: bool = False,
        token: str = "",
        plain_http: bool = False,
    ) -> RemoteSettings:
        """Choose the remote, a URL of git or a hub, or a path to a repository or a folder; it is asked once.

        Without a folder, that of the project's name is taken if it is new: a person names an existing one.
        The branch of the project's own code is taken only if the person is sure. A hub needs a token, once.
        """
        refuse_agents(self._parts.usable.world.env, "choose where private memories are sent")
        wanted = folder or ("" if is_hub_url(url) else self.suggested_folder)
        chosen = self._choose_remote(url, wanted, branch, who, plain_http=plain_http)
        self._refuse_code(chosen, sure=sure)
        with remotes_of(self._parts).with_token(chosen, token) as usable:
            return self._try_remote(usable, wanted if not folder else "")

    def _try_remote(self, chosen: RemoteSettings, suggested: str) -> RemoteSettings:
        """Ask the remote once, and record it."""
        world = self._parts.world
        if suggested and suggested in project_folders(chosen, self._place, world.env):
            raise Rejected(
                f"The remote has a folder {suggested!r} already, perhaps of another project. Name the "
                f"folder: --folder {suggested} if it is this project's, or another one."
            )
        try_remote(chosen, self._place, world.env)
        if self._parts.setup is not None:
            mark_project(chosen, self._place, world, self._parts.identity.fingerprint())
        remotes_of(self._parts).choose(self._parts.directory, chosen, place=self._place)
        return chosen

    def proposal(
        self, url: str, *, branch: str = DEFAULT_BRANCH, sure: bool = False, plain_http: bool = False
    ) -> tuple[RemoteSettings, str]:
        """Return the remote that `init` would choose and who can read it; refused is what `init` refuses."""
        chosen = self._choose_remote(url, "", branch, "", plain_http=plain_http)
        self._refuse_code(chosen, sure=sure)
        return chosen, readers(chosen.url, chosen.kind)

    def _refuse_code(self, chosen: RemoteSettings, *, sure: bool) -> None:
        if sure or chosen.branch.removeprefix("refs/heads/") not in _CODE_BRANCHES:
            return
        if normalised_remote(chosen.url) in self._parts.identity.fingerprint().remotes:
            raise Rejected(
                f"{chosen.title} is this project's own repository, and {chosen.branch} its code: whoever "
                "reads that would read your private memories. Name a private repository, or another branch: "
                "--branch NAME. --yes takes it all the same."
            )

    def folders(self, url: str, *, branch: str = DEFAULT_BRANCH) -> tuple[list[FolderSuggestion], str]:
        """Return folders of a remote that may be this project's, with evidence, and a name that is free."""
        known = project_folders(self._choose_remote(url, "", branch, ""), self._place, self._parts.world.env)
        found = suggest_folder(self._parts.identity.fingerprint(), known)
        return found, free_folder(self.suggested_folder, known)

    def _choose_remote(
        self, url: str, folder: str, branch: str, who: str, *, plain_http: bool = False
    ) -> RemoteSettings:
        world = self._parts.world
        who, out = who or person(world), self._parts.directory
        return remote_settings(
            url, world, folder=folder, branch=branch, who=who, kept_out=out, plain_http=plain_http
        )

    @property
    def suggested_folder(self) -> str:
        """The folder inside a remote that is taken when none is named: the name of the project."""
        setup = self._parts.setup
        place = setup.place.root if setup else os.path.dirname(self._parts.directory.rstrip(os.sep))
        return folder_called(os.path.basename(place))

    @property
    def settings(self) -> RemoteSettings | None:
        """The remote that was chosen; None when none was."""
        return remotes_of(self._parts).of(self._parts.directory)

    def run(self) -> SyncResult:
        """Bring this directory and its remote in step, and say what was done."""
        self._parts.verdict.require_on()
        return self._syncer().sync()

    @property
    def has_remote(self) -> bool:
        """Whether private or team memory has a remote to sync with."""
        return bool(self._runs())

    def run_all(self) -> list[SyncResult]:
        """Bring private and team memory in step with the remotes that were chosen, and say what was done.

        Where one of them cannot be used, the other is synced all the same before that is raised.
        """
        results, failed = list[SyncResult](), None
        for run in self._runs() or [self.run]:  # without a remote, `run` says how one is chosen
            try:
                results.append(run())
            except Exception as error:  # noqa: BLE001 - whatever stops one, the other goes on
                failed = failed or error
        if failed:
            raise failed
        return results

    def _runs(self) -> list[Callable[[], SyncResult]]:
        """Return what syncs each memory that has a remote: private first, then the team's."""
        team = TeamHandle(self._parts)
        runs = [self.run] if self.settings is not None else []
        return [*runs, team.sync] if team.remote is not None and team.verdict.on else runs

    def status(self) -> SyncStatus:
        """Say what changed here since the last sync; the remote is not asked."""
        return self._syncer().status()

    def _syncer(self) -> Syncer:
        chosen, world = self.settings, self._parts.world
        if chosen is None:
            raise Rejected("This memory has no remote yet. Choose one: `memdir sync init URL`.")
        remote = open_remote(chosen, self._place, world.env)
        return Syncer(self._parts.writer, remote, self._place, chosen.who, world.clock, title=chosen.title)

    @property
    def _place(self) -> str:
        return os.path.join(self._parts.state, "sync", "private")
