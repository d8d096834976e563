"""The remote through which a team shares memory: proposed from the project's own, chosen by the person."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from memdir.config.world import World
from memdir.disk.files import Folder, make_folder
from memdir.errors import Rejected, RemoteError
from memdir.memories.change import file_bytes
from memdir.memories.history.git import GitFailed
from memdir.memories.names import TEAM_FOLDER
from memdir.memories.writer import Writer
from memdir.sync.git_remote import users_git
from memdir.sync.hub_client import is_hub_url
from memdir.sync.remote import Authorship, Record, folder_called, load_record
from memdir.sync.remotes import RemoteSettings, open_remote, person, remote_settings
from memdir.sync.result import KINDS, SyncResult, SyncStatus
from memdir.sync.syncer import Syncer
from memdir.team.admission import admission_problem
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class

with suppress(ImportError):  # Windows knows no such groups, and shows none in the mode of a file
    import grp

__all__ = ["TEAM_BRANCH", "TeamLink", "proposed_remote", "readers"]

_PUBLIC = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht"})
"""Hosts on which many repositories are public."""

_UNENCRYPTED = ", and it is sent unencrypted: whoever is on the way can read it too"
_SCP = re.compile(r"(?:[^@/:]+@)?(\[[^\]]+\]|[^/:]+):(?!//)(.*)", re.DOTALL)

TEAM_BRANCH = "memdir/team"
"""The branch of the project's own remote; it has no history in common with the project."""

_TROUBLE = "trouble"


def proposed_remote(
    world: World,
    root: str,
    *,
    url: str = "",
    folder: str = "",
    who: str = "",
    kept_out: str,
    plain_http: bool = False,
) -> RemoteSettings:
    """Return the remote that a person would share team memory through: the project's own, or one at a URL.

    In a repository of its own each project has a folder, called like the project's remote: that name is the
    same in every clone.
    """
    printed = users_git(world.env, root, "remote", "get-url", "origin")
    origin = printed.decode("utf-8", "surrogateescape").strip()
    if not url and not origin:
        raise Rejected(
            "This project has no git remote called origin. Name a repository or a shared folder: "
            "memdir team init URL"
        )
    named = os.path.basename((origin or root).rstrip("/")).removesuffix(".git").rpartition(":")[2]
    folder = folder or (folder_called(named) if url and not is_hub_url(url) else "")
    return remote_settings(
        url or origin,
        world if url else replace(world, cwd=root),
        folder=folder,
        branch=TEAM_BRANCH,
        who=who or person(world),
        kept_out=kept_out,
        plain_http=plain_http,
        is_git=not url,
    )


def _as_private_sees(done: SyncResult) -> SyncResult:
    """Return what a sync did with its files as private memory sees them."""
    at = TEAM_FOLDER
    files: dict[str, Any] = {kind: tuple([at + file for file in getattr(done, kind)]) for kind in KINDS}
    refused = tuple([replace(one, file=at + one.file) for one in done.refused])
    kept = tuple([replace(one, file=at + one.file, copy=at + one.copy) for one in done.conflicts])
    return replace(done, **files, refused=refused, conflicts=kept)


@value_class(frozen=True, slots=True)
class TeamLink:
    """The directory of a team and its remote."""

    writer: Writer
    settings: RemoteSettings
    world: World

    def sync(self) -> SyncResult:
        """Bring both in step; why that failed is kept for whoever asks later."""
        try:
            done = self._syncer.sync()
        except RemoteError as error:
            with suppress(OSError), make_folder(self.place) as place:
                place.replace_cache(_TROUBLE, f"{utc_stamp(self.world.clock())}\n{error}".encode())
            raise
        with suppress(OSError), make_folder(self.place) as place:
            place.remove(_TROUBLE)
        return _as_private_sees(done)

    def status(self) -> SyncStatus:
        """Return what waits here, without asking the remote."""
        return self._syncer.status()

    def trouble(self) -> tuple[str, str]:
        """Return when the last sync failed and why; nothing where it worked."""
        with suppress(OSError), Folder(self.place) as place:
            at, _, reason = place.read(_TROUBLE)[0].decode("utf-8", "replace").partition("\n")
            return at, reason
        return "", ""

    def log(self) -> list[tuple[str, Authorship, bool]]:
        """Return all changes of the remote as of the last sync: file, writer, and whether it was deleted."""
        with make_folder(self.place) as place:
            record = load_record(place) or Record()
        remote = open_remote(self.settings, self.place, self.world.env, shared=True)
        if not record.revision:
            return []
        with suppress(GitFailed):
            return remote.log(record.revision)
        try:
            remote.fetch(Record())  # makes the mirror again, which holds the log
            return remote.log(record.revision)
        except (GitFailed, RemoteError) as error:
            raise RemoteError(
                f"The log of {self.settings.title} is not here: its mirror on this machine is gone or"
                " incomplete. `memdir sync` makes it again once the remote can be reached."
            ) from error

    @property
    def place(self) -> str:
        """The folder of our records about the remote."""
        return os.path.join(self.writer.memories.state, "sync")

    @property
    def _syncer(self) -> Syncer:
        return Syncer(
            self.writer,
            open_remote(self.settings, self.place, self.world.env, shared=True),
            self.place,
            self.settings.who,
            self.world.clock,
            source="team",
            title=self.settings.title,
            judge=lambda file, text: admission_problem(file, file_bytes(text)),
        )


def readers(url: str, kind: str = "") -> str:
    """Say who can read what is sent there, in one or two sentences."""
    parts = urlsplit(url) if "://" in url else None
    if kind == "hub":
        sentence = "Everyone who has a token for this space can read it, and whoever runs the hub"
        return f"{sentence}{_UNENCRYPTED if url.startswith('http:') else ''}."
    if parts is not None and parts.scheme != "file":
        return _on_host(parts.hostname or "an unknown host", parts.scheme)
    found = _SCP.fullmatch(url) if parts is None and not os.path.exists(url) else None
    if found:
        return _on_host(found[1], "ssh")
    return _on_disk(parts.path if parts is not None else url)


def _on_host(host: str, scheme: str) -> str:
    sentence = f"Everyone who can read this repository on {host} can read it"
    if host.lower() in _PUBLIC:
        return f"{sentence}. If the repository is public, that is everyone."
    if scheme in ("git", "http"):
        return f"{sentence}{_UNENCRYPTED}."
    return f"{sentence}."


def _on_disk(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError as error:
        return f"{path} cannot be looked at ({error.strerror}), so who can read it is not known."
    if stat.S_IMODE(status.st_mode) & stat.S_IROTH:
        return f"Every user of this machine can read {path}, and of any other that has it mounted."
    if not stat.S_IMODE(status.st_mode) & stat.S_IRGRP:
        return f"Only its owner can read {path}."
    group = str(status.st_gid)
    with suppress(KeyError):
        group = grp.getgrgid(status.st_gid).gr_name
    return f"You and the group {group} can read {path}."
