"""Whatever the umask, only the owner may look: 0700 for folders, 0600 for files."""

import os
import stat

from tests.reliability.figure import Figure
from tests.reliability.place import Place, scratch
from tests.reliability.somebody import as_somebody, as_us
from tests.reliability.worker import done

__all__ = ["mode_figures", "mode_problems"]


def mode_figures() -> list[Figure]:
    """Return one figure a umask, from a process that has it."""
    figures = []
    for umask in (0o000, 0o022, 0o077, 0o277):
        with scratch(anybody=True) as folder:
            problems = as_us(mode_problems, os.path.join(folder, "us"), umask=umask)
            problems += as_somebody(mode_problems, os.path.join(folder, "them"), umask=umask)
        figures.append(
            Figure(f"modes under umask {umask:03o}", "directory, state, history, trash, journal", problems)
        )
    return figures


def mode_problems(root: str) -> list[str]:
    """Do everything once in a new place and look at every mode."""
    place = Place(root)
    memory = place.memory()
    steps = (
        ("save", "a", 1),
        ("save", "a", 2),
        ("save", "b", 1),
        ("forget", "b"),
        ("undo",),
        ("rename", "a", "c"),
    )
    for step in steps:
        done(memory, step)
    memory.forget("c")
    memory.doctor(fix=True)
    memory.list()
    found = _modes(place)
    seen = {path.split(os.sep)[1] for path in found if path.count(os.sep)}
    problems = [f"nothing was seen of {name}" for name in ("history.git", "trash") if name not in seen]
    return problems + [
        f"{path} has mode {mode:04o}" for path, mode in found.items() if not _is_private(path, mode)
    ]


def _modes(place: Place) -> dict[str, int]:
    found = {"": stat.S_IMODE(os.stat(place.root).st_mode)}
    for folder, folders, names in os.walk(place.root):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            ending = os.sep if name in folders else ""
            found[os.path.relpath(path, place.root) + ending] = stat.S_IMODE(os.lstat(path).st_mode)
    return found


def _is_private(path: str, mode: int) -> bool:
    if path.startswith(os.path.join("state", "history.git", "")) and not path.endswith(os.sep):
        return mode in {0o600, 0o400}  # git makes its objects read-only
    return mode == (0o700 if not path or path.endswith(os.sep) else 0o600)
