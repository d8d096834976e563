"""The catalog: headers that are always those of the files, however little is read for it."""

import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir.disk.files import Folder
from memdir.memories.catalog.header_cache import Catalog
from memdir.memories.topic import Header, header_from, saved_time

TEXT = '---\nname: "{name}"\ndescription: "about {name}"\ntype: "feedback"\n---\n\nBody\n'


def write(folder: Folder, file: str, name: str, saved: int = 0) -> None:
    path = Path(folder.path) / file
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(TEXT.format(name=name))
    if saved:
        os.utime(path, (saved, saved))


def seen(catalog: Catalog, folder: Folder) -> dict[str, str]:
    catalog.refresh(folder)
    return {header.file: header.name for header in catalog.headers()}


def test_headers_come_newest_first(folder: Folder, tmp_path: Path) -> None:
    for number in (2, 3, 1):
        write(folder, f"m{number}.md", f"m{number}", saved=1000 + number)
    catalog = Catalog(str(tmp_path / "s"))
    assert list(seen(catalog, folder)) == ["m3.md", "m2.md", "m1.md"]
    assert [header.file for header in Catalog(str(tmp_path / "s")).newest(folder, 2)] == ["m3.md", "m2.md"]


def test_memories_of_one_moment_come_by_name(folder: Folder, tmp_path: Path) -> None:
    for number in (2, 3, 1):
        write(folder, f"m{number}.md", f"m{number}", saved=1000)
    catalog = Catalog(str(tmp_path / "s"))
    assert [header.file for header in catalog.newest(folder, 2)] == ["m1.md", "m2.md"]
    assert list(seen(catalog, folder)) == ["m1.md", "m2.md", "m3.md"]


def test_an_edit_in_place_is_seen(folder: Folder, tmp_path: Path) -> None:
    write(folder, "a.md", "one", saved=1000)
    catalog = Catalog(str(tmp_path / "s"))
    assert seen(catalog, folder) == {"a.md": "one"}
    write(folder, "a.md", "two", saved=1000)
    assert seen(catalog, folder) == {"a.md": "two"}


def test_what_stands_in_a_file_counts_more_than_what_was_just_written(folder: Folder, tmp_path: Path) -> None:
    catalog, written = Catalog(str(tmp_path / "state")), "---\nname: a\ndescription: ours\n---\nUse tabs.\n"
    ours = header_from("a.md", written, saved_time(0))
    folder.write("a.md", written.encode())
    known = catalog.put(folder, "a.md", ours, written)
    assert known is not None
    assert (known.description, known.saved_at > ours.saved_at) == ("ours", True)
    folder.write("a.md", written.replace("ours", "of an editor").encode())
    seen = catalog.put(folder, "a.md", ours, written)
    assert seen is not None
    assert seen.description == "of an editor"


def test_what_another_process_cached_is_used_and_revalidated(folder: Folder, tmp_path: Path) -> None:
    for number in range(5):
        write(folder, f"m{number}.md", f"m{number}")
    seen(Catalog(str(tmp_path / "s")), folder)
    write(folder, "m1.md", "changed")
    (Path(folder.path) / "m2.md").unlink()
    write(folder, "sub/new.md", "new")
    expected = {"m0.md": "m0", "m1.md": "changed", "m3.md": "m3", "m4.md": "m4", "sub/new.md": "new"}
    assert seen(Catalog(str(tmp_path / "s")), folder) == expected


@pytest.mark.parametrize("damage", [b"", b"memdir catalog 3\ngarbage\n", b"memdir catalog 2\n", b"\xff\x00"])
def test_a_damaged_cache_is_rebuilt_without_a_word(folder: Folder, tmp_path: Path, damage: bytes) -> None:
    write(folder, "a.md", "one")
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "catalog").write_bytes(damage)
    assert seen(Catalog(str(tmp_path / "s")), folder) == {"a.md": "one"}


def test_cached_headers_equal_those_read_afresh(folder: Folder, tmp_path: Path) -> None:
    tricky = ["a\\x1fb", "línea", "\\u2028", "emoji 🦉", ""]
    for number, name in enumerate(tricky):
        write(folder, f"m{number}.md", name, saved=1000 + number)
    first, second = Catalog(str(tmp_path / "s")), Catalog(str(tmp_path / "s"))
    fresh: list[list[Header]] = []
    for catalog in (first, second):
        catalog.refresh(folder)
        fresh.append(catalog.headers())
    assert fresh[0] == fresh[1]


def test_another_process_finds_them_in_the_same_order(folder: Folder, tmp_path: Path) -> None:
    for number, saved in enumerate((1001, 1000, 1001, 1002)):
        write(folder, f"m{number}.md", f"m{number}", saved=saved)
    for _ in range(2):
        assert list(seen(Catalog(str(tmp_path / "s")), folder)) == ["m3.md", "m0.md", "m2.md", "m1.md"]
    write(folder, "m1.md", "m1", saved=1003)
    assert list(seen(Catalog(str(tmp_path / "s")), folder)) == ["m1.md", "m3.md", "m0.md", "m2.md"]


def test_the_list_belongs_to_the_caller(folder: Folder, tmp_path: Path) -> None:
    write(folder, "a.md", "a")
    catalog = Catalog(str(tmp_path / "s"))
    catalog.refresh(folder)
    catalog.headers().clear()
    assert len(catalog.headers()) == 1


def test_the_generation_changes_exactly_when_a_memory_does(folder: Folder, tmp_path: Path) -> None:
    catalog, generations = Catalog(str(tmp_path / "s")), []
    changes: list[Callable[[], object]] = [
        lambda: write(folder, "a.md", "one", saved=1000),
        lambda: write(folder, "a.md", "two", saved=1000),
        lambda: write(folder, "b.md", "b"),
        lambda: os.unlink(Path(folder.path) / "b.md"),
        lambda: catalog.put(folder, "a.md"),
        lambda: catalog.drop("a.md"),
    ]
    for change in changes:
        change()
        generations += [catalog.generation]
        catalog.refresh(folder)
        generations += [catalog.generation]
        catalog.refresh(folder)
        assert catalog.generation == generations[-1]
    assert len(set(generations[1::2])) == len(changes)


def test_a_signature_is_the_same_in_every_process_until_the_file_changes(
    folder: Folder, tmp_path: Path
) -> None:
    write(folder, "a.md", "one", saved=1000)
    signatures = []
    for catalog in (Catalog(str(tmp_path / "s")), Catalog(str(tmp_path / "t"))):
        catalog.refresh(folder)
        signatures.append(catalog.signature("a.md"))
    assert signatures[0] == signatures[1] is not None
    write(folder, "a.md", "two", saved=1000)
    catalog.refresh(folder)
    assert catalog.signature("a.md") != signatures[0]
    assert catalog.signature("other.md") is None


def test_a_collector_that_was_off_stays_off(folder: Folder, tmp_path: Path) -> None:
    gc.disable()
    try:
        Catalog(str(tmp_path / "s")).refresh(folder)
        assert not gc.isenabled()
    finally:
        gc.enable()
    Catalog(str(tmp_path / "s")).refresh(folder)
    assert gc.isenabled()


def test_what_somebody_froze_stays_frozen(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memdir.memories.catalog.header_cache._MANY", 1)
    write(folder, "a.md", "one")
    gc.unfreeze()  # what the run of the tests froze
    Catalog(str(tmp_path / "s")).refresh(folder)
    assert gc.get_freeze_count() == 0
    ours = [object()]  # by itself: how many values are frozen falls when others of them end
    gc.freeze()
    try:
        Catalog(str(tmp_path / "t")).refresh(folder)
        assert not any(one is ours for one in gc.get_objects()), "it is collected again"
    finally:
        gc.unfreeze()
    assert any(one is ours for one in gc.get_objects())


def test_a_file_that_cannot_be_read_is_no_change(folder: Folder, tmp_path: Path) -> None:
    write(folder, "a.md", "one")
    write(folder, "hard.md", "two")
    os.link(Path(folder.path) / "hard.md", tmp_path / "second-name")
    catalog = Catalog(str(tmp_path / "s"))
    catalog.refresh(folder)
    generation = catalog.generation
    catalog.refresh(folder)
    assert catalog.generation == generation
    assert [item.file for item in catalog.findings.skipped] == ["hard.md"]


def test_names_that_came_and_went_are_taken_in_without_a_full_scan(folder: Folder, tmp_path: Path) -> None:
    write(folder, "a.md", "a")
    catalog = Catalog(str(tmp_path / "s"))
    catalog.refresh(folder)
    write(folder, "b.md", "b")
    (Path(folder.path) / "a.md").unlink()
    (Path(folder.path) / ".memdir-tmp-1-2").write_text("stale")
    assert catalog.refresh_names(folder) == [".memdir-tmp-1-2"]
    assert list(catalog) == ["b.md"]


def test_what_is_not_a_memory_is_left_out_and_said(folder: Folder, tmp_path: Path) -> None:
    root = Path(folder.path)
    for file in ("MEMORY.md", "sub/memory.md", ".hidden.md", "logs/x.md", "hubs/x.md", "team/x.md", "a.txt"):
        write(folder, file, "not one")
    write(folder, "real.md", "real")
    (root / "link.md").symlink_to(root / "real.md")
    (tmp_path / "outside.md").write_text("precious")
    os.link(tmp_path / "outside.md", root / "hard.md")
    os.mkfifo(root / "pipe.md")
    catalog = Catalog(str(tmp_path / "s"))
    assert seen(catalog, folder) == {"real.md": "real"}
    assert sorted(item.file for item in catalog.findings.skipped) == ["hard.md", "link.md", "pipe.md"]


@pytest.mark.parametrize(
    ("nanoseconds", "year"), [(0, 1970), (-(10**18), 1938), (10**21, 9999), (-(10**21), 1)]
)
def test_times_outside_the_calendar_move_to_its_ends(nanoseconds: int, year: int) -> None:
    assert saved_time(nanoseconds).year == year
