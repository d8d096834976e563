"""Who can read a remote, as far as its address tells: nobody is asked, and nothing is fetched."""

import os
import re
import stat
from contextlib import suppress
from urllib.parse import urlsplit

with suppress(ImportError):  # Windows knows no such groups, and shows none in the mode of a file
    import grp

__all__ = ["readers"]

_PUBLIC = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht"})
"""Hosts on which many repositories are public."""

_UNENCRYPTED = ", and it is sent unencrypted: whoever is on the way can read it too"
_SCP = re.compile(r"(?:[^@/:]+@)?(\[[^\]]+\]|[^/:]+):(?!//)(.*)", re.DOTALL)


def readers(url: str, kind: str = "") -> str:
    """Say who can read what is sent there, in one or two sentences."""
    parts = urlsplit(url) if "://" in url else None
    if kind == "hub":
        said = "Everyone who has a token for this space can read it, and whoever runs the hub"
        return f"{said}{_UNENCRYPTED if url.startswith('http:') else ''}."
    if parts is not None and parts.scheme != "file":
        return _on_host(parts.hostname or "an unknown host", parts.scheme)
    found = _SCP.fullmatch(url) if parts is None and not os.path.exists(url) else None
    if found:
        return _on_host(found[1], "ssh")
    return _on_disk(parts.path if parts is not None else os.path.abspath(url))


def _on_host(host: str, scheme: str) -> str:
    said = f"Everyone who can read this repository on {host} can read it"
    if host.lower() in _PUBLIC:
        return f"{said}. If the repository is public, that is everyone."
    if scheme in ("git", "http"):
        return f"{said}{_UNENCRYPTED}."
    return f"{said}."


def _on_disk(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError as error:
        return f"{path} cannot be looked at ({error.strerror}), so who can read it is not known."
    if stat.S_IMODE(status.st_mode) & stat.S_IROTH:
        return f"Every user of this machine can read {path}, and of any other that has it mounted."
    if stat.S_IMODE(status.st_mode) & stat.S_IRGRP:
        return f"You and the group {_group(status.st_gid)} can read {path}."
    return f"Only its owner can read {path}."


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
