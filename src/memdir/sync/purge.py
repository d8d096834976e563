"""Remove memories from the whole history of a remote, where it permits that."""

import json
import os
import re
import shutil
from collections.abc import Collection, Mapping
from functools import cache

from memdir.disk.files import Folder, make_folder, temp_name
from memdir.errors import MemdirError, RemoteError
from memdir.memories.change import file_bytes
from memdir.memories.history.git import GitFailed, blob_id
from memdir.sync.git_remote import GitRemote, shown_url
from memdir.sync.hub_remote import HubRemote
from memdir.sync.remote import Judge, Remote
from memdir.sync.remotes import RemoteSettings, open_remote
from memdir.text.value import value_class

__all__ = ["PurgeTarget", "purge_remote", "purged_judge", "without_files"]

_SEEN, _PURGED = "refs/memdir/seen", "refs/memdir/purged"
_SECONDS = 600.0
_LIST = ".memdir-purged"
"""In the folder of a project: the texts that were removed for good, as git names them, a line each."""
_GONE = "it was removed for good by somebody who shares it; `memdir forget --purge` removes it here too"
_FIRST_LINE = 16_384


@value_class(frozen=True, slots=True)
class PurgeTarget:
    """What is to vanish: the files that a memory ever had, and its words."""

    files: tuple[str, ...]
    words: tuple[str, ...]
    contents: tuple[str, ...] = ()
    """Every text that it ever had, as git names it: by this others know what they must not send again."""

    def is_in(self, data: bytes) -> bool:
        """Tell whether bytes hold any of it, plain or as JSON writes it."""
        return any(needle in data for needle in self._needles())

    def scrub(self, data: bytes) -> bytes:
        """Return the lines that hold nothing of it."""
        needles = self._needles()
        lines = data.splitlines(keepends=True)
        return b"".join(line for line in lines if not any(needle in line for needle in needles))

    def _needles(self) -> list[bytes]:
        plain = [file_bytes(word) for word in (*self.files, *self.words)]
        coded = [json.dumps(word)[1:-1].encode() for word in (*self.files, *self.words)]
        return [*dict.fromkeys(plain + coded)]


def purge_remote(chosen: RemoteSettings, place: str, env: Mapping[str, str], wanted: PurgeTarget) -> str:
    """Take files, and lines of commit messages with their words, out of all that the remote ever held.

    The mirror and the record of the last sync go too: both are derived. Return what was done, in words.
    """
    temp = os.path.join(os.path.dirname(place), temp_name())
    try:
        remote = open_remote(chosen, temp, env)
        if isinstance(remote, GitRemote):
            told = _rewrite_history(remote, chosen, wanted)
        elif isinstance(remote, HubRemote):
            told = _space_cleaned(chosen.title, remote, wanted)
        else:
            told = _versions_removed(os.path.join(chosen.url, chosen.folder), wanted.files)
    except (OSError, MemdirError) as error:
        raise RemoteError(f"{chosen.title} still has it in its history: {error}") from error
    finally:
        shutil.rmtree(temp, ignore_errors=True)
        shutil.rmtree(place, ignore_errors=True)
    return told


def _space_cleaned(title: str, remote: HubRemote, wanted: PurgeTarget) -> str:
    done = remote.purge(wanted.files, wanted.contents, [w for w in wanted.words if w not in wanted.files])
    counts = [f"{number} {kind if number != 1 else kind[:-1]}" for kind, number in done.cleaned.items()]
    told = f"{title}: {', '.join(counts)} removed for good; nobody can send such a text again"
    told += f"; searched its tables {', '.join(done.searched)}" if done.searched else ""
    return told + (f"; these memories say the same and stay: {', '.join(done.left)}" if done.left else "")


def without_files(stream: bytes, paths: Collection[str], words: Collection[str]) -> bytes:
    """Return a stream of `git fast-export` without these paths, nor message lines with these words."""
    dropped, said = set(paths), [word.encode("utf-8", "surrogateescape") for word in words]
    made, at, is_commit = list[bytes](), 0, False
    while at < len(stream):
        end = stream.index(b"\n", at) + 1
        line, at = stream[at:end], end
        if line.startswith(b"data "):
            size = int(line[5:])
            data, at = stream[at : at + size], at + size
            data = _message(data, said) if is_commit else data
            made.append(b"data %d\n%b" % (len(data), data))
        elif line[:2] not in (b"M ", b"D ") or _path(line) not in dropped:
            is_commit = (is_commit and line != b"blob\n") or line.startswith(b"commit ")
            made.append(line)
    return b"".join(made)


def purged_judge(remote: Remote) -> Judge:
    """Return what refuses a text that somebody removed for good: its name stands in the remote."""

    @cache
    def purged_files() -> frozenset[str]:
        if not isinstance(remote, GitRemote) or not remote.git.exists():
            return frozenset()
        return frozenset(_purge_list(remote, _SEEN).split())

    def problem(_file: str, text: str) -> str | None:
        return _GONE if blob_id(file_bytes(text)) in purged_files() else None

    return problem


def _purge_list(remote: GitRemote, revision: str) -> str:
    (data,) = remote.git.blobs([f"{revision}:{remote.within}{_LIST}"])
    return (data or b"").decode("ascii", "replace")


def _rewrite_history(remote: GitRemote, chosen: RemoteSettings, wanted: PurgeTarget) -> str:
    git = remote.git
    make_folder(os.path.dirname(git.repository)).close()
    git.make()
    ref = chosen.branch if chosen.branch.startswith("refs/") else f"refs/heads/{chosen.branch}"
    git.run("fetch", "--quiet", "--no-tags", "--", remote.url, f"+{ref}:{_SEEN}", seconds=_SECONDS)
    tip = git.run("rev-parse", "--verify", _SEEN).decode("ascii").strip()
    stream = git.run("fast-export", f"--refspec={_SEEN}:{_PURGED}", _SEEN, seconds=_SECONDS)
    paths, words = {f"{remote.within}{file}" for file in wanted.files}, (*wanted.files, *wanted.words)
    clean = without_files(stream, paths, words)
    if clean == stream:
        return f"{chosen.title}: nothing of it in the history"
    listed = sorted({*_purge_list(remote, _SEEN).split(), *wanted.contents})
    when = git.run("log", "-1", "--format=%ct", _SEEN).strip()
    clean += _list_commit(f"{remote.within}{_LIST}".encode(), "\n".join([*listed, ""]).encode(), when)
    git.run("fast-import", "--quiet", "--force", feed=clean, seconds=_SECONDS)
    lease = f"--force-with-lease={ref}:{tip}"
    try:
        push = ("push", "--no-verify", "--porcelain", lease, "--", remote.url, f"+{_PURGED}:{ref}")
        git.run(*push, seconds=_SECONDS)
    except GitFailed as error:
        said = next((one for one in error.said.splitlines() if "error:" in one), error.said)
        raise RemoteError(
            f"it does not permit that its history is changed ({shown_url(said.strip())})"
        ) from error
    return (
        f"{chosen.title}: history rewritten. Its server keeps unreachable objects until `git gc --prune=now` "
        "there; who synced it before keeps a copy until they purge it, and cannot send it again"
    )


def _list_commit(path: bytes, data: bytes, when: bytes) -> bytes:
    head = b"commit %b\ncommitter memdir <memdir@localhost> %b +0000\n" % (_PURGED.encode(), when)
    message = b"data 6\npurge\n"
    return b"%b%bM 100644 inline %b\ndata %d\n%b\n" % (head, message, path, len(data), data)


def _versions_removed(path: str, files: Collection[str]) -> str:
    """Remove every version of these files from a shared folder; that they were deleted stays known."""
    removed = 0
    with Folder(path) as folder:
        for name in sorted(os.listdir(path)):
            if name.endswith(".md") and any(_is_text_of(folder, name, file) for file in files):
                folder.remove(name)
                removed += 1
        folder.sync()
    return f"{path}: {removed} versions removed"


def _is_text_of(folder: Folder, name: str, file: str) -> bool:
    try:
        data, _ = folder.read(name, _FIRST_LINE)
        said = json.loads(data.partition(b"\n")[0])
        return bool(said["file"] == file and not said.get("deleted"))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


def _message(data: bytes, words: list[bytes]) -> bytes:
    lines = [line for line in data.splitlines(keepends=True) if not any(word in line for word in words)]
    left = b"".join(lines)
    return left if left.strip() else b"memory\n"


def _path(line: bytes) -> str:
    """Return the path of a change in a stream; odd names stand in quotes, their bytes as octal numbers."""
    path = line.rstrip(b"\n").split(b" ", 3)[3] if line.startswith(b"M ") else line[2:].rstrip(b"\n")
    if path.startswith(b'"'):
        path = re.sub(rb"\\(\d{3}|.)", _unquote, path[1:-1])
    return path.decode("utf-8", "surrogateescape")


def _unquote(found: re.Match[bytes]) -> bytes:
    sign = found[1]
    return bytes([int(sign, 8)]) if len(sign) > 1 else {b"n": b"\n", b"t": b"\t"}.get(sign, sign)
