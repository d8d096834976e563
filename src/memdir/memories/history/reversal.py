"""The edits that undo one operation, worked out under the lock, or the files that prevent it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from memdir.disk.files import Folder
from memdir.errors import NoSuchMemory
from memdir.memories.catalog.row import saved_time
from memdir.memories.change import Change, Edit, Operation, Version, version_on_disk
from memdir.memories.history.collision import ChangedSince, Collision, OnCollision
from memdir.memories.history.masks import masks, with_secrets
from memdir.memories.index.text import is_reworded, join_words, restore_words, same_words
from memdir.memories.names import INDEX_NAME
from memdir.memories.topic import header_from
from memdir.memories.write.plans import free_name
from memdir.memories.writer import Writer
from memdir.text.frontmatter.header import with_value
from memdir.text.secrets.search import mask_secrets

__all__ = ["AsBefore", "Reversal"]


class AsBefore(NoSuchMemory):
    """All is as it was before the operation already, so that there is nothing to take back."""


@dataclass(slots=True)
class Reversal:
    """Finds the texts that an operation replaced, and the files that changed since."""

    writer: Writer
    operation: Operation
    how: OnCollision
    moved: Mapping[str, str]
    """Where files are now that were renamed since."""
    warnings: list[str] = field(default_factory=list)
    _left: list[Collision] = field(default_factory=list)
    """Files that the operation made, that changed since, and that stay beside the old texts."""

    def __call__(self, folder: Folder) -> list[Edit]:
        """Return what to write; raise when something is in the way, or when there is nothing."""
        now = {file: version_on_disk(folder, file) for file in self._files()}
        found = [self._back(change, now) for change in self.operation.changes]
        edits = [one for one in found if isinstance(one, Edit)]
        if collisions := [one for one in found if isinstance(one, Collision)]:
            raise ChangedSince(self.operation.id, collisions)
        if self._left and not edits:
            raise ChangedSince(self.operation.id, self._left, beside=True)
        if not edits:
            raise AsBefore(f"There is nothing to undo: all is as it was before {self.operation.id} already.")
        self.warnings += [
            f"{left.file} was made by this change and changed since: it stays." for left in self._left
        ]
        return edits

    def _files(self) -> list[str]:
        files = self.operation.files
        return [*files, *(self.moved[file] for file in files if file in self.moved)]

    def _back(self, change: Change, now: Mapping[str, Version | None]) -> Edit | Collision | None:
        """Return what becomes of one file; nothing where it is as it was."""
        if change.file == INDEX_NAME:
            return self._index_back(change, now[INDEX_NAME]) if self.writer.memories.indexed else None
        moved = self.moved.get(change.file, "")
        if change.before is None and now.get(moved):
            return self._gone(moved, now[moved])  # it made a memory that has another name by now
        current = now[change.file]
        if _sha(current) == _sha(change.before):
            return None
        as_left = _sha(current) == _sha(change.after)
        if change.before is None:
            return Edit(change.file, _text(current), None) if as_left else self._gone(change.file, current)
        if not as_left and self.how is OnCollision.STOP:
            return Collision(change.file, _text(current), change.text_before)
        before = with_secrets(change.before, now.values())
        return self._brought_back(change.file, current, before, as_left=as_left)

    def _brought_back(self, file: str, current: Version | None, before: Version, *, as_left: bool) -> Edit:
        """Bring the old text back, in its place or, under a name of its own, beside the present one."""
        self.warnings += masks([(file, before)])
        if as_left or self.how is OnCollision.OVERWRITE:
            return Edit(file, _text(current), before.text, before.saved_ns)
        header = header_from(file, before.text, saved_time(before.saved_ns))
        name, free = free_name(self.writer.catalog, f"{header.name}-before", header.kind)
        return Edit(free, None, with_value(before.text, "name", name), before.saved_ns)

    def _gone(self, file: str, current: Version | None) -> Edit | Collision | None:
        """Decide about a file that the operation made and that is not as it was left."""
        if self.how is OnCollision.OVERWRITE:
            return Edit(file, _text(current), None)
        collision = Collision(file, _text(current), None)
        if self.how is OnCollision.STOP:
            return collision
        self._left.append(collision)
        return None

    def _index_back(self, change: Change, present: Version | None) -> Edit | Collision | None:
        """Bring words and order of the index back; the pointers are those of today, whatever it said then."""
        now, before, after = _text(present) or "", change.text_before or "", change.text_after or ""
        changed = not any(same_words(mask_secrets(now), text) for text in (before, after))
        if changed and self.how is OnCollision.STOP:
            return Collision(INDEX_NAME, _text(present), change.text_before)
        both = changed and self.how is OnCollision.BOTH
        text = join_words(before, now) if both else restore_words(before, after, now)
        if not is_reworded(text, now, self.writer.catalog.__contains__):
            return None
        self.warnings += masks([(INDEX_NAME, change.before)] if change.before else [])
        return Edit(INDEX_NAME, _text(present), text)


def _sha(version: Version | None) -> str:
    return version.sha if version else ""


def _text(version: Version | None) -> str | None:
    return version.text if version else None
