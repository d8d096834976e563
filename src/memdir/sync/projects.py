"""Which folder of a remote belongs to which project: each carries what its project is recognised by."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from memdir.config.fingerprint import Fingerprint, fingerprint_from
from memdir.disk.files import make_folder
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.memories.history.git import blob_id
from memdir.sync.folder_remote import FolderRemote
from memdir.sync.git_remote import GitRemote
from memdir.sync.remote import Authorship, Outgoing, Record, RemoteMoved
from memdir.sync.remotes import RemoteSettings, open_remote
from memdir.text.dates.calendar import utc_stamp
from memdir.text.value import replace

__all__ = ["PROJECT_FILE", "free_folder", "mark_project", "project_folders"]

PROJECT_FILE = ".memdir-project.json"
"""In each folder of a remote: first commits, remotes and id of its project, and the last name of its path."""

_LARGEST = 65_536


def project_folders(chosen: RemoteSettings, place: str, env: Mapping[str, str]) -> dict[str, Fingerprint]:
    """Return the folders that a remote has, each with what is known of its project, be that nothing."""
    if chosen.kind == "hub":
        return {}
    remote = open_remote(replace(chosen, folder=""), place, env)
    if isinstance(remote, GitRemote):
        revision = remote.fetch(Record()).revision
        rows = remote.git.run("ls-tree", "-z", "--full-tree", revision).split(b"\0") if revision else []
        names = [row.partition(b"\t")[2] for row in rows if row.split(b" ")[1:2] == [b"tree"]]
        folders = [name.decode("utf-8", "replace") for name in names]
        texts = remote.git.blobs(f"{revision}:{folder}/{PROJECT_FILE}" for folder in folders)
        return {folder: _parse_fingerprint(text) for folder, text in zip(folders, texts, strict=True)}
    found: dict[str, Fingerprint] = {}
    with suppress(OSError), os.scandir(chosen.url) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and entry.name[0] != ".":
                data = regular_bytes(os.path.join(entry.path, PROJECT_FILE), _LARGEST)
                found[entry.name] = _parse_fingerprint(None if isinstance(data, Unread) else data)
    return found


def mark_project(
    chosen: RemoteSettings, place: str, env: Mapping[str, str], mine: Fingerprint, now: datetime
) -> None:
    """Put what a project is recognised by into its folder; of its path only the last name."""
    if chosen.kind == "hub":
        return  # a space has one memory and no folders
    known = replace(mine, root=os.path.basename(mine.root))
    data = (json.dumps(known.as_json(), indent=1) + "\n").encode()
    remote = open_remote(chosen, place, env)
    if isinstance(remote, FolderRemote):
        with make_folder(remote.path) as folder:
            folder.write(PROJECT_FILE, data)
    elif known != project_folders(chosen, place, env).get(chosen.folder) and chosen.folder:
        by = Authorship(chosen.who, utc_stamp(now), "", "user")
        change = Outgoing(PROJECT_FILE, data, blob_id(data), int(now.timestamp()) * 10**9, by)
        with suppress(RemoteMoved):  # somebody else was quicker; the mark is only a hint
            remote.publish([change], remote.fetch(Record()), lambda _: None)


def free_folder(name: str, taken: Mapping[str, Fingerprint]) -> str:
    """Return a name that no folder of the remote has, made from the wished one."""
    used = {folder.casefold() for folder in taken}
    wished = (name if number < 2 else f"{name}-{number}" for number in range(1, len(used) + 3))
    return next(one for one in wished if one.casefold() not in used)


def _parse_fingerprint(data: bytes | None) -> Fingerprint:
    with suppress(ValueError, RecursionError):
        return fingerprint_from(json.loads(data or b"{}"))
    return Fingerprint()
