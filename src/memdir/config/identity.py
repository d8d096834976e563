"""Which project a directory belongs to, found without running git, and the names made from its path."""

import os
import re
import zlib

from memdir.disk.regular_file import Unread, regular_bytes

__all__ = [
    "canonical_root",
    "checkout_root",
    "is_committed",
    "repository_folder",
    "slug",
    "state_name",
    "transcript_folder",
    "worktree_files",
]


def slug(path: str) -> str:
    """Return the path as a folder name: letters, digits and dashes, one for each UTF-16 unit of the path."""
    data = path.encode("utf-16-le", "surrogatepass")
    units = [low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True)]
    name = "".join(chr(unit) if chr(unit) in _PLAIN else "-" for unit in units)
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}-{_hash36(units)}"


def state_name(directory: str) -> str:
    """Return the folder name of our state for a memory directory; distinct directories get distinct names."""
    real = os.path.realpath(directory)
    return f"{slug(real)}-{zlib.crc32(os.fsencode(real)):08x}"


def transcript_folder(config_home: str, cwd: str) -> str:
    """Return where a host keeps the conversations that began in a directory."""
    return os.path.join(config_home, "projects", slug(os.path.realpath(cwd)))


def checkout_root(cwd: str) -> str:
    """Return the real path of the nearest directory that holds a .git, else of the directory itself."""
    real = os.path.realpath(cwd)
    directory = real
    while not os.path.isdir(link := os.path.join(directory, ".git")) and not os.path.isfile(link):
        parent = os.path.dirname(directory)
        if parent == directory:
            return real
        directory = parent
    return directory


def canonical_root(cwd: str) -> str:
    """Return the one directory that all worktrees of a repository share; outside git, the directory itself.

    A linked worktree leads to the main checkout, or to the repository itself where that is bare, but only if
    that repository lists this very worktree: anyone can write a .git file that points at somebody else's.
    """
    checkout = checkout_root(cwd)
    own, repository = _linked_folders(checkout)
    if not repository or os.path.dirname(own) != os.path.join(repository, "worktrees"):
        return checkout  # a submodule has no "commondir"
    back = _line(os.path.join(own, "gitdir"))
    folder, name = os.path.split(os.path.join(own, back))  # a .git that is a link is not its target
    listed = back and os.path.join(os.path.realpath(folder), name) == os.path.join(checkout, ".git")
    return _main_checkout(repository) if listed else checkout


def is_committed(path: str) -> bool:
    """Tell whether this file is in git's index, so that a clone brings it; in doubt it is."""
    folder, name = os.path.split(path)
    checkout = checkout_root(folder)
    link = os.path.join(checkout, ".git")
    index = regular_bytes(os.path.join(_target(link, prefix="gitdir: ") or link, "index"), _LARGEST_INDEX)
    if isinstance(index, Unread):
        return not index.missing
    inside = os.path.relpath(os.path.join(os.path.realpath(folder), name), checkout)
    # Some indexes shorten names, or leave entries to another file: what these hold is not looked up.
    is_plain = index[:8] in _PLAIN_INDEXES and _SPLIT not in index
    return not is_plain or os.fsencode(inside) + b"\0" in index


def repository_folder(root: str) -> str:
    """Return where the repository of a canonical root lies, or empty outside git; it may be bare."""
    link = os.path.join(root, ".git")
    if own := _target(link, prefix="gitdir: "):
        return own
    if os.path.isdir(link):
        return link
    is_bare = os.path.isfile(os.path.join(root, "HEAD")) and os.path.isdir(os.path.join(root, "objects"))
    return root if is_bare else ""


def worktree_files(checkout: str) -> list[str]:
    """Return the files that tell where the main checkout of a linked worktree is; none for any other."""
    own, repository = _linked_folders(checkout)
    if not own:
        return []
    paths = [os.path.join(own, name) for name in ("commondir", "gitdir")]
    paths += [os.path.join(repository or own, name) for name in ("config", "config.worktree")]
    return [os.path.join(checkout, ".git"), *paths]


def _linked_folders(checkout: str) -> tuple[str, str]:
    """Return the git folder of a linked worktree and its repository; each is empty where there is none."""
    link = os.path.join(checkout, ".git")
    own = _target(link, prefix="gitdir: ") if os.path.isfile(link) else ""
    return own, _target(os.path.join(own, "commondir")) if own else ""


def _main_checkout(repository: str) -> str:
    """Return the working directory of a repository, or the repository where it has none."""
    parent, name = os.path.split(repository)
    if name == ".git":
        return parent
    for config in ("config.worktree", "config"):
        place = _worktree_setting(os.path.join(repository, config))
        checkout = os.path.realpath(os.path.join(repository, place)) if place else ""
        # Submodules say where they are checked out; believed when the checkout says the same.
        if checkout and _target(os.path.join(checkout, ".git"), prefix="gitdir: ") == repository:
            return checkout
    return repository


def _target(file: str, prefix: str = "") -> str:
    """Return the real path that a file of git names, relative to that file; empty when it names none."""
    line = _line(file, prefix)
    return os.path.realpath(os.path.join(os.path.dirname(file), line)) if line else ""


def _line(file: str, prefix: str = "") -> str:
    """Return the path in a one-line file of git, without the prefix; empty when it is no such file."""
    data = regular_bytes(file, _LONGEST_LINK)
    if isinstance(data, Unread) or b"\0" in data:
        return ""
    text = os.fsdecode(data).rstrip("\r\n")
    return text.removeprefix(prefix) if text.startswith(prefix) else ""


def _worktree_setting(config: str) -> str:
    """Return core.worktree of a git configuration file, or the empty string."""
    data = regular_bytes(config, _LARGEST_CONFIG)
    if isinstance(data, Unread) or b"\0" in data:
        return ""
    section, place = "", ""
    for line in os.fsdecode(data).splitlines():
        if header := re.match(_SECTION, line):
            section = header[1].strip().lower()
        elif section == "core" and (setting := re.match(_WORKTREE, line)):
            place = re.sub(_ESCAPE, r"\1", setting[1].strip().strip('"'))
    return place


def _hash36(units: list[int]) -> str:
    """Return the absolute value of the path's signed 32-bit hash in base 36."""
    value = 0
    for unit in units:
        value = (31 * value + unit) & 0xFFFF_FFFF
    value, digits = min(value, 0x1_0000_0000 - value), ""
    while value or not digits:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return digits


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PLAIN = frozenset(_DIGITS + _DIGITS.upper())
_LONGEST = 200
"""Characters of a slug before its hash: with ours after it, still under the 255 bytes of a file name."""
_LONGEST_LINK = 16_384
"""Bytes of a .git file: one path, of which systems allow 4,096 at most."""
_LARGEST_CONFIG = 1_000_000
_LARGEST_INDEX = 100_000_000
_PLAIN_INDEXES = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")
_SPLIT = b"link\0\0"
# Patterns stay text until they are used: few checkouts have a repository elsewhere.
_SECTION = r"\s*\[([^\]]*)\]"
_WORKTREE = r"(?i)\s*worktree\s*=(.*)"
_ESCAPE = r"\\(.)"
