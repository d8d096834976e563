"""What a project can be recognised by under another path: first commits, remotes and `.memdir-id`.

A repository controls all of these, so they only suggest; a person decides, and `Approvals` records it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from memdir.config.identity import repository_folder
from memdir.disk.files import make_folder
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.text.value import value_class

__all__ = [
    "ID_FILE",
    "Fingerprint",
    "FolderSuggestion",
    "evidence",
    "fingerprint_from",
    "keep_fingerprint",
    "kept_fingerprint",
    "normalised_remote",
    "read_fingerprint",
    "suggest_folder",
]

ID_FILE = ".memdir-id"
"""In the root of a project that has neither commits nor remotes: one word that only this project has."""

_RECORD = "identity.json"
_LARGEST = 65_536
_MOST = 8
"""First commits and remotes that are kept: more of them make nothing clearer."""


@value_class(frozen=True, slots=True)
class Fingerprint:
    """One project as others may recognise it."""

    root: str = ""
    commits: tuple[str, ...] = ()
    """Commits without parents that the checkout descends from; none of a shallow clone."""
    remotes: tuple[str, ...] = ()
    """Normalised, so that ssh and https are the same; without user names and passwords."""
    id: str = ""
    """The word in `.memdir-id`."""

    def as_json(self) -> dict[str, object]:
        """Return it as `fingerprint_from` reads it."""
        return {name: getattr(self, name) for name in self.__match_args__}


@value_class(frozen=True, slots=True)
class FolderSuggestion:
    """One folder that may belong to a project, and why."""

    folder: str
    evidence: tuple[str, ...]
    strong: bool
    """Whether commits, remotes or `.memdir-id` agree; the name of a folder alone is a weak sign."""


def suggest_folder(mine: Fingerprint, known: Mapping[str, Fingerprint]) -> list[FolderSuggestion]:
    """Return the folders that may belong to a project, the likeliest first; none where nothing agrees."""
    found = []
    for folder, other in known.items():
        if signs := evidence(mine, other):
            total, words = sum(weight for weight, _ in signs), tuple(words for _, words in signs)
            found.append((-total, FolderSuggestion(folder, words, total > _WEAK)))
    return [one for _, one in sorted(found, key=lambda rated: (rated[0], rated[1].folder))]


def evidence(mine: Fingerprint, other: Fingerprint) -> list[tuple[int, str]]:
    """Return what two projects have in common, each with its weight and in words, the strongest first."""
    signs = []
    if mine.id and mine.id == other.id:
        signs.append((8, f"the same {ID_FILE}"))
    if shared := [one for one in mine.commits if one in other.commits]:
        signs.append((4, f"the same first commit {shared[0][:10]}"))
    if shared := [one for one in mine.remotes if one in other.remotes]:
        signs.append((2, f"the same remote {shared[0]}"))
    name = os.path.basename(mine.root)
    if name and name == re.split(r"[\\/]", other.root)[-1]:
        signs.append((_WEAK, f"a folder of the same name, {name}"))
    return signs


def normalised_remote(url: str) -> str:
    """Return a remote as `host/path`, however it is reached; a path on this machine stays a path."""
    text = url.strip()
    if match := _URL.fullmatch(text):
        path, port = match["path"] or "", match["port"] or ""
        if match["scheme"].lower() == "file":
            return _local(path)
        port = "" if port in _PORTS else f":{port}"
        return f"{match['host']}{port}/{_trim_path(path)}".casefold()[:_LONGEST]
    if (match := _SCP.fullmatch(text)) and not os.path.isabs(text):
        return f"{match['host']}/{_trim_path(match['path'])}".casefold()[:_LONGEST]
    return _local(text) if os.path.isabs(text) else ""


def read_fingerprint(root: str, ask: Callable[..., bytes]) -> Fingerprint:
    """Return the fingerprint of a project; `ask` runs git there, and returns nothing where it cannot."""
    commits: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    if folder := repository_folder(root):
        if not os.path.exists(os.path.join(folder, "shallow")):
            lines = ask("rev-list", "--max-parents=0", "HEAD", "--").decode("ascii", "replace").split()
            commits = tuple(sorted(line for line in lines if _COMMIT.fullmatch(line))[:_MOST])
        rows = ask("config", "--local", "-z", "--get-regexp", r"^remote\..*\.url$")
        urls = [row.partition("\n")[2] for row in rows.decode("utf-8", "replace").split("\0")]
        remotes = tuple(dict.fromkeys(filter(None, map(normalised_remote, urls))))[:_MOST]
    return Fingerprint(root, commits, remotes, _id_in(root))


def fingerprint_from(content: object) -> Fingerprint:
    """Return the fingerprint in a record that anyone may have written; invalid parts are left out."""
    row: Mapping[str, Any] = content if isinstance(content, dict) else {}
    root, word = (one if isinstance(one := row.get(key), str) else "" for key in ("root", "id"))
    commits, remotes = (_texts(row.get(key)) for key in ("commits", "remotes"))
    return Fingerprint(
        _plain(root),
        tuple(one for one in commits if _COMMIT.fullmatch(one)),
        tuple(map(_plain, remotes)),
        word if _WORD.fullmatch(word) else "",
    )


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)][:_MOST] if isinstance(value, list | tuple) else []


def kept_fingerprint(state: str) -> Fingerprint:
    """Return what was recorded about the project of a state folder; empty when nothing was."""
    data = regular_bytes(os.path.join(state, _RECORD), _LARGEST)
    with suppress(ValueError, RecursionError):
        return fingerprint_from(json.loads(b"{}" if isinstance(data, Unread) else data))
    return Fingerprint()


def keep_fingerprint(state: str, found: Fingerprint) -> None:
    """Record a project in its state folder, outside the project, so that it is recognised later."""
    with make_folder(state) as folder:
        folder.write(_RECORD, (json.dumps(found.as_json(), indent=1) + "\n").encode())


def _id_in(root: str) -> str:
    data = regular_bytes(os.path.join(root, ID_FILE), _LONGEST)
    word = "" if isinstance(data, Unread) else data.decode("utf-8", "replace").strip()
    return word if _WORD.fullmatch(word) else ""


def _local(path: str) -> str:
    return _plain(os.path.normpath(path).removesuffix(".git").rstrip("/")) if path else ""


def _trim_path(path: str) -> str:
    return re.split(r"[?#]", path)[0].strip("/").removesuffix(".git").rstrip("/")


def _plain(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in text)[:_LONGEST]


_WEAK = 1
_LONGEST = 1_000
_PORTS = ("", "22", "80", "443", "9418")
"""Ports that need not be named."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,79}")
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@]*@)?(?P<host>[^/:@]*|\[[^\]]*\])(?::(?P<port>\d*))?"
    r"(?P<path>/.*)?"
)
_SCP = re.compile(r"(?:[^/@:]*@)?(?P<host>[A-Za-z0-9.-]{2,}):(?!//)(?P<path>.+)")
