"""One durable save at 2,000 memories against a C program that writes, syncs and renames the same."""

import os
from dataclasses import dataclass

from bench.figures import Pair, Row
from bench.ground import Ground
from bench.process import Served
from bench.topics import draft, filled
from bench.trace import Steps, steps_of_last_save, tracer

__all__ = ["rows"]

_COUNT, _ROUNDS, _WARM_UP = 2_000, 120, 5
_INDEX, _HUBS, _JOURNAL = "MEMORY.md", "hubs", "journal"


@dataclass(frozen=True, slots=True)
class _Place:
    """A memory directory with its state folder."""

    memory: str
    state: str

    def stamps(self) -> dict[str, tuple[int, int, int]]:
        """Return size, inode and time of everything that a save may replace besides its topic."""
        hubs = os.path.join(self.memory, _HUBS)
        names = [f"{_HUBS}/{name}" for name in os.listdir(hubs)] if os.path.isdir(hubs) else []
        paths = {name: os.path.join(self.memory, name) for name in (_INDEX, *names)}
        paths[_JOURNAL] = os.path.join(self.state, _JOURNAL)
        return {name: _stamp(path) for name, path in paths.items() if os.path.exists(path)}


def rows(ground: Ground) -> list[Row]:
    """Return a new memory, an update of one, and whether the yardstick's calls agree with ours."""
    ours, other = (_made(ground, side) for side in ("save-ours", "save-yardstick"))
    program = [ground.program("yardstick_save"), other.memory, other.state]
    with ground.subject(ours.memory, ours.state) as subject, Served(program, ground.env) as yardstick:
        subject.ask("watch", follow=False)
        new = _pair(ours, subject, yardstick, "save")
        updated = _pair(ours, subject, yardstick, "update")
    return [
        new.row("durable save of a new memory at 2,000", 3),
        updated.row("durable update of a memory at 2,000", 3),
        *_calls(ground, ours, other),
    ]


def _made(ground: Ground, name: str) -> _Place:
    """Make a directory with a complete index and a history that knows every file."""
    place = _Place(ground.path(name), ground.path(f"{name}-state"))
    filled(place.memory, _COUNT)
    with ground.subject(place.memory, place.state) as subject:
        subject.ask("adopt")
    return place


def _pair(place: _Place, subject: Served, yardstick: Served, verb: str) -> Pair:
    """Save in turns; the yardstick gets the sizes of the save before it, so that each pair is alike."""
    ours, other = [], []
    for number in range(_COUNT, _COUNT + _ROUNDS):
        named = draft(number)
        text = draft(number + 10**6) if verb == "update" else named
        seconds, sizes = _saved(place, subject, text | {"kind": named["kind"], "name": named["name"]})
        ours.append(seconds)
        other.append(float(yardstick.ask(verb, *sizes)["seconds"]))
    return Pair(tuple(ours[_WARM_UP:]), tuple(other[_WARM_UP:]))


def _saved(place: _Place, subject: Served, fields: dict[str, str]) -> tuple[float, list[int]]:
    """Save one memory; return the seconds and the bytes of topic, index, journal line and each hub."""
    before = place.stamps()
    answer = subject.ask("save", **fields)
    after = place.stamps()
    changed = {name: stamp[0] for name, stamp in after.items() if before.get(name) != stamp}
    topic = os.stat(os.path.join(place.memory, answer["file"])).st_size
    journal = changed.pop(_JOURNAL) - before.get(_JOURNAL, (0, 0, 0))[0]
    return float(answer["seconds"]), [topic, changed.pop(_INDEX, 0), journal, *changed.values()]


def _calls(ground: Ground, ours: _Place, other: _Place) -> list[Row]:
    """Count the system calls of one save of each; nothing to say where there is no strace."""
    log, yardstick_log = ground.path("ours.strace"), ground.path("yardstick.strace")
    command, yardstick_command = tracer(log), tracer(yardstick_log)
    if command is None or yardstick_command is None:
        print("strace is not installed: the calls of the yardstick are not compared with ours.")
        return []
    with ground.subject(ours.memory, ours.state, *command) as subject:
        subject.ask("watch", follow=False)
        for number in range(_COUNT + _ROUNDS, _COUNT + _ROUNDS + _WARM_UP):
            _, sizes = _saved(ours, subject, draft(number))
    program = [*yardstick_command, ground.program("yardstick_save"), other.memory, other.state]
    with Served(program, ground.env) as yardstick:
        yardstick.ask("save", *sizes)
    return [_agreement(steps_of_last_save(log), steps_of_last_save(yardstick_log))]


def _agreement(ours: Steps, yardstick: Steps) -> Row:
    if ours == yardstick:
        print(f"One save, by strace, ours and the yardstick's alike: {ours}.")
    else:
        print(f"The yardstick is out of step with a save. Ours: {ours}; the yardstick's: {yardstick}.")
    return Row(
        "calls in which the save and its yardstick differ, by strace",
        sum(getattr(ours, name) != getattr(yardstick, name) for name in Steps.__slots__),
        "kinds",
        at_most=0,
        note=f"ours: {ours}; yardstick: {yardstick}",
    )


def _stamp(path: str) -> tuple[int, int, int]:
    status = os.stat(path)
    return status.st_size, status.st_ino, status.st_ctime_ns
