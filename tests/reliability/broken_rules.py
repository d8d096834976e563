"""Forbidden tool calls while everything around the rules goes wrong: each is stopped, and innocent ones pass.

A rule is saved once. Then hooks are called as a host calls them while other processes save, the disk is full,
the home is read-only and new, the records cannot be read, or caches are deleted and damaged.
"""

import json
import os
import random
import resource
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from memdir import Memory
from tests.reliability.harness.figure import Effort, Figure
from tests.reliability.harness.fork import forked, loaded, spawned
from tests.reliability.harness.sandbox import NOBODY, scratch

__all__ = ["CASES", "rule_figures", "rule_problems"]

_RULE, _FORBIDDEN, _INNOCENT = "Bash: git push * main", "git push origin main", "git status"
_STOPPED = {"deny", "ask"}
_HOST_WAITS = 5.0
"""Seconds: what we ask a host to wait for; a hook that takes longer has let the call through."""
_USER = NOBODY if os.geteuid() == 0 else -1
"""Whom permissions stop: root becomes nobody."""


@dataclass(frozen=True)
class _Home:
    """A home and a project with one rule of the user's, and what became of the calls there."""

    folder: Path
    said: Counter[str] = field(default_factory=Counter)

    @property
    def env(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder / "home"),
            "PATH": os.environ["PATH"],
            "MEMDIR_WEIGHTS": os.environ.get("MEMDIR_WEIGHTS", ""),
        }

    @property
    def memory(self) -> Memory:
        return Memory.open(self.folder / "project", self.env)

    @property
    def state(self) -> Path:
        return Path(self.memory.state)

    def caches(self) -> list[Path]:
        """Return what is only derived from the memories and their history."""
        cards = (self.folder / "home" / ".claude" / "memdir" / "hooks").glob("*.cache")
        return sorted([*cards, *self.state.glob("rules*")])

    def save(self, name: str) -> None:
        """Save another memory, as the user of this home."""
        forked(lambda: self.memory.remember(f"This is {name}.", name=name), user=_USER)

    def call(self, *, limit: int | None = None) -> None:
        """Call a hook for the forbidden command, now and then for an innocent one, and count what it says."""
        self.said[f"forbidden {self._decision(_FORBIDDEN, limit)}"] += 1
        if self.said.total() % 5 == 1:
            self.said[f"innocent {self._decision(_INNOCENT, limit)}"] += 1

    def _decision(self, command: str, limit: int | None) -> str:
        call = {"cwd": str(self.folder / "project"), "session_id": "s", "tool_name": "Bash"}
        data = json.dumps({**call, "tool_input": {"command": command}}).encode()
        begun = time.monotonic()
        output = forked(lambda: _hook(self.env, limit), data, user=_USER, seconds=_HOST_WAITS)
        if not output:
            return "passed" if time.monotonic() - begun < _HOST_WAITS else "unanswered"
        return str(json.loads(output)["hookSpecificOutput"].get("permissionDecision", "passed"))

    def problems(self) -> list[str]:
        """Say which calls were judged wrongly."""
        wrong = {"forbidden passed", "forbidden unanswered", *[f"innocent {verdict}" for verdict in _STOPPED]}
        return [f"{count} calls: {said}" for said, count in self.said.items() if said in wrong]


def rule_figures(effort: Effort) -> Iterator[Figure]:
    """Return one figure for each thing that goes wrong."""
    for what in CASES:
        calls = effort.size(2_000 if "writer" in what else 500, 40)
        with scratch(anybody=True) as folder:
            home, problems = _tried(what, Path(folder), calls, effort.chance)
        counts = ", ".join(f"{count:,} {said}" for said, count in sorted(home.said.items()))
        yield Figure(f"forbidden calls {what}", counts, problems)


def rule_problems(what: str, folder: Path, calls: int) -> list[str]:
    """Return what went wrong in one case."""
    return _tried(what, folder, calls, random.Random(calls))[1]


def _tried(what: str, folder: Path, calls: int, chance: random.Random) -> tuple[_Home, list[str]]:
    loaded()
    home = _Home(folder)
    for name in ("home", "project"):
        (folder / name).mkdir()
        os.chown(folder / name, _USER, _USER)
    forked(lambda: home.memory.remember("Never push.", name="no-push", enforce=_RULE), user=_USER)
    problems = [*CASES[what](home, calls, chance)]
    return home, [*problems, *home.problems()]


def _beside_writers(home: _Home, calls: int, count: int) -> Iterator[str]:
    with _writers(home, count) as saved:
        for _ in range(calls):
            home.call()
        if len(saved) < count:
            yield "a writer ended before the calls did"


@contextmanager
def _writers(home: _Home, count: int) -> Iterator[list[int]]:
    """Have processes save without a pause: new memories, one that they share, and the rule's own body."""
    running = [spawned(partial(_saves, home, number), user=_USER) for number in range(count)]
    try:
        yield running
        running[:] = [one for one in running if os.waitpid(one, os.WNOHANG) == (0, 0)]
    finally:
        for one in running:
            os.kill(one, signal.SIGKILL)
            os.waitpid(one, 0)


def _saves(home: _Home, number: int) -> None:
    memory, step = home.memory, 0
    while True:
        step += 1
        if number == 1:
            memory.remember(f"Never push, said {step} times.", name="no-push", enforce=_RULE)
            time.sleep(10)  # more often than anybody does: each version is looked at to see whose the rule is
        else:
            memory.remember(f"Number {step}.", name=f"memory-{number}-{step % 40}")


def _on_a_full_disk(home: _Home, calls: int, _: random.Random) -> Iterator[str]:
    for number in range(calls):
        if number % 10 == 0:
            home.save(f"memory-{number % 50}")
        home.call(limit=0)
    yield from ()


def _in_a_read_only_home(home: _Home, calls: int, chance: random.Random) -> Iterator[str]:
    del chance
    for name in ("first", "second"):
        home.save(name)
        home.call()
    image = home.folder / "image"
    shutil.copytree(home.folder / "home", image, copy_function=_copied)
    shutil.rmtree(home.folder / "home")
    image.rename(home.folder / "home")
    with _closed(home.folder, 0o555):
        for _ in range(calls):
            home.call()
    yield from ()


def _without_its_records(home: _Home, calls: int, chance: random.Random) -> Iterator[str]:
    del chance
    with _closed(home.state, 0o000):
        for _ in range(calls):
            home.call()
    yield from _binds_again(home)


def _once_without_its_records(home: _Home, calls: int, _: random.Random) -> Iterator[str]:
    for number in range(calls):
        if number % 5 == 0:
            home.save(f"memory-{number % 50}")
            with _closed(home.state, 0o000):
                home.call()
        home.call()
    yield from _binds_again(home)


def _binds_again(home: _Home) -> Iterator[str]:
    before = home.said["forbidden deny"]
    home.call()
    if home.said["forbidden deny"] == before:
        yield "the rule no longer binds once its records can be read again"


def _with_damaged_caches(home: _Home, calls: int, chance: random.Random) -> Iterator[str]:
    old = {path: path.read_bytes() for path in home.caches()}
    for number in range(calls):
        if number % 10 == 0:
            home.save(f"memory-{number % 50}")
        home.call()
        for path in home.caches():
            data = path.read_bytes()
            damaged = chance.choice(_DAMAGES)(data, chance)
            path.write_bytes(old.get(path, b"") if damaged is None else damaged)
            old[path] = data
    yield from ()


def _with_deleted_caches(home: _Home, calls: int, chance: random.Random) -> Iterator[str]:
    for _ in range(calls):
        home.call()
        for path in home.caches():
            if chance.random() < 0.5:
                path.unlink()
    yield from ()


_DAMAGES: Sequence[Callable[[bytes, random.Random], bytes | None]] = (
    lambda data, chance: data[: chance.randrange(len(data) + 1)],
    lambda data, chance: b"\n".join(data.split(b"\n")[: chance.randrange(8)]),
    lambda data, chance: b"\n".join(chance.sample(lines := data.split(b"\n"), len(lines))),
    lambda data, chance: data + chance.randbytes(40),
    lambda data, _: data.replace(b"git push", b"git pull").replace(b"rules", b"PreToolUse"),
    lambda *_: None,  # what it was some calls ago
)

CASES: dict[str, Callable[[_Home, int, random.Random], Iterator[str]]] = {
    "beside 1 writer": lambda home, calls, _: _beside_writers(home, calls, 1),
    "beside 3 writers": lambda home, calls, _: _beside_writers(home, calls, 3),
    "on a full disk": _on_a_full_disk,
    "in a read-only home with new files": _in_a_read_only_home,
    "with records that cannot be read": _without_its_records,
    "with records that cannot be read once": _once_without_its_records,
    "with damaged caches": _with_damaged_caches,
    "with deleted caches": _with_deleted_caches,
}


def _copied(source: str, target: str) -> None:
    """Copy a file as an image has it: readable, with a number and times of its own."""
    shutil.copyfile(source, target)
    os.chmod(target, 0o444)


@contextmanager
def _closed(folder: Path, mode: int) -> Iterator[None]:
    """Take rights on a folder away from its user, and on what is below it, and give them back."""
    folders = [folder, *[path for path in folder.rglob("*") if path.is_dir()]]
    before = [(path, path.stat().st_mode) for path in folders]
    for path, _ in reversed(before):
        path.chmod(mode)
    try:
        yield
    finally:
        for path, old in before:
            path.chmod(old)


def _hook(env: dict[str, str], limit: int | None) -> None:
    """Be the launcher of a hook, in a process that ends with it."""
    import sys

    from memdir.hooks.entry import main

    os.environ.clear()
    os.environ.update(env)
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    sys.argv = ["memdir-hook", "PreToolUse"]
    main()
