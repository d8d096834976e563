"""A state machine that does to a memory directory what people, hosts and other tools do, against a dict."""

import os
import shutil
import tempfile
from collections import Counter
from contextlib import suppress

from hypothesis import HealthCheck, Phase, seed as seeded, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from memdir.core.index import pointers
from memdir.core.topic import Draft
from memdir.errors import NoSuchMemory
from memdir.memory import Memory
from memdir.store.undo import ChangedSince
from tests.reliability.figure import Figure
from tests.reliability.place import Place

__all__ = ["MemoryMachine", "machine_figure"]

_NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon"])
_BODIES = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=30).map(
    lambda text: f"Body {text} ends."
)
_HANDLES = st.integers(0, 2)
_DAMAGES = st.sampled_from(["gone", "empty", "conflict", "garbage", "double", "stranger", "fence"])


class MemoryMachine(RuleBasedStateMachine):
    """Several handles on one directory, and someone else who edits it with a plain editor."""

    def __init__(self) -> None:
        super().__init__()
        self._place = Place(tempfile.mkdtemp(prefix="memdir-machine-"))
        self._handles = [self._place.memory() for _ in range(3)]
        self._model: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._undo: list[tuple[str, dict[str, str], dict[str, str]]] = []

    def teardown(self) -> None:
        shutil.rmtree(self._place.root, ignore_errors=True)

    @initialize()
    def start(self) -> None:
        self._remember(0, "alpha", "The first.")

    @rule(handle=_HANDLES, name=_NAMES, body=_BODIES)
    def save(self, handle: int, name: str, body: str) -> None:
        self._remember(handle, name, body)

    @rule(handle=_HANDLES, names=st.lists(_NAMES, min_size=2, max_size=3, unique=True), body=_BODIES)
    def save_many(self, handle: int, names: list[str], body: str) -> None:
        before = self._snapshot()
        drafts = [Draft(body, "reference", name, f"About {name}") for name in names]
        saved = self._handles[handle].remember_many(drafts)
        for each in saved:
            self._model[each.name], self._files[each.name] = body.strip(), each.file
        self._undo.append((saved[0].operation, *before))

    @rule(handle=_HANDLES, name=_NAMES)
    def forget(self, handle: int, name: str) -> None:
        before = self._snapshot()
        try:
            forgotten = self._handles[handle].forget(name)
        except NoSuchMemory:
            assert name not in self._model
            return
        del self._model[name], self._files[name]
        self._undo.append((forgotten.operation, *before))
