"""The edits of each verb (save, edit, forget, rename, apply a proposal), worked out under the lock."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from stat import S_ISDIR
from time import monotonic

from memdir.disk.files import MAX_FILE_BYTES, Folder
from memdir.errors import Conflict, NoSuchMemory, Rejected, StorageError
from memdir.memories.catalog.header_cache import Catalog, signature_of
from memdir.memories.change import Change, Version, shown_text, version_on_disk
from memdir.memories.directory import MemoryDir, refuse_unread, unread_file
from memdir.memories.draft import body_text, render_draft, says_the_same, update_draft
from memdir.memories.enforce import holds_rule
from memdir.memories.names import INDEX_NAME, file_name, replacement, slug
from memdir.memories.refusals import refuse_secrets
from memdir.memories.topic import EPOCH, Draft, Header, Provenance, Topic, topic_from
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import parse
from memdir.text.markdown import has_link_to
from memdir.text.value import field, replace, value_class

__all__ = [
    "Plan",
    "SavePlan",
    "edit_plan",
    "forget_plan",
    "free_name",
    "proposal_plan",
    "refuse_rule",
    "rename_plan",
    "replaced_version",
    "used_names",
]

Plan = Callable[[Folder], Sequence[Change]]

_END = datetime(2262, 1, 1, tzinfo=UTC)


def used_names(catalog: Catalog, within: str = "") -> set[str]:
    """Return the names that a new file cannot have, case-folded; those in a folder, whose path ends in /."""
    names = catalog.casefolded_names() | {item.file.casefold() for item in catalog.findings.skipped}
    return {name.removeprefix(within) for name in names if name.startswith(within)} if within else names


def edit_plan(catalog: Catalog, topic: Topic, text: str) -> Plan:
    """Replace a whole file if it still holds the expected text; a change of its header keeps its time."""
    file = topic.header.file

    def plan(folder: Folder) -> list[Change]:
        version = version_on_disk(folder, file)
        if version is None or shown_text(version.text) != topic.text:
            raise Conflict(
                f"{file} was changed by someone else meanwhile. Nothing was written; read it again."
            )
        new = topic_from(file, text)
        if new.header.name != topic.header.name:
            catalog.refresh(folder)
            _refuse_used(catalog, new.header.name)
        saved_ns = version.saved_ns if new.body == topic.body else None
        return [Change(file, version.text, keep_odd_bytes(file, text, version.text), saved_ns)]

    return plan


def proposal_plan(edits: Sequence[Change]) -> Plan:
    """Make edits whose texts a person was shown; bytes that nobody was shown stay as they are."""

    def plan(folder: Folder) -> list[Change]:
        present = {edit.file: version_on_disk(folder, edit.file) for edit in edits}
        texts = {file: version and shown_text(version.text) for file, version in present.items()}
        changed = [edit.file for edit in edits if texts[edit.file] != edit.before]
        if changed:
            raise Conflict(
                f"{', '.join(changed)} changed since this was worked out. Nothing was written; do it again."
            )
        made = list(edits)
        for at, edit in enumerate(edits):
            if edit.after is not None and (was := present[edit.file]):
                made[at] = replace(edit, after=keep_odd_bytes(edit.file, edit.after, was.text))
        return made

    return plan


def forget_plan(memories: MemoryDir, name: str) -> Plan:
    """Remove the memory that has the name now, whatever it was called when its file was seen last."""

    def plan(folder: Folder) -> list[Change]:
        memories.catalog.refresh(folder)
        return [Change(memories.file_of(name), "", None)]

    return plan


def rename_plan(memories: MemoryDir, name: str, new: str, hints: list[str]) -> Plan:
    """Move a memory to the file of its new name, in the same folder; the text keeps its time.

    The plan adds to `hints` what is to be said about it.
    """

    def plan(folder: Folder) -> list[Change]:
        catalog, called = memories.catalog, slug(new)
        catalog.refresh(folder)
        file = memories.file_of(name)
        header, version = catalog.header(file), version_on_disk(folder, file)
        if header is None or version is None:
            raise NoSuchMemory(f"{file} cannot be read, so it cannot be renamed. `memdir doctor` says why.")
        _refuse_used(catalog, called)
        refuse_unread(catalog, folder.path, called)
        within = file[: file.rfind("/") + 1]
        used = used_names(catalog, within.casefold())
        target = f"{within}{file_name(header.kind or 'memory', new, used)}"
        hints.extend(_link_hints(folder, catalog, header))
        text = with_value(version.text, "name", called)
        return [Change(target, None, text, version.saved_ns), Change(file, version.text, None)]

    return plan


def _link_hints(folder: Folder, catalog: Catalog, header: Header) -> list[str]:
    """Say which other memories link to one that is about to get another name."""
    found = []
    for file in sorted(catalog):
        version = version_on_disk(folder, file) if file != header.file else None
        if version is not None and has_link_to(version.text, header.name, header.file):
            found.append(file)
    more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    files = f"{', '.join(found[:_MOST_SHOWN])}{more}"
    told = f"Links to {header.name!r} ({header.file}) are still in {files}. Change them there."
    return [told] if found else []


_MOST_SHOWN = 5


def refuse_rule(by: Provenance, file: str, previous: str) -> None:
    """Raise when someone else than the user would change or remove a memory that agents are held to."""
    if by.actor != "user" and holds_rule(previous):
        raise Rejected(f"{file} holds a rule that agents are held to. Only the user may change it.")


def free_name(catalog: Catalog, name: str, kind: str | None) -> tuple[str, str]:
    """Return a name that no memory has, made from the wished one, and its file."""
    wished = (slug(name if number < 2 else f"{name}-{number}") for number in range(1, len(catalog) + 3))
    free = next(candidate for candidate in wished if catalog.file_named(candidate) is None)
    return free, file_name(kind or "memory", free, used_names(catalog))


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


def _refuse_used(catalog: Catalog, name: str) -> None:
    if catalog.file_named(name) is not None:
        raise Rejected(f"There is a memory called {name!r} already. Choose another name.")


_FEW, _BURST_SECONDS = 200, 1.0
"""Looking at so few files costs next to nothing beside a save; at more, a burst of saves looks once a second
whether someone gave one of them a new name."""


@value_class(frozen=True, slots=True)
class SavePlan:
    """Finds for each draft the file it updates or makes, and the text that then stands there.

    None of the drafts takes the place of another.
    """

    _catalog: Catalog
    _drafts: Sequence[Draft]
    """With all fields filled in."""
    _by: Provenance
    _now: datetime
    allow_secret: bool = False
    done: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The file of each draft and what is to be said about it, in order, once the plan was made."""
    _used: set[str] = field(default_factory=set)
    _chosen: set[str] = field(default_factory=set)
    """Names that somebody gave."""
    _by_name: dict[str, tuple[str, Draft]] = field(default_factory=dict)
    _edits: dict[str, Change] = field(default_factory=dict)
    _superseded: dict[str, None] = field(default_factory=dict)
    """The files whose place a draft takes: they go to the trash in the same step."""

    def __call__(self, folder: Folder) -> list[Change]:
        """Return the texts to write; to be called once."""
        names = {draft.name for draft in self._drafts}
        names |= {slug(name) for draft in self._drafts for name in draft.supersedes.split(",") if name}
        # Where another memory than the catalog says may have one of the names, every file is looked at anew.
        files = [self._catalog.file_named(name) for name in names] if len(self._catalog) else []
        is_old = monotonic() - self._catalog.refreshed_at >= _BURST_SECONDS
        has_time = is_old or len(self._catalog) <= _FEW
        if any(not _is_as_seen(self._catalog, folder, file) if file else has_time for file in files):
            self._catalog.refresh(folder)
        self._used.update(used_names(self._catalog))
        self._chosen.update(draft.name for draft in self._drafts if "name" not in draft.filled)
        for given in self._drafts:
            find = self._free_target if "name" in given.filled else self._named_target
            file, draft, previous = find(folder, given)
            if file not in self._edits:
                self._by_name[draft.name] = file, draft
                draft = self._add_edit(file, draft, previous)
            self.done.append((file, draft.hints))
        return [*self._edits.values(), *(Change(file, "", None) for file in self._superseded)]

    def _add_edit(self, file: str, draft: Draft, previous: str | None) -> Draft:
        """Add the edit for a draft; return the draft with what it takes over from the old text."""
        was = None if previous is None else parse(previous)
        if previous is not None and was:
            refuse_rule(self._by, file, previous)
            draft = update_draft(draft, previous, was, self._now.date())
        saved_ns = _nanoseconds(draft.saved_at) if draft.saved_at else None
        signed = draft
        if draft.supersedes:
            signed = replace(draft, supersedes=self._supersede(draft.supersedes, file))
        by = replace(self._by, source=draft.source or self._by.source)
        text = render_draft(signed, by, self._now, previous, was)
        if not self.allow_secret:
            refuse_secrets(text, has_option=True)
        self._edits[file] = Change(file, previous, text, saved_ns)
        self._used.add(file.casefold())
        return draft

    def _supersede(self, names: str, file: str) -> str:
        """Return which memories a draft replaces, each with its day, and mark them for removal."""
        told = []
        for name in filter(None, map(str.strip, names.split(","))):
            old = self._catalog.file_named(slug(name)) or (name if name in self._catalog else None)
            header = self._catalog.header(old) if old is not None else None
            if old is None or header is None:
                raise NoSuchMemory(f"There is no memory {name!r} to replace. `memdir list` shows all names.")
            if old == file:
                raise Rejected(f"{name!r} cannot replace itself. Save the new text under its name instead.")
            told.append(replacement(header.name, header.saved_at.date()))
            self._superseded[old] = None
        return ", ".join(told)

    def _named_target(self, folder: Folder, draft: Draft) -> tuple[str, Draft, str | None]:
        """Return the file of the name that a draft was given, and the text there if it is in use."""
        name = draft.name
        if name in self._by_name:
            file, other = self._by_name[name]
            if not _says_the_same(other, draft):
                said = " and ".join(f"{item.body.strip()[:40]!r}" for item in (other, draft))
                raise Rejected(
                    f"Two of these are called {name!r}: {said}. Nothing was saved. Give one of them "
                    "another name, or make one text of both."
                )
            return file, draft, None
        if existing := self._catalog.file_named(name):
            version = replaced_version(folder, self._catalog, existing)
            if version is not None:
                return existing, draft, version.text
        if (item := unread_file(self._catalog, name)) and folder.exists(item.file):
            refuse_unread(self._catalog, folder.path, name)
        return file_name(str(draft.kind), name, self._used), draft, None

    def _free_target(self, folder: Folder, draft: Draft) -> tuple[str, Draft, str | None]:
        """Return the memory that says the same under a name made from this text, or a new one."""
        body, wished = body_text(draft), draft.name
        for number in count(1):
            name = wished if number == 1 else f"{wished}-{number}"
            file, other = self._by_name.get(name, ("", draft))
            if file and _says_the_same(other, draft):
                return file, draft, None
            if file or name in self._chosen or unread_file(self._catalog, name):
                continue
            existing = self._catalog.files_named(name)
            for known in existing:
                version = version_on_disk(folder, known)
                if version is not None and says_the_same(version.text, body):
                    return known, replace(draft, name=name), version.text
            if not existing:
                break
        return file_name(str(draft.kind), name, self._used), replace(draft, name=name), None


def _says_the_same(one: Draft, other: Draft) -> bool:
    """Tell whether two drafts differ only in their names."""
    one, other = (replace(draft, name="", title="", hints=(), filled=frozenset()) for draft in (one, other))
    return one == other


def _is_as_seen(catalog: Catalog, folder: Folder, file: str) -> bool:
    try:
        holder, name = folder.holder(file)
        return signature_of(holder.at(os.lstat, name)) == catalog.signature(file)
    except OSError:
        return False


def _nanoseconds(moment: datetime) -> int:
    """Return a time as files keep it; one without a zone is taken as UTC, as in the header."""
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if not EPOCH <= moment < _END:
        raise Rejected(f"saved_at is {moment}, a time that files do not keep. Give one from 1970 to 2261.")
    return (moment - EPOCH) // timedelta(microseconds=1) * 1000
