"""What each verb wants written, decided under the lock when the names are up to date."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from stat import S_ISDIR

from memdir.disk.files import MAX_FILE_BYTES, Folder
from memdir.errors import Conflict, NoSuchMemory, Rejected, StorageError
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.directory import MemoryDir, refuse_unread
from memdir.memories.history.external_changes import version_on_disk
from memdir.memories.history.history import encoded
from memdir.memories.history.journal import Version
from memdir.memories.names import INDEX_NAME, file_name, slug
from memdir.memories.topic import Header, Provenance, Topic, topic_from
from memdir.memories.write.change import Write
from memdir.memories.write.odd_bytes import with_bytes_kept
from memdir.memories.write.used_names import TakenNames
from memdir.text.frontmatter.header import parse, with_value
from memdir.text.links import has_link_to

__all__ = [
    "Plan",
    "RenamePlan",
    "edit_plan",
    "forget_plan",
    "free_name",
    "refuse_rule",
    "replaced",
]

Plan = Callable[[Folder], Sequence[Write]]

_EPOCH = datetime.fromtimestamp(0, UTC)


def edit_plan(catalog: Catalog, topic: Topic, text: str) -> Plan:
    """Replace a whole file if it still holds the expected text; a change of its header keeps its time."""
    file, expected = topic.header.file, topic.text

    def plan(folder: Folder) -> list[Write]:
        version = version_on_disk(folder, file)
        if version is None or encoded(version.text).decode("utf-8", "replace") != expected:
            raise Conflict(
                f"{file} was changed by someone else meanwhile. Nothing was written; read it again."
            )
        new = topic_from(file, text, _EPOCH)
        if new.header.name != topic.header.name:
            catalog.refresh(folder)
            _refuse_used(catalog, new.header.name)
        saved_ns = version.saved_ns if new.body == topic.body else None
        return [Write(file, with_bytes_kept(file, text, version.text), saved_ns)]

    return plan


def forget_plan(memories: MemoryDir, name: str) -> Plan:
    """Remove the memory that has the name now, whatever it was called when its file was seen last."""

    def plan(folder: Folder) -> list[Write]:
        memories.catalog.refresh(folder)
        return [Write(memories.file_of(name), None)]

    return plan


@dataclass(slots=True)
class RenamePlan:
    """Moves a memory to the file of its new name, in the same folder; the text keeps its time."""

    memories: MemoryDir
    name: str
    new: str
    hints: list[str] = field(default_factory=list)
    """What is to be said about it, once the plan was made."""

    def __call__(self, folder: Folder) -> list[Write]:
        """Return the text to write and the file to remove."""
        catalog, name = self.memories.catalog, slug(self.new)
        catalog.refresh(folder)
        file = self.memories.file_of(self.name)
        header, version = catalog.header(file), version_on_disk(folder, file)
        if header is None or version is None:
            raise NoSuchMemory(f"{file} cannot be read, so it cannot be renamed. `memdir doctor` says why.")
        _refuse_used(catalog, name)
        refuse_unread(catalog, folder.path, name)
        within = file[: file.rfind("/") + 1]
        target = (
            f"{within}{file_name(header.kind or 'memory', self.new, TakenNames(catalog, within.casefold()))}"
        )
        self.hints[:] = _link_hints(folder, catalog, header)
        return [Write(target, with_value(version.text, "name", name), version.saved_ns), Write(file, None)]


def refuse_rule(by: Provenance, file: str, previous: str) -> None:
    """Raise when someone else than the user would change or remove a memory that agents are held to."""
    if by.actor != "user" and parse(previous).metadata.get("enforce"):
        raise Rejected(f"{file} holds a rule that agents are held to. Only the user may change it.")


def free_name(catalog: Catalog, name: str, kind: str | None) -> tuple[str, str]:
    """Return a name that no memory has, made from the wished one, and its file."""
    wished = (slug(name if number < 2 else f"{name}-{number}") for number in range(1, len(catalog) + 3))
    free = next(candidate for candidate in wished if catalog.file_named(candidate) is None)
    return free, file_name(kind or "memory", free, TakenNames(catalog))


def replaced(folder: Folder, catalog: Catalog, file: str) -> Version | None:
    """Return the text that is about to be replaced; what history cannot keep is not touched."""
    version = version_on_disk(folder, file)
    if version is not None or file == INDEX_NAME or not folder.exists(file):
        return version
    if file in catalog:
        raise Rejected(
            f"{file} is over {MAX_FILE_BYTES:,} bytes, so its text cannot be kept in history first. "
            "Cut it, or move it out of the directory."
        )
    holder, name = folder.holder(file)
    if S_ISDIR(holder.at(os.lstat, name).st_mode):
        return None  # a folder is refused where all are staged
    path = os.path.join(folder.path, file)
    raise StorageError(0, f"{path} is there and no plain file, so it is not replaced. Move it away first.")


def _refuse_used(catalog: Catalog, name: str) -> None:
    if catalog.file_named(name) is not None:
        raise Rejected(f"There is a memory called {name!r} already. Choose another name.")


_MOST_SHOWN = 5


def _link_hints(folder: Folder, catalog: Catalog, header: Header) -> list[str]:
    """Say which other memories link to one that is about to be called otherwise."""
    found = []
    for file in sorted(catalog):
        version = version_on_disk(folder, file) if file != header.file else None
        if version is not None and has_link_to(version.text, header.name, header.file):
            found.append(file)
    more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    files = f"{', '.join(found[:_MOST_SHOWN])}{more}"
    told = f"Links to {header.name!r} ({header.file}) are still in {files}. Change them there."
    return [told] if found else []
