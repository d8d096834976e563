"""Clones that change and sync the same memory at random, are killed, and meet a remote that fails.

Every acknowledged edit writes a word that occurs nowhere else. At the end each word is in a file of every
clone, or somebody who saw it took it away; the clones hold the same files, and their indexes point at them.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from memdir.errors import Conflict, MemdirError, RemoteError
from tests.conformance.remotes import GIT, KINDS, Machine, Shared
from tests.reliability.harness.figure import Effort, Figure
from tests.reliability.harness.fork import loaded, spawned
from tests.reliability.harness.inspection import leftover_files, pointer_problems
from tests.reliability.harness.sandbox import Place, scratch

__all__ = ["clone_figure", "clone_figures"]

_WORD = re.compile(r"word-\d+-[a-z]")
_NAMES = tuple(f"topic {number}" for number in range(24))
_SYNC_SECONDS = 60
_ROUNDS = 12
"""Syncs of each clone in which all of them have to agree at the end."""


def clone_figures(effort: Effort) -> Iterator[Figure]:
    """Yield the figure of each kind of remote."""
    for kind in KINDS:
        yield clone_figure(kind, effort.seed, clones=5, edits=effort.size(200, 12))
        yield clone_figure(kind, effort.seed + 1, clones=3, edits=effort.size(60, 8), rewinds=True)


def clone_figure(kind: str, seed: int, *, clones: int, edits: int, rewinds: bool = False) -> Figure:
    """Let so many clones make so many edits each, in any order."""
    loaded()
    with scratch() as folder:
        run = _CloneRun(kind, seed, folder, clones, rewinds=rewinds)
        for number in run.chance.sample(range(clones * edits), clones * edits):
            run.step(number % clones)
        problems, told = run.ended(), run.told()
    what = (
        f"{clones} clones x {edits} edits, {kind} remote{' that is rewound' if rewinds else ''}, seed {seed}"
    )
    return Figure(what, told, problems)


class _CloneRun:
    """What happened to all clones, and what has to be left of it."""

    def __init__(self, kind: str, seed: int, folder: str, clones: int, *, rewinds: bool) -> None:
        self.chance, self.rewinds = random.Random(seed), rewinds
        self.shared = Shared(kind, Path(folder), lambda: datetime.now(UTC))
        self.clones = [self.shared.machine(f"clone{name}") for name in "abcdefgh"[:clones]]
        self.removed: set[str] = set()
        """Words that somebody took away who saw them."""
        self.written: dict[str, tuple[int, bool]] = {}
        """Each acknowledged word, with its clone and whether memdir wrote it."""
        self.counts = dict.fromkeys(("edits", "syncs", "killed", "failed", "rewound"), 0)
        self.running: dict[int, int] = {}
        self.saved: list[Path] = []
        self.last = "each of them found something new"

    def step(self, number: int) -> None:
        """Change one clone; now and then sync one, undisturbed or not."""
        background = number not in self.running and self.chance.random() < 0.05
        if background:
            self.running[number] = spawned(lambda: self._synced(number))
        self._edit(number, careful=number in self.running)
        if self.chance.random() < 0.25:
            self._sync(self.chance.randrange(len(self.clones)))
        if self.rewinds and self.chance.random() < 0.06:
            self._rewind()

    def ended(self) -> list[str]:
        """Sync until all agree; say what is wrong then."""
        for number in [*self.running]:
            self._finish(number)
        for _ in range(_ROUNDS):
            changed = [self._synced(number) for number in range(len(self.clones))]
            if not any(changed):
                break
        else:
            return [f"the clones did not agree after {_ROUNDS} rounds: {self.last}"]
        return [*self._differences(), *self._losses()]

    def told(self) -> str:
        """Return what happened in numbers."""
        copies = sum(".conflict-" in file for file in self.clones[0].files())
        words = (
            f"{len(self.written):,} words, {len(self.removed):,} removed knowingly, {copies} conflict files"
        )
        return ", ".join(f"{count:,} {name}" for name, count in self.counts.items() if count) + f"; {words}"

    def _edit(self, number: int, *, careful: bool) -> None:
        clone = self.clones[number]
        acts: list[Callable[[Machine, int], None]] = [self._change] * 6
        acts += (
            []
            if careful
            else [self._save, self._save, self._rename, self._forget, self._outside, self._outside]
        )
        try:
            self.chance.choice(acts)(clone, number)
            self.counts["edits"] += 1
        except Conflict:
            pass  # a sync came between: nothing was acknowledged

    def _word(self, number: int, *, by_memdir: bool = True) -> tuple[str, Callable[[], None]]:
        word = f"word-{self.chance.getrandbits(60)}-{chr(97 + number)}"
        return word, lambda: self.written.update({word: (number, by_memdir)})

    def _save(self, clone: Machine, number: int) -> None:
        word, acknowledge = self._word(number)
        name = self.chance.choice(_NAMES)
        before = self._text(clone, name)
        clone.memory.remember(
            f"Saved {word}.\n\nMore.", kind="reference", name=name, description=f"About {name}"
        )
        self.removed |= {*_WORD.findall(before)}
        acknowledge()

    def _change(self, clone: Machine, number: int) -> None:
        headers = clone.memory.list()
        if not headers:
            return self._save(clone, number)
        topic = clone.memory.read(self.chance.choice(sorted(headers, key=lambda one: one.file)).file)
        word, acknowledge = self._word(number)
        start = topic.text.index("\n---\n", 4) + 5 if topic.text.startswith("---\n") else 0
        lines = topic.text[start:].split("\n")
        clone.memory.edit(topic, topic.text[:start] + "\n".join(self._changed(lines, word)))
        after = clone.memory.read(topic.header.file).text if self.running.get(number) is None else None
        gone = {*_WORD.findall(topic.text)} - {*_WORD.findall("\n".join(lines))}
        self.removed |= gone - {*_WORD.findall(after or "")}
        acknowledge()
        return None

    def _changed(self, lines: list[str], word: str) -> list[str]:
        """Add a line with the word, or put it in the place of another."""
        at = self.chance.randrange(len(lines) + 1)
        if self.chance.random() < 0.4 and at < len(lines):
            lines[at] = f"Instead {word}."
        else:
            lines.insert(at, f"Added {word}.")
        return lines

    def _rename(self, clone: Machine, _: int) -> None:
        headers = [one for one in clone.memory.list() if ".conflict-" not in one.file]
        free = [name for name in _NAMES if not self._text(clone, name)]
        if headers and free:
            clone.memory.rename(self.chance.choice(headers).file, self.chance.choice(free))

    def _forget(self, clone: Machine, _: int) -> None:
        if headers := clone.memory.list():
            file = self.chance.choice(headers).file
            self.removed |= {*_WORD.findall(clone.memory.read(file).text)}
            clone.memory.forget(file)

    def _outside(self, clone: Machine, number: int) -> None:
        """Write a file as an editor does: beside it, then in its place."""
        word, acknowledge = self._word(number, by_memdir=False)
        files = sorted(clone.files()) or ["reference_outside.md"]
        path = Path(clone.memory.directory, self.chance.choice(files))
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text() if path.exists() else "---\nname: outside\ntype: reference\n---\n\nText\n"
        beside = path.with_name(f".{path.name}.new")
        beside.write_text(f"{text}\nOutside {word}.\n")
        os.replace(beside, path)
        acknowledge()

    def _sync(self, number: int) -> None:
        if number in self.running:
            return self._finish(number)
        self.counts["syncs"] += 1
        luck = self.chance.random()
        if luck < 0.3:
            self._killed(number)
        elif luck < 0.45:
            with self._failing():
                self._bounded(number)
        else:
            self._bounded(number)
        return None

    def _bounded(self, number: int) -> None:
        self.running[number] = spawned(lambda: self._synced(number))
        self._finish(number)

    def _killed(self, number: int) -> None:
        """Kill a sync as it works; what it started goes on."""
        child = spawned(lambda: self._synced(number))
        time.sleep(self.chance.random() * 0.15)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        self.counts["killed"] += os.waitstatus_to_exitcode(status) == -signal.SIGKILL

    def _finish(self, number: int) -> None:
        child, late = self.running.pop(number), time.monotonic() + _SYNC_SECONDS
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            time.sleep(0.002)
            if time.monotonic() > late:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise RuntimeError(f"a sync of clone {number} took over {_SYNC_SECONDS} seconds")

    def _synced(self, number: int) -> bool:
        """Sync one clone, as a new process would; tell whether anything was new."""
        try:
            return self.shared.machine(f"clone{'abcdefgh'[number]}").syncer.sync().changed
        except RemoteError as error:
            self.counts["failed"] += 1
            self.last = str(error)
            return True

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Let the remote fail for a while: not be there, or refuse what is sent."""
        self.counts["failed"] += 1
        path, away = self.shared.path, self.shared.path.with_name("away")
        hook = path / "hooks" / "pre-receive"
        if self.shared.kind == "git" and self.chance.random() < 0.5:
            hook.parent.mkdir(exist_ok=True)
            hook.write_text("#!/bin/sh\nexit 1\n")
            hook.chmod(0o700)
            yield
            hook.unlink()
        else:
            path.rename(away)
            yield
            away.rename(path)

    def _rewind(self) -> None:
        """Set the remote back to what it was some time ago."""
        kept = self.shared.path.with_name(f"kept-{len(self.saved)}")
        if self.saved and self.chance.random() < 0.5:
            self.counts["rewound"] += 1
            shutil.rmtree(self.shared.path)
            shutil.copytree(self.chance.choice(self.saved), self.shared.path, symlinks=True)
        else:
            shutil.copytree(self.shared.path, kept, symlinks=True)
            self.saved.append(kept)

    def _differences(self) -> Iterator[str]:
        first = self.clones[0].files()
        for clone in self.clones:
            own = clone.files()
            odd = {f for f in first.keys() | own.keys() if first.get(f) != own.get(f)}
            if odd:
                yield f"{clone.memory.directory} differs in {sorted(odd)[:5]}"
            yield from pointer_problems(clone.memory.directory)
            place = Place(os.path.dirname(clone.memory.directory))
            yield from (one for one in leftover_files(place) if "/sync/" not in one)

    def _losses(self) -> Iterator[str]:
        final = b"\n".join(self.clones[0].files().values()).decode("utf-8", "replace")
        there = {*_WORD.findall(final)}
        for word, (number, _) in self.written.items():
            if word not in there and word not in self.removed:
                yield f"{word} of clone {number} is lost"
        for number, clone in enumerate(self.clones):
            clone.memory.history.list()
            known = _history_words(clone)
            for word, (writer, by_memdir) in self.written.items():
                if by_memdir and writer == number and word not in known:
                    yield f"{word} is not in the history of clone {number}"

    def _text(self, clone: Machine, name: str) -> str:
        try:
            return clone.memory.read(name).text
        except MemdirError:
            return ""


def _history_words(clone: Machine) -> set[str]:
    """Return every word of any text that the history of a clone holds."""
    history = os.path.join(clone.memory.state, "history.git")
    command = [GIT, "--git-dir", history, "cat-file", "--batch-all-objects", "--batch"]
    output = subprocess.run(command, check=True, capture_output=True).stdout
    return {*_WORD.findall(output.decode("utf-8", "replace"))}
