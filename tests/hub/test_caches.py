"""A process keeps few copies of spaces, and what PostgreSQL does not have is in none of them."""

import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from memdir.errors import Rejected
from memdir.hub.administration import Spaces
from memdir.hub.cache import Caches, Opened, Work
from memdir.hub.database import Database
from memdir.hub.space_memory import MayOnlyRead
from memdir.memory import Memory

pytestmark = pytest.mark.hub


@pytest.fixture
def caches(tmp_path: Path) -> Iterator[Caches]:
    made = Caches(os.environ, folder=str(tmp_path), most=2)
    yield made
    made.close()
    assert list(tmp_path.iterdir()) == []


def opened(database: Database, space: UUID) -> Opened:
    return partial(database.space, space)


def remember(memory: Memory) -> str:
    return memory.remember("Deploys go out on Tuesdays.", name="deploys", kind="project").file


def names(memory: Memory) -> list[str]:
    return [header.name for header in memory.list()]


def test_the_copy_that_was_used_least_recently_goes(
    caches: Caches, database: Database, spaces: Spaces, tmp_path: Path
) -> None:
    made = [spaces.create(f"s{number}") for number in range(4)]
    for space in made:
        with caches.of(space) as cache:
            cache.write(opened(database, space), remember, Work(uuid4()))
    (folder,) = tmp_path.iterdir()
    kept = {UUID(path.name[:36]) for path in folder.iterdir() if path.is_dir()}
    assert (len(caches), kept) == (2, {made[2], made[3]})
    with caches.of(made[0]) as cache:  # and is built again when it is asked for
        assert cache.read(opened(database, made[0]), names) == ["deploys"]


def test_a_copy_in_use_stays(caches: Caches, database: Database, spaces: Spaces) -> None:
    made = [spaces.create(f"s{number}") for number in range(4)]
    with caches.of(made[0]) as cache:
        for space in made[1:]:
            with caches.of(space):
                pass
        assert cache.write(opened(database, made[0]), remember, Work(uuid4()))


def test_a_copy_that_nobody_used_for_long_is_made_anew(caches: Caches, spaces: Spaces) -> None:
    space = spaces.create("one")
    with caches.of(space) as first, caches.of(space) as same:
        assert first is same
    caches._copies[space].used -= 1_000.0
    with caches.of(space) as later:
        assert later is not first
    assert len(caches) == 1


def test_spaces_cost_no_thread(caches: Caches, database: Database, spaces: Spaces) -> None:
    before = threading.active_count()
    for number in range(3):
        space = spaces.create(f"s{number}")
        with caches.of(space) as cache:
            cache.write(opened(database, space), remember, Work(uuid4()))
    assert threading.active_count() == before


def test_a_verb_that_fails_after_a_change_leaves_nothing(
    caches: Caches, database: Database, spaces: Spaces
) -> None:
    space = spaces.create("one")

    def broken(memory: Memory) -> None:
        remember(memory)
        raise Rejected("It broke.")

    with caches.of(space) as cache:
        with pytest.raises(Rejected, match="It broke"):
            cache.write(opened(database, space), broken, Work(uuid4()))
        assert cache.read(opened(database, space), names) == []
    with database.space(space) as session:
        assert session.changes(0).seq == 0


def test_who_only_reads_changes_nothing(caches: Caches, database: Database, spaces: Spaces) -> None:
    space = spaces.create("one")
    with caches.of(space) as cache:
        with pytest.raises(MayOnlyRead):
            cache.read(opened(database, space), remember)
        assert cache.read(opened(database, space), names) == []


def test_a_copy_has_an_index_once_somebody_looks_at_it(
    caches: Caches, database: Database, spaces: Spaces
) -> None:
    space = spaces.create("one")
    with caches.of(space) as cache:
        for count in (1, 2):
            cache.write(opened(database, space), partial(numbered, count), Work(uuid4()))
            index = Path(cache.memory.directory, "MEMORY.md")
            assert index.exists() == (count > 1)
            shown = cache.read(opened(database, space), lambda memory: memory.context.index().content)
            assert shown.count("project_fact-") == index.read_text().count("project_fact-") == count


def numbered(count: int, memory: Memory) -> str:
    return memory.remember(f"Fact {count} of many.", name=f"fact {count}", kind="project").file


def test_what_another_process_changed_is_listed(
    caches: Caches, database: Database, spaces: Spaces, tmp_path: Path
) -> None:
    space, other = spaces.create("one"), Caches(os.environ, folder=str(tmp_path))

    def told(memory: Memory) -> list[str]:
        return [header.description for header in memory.list()]

    def changed(memory: Memory) -> str:
        return memory.remember("Deploys go out on Mondays.", name="deploys", kind="project").file

    with caches.of(space) as cache, other.of(space) as elsewhere:
        cache.write(opened(database, space), remember, Work(uuid4()))
        assert cache.read(opened(database, space), told) == ["Deploys go out on Tuesdays"]
        elsewhere.write(opened(database, space), changed, Work(uuid4()))
        assert cache.read(opened(database, space), told) == ["Deploys go out on Mondays"]
        Path(cache.memory.directory, "stray.md").write_text("Nobody else writes here, so nobody looks.")
        cache.write(opened(database, space), partial(numbered, 1), Work(uuid4()))
        assert cache.read(opened(database, space), names) == ["fact-1", "deploys"]
    other.close()


def test_long_work_is_done_again_when_somebody_else_was_quicker(
    caches: Caches, database: Database, spaces: Spaces, tmp_path: Path
) -> None:
    space, tries = spaces.create("one"), list[list[str]]()
    other = Caches(os.environ, folder=str(tmp_path))

    def slow(memory: Memory) -> str:
        tries.append(names(memory))
        if len(tries) == 1:
            with other.of(space) as quicker:
                quicker.write(opened(database, space), remember, Work(uuid4()))
        return memory.remember("Deploys go out on Mondays.", name="deploys", kind="project").file

    with caches.of(space) as cache:
        done = cache.work(opened(database, space), slow, Work(uuid4()), lambda _session, _answer: None)
        text = cache.read(opened(database, space), lambda memory: memory.read("deploys").body)
    other.close()
    assert (done, tries) == ("project_deploys.md", [[], ["deploys"]])
    assert "Mondays" in text


def test_a_copy_newer_than_the_database_is_built_again(
    caches: Caches, database: Database, spaces: Spaces
) -> None:
    space = spaces.create("one")
    with caches.of(space) as cache:
        cache.write(opened(database, space), remember, Work(uuid4()))
        with database.administration() as connection:  # as a backup from before leaves it
            connection.execute("TRUNCATE memdir.head, memdir.version, memdir.request")
            connection.execute("UPDATE memdir.space SET seq = 0")
        assert cache.read(opened(database, space), names) == []
