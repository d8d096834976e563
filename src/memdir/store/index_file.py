"""MEMORY.md and its hubs on disk: read, compared with the files, and what has to be written to agree."""

import os
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from operator import is_

from memdir.core.clip import INDEX_CHARACTERS, INDEX_LINES, near_limits, utf16_length
from memdir.core.hub import Hub, hub_pointer, parsed_hub
from memdir.core.hubs import Ranked, arranged
from memdir.core.index import HUB_FOLDER, appended, pruned, targets, with_pointer
from memdir.core.names import INDEX_NAME
from memdir.core.pointer import Pointer, pointer_line
from memdir.core.settled import with_one_pointer
from memdir.core.topic import Header
from memdir.core.value import value_class
from memdir.store.catalog import Catalog
from memdir.store.files import MAX_FILE_BYTES, NO_FILE, Folder, Unreadable, folder_made
from memdir.store.write import Write

__all__ = ["IndexFile", "Look", "line_changes"]

_LAST = "index.last"
_LONG_LINE = 200


@value_class(frozen=True, slots=True)
class Look:
    """Where the index and the files disagree, and what about the index is too long."""

    missing: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    changed_outside: tuple[str, ...] = ()
    long_lines: tuple[str, ...] = ()
    prose_too_long: bool = False


_Plan = tuple[str, Mapping[str, str], Sequence[str]]
"""The index to be, the hubs that are to be written, and those that are to go."""


class IndexFile:
    """The index of one directory; parsed hubs are kept between saves, each revalidated by stat."""

    def __init__(self, state: str, *, enabled: bool = True) -> None:
        """Remember whether this directory has an index at all (SPEC 5.5)."""
        self._state, self._enabled = state, enabled
        self._parsed: dict[str, tuple[int, Hub]] = {}
        self._written = ""
        self._left: tuple[str, list[Hub]] | None = None
        self._in_step: tuple[str, list[Hub], int] | None = None

    def view(self, folder: Folder, catalog: Catalog) -> str:
        """Return the healed text without writing anything."""
        if not self._enabled:
            return ""
        hubs = self._hubs(folder)
        in_hubs = _listed(hubs)
        rest = pruned(_text(folder), lambda file: file in hubs or (file in catalog and file not in in_hubs))
        missing = [h for h in catalog.headers() if h.file not in rest.present and h.file not in in_hubs]
        lists = [hub_pointer(hub) for hub in hubs.values() if hub.file not in rest.present]
        return appended(rest.text, [*map(_pointer, missing), *lists])

    def writes(
        self,
        folder: Folder,
        catalog: Catalog,
        changed: Mapping[str, Header | None],
        words: str | None = None,
    ) -> list[Write]:
        """Return what has to be written for one pointer a memory, `changed` already counted in.

        `words` stand in for the present text, its prose and order. With neither this is a repair: over-long
        pointers are worded anew as well.
        """
        if not self._enabled:
            return []
        text, hubs = _text(folder), list(self._hubs(folder).values())
        unread = _unread(folder, catalog)
        start = text if words is not None or changed else _shortened(text, catalog)
        known = self._continued(text, hubs, catalog, changed) if words is None else None
        index, new, gone = known or _planned(
            start if words is None else words, hubs, catalog, changed, unread
        )
        self._left = None if new or gone else (index, hubs)
        same = index == text and folder.exists(INDEX_NAME)
        return [
            *(Write(file, hub) for file, hub in new.items()),
            *([] if same else [Write(INDEX_NAME, index)]),
            *(Write(file, None) for file in gone),
        ]

    def settle(self, catalog: Catalog) -> None:
        """Remember that index, hubs and catalog agree as they are: until one changes, none is compared."""
        self._in_step = self._left and (*self._left, catalog.generation)

    def wrote(self, writes: Sequence[Write]) -> None:
        """Remember what we wrote last, so that others' edits can be told from ours."""
        for write in writes:
            if write.file == INDEX_NAME:
                self._written = write.text or ""
                self.saw(write.data)

    def saw(self, data: bytes) -> None:
        """Remember a text of the index as known, whoever wrote it."""
        with suppress(OSError), folder_made(self._state) as state:
            state.replace_cache(_LAST, data)

    def warning(self) -> str | None:
        """Return a sentence when what we wrote last is near a limit."""
        return near_limits(self._written) if self._written else None

    def edited(self, folder: Folder) -> tuple[str, str] | None:
        """Return our last text and the present one, when someone else changed the index since."""
        try:
            with open(os.path.join(self._state, _LAST), "rb", buffering=0) as file:
                last = file.readall().decode("utf-8", "replace")  # as the present text is read
        except OSError:
            return None
        present = _text(folder)
        return None if present == last else (last, present)

    def look(self, folder: Folder, catalog: Catalog) -> Look:
        """Compare the index with the files."""
        text, hubs = _text(folder), self._hubs(folder)
        in_hubs = _listed(hubs)
        rest = pruned(text, lambda file: file in catalog or file in hubs)
        edited, unread = self.edited(folder), _unread(folder, catalog)
        return Look(
            missing=tuple(f for f in catalog if f not in rest.present and f not in in_hubs),
            dangling=tuple(
                file
                for file in (*rest.dropped, *sorted(file for file in in_hubs if file not in catalog))
                if file not in unread
            ),
            twice=(*rest.duplicates, *(file for file in rest.present if file in in_hubs)),
            changed_outside=tuple(line_changes(*edited)) if edited else (),
            long_lines=tuple(line for line in text.splitlines() if len(line) > _LONG_LINE),
            prose_too_long=not _fits(pruned(text, lambda _: False).text),
        )

    def _continued(
        self, text: str, hubs: Sequence[Hub], catalog: Catalog, changed: Mapping[str, Header | None]
    ) -> _Plan | None:
        """Plan the change of one memory, where nothing else changed since we left all in step."""
        if self._in_step is None or len(changed) != 1:
            return None
        was, known, generation = self._in_step
        same_hubs = len(known) == len(hubs) and all(map(is_, known, hubs))
        if not same_hubs or generation != catalog.generation or was != text:
            return None
        ((file, header),) = changed.items()
        old = catalog.header(file)
        index = header and with_one_pointer(text, _pointer(header), _pointer(old) if old else None)
        return (index, {}, ()) if index else None

    def _hubs(self, folder: Folder) -> dict[str, Hub]:
        try:
            below = folder.below(HUB_FOLDER.rstrip("/"))
            names = sorted(os.listdir(below.fd if below.fd >= 0 else below.path))
        except OSError as error:
            if error.errno in NO_FILE:
                return {}
            raise
        hubs: dict[str, Hub] = {}
        for name in names:
            if name.endswith(".md") and (hub := self._hub(below, name)):
                hubs[hub.file] = hub
        return hubs

    def _hub(self, below: Folder, name: str) -> Hub | None:
        try:
            status = below.at(os.lstat, name)
            signature = hash((status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino))
            known = self._parsed.get(name)
            if known is None or known[0] != signature:
                text = below.read(name)[0].decode("utf-8", "replace")
                known = self._parsed[name] = (signature, parsed_hub(HUB_FOLDER + name, text))
        except OSError as error:
            if isinstance(error, Unreadable) or error.errno in NO_FILE:
                return None
            raise
        return known[1]


def line_changes(last: str, present: str) -> list[str]:
    """Return the lines that are gone and those that are new, each with its sign."""
    old, new = last.splitlines(), present.splitlines()
    before, after = set(old), set(new)
    return [f"- {line}" for line in old if line not in after] + [
        f"+ {line}" for line in new if line not in before
    ]


def _planned(
    text: str,
    hubs: Sequence[Hub],
    catalog: Catalog,
    changed: Mapping[str, Header | None],
    unread: AbstractSet[str] = frozenset(),
) -> _Plan:
    """Compare every pointer with every file; one that cannot be read now keeps the pointer it has."""
    new = text
    files = {*catalog, *(unread & {*targets(text), *_listed({hub.file: hub for hub in hubs})})}
    for file, header in changed.items():
        if header is None:
            files.discard(file)
            continue
        files.add(file)
        if old := catalog.header(file):
            new = with_pointer(new, _pointer(header), previous=_pointer(old))
    plan = arranged(new, files, lambda file: _ranked(file, changed.get(file) or catalog.header(file)), hubs)
    return plan.index, plan.changed, plan.gone


def _text(folder: Folder) -> str:
    """Return the index as text; one that is not there, or no plain file, counts as empty."""
    try:
        data, _ = folder.read(INDEX_NAME, MAX_FILE_BYTES)
    except OSError as error:
        if isinstance(error, Unreadable) or error.errno in NO_FILE:
            return ""
        raise  # it is there and cannot be read now: taking it for empty would lose a person's words
    return data.decode("utf-8", "replace")


def _shortened(text: str, catalog: Catalog) -> str:
    lines = text.split("\n")
    for number, file in enumerate(targets(text)):
        header = catalog.header(file) if len(lines[number]) > _LONG_LINE else None
        if header is not None:
            lines[number] = pointer_line(_pointer(header))
    return "\n".join(lines)


def _fits(text: str) -> bool:
    text = text.strip()
    return text.count("\n") < INDEX_LINES and utf16_length(text) <= INDEX_CHARACTERS


def _listed(hubs: Mapping[str, Hub]) -> frozenset[str]:
    return frozenset[str]().union(*(hub.files for hub in hubs.values()))


def _unread(folder: Folder, catalog: Catalog) -> frozenset[str]:
    """Return the memories that are there and cannot be read now."""
    unread = catalog.findings.unread
    return frozenset([file for file in unread if file not in catalog and folder.exists(file)])


def _ranked(file: str, header: Header | None) -> Ranked:
    if header is None:  # it cannot be read now, so that all that is known of it is its file
        return Ranked(Pointer(_titled(file.removesuffix(".md")), file), None, (False, 0.0))
    return Ranked(_pointer(header), header.kind, (header.pinned, header.saved_at.timestamp()))


def _pointer(header: Header) -> Pointer:
    return Pointer(header.title or _titled(header.name), header.file, header.description)


def _titled(name: str) -> str:
    """Return a name as words; the dashes of a date stay."""
    words = re.sub(r"(?<!\d)-|-(?!\d)", " ", name).strip()
    return words[:1].upper() + words[1:]
