"""MEMORY.md and its hubs on disk: read, compared with the files, and what has to be written to agree."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from memdir.core.clip import INDEX_CHARACTERS, INDEX_LINES, near_limits, utf16_length
from memdir.core.hubs import HUB_FOLDER, Hub, arranged, hub_from
from memdir.core.index import Pointer, appended, pruned, with_pointer
from memdir.core.names import INDEX_NAME
from memdir.core.topic import Header
from memdir.store.batch import Write
from memdir.store.catalog import Catalog
from memdir.store.files import MAX_FILE_BYTES, Folder, folder_made

__all__ = ["IndexFile", "Look"]

_LAST = "index.last"
_LONG_LINE = 200


@dataclass(frozen=True, slots=True)
class Look:
    """Where the index and the files disagree, and what about the index is too long."""

    missing: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    changed_outside: tuple[str, ...] = ()
    long_lines: tuple[str, ...] = ()
    prose_too_long: bool = False


class IndexFile:
    """The index of one directory; parsed hubs are kept between saves, each revalidated by stat."""

    def __init__(self, state: str, *, enabled: bool = True) -> None:
        """Remember whether this directory has an index at all (SPEC 5.5)."""
        self._state, self._enabled = state, enabled
        self._parsed: dict[str, tuple[int, Hub]] = {}
        self._written = ""

    def view(self, folder: Folder, catalog: Catalog) -> str:
        """Return the healed text without writing anything."""
        if not self._enabled:
            return ""
        in_hubs, hubs = self._in_hubs(folder)
        rest = pruned(_text(folder), _wanted(catalog, in_hubs, hubs))
        missing = [h for h in catalog.headers() if h.file not in rest.present and h.file not in in_hubs]
        return appended(rest.text, map(_pointer, missing))

    def writes(self, folder: Folder, catalog: Catalog, changed: Mapping[str, Header | None]) -> list[Write]:
        """Return what has to be written so that every memory is pointed at once, `changed` already counted in."""
        if not self._enabled:
            return []
        text = _text(folder)
        in_hubs, hubs = self._in_hubs(folder)
        quick = self._quick(text, catalog, changed, in_hubs, hubs)
        if quick is not None:
            return [] if quick == text and folder.exists(INDEX_NAME) else [Write(INDEX_NAME, quick)]
        headers = [h for h in catalog.headers() if h.file not in changed]
        headers = [*(header for header in changed.values() if header), *headers]
        headers.sort(key=lambda header: not header.pinned)
        plan = arranged(text, [(_pointer(h), h.kind) for h in headers], hubs)
        writes = [] if plan.index == text else [Write(INDEX_NAME, plan.index)]
        return [
            *(Write(file, plan.hubs[file]) for file in plan.changed),
            *writes,
            *(Write(file, None) for file in plan.gone),
        ]

    def wrote(self, folder: Folder, writes: list[Write]) -> None:
        """Remember what we wrote last, so that others' edits can be told from ours."""
        for write in writes:
            if write.file == INDEX_NAME:
                self._written = write.text or ""
                with suppress(OSError), folder_made(self._state) as state:
                    state.replace_cache(_LAST, write.data)
        del folder

    def warning(self) -> str | None:
        """Return a sentence when what we wrote last is near a limit."""
        return near_limits(self._written) if self._written else None

    def edited(self, folder: Folder) -> tuple[str, str] | None:
        """Return our last text and the present one, when someone else changed the index since."""
        try:
            with open(os.path.join(self._state, _LAST), "rb") as file:
                last = file.read().decode("utf-8", "surrogateescape")
        except OSError:
            return None
        present = _text(folder)
        return None if present == last else (last, present)

    def look(self, folder: Folder, catalog: Catalog) -> Look:
        """Compare the index with the files."""
        text = _text(folder)
        in_hubs, hubs = self._in_hubs(folder)
        rest = pruned(text, _wanted(catalog, in_hubs, hubs))
        both = [file for file in rest.present if file in in_hubs]
        edited = self.edited(folder)
        return Look(
            missing=tuple(f for f in catalog if f not in rest.present and f not in in_hubs),
            dangling=(*rest.dropped, *sorted(in_hubs - set(catalog))),
            twice=(*rest.duplicates, *both),
            changed_outside=tuple(_line_changes(*edited)) if edited else (),
            long_lines=tuple(line for line in text.splitlines() if len(line) > _LONG_LINE),
            prose_too_long=not _fits(pruned(text, set()).text),
        )

    def _quick(
        self,
        text: str,
        catalog: Catalog,
        changed: Mapping[str, Header | None],
        in_hubs: frozenset[str],
        hubs: Mapping[str, Hub],
    ) -> str | None:
        """Return the new index when no hub is concerned and everything fits; None otherwise."""
        gone = {file for file, header in changed.items() if header is None}
        if not in_hubs.isdisjoint(changed) or any(file not in catalog for file in in_hubs):
            return None
        rest = pruned(text, _wanted(catalog, in_hubs, hubs) - gone | (changed.keys() - gone))
        new = rest.text
        for file, header in changed.items():
            if header is not None:
                old = catalog.header(file)
                new = with_pointer(new, _pointer(header), previous=_pointer(old) if old else None)
        missing = [f for f in catalog if f not in rest.present and f not in in_hubs and f not in changed]
        new = appended(new, [_pointer(header) for f in missing if (header := catalog.header(f))])
        return new if _fits(new) and hubs.keys() <= rest.present.keys() else None

    def _in_hubs(self, folder: Folder) -> tuple[frozenset[str], dict[str, Hub]]:
        """Return every file that a hub lists, and the hubs."""
        hubs = self._hubs(folder)
        return frozenset().union(*(hub.files for hub in hubs.values())), hubs

    def _hubs(self, folder: Folder) -> dict[str, Hub]:
        try:
            below = folder.below(HUB_FOLDER.rstrip("/"))
            names = sorted(name for name in os.listdir(below.fd if below.fd >= 0 else below.path))
        except OSError:
            return {}
        hubs: dict[str, Hub] = {}
        for name in names:
            if name.endswith(".md") and (hub := self._hub(folder, HUB_FOLDER + name)):
                hubs[hub.file] = hub
        return hubs

    def _hub(self, folder: Folder, file: str) -> Hub | None:
        holder, name = folder.holder(file)
        try:
            status = holder.at(os.stat, name, follow_symlinks=False)
            signature = hash((status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino))
            known = self._parsed.get(file)
            if known is None or known[0] != signature:
                text = folder.read(file)[0].decode("utf-8", "replace")
                known = self._parsed[file] = (signature, hub_from(file, text))
        except OSError:
            return None
        return known[1]


def _text(folder: Folder) -> str:
    """Return the index as text; one that cannot be read counts as empty and is built anew."""
    try:
        data, _ = folder.read(INDEX_NAME, MAX_FILE_BYTES)
    except OSError:
        return ""
    return data.decode("utf-8", "replace")


def _fits(text: str) -> bool:
    text = text.strip()
    return text.count("\n") < INDEX_LINES and utf16_length(text) <= INDEX_CHARACTERS


def _wanted(catalog: Catalog, in_hubs: frozenset[str], hubs: Mapping[str, Hub]) -> set[str]:
    return (set(catalog) - in_hubs) | hubs.keys()


def _pointer(header: Header) -> Pointer:
    title = header.title or header.name.replace("-", " ").strip().capitalize()
    return Pointer(title, header.file, header.description)


def _line_changes(last: str, present: str) -> list[str]:
    old, new = last.splitlines(), present.splitlines()
    before, after = set(old), set(new)
    return [f"- {line}" for line in old if line not in after] + [
        f"+ {line}" for line in new if line not in before
    ]
