"""Which remote belongs to a memory directory, and which folder of it to a project: the person decides."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from typing import Any

from memdir.config.fingerprint import Fingerprint, fingerprint_from
from memdir.config.location import REMOTES_FILE, remote_rows
from memdir.config.safe_path import path_below
from memdir.config.world import HUB_TOKEN, World
from memdir.disk.files import make_folder, storage_errors, temp_name
from memdir.disk.lock import DirectoryLock
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.disk.trees import remove_tree
from memdir.errors import MemdirError, Rejected, RemoteError, StorageError
from memdir.memories.history.git import blob_id, git_path
from memdir.sync.folder_remote import FolderRemote
from memdir.sync.git_remote import DEFAULT_BRANCH, GitRemote, shown_url, url_problem, users_git
from memdir.sync.hub_client import HubClient, hub_problem, is_hub_url, token_advice
from memdir.sync.hub_remote import HubRemote
from memdir.sync.remote import (
    Authorship,
    Outgoing,
    PurgeTarget,
    Record,
    RemoteMoved,
    folder_problem,
    unusable_remote,
)
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace, value_class

__all__ = [
    "AnyRemote",
    "RemoteSettings",
    "Remotes",
    "free_folder",
    "mark_project",
    "open_remote",
    "person",
    "project_folders",
    "purge_remote",
    "remote_settings",
    "try_remote",
]

AnyRemote = GitRemote | FolderRemote | HubRemote

_PROJECT_FILE = ".memdir-project.json"
"""In each folder of a remote: first commits, remotes and id of its project, and the last name of its path."""


@value_class(frozen=True, slots=True)
class RemoteSettings:
    """One remote as a person chose it."""

    kind: str
    """git, folder or hub."""
    url: str
    """Of a repository or of a space, or the path of a shared folder."""
    folder: str
    """The folder inside it; many projects share one remote."""
    branch: str
    who: str
    """Under which name this person's texts are sent."""
    token_file: str = ""
    """The file that holds the token for a hub; the token itself stands nowhere else."""

    @property
    def title(self) -> str:
        """Return the remote in words, without a password."""
        return shown_url(f"{self.url} ({self.folder})" if self.folder else self.url)


class Remotes:
    """The remotes of all memory directories of this user, in `<config home>/memdir/remotes.json`."""

    def __init__(self, config_home: str) -> None:
        self._home = config_home
        self._folder, self._file = os.path.split(os.path.join(config_home, REMOTES_FILE))

    def of(self, directory: str, audience: str = "private") -> RemoteSettings | None:
        """Return the remote of a directory; None when none was chosen."""
        row = self._read().get(os.path.realpath(directory), {}).get(audience)
        if row is None:
            return None
        try:
            known = {key: str(row[key]) for key in (*_WHERE, "who")}
            return RemoteSettings(**known, token_file=str(row.get("token_file", "")))
        except (KeyError, TypeError, AttributeError) as error:
            raise self._damage_error() from error

    def choose(
        self, directory: str, settings: RemoteSettings, audience: str = "private", *, place: str = ""
    ) -> None:
        """Record the remote of a directory.

        `place` holds the record of what was common with the remote, which says nothing about another one.
        """
        with (
            storage_errors("The remote was not recorded"),
            make_folder(self._folder) as folder,
            DirectoryLock(self._folder, os.path.join(self._folder, "remotes.lock")),
        ):
            rows = self._read()
            own = rows.setdefault(os.path.realpath(directory), {})
            before, now = own.get(audience), asdict(settings)
            own[audience] = now
            is_same = isinstance(before, dict) and all(before.get(key) == now[key] for key in _WHERE)
            if place and not is_same:
                remove_tree(place)
            folder.write(self._file, (json.dumps(rows, indent=1) + "\n").encode())

    @contextmanager
    def with_token(self, chosen: RemoteSettings, token: str) -> Iterator[RemoteSettings]:
        """Give settings that can be opened; for a hub its token is kept, unless what is done with it fails.

        Without a new token that of an earlier choice is used.
        """
        if chosen.kind != "hub":
            yield chosen
            return
        plain = token.strip()
        if token and (not re.fullmatch(r"[!-~]+", plain) or len(plain) > _LONGEST_TOKEN):
            raise Rejected("That is no token of a hub: it is one word of plain letters. Copy it again.")
        with make_folder(os.path.join(self._folder, _TOKENS)) as folder:
            name = hashlib.sha256(chosen.url.encode()).hexdigest()[:32]
            before = folder.read(name, _LONGEST_TOKEN)[0] if folder.exists(name) else None
            if token:
                folder.write(name, plain.encode("ascii"))
            elif before is None:
                raise Rejected(
                    f"{chosen.title} needs a token. Set {HUB_TOKEN} for this one command, or name a "
                    "file that holds it: --token-file FILE"
                )
            try:
                yield replace(chosen, token_file=os.path.join(self._folder, _TOKENS, name))
            except BaseException:
                if before is not None:
                    folder.write(name, before)
                else:
                    folder.remove(name)
                raise

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            rows = remote_rows(self._home)
        except (ValueError, RecursionError) as error:
            raise self._damage_error() from error
        if not all(isinstance(row, dict) for row in rows.values()):
            raise self._damage_error()
        return rows

    def _damage_error(self) -> StorageError:
        place = os.path.join(self._folder, self._file)
        return StorageError(0, f"{place} is damaged, so the remote is not known. Mend it, or move it away.")


_TOKENS = "tokens"
"""The folder for the tokens of hubs, a file each, which only this user can read."""

_LONGEST_TOKEN = 4_096
_WHERE = ("kind", "url", "folder", "branch")


def remote_settings(
    url: str,
    world: World,
    *,
    folder: str = "",
    branch: str = DEFAULT_BRANCH,
    who: str = "",
    kept_out: str = "",
    plain_http: bool = False,
    is_git: bool = False,
) -> RemoteSettings:
    """Return settings for what a person typed: the URL of a repository or a space, or a path.

    The path is that of a repository or of a folder; `kept_out` is a directory in which no shared folder may
    lie. A hub on another machine may be spoken to without encryption only if a person wants that. A URL that
    is known to be of git is never taken for that of a hub.
    """
    if problem := url_problem(url) or folder_problem(folder):
        raise Rejected(f"{shown_url(url)!r} cannot be a remote: {problem}.")
    folder = folder.strip("/")
    if is_hub_url(url) and not is_git:
        if problem := hub_problem(url.rstrip("/"), plain_http=plain_http):
            raise Rejected(f"{shown_url(url.rstrip('/'))!r} cannot be a remote: {problem}.")
        if folder:
            raise Rejected(f"A space of a hub holds one memory and has no folders: leave out {folder!r}.")
        return RemoteSettings("hub", url.rstrip("/"), "", "", who)
    if _is_url(url, world.cwd):
        return RemoteSettings("git", url, folder, branch, who)
    path = os.path.normpath(world.full_path(url))
    if any(os.path.isfile(os.path.join(path, inside, "HEAD")) for inside in ("", ".git")):
        return RemoteSettings("git", path, folder, branch, who)
    if not os.path.isdir(path):
        raise Rejected(
            f"{path} is neither a git repository nor a folder. Make the folder first, or mount it."
        )
    real, outer = os.path.realpath(path), os.path.realpath(kept_out)
    if kept_out and (real == outer or path_below(outer, real)):
        raise Rejected(f"{path} lies in the memory directory itself. Name a folder elsewhere.")
    return RemoteSettings("folder", path, folder, "", who)


def _is_url(text: str, cwd: str) -> bool:
    """Tell a URL from a path: `host:path` is one too, unless there is such a file."""
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text):
        return True
    return bool(re.match(r"[^/\\]+:[^\\]", text)) and not os.path.exists(os.path.join(cwd, text))


def person(world: World) -> str:
    """Return the name of the user as git knows it: `Name <address>`; else that of the account."""
    env = world.env
    printed = [users_git(env, world.cwd, "config", "--get", key) for key in ("user.name", "user.email")]
    name, address = (" ".join(text.decode("utf-8", "replace").split()) for text in printed)
    name = name or env.get("USER") or env.get("LOGNAME") or "unknown"
    return f"{name} <{address}>" if address else name


def open_remote(
    settings: RemoteSettings, place: str, env: Mapping[str, str], *, shared: bool = False
) -> AnyRemote:
    """Return the remote that settings name; `place` is the folder for its mirror and its cache.

    A shared one is for others too: who may use a folder may read what is written there.
    """
    if settings.kind == "folder":
        return FolderRemote(settings.url, place, folder=settings.folder, shared=shared)
    if settings.kind == "git":
        program = git_path(env)
        return GitRemote(settings.url, place, program, env, branch=settings.branch, folder=settings.folder)
    if settings.kind != "hub":
        raise RemoteError(f"There is no such kind of remote as {settings.kind!r}. Choose another.")
    data = regular_bytes(settings.token_file, _LONGEST_TOKEN) if settings.token_file else b""
    if isinstance(data, Unread) or not data.strip():
        raise unusable_remote(f"The token for {settings.url} is gone", token_advice(settings.url))
    return HubRemote(HubClient(settings.url, data.decode("ascii", "replace").strip(), env))


def try_remote(chosen: RemoteSettings, place: str, env: Mapping[str, str], *, shared: bool = False) -> None:
    """Ask a remote once; a shared folder is made."""
    remote = open_remote(chosen, place, env, shared=shared)
    if isinstance(remote, FolderRemote):
        remote.make()
    remote.fetch(Record())


def project_folders(chosen: RemoteSettings, place: str, env: Mapping[str, str]) -> dict[str, Fingerprint]:
    """Return the folders that a remote has, each with what is known of its project, be that nothing."""
    remote = None if chosen.kind == "hub" else open_remote(replace(chosen, folder=""), place, env)
    texts = {} if remote is None or isinstance(remote, HubRemote) else remote.folders(_PROJECT_FILE)
    found = dict.fromkeys(texts, Fingerprint())
    for folder, text in texts.items():
        with suppress(ValueError, RecursionError):
            found[folder] = fingerprint_from(json.loads(text or b"{}"))
    return found


def mark_project(chosen: RemoteSettings, place: str, world: World, mine: Fingerprint) -> None:
    """Put what a project is recognised by into its folder; of its path only the last name."""
    if chosen.kind == "hub":
        return  # a space has one memory and no folders
    known = replace(mine, root=os.path.basename(mine.root))
    data = (json.dumps(known.as_json(), indent=1) + "\n").encode()
    remote = open_remote(chosen, place, world.env)
    if isinstance(remote, FolderRemote):
        with make_folder(remote.path) as folder:
            folder.write(_PROJECT_FILE, data)
    elif known != project_folders(chosen, place, world.env).get(chosen.folder) and chosen.folder:
        now = world.clock()
        by = Authorship(chosen.who, utc_stamp(now), "", "user")
        change = Outgoing(_PROJECT_FILE, data, blob_id(data), int(now.timestamp()) * 10**9, by)
        with suppress(RemoteMoved):  # somebody else was quicker; the mark is only a hint
            remote.publish([change], remote.fetch(Record()), lambda _: None)


def free_folder(name: str, taken: Mapping[str, Fingerprint]) -> str:
    """Return a name that no folder of the remote has, made from the wished one."""
    used = {folder.casefold() for folder in taken}
    wished = (name if number < 2 else f"{name}-{number}" for number in range(1, len(used) + 3))
    return next(one for one in wished if one.casefold() not in used)


def purge_remote(chosen: RemoteSettings, place: str, env: Mapping[str, str], wanted: PurgeTarget) -> str:
    """Take files, and lines of commit messages with their words, out of all that the remote ever held.

    The mirror and the record of the last sync go too: both are derived. Return what was done, in words.
    """
    temp = os.path.join(os.path.dirname(place), temp_name())
    try:
        remote = open_remote(chosen, temp, env)
        where = remote.path if isinstance(remote, FolderRemote) else chosen.title
        return f"{where}: {remote.purge(wanted)}"
    except (OSError, MemdirError) as error:
        raise RemoteError(f"{chosen.title} still has it in its history: {error}") from error
    finally:
        remove_tree(temp)
        remove_tree(place)
