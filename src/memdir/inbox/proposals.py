"""Proposals, changes that wait for a person: kept in one file each, listed, applied and rejected."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from memdir.disk.files import Folder, make_folder, storage_errors
from memdir.errors import Conflict, NoSuchMemory, Rejected
from memdir.memories.catalog.header_cache import Catalog
from memdir.memories.change import Change, Operation, shown_text, version_on_disk
from memdir.memories.names import is_conflict_copy, key_problem, original_of, rename_copy
from memdir.memories.plans import SavePlan, proposal_plan
from memdir.memories.refusals import refuse_secrets
from memdir.memories.topic import Draft, Header, Provenance, header_from
from memdir.memories.writer import Writer
from memdir.text.dates.calendar import utc_stamp
from memdir.text.diff import file_diff
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import parse
from memdir.text.secrets.search import find_secrets
from memdir.text.value import replace, value_class

__all__ = ["Inbox", "Proposal", "Proposals", "apply_edits", "comparable_text", "draft_edits"]

_FOLDER, _WAITING, _REJECTED = "inbox", ".json", ".rejected"


@value_class(frozen=True, slots=True)
class Proposal:
    """One set of changes that belong together, why it waits, and who worked it out."""

    edits: tuple[Change, ...]
    by: Provenance
    because: str
    """Why it waits instead of being applied."""
    at: datetime
    id: str = ""
    """Given by the inbox."""

    @property
    def files(self) -> list[str]:
        """Return the files that it would change."""
        return [edit.file for edit in self.edits]

    @property
    def diff(self) -> str:
        """Return all that it would change, as a unified diff."""
        return "".join(file_diff(edit.file, edit.before, edit.after) for edit in self.edits)


class Inbox:
    """The folder `inbox` in the state folder, one file a proposal: ID.json waits, ID.MARK.rejected does not.

    The mark is a hash of what the proposal would change, so that the same change is not proposed again.
    """

    def __init__(self, state: str) -> None:
        """Remember where it lies; the first proposal makes it."""
        self._path = os.path.join(state, _FOLDER)

    def add(self, proposal: Proposal) -> str:
        """Keep a proposal durably and return its id; one that waits already is not kept twice.

        One that a person rejected before does not come back: then the id is empty.
        """
        for known in self.proposals():
            if known.edits == proposal.edits:
                return known.id
        rejected = f".{_mark(proposal)}{_REJECTED}"
        if any(name.endswith(rejected) for name in self._names(_REJECTED)):
            return ""
        id_, by = f"{proposal.at.astimezone(UTC):%y%m%d}-{os.urandom(3).hex()}", proposal.by
        row = {
            "at": utc_stamp(proposal.at),
            "because": proposal.because,
            "by": [by.actor, by.source, by.method, by.session, by.reason],
            "edits": [edit.planned for edit in proposal.edits],
        }
        with storage_errors("The proposal was not kept"), make_folder(self._path) as folder:
            folder.write(id_ + _WAITING, json.dumps(row, indent=1).encode())
        return id_

    def proposals(self) -> list[Proposal]:
        """Return all that wait, oldest first; a damaged one is left out and stays on disk."""
        return self._read_all(_WAITING)

    def rejections(self) -> list[Proposal]:
        """Return all that were rejected, oldest first."""
        return self._read_all(_REJECTED)

    def count(self) -> int:
        """Return how many wait, without reading them."""
        return len(self._names(_WAITING))

    def proposal(self, wished: str) -> Proposal:
        """Return the proposal whose id begins like this; a rejected one only if none that waits does."""
        names: list[str] = []
        for suffix in (_WAITING, _REJECTED):
            names = names or [name for name in self._names(suffix) if wished and name.startswith(wished)]
        proposal = self._read(names[0]) if len(names) == 1 else None
        if proposal is None:
            how_many = "Several proposals begin" if len(names) > 1 else "No proposal begins"
            raise NoSuchMemory(f"{how_many} with {wished!r}. `memdir inbox list` shows what waits.")
        return proposal

    def reject(self, proposal: Proposal) -> None:
        """Put a proposal aside: it can still be applied, and the same is not proposed again.

        Of a proposal that holds a credential, only the mark is kept.
        """
        waiting, rejected = proposal.id + _WAITING, f"{proposal.id}.{_mark(proposal)}{_REJECTED}"
        texts = [text for edit in proposal.edits for text in (edit.before, edit.after) if text]
        with storage_errors("The rejection was not kept"), make_folder(self._path) as folder:
            if any(map(find_secrets, texts)):
                folder.write(rejected, b"")
                folder.remove(waiting)
                folder.sync()
            elif folder.exists(waiting):  # or it was rejected before
                folder.rename(waiting, rejected)

    def remove(self, proposal: Proposal) -> None:
        """Take one out that was applied, also one that was rejected first."""
        with storage_errors("The proposal was not removed"), make_folder(self._path) as folder:
            for name in self._names(_WAITING) + self._names(_REJECTED):
                if name.startswith(f"{proposal.id}."):
                    with suppress(FileNotFoundError):
                        folder.remove(name)
            folder.sync()

    def _names(self, suffix: str) -> list[str]:
        try:
            names = os.listdir(self._path)
        except FileNotFoundError:
            return []
        return sorted(name for name in names if name.endswith(suffix) and not name.startswith("."))

    def _read_all(self, suffix: str) -> list[Proposal]:
        found = [proposal for name in self._names(suffix) if (proposal := self._read(name))]
        return sorted(found, key=lambda proposal: (proposal.at, proposal.id))

    def _read(self, name: str) -> Proposal | None:
        path = os.path.join(self._path, name)
        with suppress(OSError, ValueError, LookupError, TypeError, RecursionError), open(path, "rb") as file:
            return _from_json(name.partition(".")[0], json.load(file))
        return None


def comparable_text(text: str | None) -> str:
    """Return a text without the keys that differ each time it is worked out: moments and sessions."""
    if text is None:
        return ""
    front = parse(text)
    keys = (front.fields.get(key) or front.metadata.get(key) or "" for key in _LASTING_KEYS)
    return "\0".join([*keys, text[front.body :].strip()])


def _mark(proposal: Proposal) -> str:
    """Return a hash of files, bodies and lasting keys: two proposals of the same change share it."""
    texts = sorted(f"{edit.file}\0{comparable_text(edit.after)}" for edit in proposal.edits)
    return hashlib.sha256("\0\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


_LASTING_KEYS = ("name", "description", "type", "expires", "supersedes", "pinned", "enforce")


def _from_json(name: str, row: dict[str, Any]) -> Proposal:
    edits, by = tuple(Change(*edit) for edit in row["edits"]), row["by"]
    texts = [text for edit in edits for text in (edit.before, edit.after) if text is not None]
    times = [edit.saved_ns for edit in edits if edit.saved_ns is not None]
    words = (*texts, *(edit.file for edit in edits), *by)
    if not all(isinstance(one, str) for one in words) or not all(isinstance(one, int) for one in times):
        raise ValueError(f"{name} is not a proposal")
    at = datetime.fromisoformat(row["at"])
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return Proposal(edits, Provenance(*by), str(row["because"]), at, name)


def draft_edits(writer: Writer, drafts: Sequence[Draft], by: Provenance, now: datetime) -> list[Change]:
    """Return what saving these drafts would write, without writing it."""
    complete = writer.complete_drafts(drafts, now)
    with writer.memories.open_folder() as folder:
        if folder is None:  # nothing can be replaced there, so the plan reads nothing
            return SavePlan(Catalog(writer.memories.state), complete, by, now)(Folder("", -1))
        writer.catalog.refresh(folder)
        edits = SavePlan(writer.catalog, complete, by, now)(folder)
        return [replace(edit, before=_text(folder, edit.file)) for edit in edits]


def apply_edits(
    writer: Writer, edits: Sequence[Change], by: Provenance, now: datetime, *, verb: str
) -> Operation:
    """Make all the changes in one step that can be undone, or none when a file is not as it was seen."""
    for edit in edits:
        if problem := key_problem(edit.file):
            raise Rejected(f"{edit.file!r} cannot be a memory file: {problem}.")
        refuse_secrets(edit.after or "")
    return writer.apply(verb, by, now, proposal_plan(edits))[0]


def _text(folder: Folder, file: str) -> str | None:
    version = version_on_disk(folder, file)
    return None if version is None else shown_text(version.text)


class Proposals:
    """The changes that wait for a person in one memory directory."""

    def __init__(self, writer: Writer, clock: Callable[[], datetime]) -> None:
        """Use this writer, and the inbox in its state folder."""
        self._writer, self._clock = writer, clock
        self._inbox = Inbox(writer.memories.state)

    def list(self) -> list[Proposal]:
        """Return all that wait, oldest first, and the conflicts that a sync left."""
        return [*self._inbox.proposals(), *self._conflicts()]

    def rejections(self) -> Sequence[Proposal]:
        """Return all that were rejected, oldest first; `apply` writes one all the same."""
        return self._inbox.rejections()

    def show(self, wished: str) -> Proposal:
        """Return one by its id or the beginning of it, also one that was rejected."""
        left = [one for one in self._conflicts() if wished and one.id.startswith(wished)]
        return left[0] if len(left) == 1 else self._inbox.proposal(wished)

    def apply(self, wished: str) -> tuple[Proposal, str]:
        """Write one proposal in one step; `Conflict` when a memory changed since.

        Return it with the operation that undoes it; empty when all of it was there already.
        """
        proposal = self.show(wished)
        if self._is_written(proposal):  # by somebody who died before the proposal was taken out
            self._inbox.remove(proposal)
            return proposal, ""
        try:
            done = apply_edits(self._writer, proposal.edits, proposal.by, self._clock(), verb="apply")
        except Conflict as conflict:
            conflict.add_note("Compare it with the present text, edit by hand what is right, and reject it.")
            raise
        self._inbox.remove(proposal)
        return proposal, done.id

    def reject(self, wished: str) -> tuple[Proposal, str]:
        """Put one aside without writing it; the same does not come back. A conflict's copy is removed.

        Return it with the operation that removed the copy, which can be undone; empty for any other proposal,
        which can still be applied.
        """
        proposal = self.show(wished)
        if is_conflict_copy(proposal.files[-1]):
            edits, now = proposal.edits[-1:], self._clock()
            return proposal, apply_edits(self._writer, edits, proposal.by, now, verb="apply").id
        self._inbox.reject(proposal)
        return proposal, ""

    def _conflicts(self) -> Sequence[Proposal]:
        """Return for each conflict copy the proposal to put its text in the place of the present one."""
        memories = self._writer.memories
        copies = [header for header in memories.scan() if is_conflict_copy(header.file)]
        with memories.open_folder() as folder:
            found = [_conflict(folder, header) for header in reversed(copies) if folder]
        return [one for one in found if one]

    def _is_written(self, proposal: Proposal) -> bool:
        present = [self._writer.version_now(edit.file) for edit in proposal.edits]
        texts = [version.text if version else None for version in present]
        return texts == [edit.after for edit in proposal.edits]


_BOTH = "two sides changed {file} at once: apply takes the other text, reject keeps the present one"


def _conflict(folder: Folder, header: Header) -> Proposal | None:
    file = original_of(header.file)
    other, present = _text(folder, header.file), _text(folder, file)
    if other is None:
        return None
    name = header_from(file, present, header.saved_at).name if present else ""
    text = with_value(other, "name", name) if name else rename_copy(other, file)
    edits = Change(file, present, text), Change(header.file, other, None)
    made = f"conflict-{hashlib.sha256(header.file.encode('utf-8', 'replace')).hexdigest()[:6]}"
    return Proposal(edits, Provenance("user"), _BOTH.format(file=file), header.saved_at, made)
