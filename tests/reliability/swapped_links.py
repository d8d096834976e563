"""A link swapped in while a save runs is never followed: what lies outside stays as it is."""

import os
import subprocess
import sys
import time
from contextlib import suppress

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from memdir.errors import MemdirError
from tests.reliability.harness.figure import Figure
from tests.reliability.harness.marked_bodies import body_of
from tests.reliability.harness.processes import environment
from tests.reliability.harness.recovery import unchanged
from tests.reliability.harness.sandbox import Place, scratch

__all__ = ["swap_figure"]

_TARGETS = ("reference_flip.md", "MEMORY.md", "sub", "hubs")


def swap_figure(seconds: float) -> Figure:
    """Save for so long while another process swaps names for links; look outside afterwards."""
    with scratch() as folder:
        place = _prepared(folder)
        outside = os.path.join(folder, "outside")
        before = unchanged(outside)
        flipper = subprocess.Popen([sys.executable, __file__, place.directory, outside], env=environment())
        with flipper:
            saves, refused = _saves(place, seconds)
            flipper.terminate()
        problems = [] if unchanged(outside) == before else [f"outside changed: {sorted(unchanged(outside))}"]
        problems += [] if saves else ["not one save got through, so nothing was tried"]
    return Figure(
        "a link swapped in during a save", f"{saves} saves, {refused} refused, outside unchanged", problems
    )


def _prepared(folder: str) -> Place:
    place = Place(folder)
    os.makedirs(os.path.join(folder, "outside", "inner"))
    for path in ("file.md", "inner/reference_below.md"):
        with open(os.path.join(folder, "outside", path), "w", encoding="utf-8") as file:
            file.write("---\nname: below\n---\nOutside.\n")
    place.memory().remember(body_of("flip", 0), kind="reference", name="flip", description="Flips")
    os.mkdir(place.full("sub"))
    with open(place.full("sub/reference_below.md"), "w", encoding="utf-8") as file:
        file.write("---\nname: below\ntype: reference\n---\nInside.\n")
    return place


def _saves(place: Place, seconds: float) -> tuple[int, int]:
    memory, until = place.memory(), time.monotonic() + seconds
    saves = refused = 0
    while time.monotonic() < until:
        for name in ("flip", "below"):
            try:
                memory.remember(body_of(name, saves), kind="reference", name=name, description="Flips")
                saves += 1
            except MemdirError:
                refused += 1
    return saves, refused


def _flip(directory: str, outside: str) -> None:
    """Swap every name, and every temporary file that shows up, between itself and a link to outside."""
    while True:
        for target in _TARGETS:
            path = os.path.join(directory, target)
            leads = os.path.join(outside, "file.md" if target.endswith(".md") else "inner")
            _swapped(path, leads)
        for name in os.listdir(directory):
            if name.startswith(".memdir-tmp-"):
                _swapped(os.path.join(directory, name), os.path.join(outside, "file.md"), back=False)


def _swapped(path: str, leads: str, *, back: bool = True) -> None:
    """Put a link in the place of a file for a moment; what stood there comes back."""
    aside = path + ".aside"
    with suppress(OSError):
        os.rename(path, aside)
    with suppress(OSError):
        os.symlink(leads, path)
    time.sleep(0.0005)
    if back:
        with suppress(OSError):
            os.unlink(path)
        with suppress(OSError):
            os.rename(aside, path)


if __name__ == "__main__":
    _flip(sys.argv[1], sys.argv[2])
