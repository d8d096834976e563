"""A handle that knows index and files to be in step writes what one that compares them all would write."""

import os
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdir.conversation.receipts import Receipt, Receipts, ShownMemory
from memdir.memories.catalog.header_cache import Catalog
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Draft, Provenance
from memdir.memories.writer import Writer
from memdir.text.value import replace

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


class Watched(Catalog):
    """A catalog that counts how often all its files are asked for."""

    asked = 0

    def __iter__(self) -> Iterator[str]:
        self.asked += 1
        return super().__iter__()


def writer_at(place: Path) -> Writer:
    return Writer(MemoryDir(str(place / "memory"), str(place / "state")), None)


def draft(number: int, words: str = "") -> Draft:
    return Draft(
        f"Body {number} {words}",
        ("user", "feedback")[number % 2],
        f"name {number}",
        f"{words or 'what is known about'} {number}",
        saved_at=BEGIN + timedelta(minutes=number),
    )


def saved(writer: Writer, *drafts: Draft) -> None:
    writer.save(drafts, Provenance(), BEGIN)


def files(place: Path) -> dict[str, str]:
    memory = place / "memory"
    return {str(path.relative_to(memory)): path.read_text() for path in memory.rglob("*.md")}


def written(place: Path, name: str, change: Callable[[str], str]) -> None:
    """Change a file as others do; the folder's time moves on even where the system's clock is coarse."""
    path = place / "memory" / name
    path.write_text(change(path.read_text() if path.exists() else ""))
    touched(place)


def touched(place: Path) -> None:
    status = os.stat(place / "memory")
    os.utime(place / "memory", ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))


def add_file(place: Path, dice: random.Random) -> None:
    number = dice.randrange(1000, 2000)
    written(place, f"user_alien-{number}.md", lambda _: f'---\nname: "alien-{number}"\n---\n\nBody\n')


def remove_file(place: Path, dice: random.Random) -> None:
    (place / "memory" / dice.choice(sorted(name for name in files(place) if "name-" in name))).unlink()
    touched(place)


def add_below(place: Path, dice: random.Random) -> None:
    below = place / "memory" / "sub"
    below.mkdir(exist_ok=True)
    (below / f"alien-{dice.randrange(5)}.md").write_text("A memory from elsewhere.\n")


def remove_below(place: Path, dice: random.Random) -> None:
    if found := sorted((place / "memory" / "sub").glob("*.md")):
        dice.choice(found).unlink()


def add_prose(place: Path, dice: random.Random) -> None:
    words = dice.choice(("# Ours\n\n", "<!-- mine -->\n", "Windows\r\n", "- [gone](gone.md)\n"))
    written(place, "MEMORY.md", lambda text: words + text)


def drop_line(place: Path, dice: random.Random) -> None:
    number = dice.randrange(100)
    written(place, "MEMORY.md", lambda text: "".join(_without(text.splitlines(keepends=True), number)))


def drop_hub_line(place: Path, dice: random.Random) -> None:
    hubs, number = sorted(name for name in files(place) if name.startswith("hubs/")), dice.randrange(100)
    if hubs:
        written(place, hubs[0], lambda text: "".join(_without(text.splitlines(keepends=True), number)))


def word_line(place: Path, dice: random.Random) -> None:
    number = dice.randrange(180)
    written(place, "MEMORY.md", lambda text: text.replace(f"[Name {number}]", "[In my words]"))


def nothing(place: Path, dice: random.Random) -> None:
    """Leave all as it is, which is what happens most of the time."""


MEDDLING = (
    *(add_file, remove_file, add_below, add_below, remove_below),
    *(add_prose, drop_line, drop_hub_line, word_line),
    *[nothing] * 12,
)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_others_do_in_between(tmp_path: Path, seed: int) -> None:
    long, short = tmp_path / "long", tmp_path / "short"
    keeper, dice = writer_at(long), random.Random(seed)
    for writer in (keeper, writer_at(short)):
        saved(writer, *map(draft, range(174)))
    for number in range(174, 200):
        meddle, throw = dice.choice(MEDDLING), dice.random()
        for place in (long, short):
            meddle(place, random.Random(f"{seed}/{number}"))
        new = draft(number) if throw < 0.5 else draft(dice.randrange(150, number), f"words {number}")
        for writer in (keeper, writer_at(short)):
            saved(writer, new)
        assert files(long) == files(short)


def test_a_save_in_step_does_not_ask_for_the_other_files(tmp_path: Path) -> None:
    memories = MemoryDir(str(tmp_path / "memory"), str(tmp_path / "state"))
    memories.catalog = catalog = Watched(memories.state)
    writer = Writer(memories, None)
    saved(writer, draft(1))
    saved(writer, draft(2))
    catalog.asked = 0
    saved(writer, draft(3))
    saved(writer, draft(3, "other words"))
    assert catalog.asked == 0
    written(tmp_path, "user_alien.md", lambda _: "A file from elsewhere.\n")
    saved(writer, draft(4))
    assert catalog.asked == 1
    assert "(user_alien.md)" in files(tmp_path)["MEMORY.md"]


def test_a_pointer_that_somebody_took_out_of_a_hub_comes_back(tmp_path: Path) -> None:
    writer = writer_at(tmp_path)
    saved(writer, *map(draft, range(200)))
    saved(writer, draft(200))
    saved(writer, draft(201))
    written(tmp_path, "hubs/feedback-1.md", lambda text: "".join(_without(text.splitlines(keepends=True), 5)))
    saved(writer, draft(202))
    pointed = "".join(text for name, text in files(tmp_path).items() if "_" not in name)
    assert all(f"_name-{number}.md)" in pointed for number in range(203))


def test_a_file_that_vanished_since_is_missed(tmp_path: Path) -> None:
    writer = writer_at(tmp_path)
    saved(writer, draft(1))
    saved(writer, draft(2))
    (tmp_path / "memory" / "user_name-2.md").unlink()
    touched(tmp_path)
    saved(writer, draft(3))
    assert "(user_name-2.md)" not in files(tmp_path)["MEMORY.md"]


def _without(lines: list[str], number: int) -> list[str]:
    return lines[:number] + lines[number + 1 :]


def test_a_credential_in_a_header_of_others_is_copied_nowhere(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    writer = writer_at(tmp_path)
    text = f"---\nname: hand\ndescription: CI uses {token}\nmetadata:\n  title: It is {token}\n---\nBody\n"
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "hand.md").write_text(text)
    assert "- [It is [secret: github-token]" in writer.memories.view().replace("\\", "")
    saved(writer, draft(1))
    kept = [tmp_path / "memory" / "MEMORY.md", tmp_path / "state" / "index.last"]
    assert [token in path.read_text() for path in kept] == [False, False]


def test_a_full_index_keeps_what_the_user_pinned_and_what_was_recalled(tmp_path: Path) -> None:
    writer = writer_at(tmp_path)
    old = [replace(draft(number), saved_at=BEGIN - timedelta(days=9)) for number in range(21)]
    saved(writer, *old[:20], replace(old[20], pinned=True))
    forged = '---\nname: "forged"\ntype: "user"\nmetadata:\n  pinned: true\n---\n\nBody\n'
    written(tmp_path, "user_forged.md", lambda _: forged)
    os.utime(tmp_path / "memory" / "user_forged.md", (1e9, 1e9))
    recalled = (ShownMemory("user_name-0.md", "", 0, ""),)
    Receipts(str(tmp_path / "state")).add(Receipt("1", "2026-04-01T00:00:00Z", "q", shown=recalled))
    saved(writer_at(tmp_path), *map(draft, range(21, 250)))
    index = files(tmp_path)["MEMORY.md"]
    kept = [
        name in index for name in ("user_name-20.md", "user_name-0.md", "user_name-2.md", "user_forged.md")
    ]
    assert kept == [True, True, False, False]
    assert writer_at(tmp_path).memories.view() == index
