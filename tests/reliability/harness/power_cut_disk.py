"""A disk that remembers what was synced: after a power cut everything else may be there, or not, or in part.

Bytes are safe once their own file was synced after they were written; a name is safe once its folder was
synced after the name came or went. Nothing else is promised, so nothing else is relied on.
"""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

__all__ = ["EVERYTHING", "NOTHING", "Disk", "Survival", "in_order", "some"]


@dataclass(slots=True, eq=False)
class Node:
    """A file or a folder: what programs see of it, and what a power cut cannot take away."""

    folder: bool
    data: bytearray = field(default_factory=bytearray)
    safe: bytes = b""
    position: int = 0
    """Where the next plain write goes; each of our files has one writer."""
    entries: "dict[str, Node]" = field(default_factory=dict)
    safe_entries: "dict[str, Node]" = field(default_factory=dict)
    pending: "list[Change]" = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A name that came or went and is not safe yet; a rename is both at once, in one folder or in two."""

    number: int
    came: tuple[Node, str, Node] | None = None
    went: tuple[Node, str] | None = None


@dataclass(frozen=True, slots=True)
class Survival:
    """What becomes of everything that was not synced."""

    name: Callable[[Change], bool]
    data: Callable[[Node], bytes]


NOTHING = Survival(lambda _: False, lambda node: node.safe)
EVERYTHING = Survival(lambda _: True, lambda node: bytes(node.data))


def some(chance: random.Random) -> Survival:
    """Return a survival in which every single name and every file has its own luck."""
    luck: dict[int, bool] = {}
    return Survival(
        lambda change: luck.setdefault(change.number, chance.random() < 0.5), lambda n: _data(n, chance)
    )


def in_order(disk: "Disk", chance: random.Random) -> Survival:
    """Return what a journalling file system leaves: names up to a moment since the last sync, safe bytes."""
    moment = chance.randint(disk.synced_at, disk.now)
    return Survival(lambda change: change.number <= moment, lambda node: node.safe)


class Disk:
    """The folder under test, fed with system calls."""

    def __init__(self, root: str) -> None:
        """Begin with an empty folder that is itself safe."""
        self.root, self._top = root, Node(folder=True)
        self.now = self.synced_at = 0

    def opened(self, path: str, *, create: bool, cut: bool, append: bool) -> None:
        """Open a file, which may make it or empty it."""
        holder, name = self._holder(path)
        if holder is None or (name not in holder.entries and not create):
            return
        if name not in holder.entries:
            self._change(came=(holder, name, Node(folder=False)))
        node = holder.entries[name]
        if cut:
            node.data.clear()
        node.position = len(node.data) if append else 0

    def sought(self, path: str, position: int) -> None:
        """Move to where the next plain write goes."""
        node = self._node(path)
        if node is not None:
            node.position = position

    def passed(self, path: str, count: int) -> None:
        """Move on by what was read: the next plain write goes behind it."""
        node = self._node(path)
        if node is not None:
            node.position += count

    def written(self, path: str, data: bytes, offset: int | None = None) -> None:
        """Put bytes at an offset, or where the last plain write ended."""
        node = self._node(path)
        if node is None or node.folder:
            return
        start = node.position if offset is None else offset
        node.data.extend(bytes(max(0, start - len(node.data))))
        node.data[start : start + len(data)] = data
        if offset is None:
            node.position = start + len(data)

    def cut(self, path: str, size: int) -> None:
        """Truncate a file."""
        node = self._node(path)
        if node is not None:
            del node.data[size:]

    def synced(self, path: str) -> None:
        """Make the bytes of a file safe, or the names in a folder."""
        node = self._node(path)
        if node is None:
            return
        self.synced_at = self.now
        node.safe = bytes(node.data)
        for change in node.pending[:]:
            _apply(change, safe=True)
            for holder in {id(h): h for h in _holders(change)}.values():
                holder.pending.remove(change)

    def made(self, path: str) -> None:
        """Make a folder."""
        holder, name = self._holder(path)
        if holder is not None:
            self._change(came=(holder, name, Node(folder=True)))

    def removed(self, path: str) -> None:
        """Remove a name."""
        holder, name = self._holder(path)
        if holder is not None:
            self._change(went=(holder, name))

    def linked(self, old: str, new: str, *, moved: bool) -> None:
        """Give a file another name, and take the old one away if it was moved."""
        (source, before), (target, name) = self._holder(old), self._holder(new)
        if source is None or target is None:
            return
        self._change(came=(target, name, source.entries[before]), went=(source, before) if moved else None)

    def left_over(self, survival: Survival) -> Iterator[tuple[str, bytes | None]]:
        """Yield what is there after a power cut now: relative paths, bytes for files and None for folders."""
        yield from _left_over(self._top, "", survival)

    def _change(
        self, came: tuple[Node, str, Node] | None = None, went: tuple[Node, str] | None = None
    ) -> None:
        self.now += 1
        change = Change(self.now, came, went)
        _apply(change, safe=False)
        for holder in {id(h): h for h in _holders(change)}.values():
            holder.pending.append(change)

    def _holder(self, path: str) -> tuple[Node | None, str]:
        folder, name = os.path.split(os.path.normpath(path))
        return self._node(folder), name

    def _node(self, path: str) -> Node | None:
        if path != self.root and not path.startswith(self.root + os.sep):
            return None
        node = self._top
        for part in path[len(self.root) :].split(os.sep):
            if part:
                node = node.entries[part]
        return node


def _apply(change: Change, *, safe: bool) -> None:
    if change.went is not None:
        holder, name = change.went
        (holder.safe_entries if safe else holder.entries).pop(name, None)
    if change.came is not None:
        holder, name, node = change.came
        (holder.safe_entries if safe else holder.entries)[name] = node


def _holders(change: Change) -> list[Node]:
    return [part[0] for part in (change.came, change.went) if part is not None]


def _left_over(node: Node, prefix: str, survival: Survival) -> Iterator[tuple[str, bytes | None]]:
    entries = dict(node.safe_entries)
    for change in node.pending:
        if survival.name(change):
            if change.went is not None and change.went[0] is node:
                entries.pop(change.went[1], None)
            if change.came is not None and change.came[0] is node:
                entries[change.came[1]] = change.came[2]
    for name, inner in entries.items():
        if inner.folder:
            yield prefix + name, None
            yield from _left_over(inner, f"{prefix}{name}{os.sep}", survival)
        else:
            yield prefix + name, survival.data(inner)


def _data(node: Node, chance: random.Random) -> bytes:
    """Return one of the states in which bytes that were not synced may be found."""
    whole = bytes(node.data)
    if whole == node.safe:
        return whole
    cut = chance.randint(0, len(whole))
    grown = whole[: len(node.safe)] if whole.startswith(node.safe) else b""
    zeros = grown + bytes(len(whole) - len(grown))
    return chance.choice([whole, node.safe, whole[:cut], zeros, whole[:cut] + bytes(len(whole) - cut)])
