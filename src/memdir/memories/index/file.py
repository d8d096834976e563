"""MEMORY.md and its hubs on disk: compare them with the files, and work out the edits to make them agree."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from itertools import count
from operator import is_

from memdir.conversation.receipts import Receipts
from memdir.disk.files import MAX_FILE_BYTES, NO_FILE, Folder, Unreadable, make_folder
from memdir.memories.catalog.header_cache import Catalog
from memdir.memories.change import Change, file_bytes, version_on_disk
from memdir.memories.index.hubs import (
    Arrangement,
    Hub,
    RankedPointer,
    arrange,
    fits,
    hub_pointer,
    is_generated,
    parse_hub,
    with_one_pointer,
)
from memdir.memories.index.pointer import Pointer, plain_pointer, pointer_line, pointer_of, title_of
from memdir.memories.index.text import (
    HUB_FOLDER,
    LostLine,
    append_pointers,
    lost_lines,
    pointers,
    prune,
    targets,
    with_lost_lines,
    with_pointer,
)
from memdir.memories.names import INDEX_NAME
from memdir.memories.topic import Header
from memdir.text.clip import near_limits
from memdir.text.value import replace, value_class

__all__ = ["IndexCheck", "IndexFile", "IndexText", "index_text", "line_changes", "readable_text", "set_aside"]

_LEFT_ALONE = "The index was left as it is: MEMORY.md {why}, and the next save brings it up to date."
_TOO_LONG = f"is over {MAX_FILE_BYTES:,} bytes. Move text from it into other files"
_SECOND_NAME = "has a second name elsewhere (a hard link). Copy it to make it a file of its own"
_FOLDER = "is a folder. Rename it or move it away"
_NOT_UTF_8 = "is text in UTF-16. Save it as UTF-8"


@value_class(frozen=True, slots=True)
class IndexText:
    """The text of the index, and, if rewriting would lose some of it, a sentence why it is left alone."""

    text: str = ""
    """Bytes that are no UTF-8 stand in it as half surrogates, which are written back as they were."""
    held: str = ""
    is_folder: bool = False
    """Whether a folder stands in its place: then a save has nowhere to put its pointer, and fails."""


def index_text(folder: Folder) -> IndexText:
    """Read the index; one that is not there, or a link, counts as empty."""
    try:
        data, _ = folder.read(INDEX_NAME, MAX_FILE_BYTES + 1)
    except Unreadable:
        # Nothing is taken from a file that may belong elsewhere, not even for the history.
        mode = folder.at(os.lstat, INDEX_NAME).st_mode
        why = _SECOND_NAME if stat.S_ISREG(mode) else _FOLDER if stat.S_ISDIR(mode) else ""
        held = _LEFT_ALONE.format(why=why) if why else ""
        return IndexText(held=held, is_folder=stat.S_ISDIR(mode))
    except OSError as error:
        if error.errno in NO_FILE:
            return IndexText()
        raise  # it is there and cannot be read now: taking it for empty would lose a person's words
    if len(data) > MAX_FILE_BYTES:
        text = data[:MAX_FILE_BYTES].decode("utf-8", "surrogateescape")
        return IndexText(text, _LEFT_ALONE.format(why=_TOO_LONG))
    if data[:2] in _UTF_16 and b"\0" in data:
        return IndexText(data.decode("utf-16", "replace"), _LEFT_ALONE.format(why=_NOT_UTF_8))
    return IndexText(data.decode("utf-8", "surrogateescape"))


def set_aside(folder: Folder) -> str:
    """Rename a folder that stands where the index should, all in it kept; return its new name, or ""."""
    if not index_text(folder).is_folder:
        return ""
    names = (f"{INDEX_NAME}.set-aside{f'-{number}' if number > 1 else ''}" for number in count(1))
    name = next(name for name in names if not folder.exists(name))
    folder.rename(INDEX_NAME, name)
    return name


def readable_text(text: str) -> str:
    """Return the text with U+FFFD in the place of what is no character."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_HALF = re.compile("[\ud800-\udfff]")


_LAST, _LOST = "index.last", "index.lost"
_LONG_LINE = 200

_MOST_LOST = 200
"""Lost lines that are kept, as many as an index may have: the oldest go first."""


@value_class(frozen=True, slots=True)
class IndexCheck:
    """Where the index and the files disagree, and what about the index is too long."""

    missing: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    changed_outside: tuple[str, ...] = ()
    long_lines: tuple[str, ...] = ()
    prose_too_long: bool = False
    held: str = ""
    """Why the index is left as it is, if it is."""
    is_folder: bool = False
    """Whether a folder stands in its place, which can be set aside."""


_HeaderOf = Callable[[str], Header | None]


class IndexFile:
    """The index of one directory; parsed hubs are kept between saves, each revalidated by stat."""

    def __init__(self, state: str, *, enabled: bool = True) -> None:
        """Remember whether this directory has an index at all."""
        self._state, self._enabled = state, enabled
        self._parsed: dict[str, tuple[tuple[int, ...], Hub | None]] = {}
        self._written = self._held = ""
        self.is_pinned: Callable[[str], bool] = lambda _: False  # whoever knows history tells
        self._left: tuple[str, list[Hub]] | None = None
        self._in_step: tuple[str, list[Hub], int] | None = None

    def view(self, folder: Folder, catalog: Catalog) -> str:
        """Return the healed text without writing anything."""
        if not self._enabled:
            return ""
        hubs, others, in_hubs = self._hubs(folder)
        lists, text = hubs.keys() | others, readable_text(index_text(folder).text)
        rest = prune(text, lambda file: file in lists or (file in catalog and file not in in_hubs))
        healed = self._with_returned(rest.text, in_hubs, catalog.header)
        present = rest.present if healed == rest.text else {*targets(healed)}
        missing = [h for h in catalog.headers() if h.file not in present and h.file not in in_hubs]
        unlisted = [hub_pointer(hub) for hub in hubs.values() if hub.file not in present]
        return append_pointers(healed, [*map(pointer_of, missing), *unlisted])

    def edits(
        self,
        folder: Folder,
        catalog: Catalog,
        changed: Mapping[str, Header | None],
        words: str | None = None,
        moved: Mapping[str, str] | None = None,
    ) -> list[Change]:
        """Return what has to be written for one pointer a memory, `changed` already counted in.

        `words` stand in for the present text, its prose and order; `moved` says which file a new one was
        before. With nothing changed this is a repair: over-long pointers are worded anew as well.
        """
        present = index_text(folder) if self._enabled else IndexText()
        self._held, self._left = present.held, None
        if not self._enabled or (present.held and not (present.is_folder and changed)):
            return []
        text = present.text
        known, others, in_hubs = self._hubs(folder)
        hubs, new, gone = list(known.values()), dict[str, str](), tuple[str, ...]()
        index = self._continue_index(text, hubs, catalog, changed) if words is None else None
        if index is None:
            start = words if words is not None else text if changed else _shorten_lines(text, catalog)
            started = _start_index(start, hubs, catalog, changed, moved or {})
            started = self._with_returned(started, in_hubs, lambda f: changed.get(f) or catalog.header(f))
            unread = _unread(folder, catalog) & {*targets(started), *in_hubs}
            plan = self._arrange(started, hubs, others, catalog, changed=changed, unread=unread)
            index, new, gone = plan.index, plan.changed, plan.gone
            there = [*targets(index), *(file for hub in new.values() for file in targets(hub, below=True))]
            if lost := {file for file in targets(text) if not file.startswith(HUB_FOLDER)}.difference(there):
                self._keep_lost(lost_lines(text, lost, _pointers_to(lost, catalog.header)))
        self._left = None if new or gone else (index, hubs)
        same = index == text and folder.exists(INDEX_NAME)
        return [
            *(Change(file, known[file].text if file in known else None, hub) for file, hub in new.items()),
            *([] if same else [Change(INDEX_NAME, text, index)]),
            *(Change(file, known[file].text, None) for file in gone),
        ]

    def settle(self, catalog: Catalog) -> None:
        """Remember that index, hubs and catalog agree as they are: until one changes, none is compared."""
        self._in_step = self._left and (*self._left, catalog.generation)

    def note_seen(self, text: str, *, ours: bool = False) -> None:
        """Remember a text of the index as known, so that others' edits can be told; whether we wrote it."""
        self._written = text if ours else self._written
        with suppress(OSError), make_folder(self._state) as state:
            state.replace_cache(_LAST, file_bytes(text))

    def warning(self) -> str | None:
        """Return a sentence when the index had to be left as it is, or what we wrote last is near a limit."""
        return self._held or near_limits(self._written)

    def external_edit(self, folder: Folder) -> tuple[str | None, str] | None:
        """Return the text we saw last, None if we saw none, and the present one, where these differ."""
        last = None
        with suppress(OSError), open(os.path.join(self._state, _LAST), "rb", buffering=0) as file:
            last = file.readall().decode("utf-8", "surrogateescape")
        present = index_text(folder)
        return None if present.held or present.text == last else (last, present.text)

    def look(self, folder: Folder, catalog: Catalog) -> IndexCheck:
        """Compare the index with the files."""
        present = index_text(folder)
        hubs, others, in_hubs = self._hubs(folder)
        text = readable_text(present.text)
        rest = prune(text, lambda file: file in catalog or file in hubs or file in others)
        last, now = self.external_edit(folder) or (None, "")
        unread, gone = _unread(folder, catalog), [file for file in in_hubs if file not in catalog]
        return IndexCheck(
            missing=tuple(f for f in catalog if f not in rest.present and f not in in_hubs),
            dangling=tuple(file for file in (*rest.dropped, *sorted(gone)) if file not in unread),
            twice=(*rest.duplicates, *(file for file in rest.present if file in in_hubs)),
            changed_outside=() if last is None else tuple(line_changes(last, now)),
            long_lines=tuple(line for line in text.splitlines() if len(line) > _LONG_LINE),
            prose_too_long=not fits(prune(text, lambda _: False).text),
            held=present.held,
            is_folder=present.is_folder,
        )

    def _continue_index(
        self, text: str, hubs: Sequence[Hub], catalog: Catalog, changed: Mapping[str, Header | None]
    ) -> str | None:
        """Return the index after one memory changed, where nothing else changed since all was in step."""
        if self._in_step is None or len(changed) != 1:
            return None
        was, known, generation = self._in_step
        same_hubs = len(known) == len(hubs) and all(map(is_, known, hubs))
        if not same_hubs or generation != catalog.generation or was != text:
            return None
        ((file, header),) = changed.items()
        old = catalog.header(file)
        if header is None or (not old and file in self._lost_lines()):
            return None
        return with_one_pointer(text, pointer_of(header), pointer_of(old) if old else None)

    def _arrange(
        self,
        text: str,
        hubs: Sequence[Hub],
        others: AbstractSet[str],
        catalog: Catalog,
        *,
        changed: Mapping[str, Header | None],
        unread: AbstractSet[str],
    ) -> Arrangement:
        """Compare every pointer with every file; one that cannot be read now keeps the pointer it has."""
        files = {*catalog, *unread, *changed}
        files -= {file for file, header in changed.items() if header is None}
        recalled = cache(partial(_last_recalls, self._state))

        def weigh(rank: RankedPointer) -> RankedPointer:
            """Return a memory as it counts: as young as its last recall, and pinned if the user pinned it."""
            (claimed, saved), file = rank.value, rank.pointer.file
            pinned = bool(claimed) and (file in changed or self.is_pinned(file))
            return replace(rank, value=(pinned, max(saved, recalled().get(file, saved))))

        def rank_pointer(file: str) -> RankedPointer:
            header = changed.get(file) or catalog.header(file)
            if header is None:  # it cannot be read now, so that all that is known of it is its file
                return RankedPointer(Pointer(title_of(file.removesuffix(".md")), file), None, (False, 0.0))
            return RankedPointer(
                pointer_of(header), header.kind, (header.pinned, header.saved_at.timestamp())
            )

        return arrange(text, files, rank_pointer, hubs, others, weighed=weigh)

    def _lost_lines(self) -> dict[str, LostLine]:
        """Return the lines of memories that are gone, by file; what keeps them may itself be lost."""
        try:
            with open(os.path.join(self._state, _LOST), "rb") as file:
                rows = json.load(file)
            return {str(row[0]): LostLine(str(row[1]), int(row[2]), str(row[3]), str(row[4])) for row in rows}
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return {}

    def _with_returned(self, text: str, in_hubs: AbstractSet[str], header: _HeaderOf) -> str:
        """Return an index with the pointers of memories that are there again, unless a hub has them."""
        if not (lost := self._lost_lines()):
            return text
        back = [file for file in lost if file not in in_hubs and file not in targets(text)]
        return with_lost_lines(text, lost, _pointers_to(back, header))

    def _keep_lost(self, lost: dict[str, LostLine]) -> None:
        """Keep what an index said about memories that neither it nor a hub points at any more."""
        kept = {file: line for file, line in self._lost_lines().items() if file not in lost} | lost
        with suppress(OSError), make_folder(self._state) as state:
            rows = [(file, *line) for file, line in [*kept.items()][-_MOST_LOST:]]
            state.replace_cache(_LOST, json.dumps(rows).encode())

    def _hubs(self, folder: Folder) -> tuple[dict[str, Hub], frozenset[str], frozenset[str]]:
        """Return the hubs that we made, the files beside them that are not ours, and the memories in hubs."""
        try:
            below = folder.below(HUB_FOLDER.rstrip("/"))
            names = sorted(os.listdir(below.fd if below.fd >= 0 else below.path))
        except OSError as error:
            if error.errno in NO_FILE:
                return {}, frozenset(), frozenset()
            raise
        found = {HUB_FOLDER + name: self._hub(below, name) for name in names if name.endswith(".md")}
        hubs = {file: hub for file, hub in found.items() if hub}
        listed = frozenset[str]().union(*(hub.files for hub in hubs.values()))
        return hubs, frozenset(found.keys() - hubs.keys()), listed

    def _hub(self, below: Folder, name: str) -> Hub | None:
        signature, known = below.identity(name), self._parsed.get(name)
        if not signature or known is None or known[0] != signature:
            version, file = version_on_disk(below, name), HUB_FOLDER + name
            hub = parse_hub(file, version.text) if version and is_generated(file, version.text) else None
            known = self._parsed[name] = signature, hub
        return known[1]


def line_changes(last: str, present: str) -> list[str]:
    """Return the lines that are gone and those that are new, each with its sign, fit to be shown."""
    old, new = readable_text(last).splitlines(), readable_text(present).splitlines()
    gone, came = set(old).difference(new), set(new).difference(old)
    return [f"- {line}" for line in old if line in gone] + [f"+ {line}" for line in new if line in came]


def _start_index(
    text: str,
    hubs: Sequence[Hub],
    catalog: Catalog,
    changed: Mapping[str, Header | None],
    moved: Mapping[str, str],
) -> str:
    """Return the text with new pointers to what is saved again, in a person's words where there were some."""
    for file, header in changed.items():
        old = catalog.header(moved.get(file, file))
        if header and old:
            pointer = _in_words(pointer_of(header), pointer_of(old), hubs)
            for before in (pointer_of(old), plain_pointer(old)):
                text = with_pointer(text, pointer, previous=before)
    return text


def _in_words(pointer: Pointer, before: Pointer, hubs: Sequence[Hub]) -> Pointer:
    """Return the pointer in a person's words, if it comes out of a hub where these stand."""
    hub = next((hub for hub in hubs if before.file in hub.files), None)
    if hub is None or pointer_line(before, below=True) in hub.text:
        return pointer
    there = next(there for _, there in pointers(hub.text, below=True) if there.file == before.file)
    return Pointer(there.title, pointer.file, there.hook)


def _last_recalls(state: str) -> dict[str, float]:
    """Return when each memory was last recalled, as far back as receipts are kept."""
    found: dict[str, float] = {}
    for receipt in Receipts(state).all():
        with suppress(ValueError):
            at = datetime.fromisoformat(receipt.at).timestamp()
            for file in receipt.files:
                found.setdefault(file, at)  # the newest come first
    return found


def _shorten_lines(text: str, catalog: Catalog) -> str:
    lines = text.split("\n")
    for number, file in enumerate(targets(text)):
        header = catalog.header(file) if len(lines[number]) > _LONG_LINE else None
        if header is not None:
            lines[number] = pointer_line(pointer_of(header))
    return "\n".join(lines)


def _pointers_to(files: Iterable[str], header: _HeaderOf) -> dict[str, Pointer]:
    return {one.file: pointer_of(one) for one in map(header, files) if one}


def _unread(folder: Folder, catalog: Catalog) -> frozenset[str]:
    """Return the memories that are there and cannot be read now."""
    unread = catalog.findings.unread
    return frozenset([file for file in unread if file not in catalog and folder.exists(file)])
