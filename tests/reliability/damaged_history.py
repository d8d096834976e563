"""Damage done to history.git from outside: saves never depend on it, and nobody has to mend it by hand."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.reliability.harness.figure import Effort, Figure, not_run
from tests.reliability.harness.inspection import pointer_problems, text_problems, view_problems
from tests.reliability.harness.marked_bodies import body_of, mark_in
from tests.reliability.harness.other_user import as_somebody
from tests.reliability.harness.processes import in_parallel
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.killed_writer import SCRIPTS, Script, template

__all__ = [
    "Damage",
    "closed_repository_problems",
    "damage_figures",
    "damages",
    "objects",
    "problems_after",
]

_SCRIPT = Script("damage", SCRIPTS[1].before, ())


@dataclass(frozen=True, slots=True)
class Damage:
    """One way to break a history, and whether its past must survive that."""

    name: str
    inflict: Callable[[Place], None]
    harmless: bool = False
    gone: bool = False
    """Whether nothing is left that a notice could speak of."""


def damage_figures(effort: Effort) -> list[Figure]:
    """Return one figure for each sort of damage."""
    if not shutil.which("git"):
        return [not_run("damage to history.git", "needs git")]
    with scratch() as folder:
        start = template(_SCRIPT, os.path.join(folder, "loose"))
        packed = start.copied(os.path.join(folder, "packed"))
        _git(packed, "repack", "-adq")
        figures = [_sort(sort, found, folder, effort) for sort, found in _sorts(start, packed)]
    with scratch(anybody=True) as folder:
        problems = as_somebody(closed_repository_problems, folder)
    return [
        *figures,
        Figure("damage to history.git: closed to us", "1 repository without permissions", problems),
    ]


def damages(place: Place) -> Iterator[Damage]:
    """Yield every damage to a repository of loose objects."""
    for lock in ("HEAD.lock", "refs/heads/main.lock", "index.lock", "packed-refs.lock", "config.lock"):
        yield Damage(f"stale {lock}", _written(lock, b""), harmless=True)
    for name in ("objects/17/tmp_obj_abcdef", "objects/pack/tmp_pack_abcdef"):
        yield Damage(f"stale {name}", _written(name, b"half"), harmless=True)
    for name in objects(place):
        yield Damage(f"truncated {name}", _cut(name))
        yield Damage(f"zeroed {name}", _zeroed(name))
        yield Damage(f"missing {name}", _removed(name))
    for name in ("HEAD", "config", "refs/heads/main"):
        yield Damage(f"missing {name}", _removed(name))
        yield Damage(f"empty {name}", _written(name, b""))
        yield Damage(f"zeroed {name}", _zeroed(name))
    yield Damage("refs/heads/main names nothing", _written("refs/heads/main", b"1" * 40 + b"\n"))
    yield Damage("someone ran git gc", lambda place: _git(place, "gc", "-q", "--prune=now"), harmless=True)
    yield Damage("someone ran git pack-refs", lambda place: _git(place, "pack-refs", "--all"), harmless=True)
    yield Damage("missing whole", lambda place: shutil.rmtree(place.history), gone=True)
    yield Damage("a file in its place", _replaced_by_file)
    yield Damage("an empty folder in its place", _replaced_by_folder, gone=True)
    yield Damage("a link to nowhere in its place", _replaced_by_link, gone=True)


def problems_after(damage: Damage, place: Place) -> list[str]:
    """Inflict the damage, go on saving, and say what is wrong."""
    past = [entry.id for entry in place.memory().history.list()]
    damage.inflict(place)
    operation = _saved(place, 1)
    expected = {name: {mark} for name, mark in {**_SCRIPT.ledgers[-1], "fresh": "fresh/1"}.items()}
    problems = text_problems(place.memory(), expected) + view_problems(place.memory())
    problems += pointer_problems(place.directory)
    if not damage.gone:
        problems += _history_problems(place, operation, past if damage.harmless else [])
    problems += _undo_problems(place)
    return [f"{damage.name}: {problem}" for problem in problems]


def _saved(place: Place, version: int) -> str:
    saved = place.memory().remember(
        body_of("fresh", version), kind="reference", name="fresh", description="Where it stands"
    )
    return saved.operation


def _undo_problems(place: Place) -> list[str]:
    """Save and undo once more: whatever happened to the past, the present can be taken back."""
    _saved(place, 2)
    place.memory().undo()
    found = mark_in(place.memory().read("fresh").text)
    return [] if found == "fresh/1" else [f"undo brought back {found!r}"]


def closed_repository_problems(folder: str) -> list[str]:
    """Take all permissions from a repository; to be run by a user whom that stops."""
    place = template(_SCRIPT, os.path.join(folder, "closed"))
    return problems_after(Damage("no permissions", lambda place: os.chmod(place.history, 0)), place)


def _sorts(loose: Place, packed: Place) -> Iterator[tuple[str, list[tuple[Damage, Place]]]]:
    yield "loose repository", [(damage, loose) for damage in damages(loose)]
    packs = [name for name in _files(packed) if name.startswith("objects/pack/")]
    kinds = (("truncated", _cut), ("zeroed", _zeroed), ("missing", _removed))
    yield "pack", [(Damage(f"{word} {name}", make(name)), packed) for name in packs for word, make in kinds]


def _sort(sort: str, found: Sequence[tuple[Damage, Place]], folder: str, effort: Effort) -> Figure:
    chosen = effort.some(found, 16)

    def tried(numbered: tuple[int, tuple[Damage, Place]]) -> list[str]:
        number, (damage, start) = numbered
        place = start.copied(os.path.join(folder, f"{sort}-{number}"))
        try:
            return problems_after(damage, place)
        except Exception as error:  # noqa: BLE001 - nothing may be raised because of history
            return [f"{damage.name}: {type(error).__name__}: {error}"]

    problems = in_parallel(tried, list(enumerate(chosen)))
    figure = f"{len(chosen)} of {len(found)} damages, {sum(map(bool, problems))} with anything wrong after"
    return Figure(f"damage to history.git: {sort}", figure, [p for each in problems for p in each])


def _history_problems(place: Place, operation: str, past: Sequence[str]) -> list[str]:
    known = [entry.id for entry in place.memory().history.list()]
    lost = [old for old in past if old not in known]
    problems = [f"history lost {len(lost)} operations"] if lost else []
    said = [finding.message for finding in place.memory().doctor.examine().findings]
    told = any("history" in message.lower() for message in said)
    if operation not in known and not told:
        problems.append("history does not know the save after the damage, and nobody says why")
    if past and told:
        problems.append(f"doctor speaks of history though nothing happened to it: {said}")
    if not past and not told and not (_sound(place) and _complete(known)):
        problems.append(f"history was damaged or begun anew, and doctor does not say so: {said}")
    return problems


def _complete(known: Sequence[str]) -> bool:
    return len(known) > len(_SCRIPT.before)


def _sound(place: Place) -> bool:
    command = ["git", "--git-dir", place.history, "fsck", "--no-dangling", "--no-progress"]
    return not subprocess.run(command, capture_output=True, check=False).returncode


def _git(place: Place, *arguments: str) -> None:
    subprocess.run(["git", "--git-dir", place.history, *arguments], check=True, capture_output=True)


def _files(place: Place) -> list[str]:
    return sorted(
        os.path.relpath(os.path.join(folder, name), place.history)
        for folder, _, names in os.walk(place.history)
        for name in names
    )


def objects(place: Place) -> list[str]:
    """Return the files that hold the history's objects, the newest last."""
    found = [name for name in _files(place) if name.startswith("objects/") and not name.endswith(".rev")]
    return sorted(found, key=lambda name: os.stat(os.path.join(place.history, name)).st_mtime_ns)


def _written(name: str, data: bytes) -> Callable[[Place], None]:
    def inflict(place: Place) -> None:
        path = os.path.join(place.history, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _opened(path)
        with open(path, "wb") as file:
            file.write(data)

    return inflict


def _cut(name: str) -> Callable[[Place], None]:
    def inflict(place: Place) -> None:
        path = os.path.join(place.history, name)
        _opened(path)
        os.truncate(path, os.path.getsize(path) // 2)

    return inflict


def _zeroed(name: str) -> Callable[[Place], None]:
    def inflict(place: Place) -> None:
        path = os.path.join(place.history, name)
        _written(name, b"\0" * os.path.getsize(path))(place)

    return inflict


def _removed(name: str) -> Callable[[Place], None]:
    return lambda place: os.unlink(os.path.join(place.history, name))


def _opened(path: str) -> None:
    if os.path.exists(path):
        os.chmod(path, 0o600)


def _replaced_by_file(place: Place) -> None:
    shutil.rmtree(place.history)
    with open(place.history, "w", encoding="utf-8") as file:
        file.write("not a repository\n")


def _replaced_by_folder(place: Place) -> None:
    shutil.rmtree(place.history)
    os.mkdir(place.history)


def _replaced_by_link(place: Place) -> None:
    shutil.rmtree(place.history)
    os.symlink(os.path.join(place.root, "nowhere"), place.history)
