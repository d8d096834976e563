"""Of a file no more is read for its header than a header may have."""

import os
from pathlib import Path

import pytest

from memdir.disk.files import Folder
from memdir.memories.catalog.header_cache import entry_from_row, read_entry, read_head, row_bytes
from memdir.memories.scan import ScanReport

MEGABYTE = 1_000_000


class Counting(Folder):
    """A folder that adds up the bytes that were asked of it."""

    bytes_read = 0

    def read(
        self, relative: str, limit: int = MEGABYTE, *, shared: bool = False
    ) -> tuple[bytes, os.stat_result]:
        data, status = super().read(relative, limit, shared=shared)
        self.bytes_read += len(data)
        return data, status


@pytest.mark.parametrize(
    ("text", "at_most"),
    [
        ("no header\n" * (MEGABYTE // 10), 4096),
        ("---\n" + "key: value\n" * (MEGABYTE // 11), 4096),
        ("---\nname: a\n---\n" + "body\n" * (MEGABYTE // 5), 4096),
        ("---\nname: " + "x" * MEGABYTE, 4096 + (1 << 16)),
    ],
)
def test_a_large_file_is_not_read_for_its_header(tmp_path: Path, text: str, at_most: int) -> None:
    (tmp_path / "a.md").write_text(text)
    with Counting(str(tmp_path)) as folder:
        assert isinstance(folder, Counting)
        read_head(folder, "a.md")
        assert folder.bytes_read <= at_most


def test_a_row_holds_no_page_and_reads_back_as_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f'---\nname: "a"\ndescription: "{"d" * 3_000}"\ntype: "user"\n---\n')
    with Folder(str(tmp_path)) as folder:
        entry = read_entry(folder, "a.md", ScanReport())
    assert entry is not None
    assert len(entry[2].description) == 1_000
    assert entry_from_row(row_bytes([entry]).decode().rstrip("\n")) == entry


def test_a_long_header_that_ends_is_read_to_its_end(tmp_path: Path) -> None:
    text = f'---\nname: a\ndescription: "{"d" * 10_000}"\ntype: user\n---\nbody\n'
    (tmp_path / "a.md").write_text(text)
    with Folder(str(tmp_path)) as folder:
        assert read_head(folder, "a.md")[0].decode() == text
