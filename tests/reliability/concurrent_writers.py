"""Many processes on one memory directory: nothing acknowledged is lost, pointed at twice or torn."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from memdir.memories.history.commits import history_path
from memdir.memory import Memory
from tests.reliability.harness import crowd_process
from tests.reliability.harness.figure import Figure
from tests.reliability.harness.inspection import leftover_files, pointer_problems
from tests.reliability.harness.marked_bodies import body_of, mark_in
from tests.reliability.harness.processes import environment
from tests.reliability.harness.sandbox import Place, scratch

__all__ = ["counting_figure", "crowd_figure", "one_tick_figure", "replaced_figure", "updates_figure"]

_SECONDS = 900
"""Eight thousand durable saves take a minute or two; a crowd that needs longer has a member that hangs."""


@dataclass(frozen=True, slots=True)
class Member:
    """A running process and where its acknowledgements go."""

    child: "subprocess.Popen[bytes]"
    said: str

    def lines(self) -> list[list[str]]:
        """Return what it acknowledged so far."""
        with open(self.said, encoding="utf-8") as file:
            return [line.split(" ", 1) for line in file.read().splitlines()]


def crowd_figure(processes: int, saves: int, *, readers: int = 2) -> Figure:
    """Let so many processes save so many memories each, while readers look on."""
    what = f"{processes} processes x {saves:,} acknowledged saves, {readers} readers"
    with scratch(disk=True) as folder:
        place = Place(folder)
        with _crowd(place, [("read", f"reader-{n}", 40) for n in range(readers)]) as watching:
            with _crowd(place, [("save", f"writer-{n}", saves) for n in range(processes)]) as writing:
                _touch(folder, crowd_process.GO)
                problems = [problem for each in writing for problem in _ended(each)]
            _touch(folder, crowd_process.STOP)
            problems += [problem for each in watching for problem in _ended(each)]
        saved = [line for each in writing for line in each.lines()]
        looks = [line for each in watching for line in each.lines()]
        problems += [problem for _, found in looks for problem in json.loads(found)]
        problems += _crowd_problems(place, saved, processes * saves)
    seen = sum(int(count) for count, _ in looks)
    return Figure(what, f"{len(saved):,} acknowledged, {seen:,} looks by readers", problems)


def updates_figure(updates: int) -> Figure:
    """Let two processes update one topic: every version is in history, and a reader always finds one."""
    with scratch(disk=True) as folder:
        place = Place(folder)
        place.memory().remember(body_of("shared", 0), kind="reference", name="shared", description="Ours")
        with _crowd(place, [("watch", "shared", 0)]) as watching:
            with _crowd(place, [("update", str(first), updates) for first in (1_000, 2_000_000)]) as writing:
                _touch(folder, crowd_process.GO)
                problems = [problem for each in writing for problem in _ended(each)]
            _touch(folder, crowd_process.STOP)
            problems += [problem for each in watching for problem in _ended(each)]
        said = [line for each in writing for line in each.lines()]
        ((looks, found),) = [line for each in watching for line in each.lines()] or [["0", "[]"]]
        problems += json.loads(found)
        problems += [] if len(said) == 2 * updates else [f"only {len(said)} updates were acknowledged"]
        problems += _version_problems(place, said)
    figure = f"{len(said)} versions, all in history, {looks} looks by a reader"
    return Figure(f"2 processes x {updates} updates of one topic", figure, problems)


def replaced_figure(count: int) -> Figure:
    """Let an editor replace one file over and over: a reader always finds it, old or new."""
    with scratch() as folder:
        place = Place(folder)
        place.memory().remember(body_of("shared", 0), kind="reference", name="shared", description="Ours")
        with _crowd(place, [("watch", "shared", 0)]) as watching:
            with _crowd(place, [("flood", "shared", count)]) as writing:
                _touch(folder, crowd_process.GO)
                problems = [problem for each in writing for problem in _ended(each)]
            _touch(folder, crowd_process.STOP)
            problems += [problem for each in watching for problem in _ended(each)]
        ((looks, found),) = [line for each in watching for line in each.lines()] or [["0", "[]"]]
    figure = f"{looks} looks while it was replaced {count:,} times"
    return Figure("a file that an editor replaces is always there", figure, problems + json.loads(found))


def counting_figure(count: int) -> Figure:
    """Let two processes add to one number by compare and swap: no edit overwrites another unseen."""
    with scratch(disk=True) as folder:
        place = Place(folder)
        place.memory().remember(
            "The counter stands at 0.", kind="reference", name="counter", description="A number"
        )
        with _crowd(place, [("count", f"counter-{n}", count) for n in range(2)]) as counting:
            _touch(folder, crowd_process.GO)
            problems = [problem for each in counting for problem in _ended(each)]
        if f"stands at {2 * count}." not in place.memory().read("counter").text:
            problems.append(f"updates were lost: {place.memory().read('counter').text!r}")
    return Figure(
        f"2 processes x {count} edits by compare and swap", f"the counter stands at {2 * count}", problems
    )


def one_tick_figure() -> Figure:
    """Let two handles save in turn while the disk's clock stands still, as a coarse one does for 4 ms.

    The second time they are of two homes: they share the directory and none of our records.
    """
    problems: list[str] = []
    for home in ("state", "another"):
        with scratch() as folder:
            place = Place(folder)
            first, second = place.memory(), Memory.at(place.directory, state=os.path.join(folder, home))
            for number in range(3):
                _tick(first, f"first-{number}")
                moment = os.stat(place.directory).st_mtime_ns
                _tick(second, f"second-{number}")
                os.utime(place.directory, ns=(moment, moment))
                _tick(first, f"third-{number}")
                problems += [f"{home}: {problem}" for problem in pointer_problems(place.directory)]
    return Figure("saves of two handles within one tick of the clock", "18 saves", problems)


def _tick(memory: Memory, name: str) -> None:
    memory.remember(f"Body of {name}.", kind="reference", name=name, description=f"About {name}")


def _crowd_problems(place: Place, saved: Sequence[Sequence[str]], wanted: int) -> list[str]:
    problems = [] if len(saved) == wanted else [f"only {len(saved)} of {wanted} saves were acknowledged"]
    memory = place.memory()
    found = {header.name: _mark(place, header.file) for header in memory.list()}
    problems += [f"{name} is lost" for name, _ in saved if found.get(name) != f"{name}/1"]
    problems += [f"{name} was never saved" for name in found.keys() - {name for name, _ in saved}]
    recorded = {file for entry in memory.history.list() for file in entry.files}
    problems += [f"history does not know {file}" for _, file in saved if file not in recorded]
    return problems + pointer_problems(place.directory) + leftover_files(place)


def _mark(place: Place, file: str) -> str:
    with open(place.full(file), encoding="utf-8") as opened:
        return mark_in(opened.read())


def _version_problems(place: Place, said: Sequence[Sequence[str]]) -> list[str]:
    memory = place.memory()
    known = {entry.id for entry in memory.history.list("shared")}
    problems = [f"history does not list {operation}" for _, operation in said if operation not in known]
    path = history_path(memory.list()[0].file)
    commits = _git(place, "log", "--format=%H", "main", "--", path).split()
    kept = {mark_in(_git(place, "show", f"{commit}:{path}")) for commit in commits}
    problems += [f"the text of {mark} is not in history" for mark, _ in said if mark not in kept]
    final = mark_in(memory.read("shared").text)
    return problems + ([] if final in {mark for mark, _ in said} else [f"the topic holds {final!r}"])


def _git(place: Place, *arguments: str) -> str:
    command = ["git", "--git-dir", place.history, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@contextmanager
def _crowd(place: Place, roles: Sequence[tuple[str, str, int]]) -> Iterator[list[Member]]:
    """Start one process a role; none outlives the block, whatever happens in it."""
    members = [_started(place, *role) for role in roles]
    try:
        yield members
    finally:
        for each in members:
            with suppress(ProcessLookupError):
                each.child.kill()
            each.child.wait()


def _started(place: Place, role: str, name: str, count: int) -> Member:
    said = os.path.join(place.root, f"{name}.said")
    command = [sys.executable, crowd_process.__file__, role, place.directory, place.state, name, str(count)]
    with open(said, "wb") as output, open(f"{said}.errors", "wb") as errors:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment()
        )
    return Member(child, said)


def _ended(each: Member) -> list[str]:
    """Wait for a member, not for ever, and say how it failed."""
    try:
        status = each.child.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        each.child.kill()
        return [f"{os.path.basename(each.said)} took too long"]
    with open(f"{each.said}.errors", encoding="utf-8") as file:
        said = file.read()[-500:]
    return [f"{os.path.basename(each.said)} ended with {status}: {said}"] if status else []


def _touch(folder: str, name: str) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf-8"):
        pass
