"""The edits of each verb (edit, forget, rename, apply a proposal), worked out under the lock."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from stat import S_ISDIR

from memdir.disk.files import MAX_FILE_BYTES, Folder
from memdir.errors import Conflict, NoSuchMemory, Rejected, StorageError
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.change import Edit, Version, shown_text, version_on_disk
from memdir.memories.directory import MemoryDir, refuse_unread
from memdir.memories.enforce import holds_rule
from memdir.memories.names import INDEX_NAME, file_name, slug
from memdir.memories.topic import Header, Provenance, Topic, topic_from
from memdir.text.frontmatter.edits import with_value
from memdir.text.markdown import has_link_to
from memdir.text.value import replace

__all__ = [
    "Plan",
    "RenamePlan",
    "UsedNames",
    "edit_plan",
    "forget_plan",
    "free_name",
    "proposal_plan",
    "refuse_rule",
    "removal",
    "replaced_version",
]

Plan = Callable[[Folder], Sequence[Edit]]

_EPOCH = datetime.fromtimestamp(0, UTC)


class UsedNames:
    """File names that a new file cannot have: those of the catalog, which is not copied, and further ones."""

    def __init__(self, catalog: Catalog, within: str = "") -> None:
        """Look at one folder, whose path ends in a slash; at the directory itself if none is named."""
        self._catalog, self._within = catalog, within
        self._more = {item.file.casefold() for item in catalog.findings.skipped}

    def __contains__(self, name: object) -> bool:
        path = f"{self._within}{name}"
        return path in self._catalog.folded() or path in self._more

    def add(self, name: str) -> None:
        """Take one more."""
        self._more.add(name)


def edit_plan(catalog: Catalog, topic: Topic, text: str) -> Plan:
    """Replace a whole file if it still holds the expected text; a change of its header keeps its time."""
    file = topic.header.file

    def plan(folder: Folder) -> list[Edit]:
        version = version_on_disk(folder, file)
        if version is None or shown_text(version.text) != topic.text:
            raise Conflict(
                f"{file} was changed by someone else meanwhile. Nothing was written; read it again."
            )
        new = topic_from(file, text, _EPOCH)
        if new.header.name != topic.header.name:
            catalog.refresh(folder)
            _refuse_used(catalog, new.header.name)
        saved_ns = version.saved_ns if new.body == topic.body else None
        return [Edit(file, version.text, keep_odd_bytes(file, text, version.text), saved_ns)]

    return plan


def proposal_plan(edits: Sequence[Edit]) -> Plan:
    """Make edits whose texts a person was shown; bytes that nobody was shown stay as they are."""

    def plan(folder: Folder) -> list[Edit]:
        present = {edit.file: version_on_disk(folder, edit.file) for edit in edits}
        texts = {file: version and shown_text(version.text) for file, version in present.items()}
        changed = [edit.file for edit in edits if texts[edit.file] != edit.before]
        if changed:
            raise Conflict(
                f"{', '.join(changed)} changed since this was worked out. Nothing was written; do it again."
            )
        return [_with_odd_bytes(edit, present[edit.file]) for edit in edits]

    return plan


def forget_plan(memories: MemoryDir, name: str) -> Plan:
    """Remove the memory that has the name now, whatever it was called when its file was seen last."""

    def plan(folder: Folder) -> list[Edit]:
        memories.catalog.refresh(folder)
        return [removal(folder, memories.catalog, memories.file_of(name))]

    return plan


@dataclass(slots=True)
class RenamePlan:
    """Moves a memory to the file of its new name, in the same folder; the text keeps its time."""

    memories: MemoryDir
    name: str
    new: str
    hints: list[str] = field(default_factory=list)
    """What is to be said about it, once the plan was made."""

    def __call__(self, folder: Folder) -> list[Edit]:
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
        used = UsedNames(catalog, within.casefold())
        target = f"{within}{file_name(header.kind or 'memory', self.new, used)}"
        self.hints[:] = _link_hints(folder, catalog, header)
        text = with_value(version.text, "name", name)
        return [Edit(target, None, text, version.saved_ns), Edit(file, version.text, None)]


def refuse_rule(by: Provenance, file: str, previous: str) -> None:
    """Raise when someone else than the user would change or remove a memory that agents are held to."""
    if by.actor != "user" and holds_rule(previous):
        raise Rejected(f"{file} holds a rule that agents are held to. Only the user may change it.")


def free_name(catalog: Catalog, name: str, kind: str | None) -> tuple[str, str]:
    """Return a name that no memory has, made from the wished one, and its file."""
    wished = (slug(name if number < 2 else f"{name}-{number}") for number in range(1, len(catalog) + 3))
    free = next(candidate for candidate in wished if catalog.file_named(candidate) is None)
    return free, file_name(kind or "memory", free, UsedNames(catalog))


def replaced_version(folder: Folder, catalog: Catalog, file: str) -> Version | None:
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


def removal(folder: Folder, catalog: Catalog, file: str) -> Edit:
    """Return the edit that removes a file."""
    version = replaced_version(folder, catalog, file)
    return Edit(file, version.text if version else "", None)


_SIGN, _ODD = "\ufffd", re.compile("[\udc80-\udcff]")


def keep_odd_bytes(file: str, text: str, previous: str) -> str:
    """Return a new text with the bytes that are not UTF-8 on each line that was left as it was shown.

    A line that was changed and still has U+FFFD would lose them, and nobody would know: it is refused.
    """
    if _SIGN not in text or not _ODD.search(previous):
        return text
    before: dict[str, list[str]] = {}
    for line in previous.split("\n"):
        before.setdefault(shown_text(line), []).append(line)
    lines = text.split("\n")
    counts, meant = Counter(lines), dict[str, Iterator[str]]()
    for number, line in enumerate(lines):
        if _SIGN not in line:
            continue
        found = before.get(line, [])
        if len(set(found)) == 1:
            lines[number] = found[0]
        elif counts[line] == len(found):
            lines[number] = next(meant.setdefault(line, iter(found)))
        else:
            raise Rejected(
                f"{file} holds bytes that are not UTF-8, shown as {_SIGN}, and line {number + 1} would lose "
                "them. Write what they stand for in their place, or leave that line as it is."
            )
    return "\n".join(lines)


def _with_odd_bytes(edit: Edit, present: Version | None) -> Edit:
    if edit.after is None or present is None:
        return edit
    return replace(edit, after=keep_odd_bytes(edit.file, edit.after, present.text))


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
