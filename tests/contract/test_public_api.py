"""The front door fits on a screen: few names, all documented, and the same verbs for asynchronous callers."""

import asyncio
import inspect
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.environment import WORDS_ALONE

from memdir import Header, Memory
from memdir.aio import AsyncMemory

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
MOST_NAMES = 30
NOW = datetime(2031, 5, 6, 7, 8, tzinfo=UTC)
NOW_STAMP = "2031-05-06T07:08:00Z"


def public(cls: type) -> dict[str, object]:
    return {name: member for name, member in inspect.getmembers_static(cls) if name[0] != "_"}


def verbs(cls: type) -> set[str]:
    return {name for name, member in public(cls).items() if inspect.isfunction(member)}


HANDLES = {name for name, member in public(Memory).items() if isinstance(member, property)} - {
    "aio",
    "directory",
    "state",
    "verdict",
}


def test_memory_has_few_public_names_and_none_by_inheritance() -> None:
    assert len(public(Memory)) <= MOST_NAMES
    assert Memory.__bases__ == (object,)


@pytest.mark.parametrize("name", sorted(public(Memory)))
def test_every_public_name_is_explained(name: str) -> None:
    assert getattr(Memory, name).__doc__
    assert f"`{name}`" in PAGE.read_text() or f"`memory.{name}" in PAGE.read_text()


@pytest.mark.parametrize("name", sorted(HANDLES))
def test_the_page_lists_what_a_handle_offers(memory: Memory, name: str) -> None:
    handle = getattr(memory, name)
    (row,) = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `memory.{name}` |")]
    fields = getattr(type(handle), "__match_args__", ())
    assert [verb for verb in public(type(handle)) if f"`{verb}`" not in row and verb not in fields] == []


def test_asynchronous_callers_have_every_verb(tmp_path: Path) -> None:
    assert public(AsyncMemory).keys() == verbs(Memory)

    async def saved() -> list[Header]:
        memory = Memory.at(tmp_path / "memory", tmp_path / "state")
        await memory.aio.remember("Deploys are on Tuesdays.", kind="project", name="deploys")
        return await memory.aio.list()

    assert [header.name for header in asyncio.run(saved())] == ["deploys"]


def test_every_moment_comes_from_the_clock_of_the_caller(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", **WORDS_ALONE}
    here = Memory.open(tmp_path, env, clock=lambda: NOW)
    there = Memory.at(tmp_path / "memory", tmp_path / "state", env=env, clock=lambda: NOW)
    for memory in (here, there):
        memory.remember("Deploys are on Tuesdays.", kind="project", name="deploys")
        assert [entry.at for entry in memory.history.list()] == [NOW_STAMP]
