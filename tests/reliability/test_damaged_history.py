"""Saves never depend on history: whatever is done to history.git, they work and history mends itself."""

import os

import pytest

from tests.reliability.damaged_history import damages, objects, problems_after
from tests.reliability.harness.sandbox import scratch
from tests.reliability.killed_writer import SCRIPTS, Script, template

WITHOUT_OBJECTS = [
    "stale HEAD.lock",
    "stale refs/heads/main.lock",
    "missing HEAD",
    "empty HEAD",
    "missing refs/heads/main",
    "empty refs/heads/main",
    "refs/heads/main names nothing",
    "someone ran git gc",
    "missing whole",
    "a file in its place",
]


@pytest.mark.parametrize("name", WITHOUT_OBJECTS)
def test_a_save_goes_on_after(name: str) -> None:
    with scratch() as folder:
        place = template(Script("damage", SCRIPTS[1].before, ()), os.path.join(folder, "place"))
        (damage,) = [damage for damage in damages(place) if damage.name == name]
        assert problems_after(damage, place) == []


@pytest.mark.parametrize("word", ["truncated", "zeroed", "missing"])
def test_a_save_goes_on_after_the_newest_object_is(word: str) -> None:
    with scratch() as folder:
        place = template(Script("damage", SCRIPTS[1].before, ()), os.path.join(folder, "place"))
        wanted = f"{word} {objects(place)[-1]}"
        (damage,) = [damage for damage in damages(place) if damage.name == wanted]
        assert problems_after(damage, place) == []
