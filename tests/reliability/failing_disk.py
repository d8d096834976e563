"""Real refusals: a full disk, a read-only one, closed directories, no descriptors left."""

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.reliability.harness.figure import Figure, needs_root, not_run
from tests.reliability.harness.inspection import text_problems, view_problems
from tests.reliability.harness.other_user import as_somebody, as_us
from tests.reliability.harness.recovery import recovery_problems
from tests.reliability.harness.refusal_check import judged, prose_problems, tried, with_prose
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.killed_writer import SCRIPTS, Script, template

__all__ = [
    "descriptor_problems",
    "forbidden_problems",
    "full_disk_problems",
    "read_only_problems",
    "real_refusal_figures",
]

_NEW = Script("save", SCRIPTS[1].before, (("save", "fresh", 1),))
_UPDATE = Script("update", SCRIPTS[1].before, (("save", "alpha", 3),))


def real_refusal_figures() -> list[Figure]:
    """Return figures for refusals that need no strace: real permissions, limits and file systems."""
    figures = []
    with scratch(anybody=True) as folder:
        problems = as_somebody(forbidden_problems, folder)
        figures.append(Figure("EACCES by real permissions", "directory, state and both closed", problems))
    with scratch(anybody=True) as folder:
        problems = as_somebody(read_only_problems, folder)
        figures.append(Figure("list, read and index on a read-only directory", "by permissions", problems))
    with scratch() as folder:
        problems = as_us(descriptor_problems, folder)
        figures.append(Figure("EMFILE by a real limit", "every limit up to the one that suffices", problems))
    return [*figures, *_mounted_figures()]


def forbidden_problems(folder: str) -> list[str]:
    """Close directories to writing and try to save; to be run by a user whom that stops."""
    problems: list[str] = []
    for number, closed in enumerate((["memory"], ["state"], ["memory", "state"])):
        place = with_prose(template(_NEW, os.path.join(folder, str(number))))
        for name in closed:
            os.chmod(os.path.join(place.root, name), 0o500)
        refused = tried(place, "fresh", 1)
        if not refused and "memory" in closed:
            problems.append(f"{closed}: a save into a closed directory was acknowledged")
        for name in closed:
            os.chmod(os.path.join(place.root, name), 0o700)
        problems += [f"{closed}: {p}" for p in judged(_NEW, place, acknowledged=not refused)]
    return problems


def read_only_problems(folder: str) -> list[str]:
    """Look at a directory that cannot be written, with and without records that can."""
    place = with_prose(template(_NEW, os.path.join(folder, "read-only")))
    problems: list[str] = []
    expected = {name: {mark} for name, mark in _NEW.ledgers[0].items()}
    for closed in (place.directory, place.state, place.history, place.root):
        os.chmod(closed, 0o500)
        memory = place.memory()
        problems += text_problems(memory, expected) + view_problems(memory)
        problems += prose_problems(place)
        if memory.doctor.status().memories != len(expected):
            problems.append("status counts wrong")
    return problems


def full_disk_problems(folder: str) -> list[str]:
    """Save until a small disk is full, make room, and go on; the folder is that disk."""
    place = Place(os.path.join(folder, "full"))
    expected: dict[str, set[str]] = {}
    problems: list[str] = []
    with open(os.path.join(folder, "ballast"), "wb") as ballast:
        ballast.write(bytes(200_000))
    for number in range(2_000):
        name = f"memory-{number}"
        if tried(place, name, 1):
            break
        expected[name] = {f"{name}/1"}
    else:
        problems.append("the disk never became full")
    problems += text_problems(place.memory(), expected)
    os.unlink(os.path.join(folder, "ballast"))
    return problems + [p for p in recovery_problems(place, expected) if not p.startswith("the view")]


def descriptor_problems(folder: str) -> list[str]:
    """Lower the limit of open files until nothing works, and raise it again."""
    script, problems, refusals = _UPDATE, list[str](), 0
    start = with_prose(template(script, os.path.join(folder, "template")))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for spare in range(16):
        place = start.copied(os.path.join(folder, str(spare)))
        used = max(int(name) for name in os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 3
        resource.setrlimit(resource.RLIMIT_NOFILE, (used + spare, hard))
        try:
            refused = tried(place, "alpha", 3)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        refusals += bool(refused)
        problems += [f"{spare} to spare: {p}" for p in judged(script, place, acknowledged=not refused)]
    return problems + ([] if refusals else ["no limit was low enough to refuse anything"])


def _mounted_figures() -> list[Figure]:
    full, read_only = "ENOSPC on a real small disk", "list, read and index on a read-only file system"
    if because := needs_root():
        return [not_run(full, because), not_run(read_only, because)]
    with scratch() as folder:
        if not _mount(folder, "size=1m"):
            return [not_run(full, "needs the right to mount"), not_run(read_only, "needs the right to mount")]
        with _unmounted_after(folder):
            figures = [Figure(full, "1 disk filled", as_us(full_disk_problems, folder))]
    with scratch() as folder:
        _mount(folder, "size=8m")
        with _unmounted_after(folder):
            place = with_prose(template(_NEW, os.path.join(folder, "place")))
            if not _mount(folder, "remount,ro"):
                return [*figures, Figure(read_only, "1 file system", ["it could not be made read-only"])]
            expected = {name: {mark} for name, mark in _NEW.ledgers[0].items()}
            problems = text_problems(place.memory(), expected) + view_problems(place.memory())
            if not tried(place, "fresh", 1):
                problems.append("a save on a read-only file system was acknowledged")
    return [*figures, Figure(read_only, "1 file system", problems)]


def _mount(folder: str, options: str) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]
    return not subprocess.run(command, capture_output=True, check=False).returncode


@contextmanager
def _unmounted_after(folder: str) -> Iterator[None]:
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], capture_output=True, check=False)
