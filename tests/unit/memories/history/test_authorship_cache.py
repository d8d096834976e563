"""Who wrote a memory is asked of history once, and again when the file is another."""

import os
from pathlib import Path

from memdir.memories.history.authorship_cache import KnownWriters
from memdir.memories.topic import Provenance

BY = Provenance("extractor", "user", "model")


class Asked:
    """A history that counts how often it is asked."""

    def __init__(self, by: Provenance | None = BY) -> None:
        self.files: list[str] = []
        self.by = by

    def __call__(self, file: str) -> Provenance | None:
        self.files.append(file)
        return self.by


def place(tmp_path: Path) -> tuple[str, Path]:
    (tmp_path / "state" / "history.git").mkdir(parents=True)
    path = tmp_path / "a.md"
    path.write_text("one")
    return str(tmp_path / "state"), path


def test_history_is_asked_once_for_all_processes(tmp_path: Path) -> None:
    state, path = place(tmp_path)
    asked = Asked()
    for _ in range(2):
        writers = KnownWriters(state, asked)
        assert [writers.of("a.md", path.stat()) for _ in range(2)] == [BY, BY]
    assert asked.files == ["a.md"]


def test_that_nobody_is_known_is_remembered_too(tmp_path: Path) -> None:
    state, path = place(tmp_path)
    asked = Asked(None)
    for _ in range(2):
        assert KnownWriters(state, asked).of("a.md", path.stat()) is None
    assert asked.files == ["a.md"]


def test_a_file_that_was_touched_is_asked_about_again(tmp_path: Path) -> None:
    state, path = place(tmp_path)
    asked = Asked()
    before = path.stat()
    KnownWriters(state, asked).of("a.md", before)
    path.write_text("two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    asked.by = None
    assert KnownWriters(state, asked).of("a.md", path.stat()) is None
    assert asked.files == ["a.md", "a.md"]


def test_without_any_record_history_is_not_even_loaded(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("one")
    asked = Asked()
    assert KnownWriters(str(tmp_path / "state"), asked).of("a.md", path.stat()) is None
    assert asked.files == []


def test_a_damaged_record_is_made_anew(tmp_path: Path) -> None:
    state, path = place(tmp_path)
    Path(state, "writers").write_bytes(b"\xff\x00 something else\n")
    assert KnownWriters(state, Asked()).of("a.md", path.stat()) == BY
    assert KnownWriters(state, Asked(None)).of("a.md", path.stat()) == BY
