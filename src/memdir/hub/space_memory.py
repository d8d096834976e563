"""The memory of a space on a node: the parts of any memory, except that PostgreSQL keeps what was done."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from threading import Lock, get_ident

from memdir.build import Options, Parts
from memdir.config.enabled import Verdict
from memdir.config.world import World
from memdir.disk.files import Folder, make_folder
from memdir.errors import Rejected
from memdir.hub.space_history import SpaceHistory
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.change import Change, Operation, file_bytes
from memdir.memories.directory import MemoryDir
from memdir.memories.history.external_changes import OUTSIDE
from memdir.memories.history.recorder import Recorder
from memdir.memories.index.file import IndexCheck, IndexFile
from memdir.memories.plans import Plan
from memdir.memories.topic import Header, Provenance
from memdir.memories.writer import Writer
from memdir.models.protocol import Model

__all__ = [
    "EACH_CHANGE",
    "Changed",
    "MayOnlyRead",
    "SpaceParts",
    "SpaceWriter",
    "space_world",
]

_ON = Verdict(on=True, because="it is the memory of a space", rule="at")

_PASSED_ON = ("MEMDIR_WEIGHTS",)
MODEL_VARIABLES = (
    "MEMDIR_MODEL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
)
"""Of the environment of a process, what its memories may know; only workers ask models."""


class MayOnlyRead(Rejected):
    """A change was asked for by somebody who may only read."""


Changed = tuple[Operation, list[str]]


def _refuse_write(_make: Callable[[], Changed]) -> Changed:
    raise MayOnlyRead("This token may only read. Use one with the scope write.")


EACH_CHANGE: ContextVar[Callable[[Callable[[], Changed]], Changed]] = ContextVar(
    "each_change", default=_refuse_write
)
"""How a change is made that no verb was opened for: refused, or published by itself."""


class _SpaceCatalog(Catalog):
    """The catalog of a copy: nobody else writes there, so files are looked at only when some came."""

    is_behind = True
    """Whether files came that did not go through the writer."""

    def refresh(self, folder: Folder, late: Callable[[], bool] | None = None) -> None:
        """Look at every file, if some came."""
        if self.is_behind:
            self.is_behind, looked = False, False  # before the look: what comes meanwhile makes another due
            try:
                super().refresh(folder, late)
                looked = not self.unread
            finally:
                self.is_behind = self.is_behind or not looked

    def is_fresh(self, _folder: Folder, _seconds: float) -> bool:
        """Tell whether no file came since the last look."""
        return not self.is_behind


class _SpaceIndex(IndexFile):
    """The index of a copy: it is no part of the space, so it is written when somebody looks at it."""

    def __init__(self, state: str) -> None:
        super().__init__(state)
        self._mutex, self._written_at = Lock(), -1

    def edits(
        self,
        _folder: Folder,
        _catalog: Catalog,
        _changed: Mapping[str, Header | None],
        _words: str | None = None,
        _moved: Mapping[str, str] | None = None,
    ) -> list[Change]:
        return []

    def view(self, folder: Folder, catalog: Catalog) -> str:
        self._write(folder, catalog)
        return super().view(folder, catalog)

    def look(self, folder: Folder, catalog: Catalog) -> IndexCheck:
        self._write(folder, catalog)
        return super().look(folder, catalog)

    def _write(self, folder: Folder, catalog: Catalog) -> None:
        with self._mutex:
            if self._written_at == catalog.generation:
                return
            self._written_at = catalog.generation
            for edit in super().edits(folder, catalog, {}):
                if edit.after is None:
                    folder.remove(edit.file)
                else:
                    folder.stage(edit.file, file_bytes(edit.after), durable=False).place()


class SpaceWriter(Writer):
    """Writes into a cache and lists what it wrote, for PostgreSQL; there is no other history."""

    catalog: _SpaceCatalog

    def __init__(self, root: str) -> None:
        """Take the folder of a cache."""
        memories = MemoryDir(os.path.join(root, "memories"), state := os.path.join(root, "state"))
        memories.catalog, memories.index = _SpaceCatalog(state), _SpaceIndex(state)
        super().__init__(memories, None)
        self.recorder = _NoHistory(memories.path, state, None)
        self.recorder.history = SpaceHistory(state)
        self.open_in = 0
        """The thread in which changes are allowed now."""
        self.done: list[Operation] = []
        self._begun = 0

    @property
    def is_touched(self) -> bool:
        """Whether the directory may hold something that PostgreSQL does not have."""
        return self._begun > 0

    @property
    def is_torn(self) -> bool:
        """Whether a change began and broke off."""
        return self._begun != len(self.done)

    def settle(self) -> None:
        """Forget what was done: PostgreSQL has it."""
        self.done.clear()
        self._begun = 0

    def note_outside(self, now: datetime, by: Provenance = OUTSIDE, *, file: str = "") -> None:
        """Do nothing: nobody else writes into a cache."""

    def apply(
        self, verb: str, by: Provenance, now: datetime, plan: Plan, *, undoes: str = "", named: str = ""
    ) -> tuple[Operation, list[str]]:
        """Do what the plan says, if changes are allowed, or in the way that this request has for each."""
        if self.open_in != get_ident():
            each = EACH_CHANGE.get()
            return each(partial(self.apply, verb, by, now, plan, undoes=undoes, named=named))
        operation, warnings = super().apply(verb, by, now, plan, undoes=undoes, named=named)
        self.done += [operation] if operation.id else []
        return operation, warnings

    def _make(
        self, folder: Folder, operation: Operation, edits: Sequence[Change], now: datetime
    ) -> tuple[Operation, list[str]]:
        self._begun += 1
        return super()._make(folder, operation, edits, now)

    def _put_index(self, *_: object) -> None:
        """Do nothing: it is written when somebody looks at it."""

    @contextmanager
    def _lock(self) -> Iterator[Folder]:
        """Hold the directory alone among the threads of this process: no other process knows it."""
        with self.memories.threads, make_folder(self.memories.path) as folder:
            self.catalog.refresh(folder)
            yield folder


class _NoHistory(Recorder):
    """Writes nothing down: PostgreSQL has the operation log of a space and every version."""

    def note(self, _operation: Operation) -> str | None:
        return None

    def keep_removed(self, _operation: str, _changes: object) -> None:
        pass

    def follow(self, _now: datetime) -> None:
        pass

    def catch_up(self, _now: datetime, *, seconds: float = 0) -> None:
        pass


class SpaceParts(Parts):
    """The parts of the memory of one space, for one conversation."""

    def __init__(self, world: World, writer: SpaceWriter, model: Model | None = None) -> None:
        """Take what changes the cache; conversations of one space share it."""
        memories = writer.memories
        super().__init__(world, memories.path, memories.state, _ON, options=Options(model=model))
        self.writer, self.memories, self.recorder = writer, memories, writer.recorder


def space_world(root: str, env: Mapping[str, str], session: str = "", *, asks: bool = False) -> World:
    """Return all that the memory of a space may know of the machine it happens to be on.

    `asks` says that a model may be asked.
    """
    home = os.path.join(root, "home")
    names = (*_PASSED_ON, *MODEL_VARIABLES) if asks else _PASSED_ON
    known = {name: env[name] for name in names if env.get(name)}
    return World({**known, "HOME": home, "PATH": ""}, home, home, session=session)
