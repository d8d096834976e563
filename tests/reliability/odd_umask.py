"""Whatever the umask, only the owner may look: 0700 for folders, 0600 for files."""

import os
import stat

from tests.reliability.harness.figure import Figure
from tests.reliability.harness.other_user import as_somebody, as_us
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.worker_process import done

__all__ = ["mode_figures", "mode_problems"]

_UMASKS = (0o000, 0o022, 0o077, 0o277)

_WHAT = "modes under umask"


def mode_figures() -> list[Figure]:
    """Return one figure a umask, from processes of our own user and of another that go through them."""
    with scratch(anybody=True) as folder:
        problems = as_us(mode_problems, os.path.join(folder, "us"))
        problems += as_somebody(mode_problems, os.path.join(folder, "them"))
    seen = "directory, state, history, trash, journal"
    return [
        Figure(name, seen, [p for p in problems if p.startswith(name) or not p.startswith(_WHAT)])
        for name in map(_name, _UMASKS)
    ]


def mode_problems(root: str) -> list[str]:
    """Do everything once under every umask, each in a new place, and look at every mode."""
    problems = []
    for umask in _UMASKS:
        os.umask(umask)
        problems += [f"{_name(umask)}: {found}" for found in _problems(f"{root}-{umask:03o}")]
    return problems


def _name(umask: int) -> str:
    return f"{_WHAT} {umask:03o}"


def _problems(root: str) -> list[str]:
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
    memory.doctor.examine(fix=True)
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
