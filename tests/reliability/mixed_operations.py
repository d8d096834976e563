"""A state machine that does to a memory directory what people, hosts and other tools do, against a dict."""

import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.history.undo import ChangedSince
from memdir.memories.topic import Draft
from tests.contents import parts_of
from tests.reliability.harness.figure import Figure
from tests.reliability.harness.inspection import pointer_problems, topic_names
from tests.reliability.harness.sandbox import Place, quick_folder

__all__ = ["MemoryMachine", "machine_figure"]

_NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta"])
_BODIES = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=20).map(
    lambda t: f"It is {t}."
)
_HANDLES = st.integers(0, 2)
_STRANGERS = st.sampled_from(["stray.md", "sub/inner.md", "sub/deeper/file.md"])
_LINK = re.compile(r"^- \[[^\]]*\]\(([^)\n]+\.md)\)", re.MULTILINE)
_PROSE = "# Words of a person\n\nThey stay.\n\n"
_DAMAGES: dict[str, Callable[[str], str | None]] = {
    "gone": lambda _: None,
    "empty": lambda _: "",
    "garbage": lambda _: "\x00\x01 nothing of this is an index",
    "conflict": lambda text: f"<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n",
    "double": lambda text: text + text,
    "half": lambda text: text[: len(text) // 2],
    "stranger": lambda text: f"{text}- [Ghost](ghost.md) — nothing is there\n",
    "open fence": lambda text: f"```\n{text}",
    "prose": lambda text: _PROSE + text,
}

_DOUBLING = {"conflict", "double", "open fence"}

_Texts = dict[str, str | None]
"""Files with their texts; None stands for "not there"."""


class MemoryMachine(RuleBasedStateMachine):
    """Several handles on one directory, and someone else who edits it with a plain editor."""

    def __init__(self) -> None:
        """Begin with three handles on a directory that does not exist yet."""
        super().__init__()
        self._place = Place(tempfile.mkdtemp(prefix="memdir-machine-", dir=quick_folder()))
        self._handles = [self._place.memory() for _ in range(3)]
        self._model: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._done: list[tuple[str, _Texts, _Texts]] = []
        self._prose = False
        self._bodies = 0

    def teardown(self) -> None:
        """Throw the directory away."""
        shutil.rmtree(self._place.root, ignore_errors=True)

    @initialize(body=_BODIES)
    def begin(self, body: str) -> None:
        self.save(0, "alpha", body)

    @rule(handle=_HANDLES, name=_NAMES, body=_BODIES)
    def save(self, handle: int, name: str, body: str) -> None:
        body = self._new(body)
        with self._operation():
            saved = self._handles[handle].remember(
                body, kind="reference", name=name, description=f"On {name}"
            )
        assert saved.created == (name not in self._names)
        assert body.strip() in self._model[saved.file]
        self._names[name] = saved.file

    @rule(handle=_HANDLES, names=st.lists(_NAMES, min_size=2, max_size=3, unique=True), body=_BODIES)
    def save_many(self, handle: int, names: list[str], body: str) -> None:
        drafts = [Draft(self._new(body), "reference", name, f"On {name}") for name in names]
        with self._operation():
            saved = self._handles[handle].transfer.remember_many(drafts)
        assert len({each.operation for each in saved}) == 1
        self._names |= {each.name: each.file for each in saved}

    @rule(handle=_HANDLES, name=_NAMES)
    def forget(self, handle: int, name: str) -> None:
        if name not in self._names:
            self._refused(NoSuchMemory, lambda: self._handles[handle].forget(name))
            return
        with self._operation():
            assert self._handles[handle].forget(name).file == self._names.pop(name)

    @rule(handle=_HANDLES, old=_NAMES, new=_NAMES)
    def rename(self, handle: int, old: str, new: str) -> None:
        if old not in self._names or new in self._names:
            error = NoSuchMemory if old not in self._names else Rejected
            self._refused(error, lambda: self._handles[handle].rename(old, new))
            return
        with self._operation():
            self._names[new] = self._handles[handle].rename(old, new).file
        del self._names[old]

    @rule(handle=_HANDLES, body=_BODIES, name=_NAMES)
    def edit(self, handle: int, name: str, body: str) -> None:
        if name in self._names:
            topic = self._handles[handle].read(name)
            with self._operation():
                self._handles[handle].edit(topic, f"{topic.text}\n{body}\n")

    @rule(handle=_HANDLES)
    def undo(self, handle: int) -> None:
        if not self._done:
            return
        operation, before, after = self._done[-1]
        if any(self._model.get(file) not in {before[file], after[file]} for file in before):
            self._refused(ChangedSince, lambda: self._handles[handle].undo(operation))
            return
        self._done.pop()
        if all(self._model.get(file) == before[file] for file in before):
            self._refused(NoSuchMemory, lambda: self._handles[handle].undo(operation))
            return
        self._handles[handle].undo(operation)
        self._model = {file: text for file, text in {**self._model, **before}.items() if text is not None}
        self._names = {header.name: header.file for header in self._handles[handle].list()}

    @rule(handle=_HANDLES)
    def undo_newest(self, handle: int) -> None:
        """Undo whatever was last, also what others did: each of its files is then as it was before."""
        memory = self._handles[handle]
        already = {entry.undoes for entry in memory.history.list()}
        try:
            done = memory.undo()
        except (ChangedSince, NoSuchMemory):
            assert self._texts() == self._model
            return
        assert done.undid.id not in already
        changes = parts_of(memory).writer.recorder.history.operation(done.undid).changes
        before = {change.file: change.before for change in changes if change.file != "MEMORY.md"}
        self._model = {file: text for file, text in {**self._model, **before}.items() if text is not None}
        assert self._texts() == self._model
        self._done = [each for each in self._done if each[0] != done.undid.id]
        self._names = {header.name: header.file for header in memory.list()}
        self._prose = self._prose and "MEMORY.md" not in done.undid.files
        assert [problem for problem in pointer_problems(self._place.directory) if problem[:4] != "sub/"] == []

    @rule(name=_NAMES, body=_BODIES)
    def edit_outside(self, name: str, body: str) -> None:
        if name in self._names:
            file = self._names[name]
            self._write(file, f"{self._model[file]}\n{body}\n")
            self._model[file] = self._texts()[file]

    @rule(name=_NAMES)
    def delete_outside(self, name: str) -> None:
        if name in self._names:
            file = self._names.pop(name)
            os.unlink(self._place.full(file))
            del self._model[file]

    @rule(file=_STRANGERS, body=_BODIES)
    def create_outside(self, file: str, body: str) -> None:
        os.makedirs(os.path.dirname(self._place.full(file)), exist_ok=True)
        self._write(file, f"---\ndescription: from outside\n---\n{body}\n")
        self._model[file] = self._texts()[file]
        self._names[file.rpartition("/")[2].removesuffix(".md")] = file

    @rule(damage=st.sampled_from(sorted(_DAMAGES)))
    def damage_index(self, damage: str) -> None:
        path = self._place.full("MEMORY.md")
        text = self._place.memory().context.index().content + "\n"
        if "```" in text and damage in _DOUBLING:
            return  # two open fences make a closed one, and what stands in that is no pointer
        damaged = _DAMAGES[damage](text)
        self._prose = damage == "prose" or (
            self._prose and damage in {"conflict", "double", "stranger", "open fence"}
        )
        if damaged is not None:
            self._write("MEMORY.md", damaged)
        elif os.path.exists(path):
            os.unlink(path)

    @rule()
    def drop_caches(self) -> None:
        for name in ("catalog", "index.last"):
            if os.path.exists(os.path.join(self._place.state, name)):
                os.unlink(os.path.join(self._place.state, name))

    @rule(handle=_HANDLES)
    def reopen(self, handle: int) -> None:
        self._handles[handle] = self._place.memory()

    @invariant()
    def every_handle_sees_the_model(self) -> None:
        for memory in self._handles[:2]:
            assert {header.name: header.file for header in memory.list()} == self._names
            for file, text in self._model.items():
                assert memory.read(file).text == text

    @invariant()
    def the_view_points_at_every_memory_once(self) -> None:
        shown = self._handles[0].context.index().content
        assert Counter(_LINK.findall(shown)) == Counter(self._model.keys())
        assert not self._prose or "They stay." in shown

    @contextmanager
    def _operation(self) -> Iterator[None]:
        """Note what one step of ours did to the files; afterwards the index on disk must be right, too."""
        before = self._texts()
        yield
        after = self._texts()
        touched = [file for file in {**before, **after} if before.get(file) != after.get(file)]
        newest = self._place.memory().history.list(limit=0)
        operation = next(entry.id for entry in newest if entry.by.actor != "outside")
        old, new = ({file: texts.get(file) for file in touched} for texts in (before, after))
        self._done.append((operation, old, new))
        self._model = after
        # What others put into a sub-folder stays unseen by a handle until it looks again; the view has it.
        found = [problem for problem in pointer_problems(self._place.directory) if problem[:4] != "sub/"]
        assert found == []

    def _new(self, body: str) -> str:
        """Return a body that was never saved: a save that changes nothing is not one that can be undone."""
        self._bodies += 1
        return f"{body} It is number {self._bodies}."

    def _refused(self, error: type[Exception], verb: Callable[[], object]) -> None:
        before = self._texts()
        try:
            verb()
        except error:
            assert self._texts() == before
        else:
            raise AssertionError(f"{error.__name__} was expected")

    def _texts(self) -> dict[str, str]:
        found = {}
        for file in topic_names(self._place.directory):
            with open(self._place.full(file), "rb") as opened:
                found[file] = opened.read().decode()
        return found

    def _write(self, file: str, text: str) -> None:
        with open(self._place.full(file), "wb") as opened:
            opened.write(text.encode())


def machine_figure(seed: int, examples: int, *, steps: int = 25) -> Figure:
    """Let hypothesis look for a sequence of steps after which directory and dict disagree."""
    health = [HealthCheck.too_slow, HealthCheck.data_too_large]
    how = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=health,
        database=None,
    )
    problems: list[str] = []
    try:
        run_state_machine_as_test(seeded(seed)(MemoryMachine), settings=how)
    except Exception as error:  # noqa: BLE001 - hypothesis raises what the failing step raised
        for each in getattr(error, "exceptions", [error]):
            notes = "\n".join(getattr(each, "__notes__", []))
            problems.append(f"{type(each).__name__}: {each}\n{notes}")
    return Figure("state machine against a dict", f"{examples} runs of up to {steps} steps", problems)
