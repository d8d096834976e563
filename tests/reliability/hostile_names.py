"""Hundreds of names and directories that want out: none gets out, none is taken for what it is not."""

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress

from memdir.errors import MemdirError
from memdir.memory import Memory
from tests.reliability.harness.figure import Figure
from tests.reliability.harness.hostile_inputs import hostile_directories, hostile_names, index_names
from tests.reliability.harness.inspection import pointer_problems
from tests.reliability.harness.recovery import unchanged
from tests.reliability.harness.sandbox import Place, scratch
from tests.reliability.harness.traps import SECRET

__all__ = ["directory_figures", "name_figures"]

_FILE = re.compile(r"reference_[A-Za-z0-9_-]{1,87}\.md")


def name_figures() -> list[Figure]:
    """Save, read, forget and rename under every hostile name."""
    names = list(dict.fromkeys(hostile_names()))
    with scratch() as folder:
        place = _guarded(folder)
        before = unchanged(os.path.join(folder, "outside"))
        memory = place.memory()
        problems = [problem for name in names for problem in _name_problems(memory, name)]
        problems += _strays(folder, before) + pointer_problems(place.directory)
        saved = len(place.memory().list())
    figure = f"{len(names)} names, {saved} of them made harmless and saved, 0 escapes"
    return [Figure("hostile names", figure, problems), _index_figure()]


def directory_figures() -> list[Figure]:
    """Configure every hostile directory by variable and by settings, and see where memory would live."""
    problems: list[str] = []
    with scratch() as folder:
        home = os.path.join(folder, "home")
        os.makedirs(os.path.join(home, "project"))
        values = list(hostile_directories(home))
        for value, accepted in values:
            problems += _directory_problems(home, value, accepted=accepted)
            problems += _settings_problems(home, value, accepted=accepted or _names_a_folder_of_home(value))
        if sorted(os.listdir(home)) != [".claude", "project"]:
            problems.append(f"opening made something: {os.listdir(home)}")
    return [Figure("hostile directories", f"{2 * len(values)} tries by variable and by settings", problems)]


def _index_figure() -> Figure:
    """Ask for the index under every name it might answer to."""
    problems: list[str] = []
    with scratch() as folder:
        place = _guarded(folder)
        for name in index_names():
            for verb in (place.memory().read, place.memory().forget):
                with suppress(MemdirError):
                    verb(name)
                    problems.append(f"{verb.__name__}({name!r}) took the index for a memory")
            with suppress(MemdirError):
                file = place.memory().remember("x" * 20, kind="reference", name=name, description="d").file
                if _index_like(file):
                    problems.append(f"{name!r} was saved as {file!r}")
                place.memory().forget(file)
        problems += pointer_problems(place.directory)
    return Figure("the index can never be a memory", f"{len(list(index_names()))} names", problems)


def _name_problems(memory: Memory, name: str) -> list[str]:
    """Try one name with every verb that takes one; only errors of ours may be raised."""
    problems: list[str] = []
    tries: list[tuple[str, Callable[[], object]]] = [
        ("read", lambda: memory.read(name).text),
        ("forget", lambda: memory.forget(name)),
        (
            "remember",
            lambda: memory.remember("Some body.", kind="reference", name=name, description="d").file,
        ),
        ("rename", lambda: memory.rename("moving", name).file),
    ]
    for verb, call in tries:
        try:
            result = call()
        except MemdirError:
            continue
        except Exception as error:  # noqa: BLE001 - a finding
            problems.append(f"{verb}({name[:60]!a}) raised {type(error).__name__}: {str(error)[:120]}")
            continue
        problems += _result_problems(memory, verb, name, result)
    return problems


def _result_problems(memory: Memory, verb: str, name: str, result: object) -> list[str]:
    shown = f"{verb}({name[:60]!a})"
    if verb in {"read", "forget"}:
        # Nothing was saved under this name yet, so whatever answered is not what was asked for.
        return [f"{shown} found {str(result)[:80]!r}"]
    if verb == "rename":
        memory.rename(str(result), "moving")
    file = str(result)
    if verb in {"remember", "rename"} and not _FILE.fullmatch(file):
        return [f"{shown} was saved as {file!r}"]
    if verb == "remember":
        memory.forget(file)
    return []


def _directory_problems(home: str, value: str, *, accepted: bool) -> list[str]:
    memory = Memory.open(
        os.path.join(home, "project"), env={"HOME": home, "PATH": os.defpath, "MEMDIR_DIRECTORY": value}
    )
    default = os.path.join(home, ".claude", "projects")
    if accepted == memory.directory.startswith(default):
        return [f"MEMDIR_DIRECTORY={value[:60]!a} led to {memory.directory!r}"]
    return (
        []
        if memory.directory.startswith(home + os.sep)
        else [f"{value[:60]!a} led out to {memory.directory!r}"]
    )


def _settings_problems(home: str, value: str, *, accepted: bool) -> list[str]:
    """Put the value into the user's settings, then into the project's, where it must be ignored."""
    problems = []
    default = os.path.join(home, ".claude", "projects")
    for folder, obeyed in ((home, accepted), (os.path.join(home, "project"), False)):
        path = os.path.join(folder, ".claude", "settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"autoMemoryDirectory": value}, file)
        memory = Memory.open(os.path.join(home, "project"), env={"HOME": home, "PATH": os.defpath})
        os.unlink(path)
        if obeyed == memory.directory.startswith(default):
            problems.append(f"autoMemoryDirectory {value[:60]!a} in {folder} led to {memory.directory!r}")
    return problems


def _names_a_folder_of_home(value: str) -> bool:
    """Tell which of the values are fine where ~ is expanded."""
    return value in {"~/x", "~\\x"}


def _guarded(folder: str) -> Place:
    """Return a place with one memory, and files outside that carry the marker."""
    os.mkdir(os.path.join(folder, "outside"))
    for path in ("outside/secret.md", "outside/secret", "x.md"):
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(f"---\nname: outside\n---\n{SECRET}\n")
    place = Place(folder)
    place.memory().remember("Stays.", kind="reference", name="moving", description="It moves")
    return place


def _strays(folder: str, before: dict[str, tuple[int, bytes]]) -> list[str]:
    problems = (
        [] if unchanged(os.path.join(folder, "outside")) == before else ["the folder outside was changed"]
    )
    beside = sorted(os.listdir(folder))
    if beside != ["memory", "outside", "state", "x.md"]:
        problems.append(f"something was written beside the directory: {beside}")
    inside = [name for name in os.listdir(os.path.join(folder, "memory")) if not _FILE.fullmatch(name)]
    return problems + [f"a stray in the directory: {name!r}" for name in inside if name != "MEMORY.md"]


def _index_like(file: str) -> bool:
    return file.rpartition("/")[2].casefold() == "memory.md"
