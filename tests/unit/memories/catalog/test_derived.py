"""Derived rows: used while the file is the same, computed anew after that, and never in the way."""

import os
from pathlib import Path

import pytest

from memdir.memories.catalog.derived import Derived, content_key

KEY = content_key(b"text")


def rows_in(state: Path, version: str = "1") -> Derived:
    return Derived(str(state), "rows", version)


def stored(state: Path, count: int = 3) -> None:
    rows = rows_in(state)
    for number in range(count):
        rows.put(f"m{number}.md", number, content_key(b"text %d" % number), b"\x00row\n%d" % number)
    rows.store({f"m{number}.md" for number in range(count)})


def test_a_row_holds_for_one_signature_of_the_file(tmp_path: Path) -> None:
    stored(tmp_path)
    rows = rows_in(tmp_path)
    assert rows.row("m1.md", 1) == b"\x00row\n1"
    assert rows.row("m1.md", 2) is None
    assert rows.row("m1.md", None) is None
    assert rows.row("other.md", 1) is None


def test_the_same_content_is_not_computed_twice(tmp_path: Path) -> None:
    stored(tmp_path)
    rows = rows_in(tmp_path)
    assert rows.adopt("renamed.md", 77, content_key(b"text 2")) == b"\x00row\n2"
    assert rows.row("renamed.md", 77) == b"\x00row\n2"
    assert rows.adopt("m0.md", 78, content_key(b"something else")) is None


def test_rows_of_files_that_are_gone_are_dropped(tmp_path: Path) -> None:
    stored(tmp_path)
    rows_in(tmp_path).store({"m0.md"})
    after = rows_in(tmp_path)
    assert after.row("m0.md", 0) is not None
    assert after.row("m1.md", 1) is None


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    stored(tmp_path)
    before = (tmp_path / "rows").stat().st_ino
    rows = rows_in(tmp_path)
    rows.row("m0.md", 0)
    rows.store({"m0.md", "m1.md", "m2.md"})
    assert (tmp_path / "rows").stat().st_ino == before


def test_a_large_file_is_not_rewritten_for_one_row(tmp_path: Path) -> None:
    rows, files = rows_in(tmp_path), {f"m{number}.md" for number in range(40)}
    for file in files:
        rows.put(file, 1, KEY, b"x" * 50_000)
    rows.store(files)
    before = (tmp_path / "rows").stat().st_ino
    rows.put("m0.md", 2, KEY, b"y")
    rows.store(files)
    assert (tmp_path / "rows").stat().st_ino == before
    for file in ("m1.md", "m2.md"):
        rows.put(file, 2, KEY, b"y")
    rows.store(files)
    assert rows_in(tmp_path).row("m0.md", 2) == b"y"


def test_rows_of_another_version_are_not_read(tmp_path: Path) -> None:
    stored(tmp_path)
    assert rows_in(tmp_path, "2").row("m0.md", 0) is None


def test_a_cache_cut_anywhere_counts_as_empty(tmp_path: Path) -> None:
    stored(tmp_path)
    whole = (tmp_path / "rows").read_bytes()
    for place in range(len(whole)):
        (tmp_path / "rows").write_bytes(whole[:place])
        assert rows_in(tmp_path).row("m0.md", 0) is None


def test_with_any_byte_changed_a_row_is_right_or_missing(tmp_path: Path) -> None:
    stored(tmp_path)
    whole = (tmp_path / "rows").read_bytes()
    missing = 0
    for place in range(len(whole)):
        (tmp_path / "rows").write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        rows = rows_in(tmp_path)
        found = [rows.row(f"m{number}.md", number) for number in range(3)]
        assert all(row in (None, b"\x00row\n%d" % number) for number, row in enumerate(found)), place
        missing += None in found
    assert missing == len(whole)


@pytest.mark.parametrize(
    "garbage", [b"", b"\n", b"memdir rows 1\n", b"\xff" * 100, b"memdir rows 1\n00000000\n"]
)
def test_garbage_counts_as_empty_and_is_replaced(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / "rows").write_bytes(garbage)
    assert rows_in(tmp_path).row("m0.md", 0) is None
    stored(tmp_path)
    assert rows_in(tmp_path).row("m0.md", 0) == b"\x00row\n0"


def test_a_name_that_is_no_text_is_kept(tmp_path: Path) -> None:
    rows = rows_in(tmp_path)
    rows.put("odd\udcff 🦉.md", 5, KEY, b"row")
    rows.store({"odd\udcff 🦉.md"})
    assert rows_in(tmp_path).row("odd\udcff 🦉.md", 5) == b"row"


def test_a_state_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    rows = Derived(str(tmp_path / "file" / "state"), "rows", "1")
    rows.put("a.md", 1, KEY, b"row")
    rows.store({"a.md"})
    assert rows.row("a.md", 1) == b"row"


def test_the_cache_is_private(tmp_path: Path) -> None:
    stored(tmp_path)
    assert os.stat(tmp_path / "rows").st_mode & 0o777 == 0o600


def test_one_new_row_beside_many_old_ones_is_kept_without_writing_them_again(tmp_path: Path) -> None:
    many = {f"{number}.md" for number in range(100)}
    first = Derived(str(tmp_path), "rows", "1")
    for file in many:
        first.put(file, 1, file, b"x" * 20_000)
    first.store(many)
    before = (tmp_path / "rows").stat().st_mtime_ns
    second = Derived(str(tmp_path), "rows", "1")
    second.put("new.md", 2, "key", b"new")
    second.store({*many, "new.md"})
    assert (tmp_path / "rows").stat().st_mtime_ns == before
    third = Derived(str(tmp_path), "rows", "1")
    assert (third.row("new.md", 2), third.row("7.md", 1)) == (b"new", b"x" * 20_000)


def test_rows_that_another_handle_stored_are_taken_in(tmp_path: Path) -> None:
    mine, other = Derived(str(tmp_path), "rows", "1"), Derived(str(tmp_path), "rows", "1")
    assert mine.row("a.md", 1) is None
    assert not mine.refresh()
    other.put("a.md", 1, "key", b"row")
    other.store({"a.md"})
    assert mine.refresh()
    assert mine.row("a.md", 1) == b"row"


def test_what_is_not_stored_yet_is_not_given_up_for_what_others_stored(tmp_path: Path) -> None:
    mine, other = Derived(str(tmp_path), "rows", "1"), Derived(str(tmp_path), "rows", "1")
    mine.put("mine.md", 1, "key", b"mine")
    other.put("other.md", 1, "key", b"other")
    other.store({"other.md"})
    assert not mine.refresh()
    assert mine.row("mine.md", 1) == b"mine"
