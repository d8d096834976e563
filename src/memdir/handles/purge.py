"""Remove one memory for good: the order of the steps, over its directory, its records and its remote."""

import os
from collections.abc import Iterator
from itertools import chain

from memdir.build import Parts
from memdir.errors import MemdirError, NoSuchMemory
from memdir.handles.audiences import resolve_audience
from memdir.handles.sync import SyncHandle
from memdir.handles.team import TeamHandle
from memdir.sync.purge import RemotePurge, purge_remote
from memdir.transfer.purge import Purged, PurgeTarget, found_in, purge_history, purge_state, scrub_directory

__all__ = ["purge_memory"]


def purge_memory(own: Parts, name: str, target: PurgeTarget) -> Purged:
    """Forget it, take it out of the remote, then out of all that is kept here; then search once more."""
    parts, _ = resolve_audience(own, name)
    removed, left = [*_forget_files(parts, target)], list[str]()
    for is_done, told in _purge_remote(own, parts, target):
        (removed if is_done else left).append(told)
    purge_history(parts.writer, target, parts.world.clock())
    removed.append(f"{os.path.join(parts.state, 'history.git')}: written anew without it")
    removed += scrub_directory(parts.directory, target)
    records = [*_records(own, parts)]
    for folder in records:
        removed += purge_state(folder, target)
    parts.writer.heal(parts.world.clock())
    look = [parts.directory, *records, *_conversations(parts)]
    left += [f"{path}: not ours, or another memory says the same" for path in found_in(_files(look), target)]
    return Purged(target, tuple(look), tuple(removed), (*left, *_objects(parts, target)))


def _forget_files(parts: Parts, target: PurgeTarget) -> Iterator[str]:
    for file in target.files:
        try:
            done = parts.writer.forget(file, parts.provenance("user"), parts.world.clock())
        except NoSuchMemory:
            continue
        yield f"{done.path}: deleted"


def _purge_remote(own: Parts, parts: Parts, target: PurgeTarget) -> Iterator[tuple[bool, str]]:
    """Yield what became of the remote: whether it is done, and in words."""
    is_own = parts is own
    handle = SyncHandle(own) if is_own else TeamHandle(own)
    chosen = handle.settings if isinstance(handle, SyncHandle) else handle.remote
    if chosen is None:
        return
    place = os.path.join(parts.state, "sync", *(["private"] if is_own else []))
    wanted = RemotePurge(target.files, (*target.files, *target.words), target.contents)
    try:
        _ = handle.run() if isinstance(handle, SyncHandle) else handle.sync()
        yield True, purge_remote(chosen, place, own.world.env, wanted)
    except MemdirError as error:
        yield False, str(error)


def _records(own: Parts, parts: Parts) -> Iterator[str]:
    yield from dict.fromkeys([parts.state, own.state])
    home = os.path.join(own.effective_setup.place.config_home, "memdir")
    for name in sorted(os.listdir(home)) if os.path.isdir(home) else ():
        if name != "state" and os.path.isdir(os.path.join(home, name)):
            yield os.path.join(home, name)


def _conversations(parts: Parts) -> list[str]:
    """Return the folder of the host's transcripts, which are searched and left as they are."""
    folder = os.path.dirname(parts.directory.rstrip(os.sep))
    return [folder] if os.path.basename(os.path.dirname(folder)) == "projects" else []


def _files(folders: list[str]) -> Iterator[str]:
    seen = set[str]()
    for place, inner, names in chain.from_iterable(map(os.walk, folders)):
        inner[:] = [one for one in inner if not one.endswith(".git")]
        paths = [os.path.join(place, name) for name in names]
        yield from (path for path in paths if path not in seen)
        seen.update(paths)


def _objects(parts: Parts, target: PurgeTarget) -> Iterator[str]:
    """Look through every object of the history, loose and packed."""
    git = parts.writer.recorder.history.git
    if git.program and git.exists():
        everything = git.run("cat-file", "--batch-all-objects", "--batch", "--buffer")
        if target.is_in(everything):
            yield f"{git.repository}: another memory says the same, or said so once"
