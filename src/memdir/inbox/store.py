"""Store proposals, changes that wait for a person, one file each."""

import hashlib
import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from memdir.disk.append_log import append_lines
from memdir.disk.files import make_folder, storage_errors
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.change import Edit
from memdir.memories.topic import Provenance
from memdir.text.dates.calendar import utc_stamp
from memdir.text.frontmatter.header import parse
from memdir.text.value import value_class

__all__ = ["Inbox", "Proposal", "matter"]

_FOLDER, _SUFFIX, _REJECTED = "inbox", ".json", "rejected"


@value_class(frozen=True, slots=True)
class Proposal:
    """One set of changes that belong together, why it waits, and who worked it out."""

    edits: tuple[Edit, ...]
    by: Provenance
    because: str
    """Why it was not simply done."""
    at: datetime
    id: str = ""
    """Given by the inbox."""

    @property
    def files(self) -> list[str]:
        """Return the files that it would change."""
        return [edit.file for edit in self.edits]


class Inbox:
    """The folder `inbox` in the state folder: one file a proposal, kept until it is applied or rejected."""

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
        if _mark(proposal) in self._rejected():
            return ""
        made = f"{proposal.at.astimezone(UTC):%y%m%d}-{os.urandom(3).hex()}"
        with storage_errors("The proposal was not kept"), make_folder(self._path) as folder:
            folder.write(made + _SUFFIX, json.dumps(_as_json(proposal), indent=1).encode())
        return made

    def proposals(self) -> list[Proposal]:
        """Return all that wait, oldest first; a damaged one is left out and stays on disk."""
        found = [one for one in map(self._read, self._ids()) if one is not None]
        return sorted(found, key=lambda one: (one.at, one.id))

    def count(self) -> int:
        """Return how many wait, without reading them."""
        return len(self._ids())

    def proposal(self, wished: str) -> Proposal:
        """Return one by its id or the beginning of it."""
        ids = [known for known in self._ids() if wished and known.startswith(wished)]
        one = self._read(ids[0]) if len(ids) == 1 else None
        if one is None:
            how_many = "Several proposals begin" if len(ids) > 1 else "No proposal begins"
            raise NoSuchMemory(f"{how_many} with {wished!r}. `memdir inbox list` shows what waits.")
        return one

    def reject(self, proposal: Proposal) -> None:
        """Take one out, and remember that it was not wanted."""
        with storage_errors("The rejection was not kept"), make_folder(self._path) as folder:
            append_lines(folder, _REJECTED, f"{_mark(proposal)}\n".encode())
        self.remove(proposal)

    def remove(self, proposal: Proposal) -> None:
        """Take one out that was applied."""
        with storage_errors("The proposal was not removed"), make_folder(self._path) as folder:
            with suppress(FileNotFoundError):
                folder.remove(proposal.id + _SUFFIX)
            folder.sync()

    def _rejected(self) -> set[str]:
        with suppress(OSError), open(os.path.join(self._path, _REJECTED), "rb") as file:
            return set(file.read().decode("ascii", "replace").split())
        return set()

    def _ids(self) -> list[str]:
        try:
            names = os.listdir(self._path)
        except FileNotFoundError:
            return []
        return sorted(n.removesuffix(_SUFFIX) for n in names if n.endswith(_SUFFIX) and not n.startswith("."))

    def _read(self, made: str) -> Proposal | None:
        path = os.path.join(self._path, made + _SUFFIX)
        with suppress(OSError, ValueError, LookupError, TypeError, RecursionError), open(path, "rb") as file:
            return _from_json(made, json.load(file))
        return None


def matter(text: str | None) -> str:
    """Return a text without the keys that differ each time it is worked out: moments and sessions."""
    if text is None:
        return ""
    front = parse(text)
    keys = (front.fields.get(key) or front.metadata.get(key) or "" for key in _SAYING)
    return "\0".join([*keys, text[front.body :].strip()])


def _mark(proposal: Proposal) -> str:
    """Return what two proposals of the same have in common: files, bodies, and what headers say of them."""
    texts = sorted(f"{edit.file}\0{matter(edit.after)}" for edit in proposal.edits)
    return hashlib.sha256("\0\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


_SAYING = ("name", "description", "type", "expires", "supersedes", "pinned", "enforce")


def _as_json(proposal: Proposal) -> dict[str, object]:
    by = proposal.by
    return {
        "at": utc_stamp(proposal.at),
        "because": proposal.because,
        "by": [by.actor, by.source, by.method, by.session, by.reason],
        "edits": [[edit.file, edit.before, edit.after, edit.saved_ns] for edit in proposal.edits],
    }


def _from_json(made: str, row: dict[str, Any]) -> Proposal:
    edits, by = tuple(Edit(*edit) for edit in row["edits"]), row["by"]
    if not (all(map(_is_sound, edits)) and all(isinstance(word, str) for word in by)):
        raise Rejected(f"{made} is not a proposal.")
    at = datetime.fromisoformat(row["at"])
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return Proposal(edits, Provenance(*by), str(row["because"]), at, made)


def _is_sound(edit: Edit) -> bool:
    texts, saved = (edit.before, edit.after), edit.saved_ns
    whole = all(text is None or isinstance(text, str) for text in texts)
    return isinstance(edit.file, str) and whole and (saved is None or isinstance(saved, int))
