"""What was written is acknowledged, and only what was recorded is said to be undoable."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.memories.change import Operation
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Draft, Header, Provenance, header_from
from memdir.memories.writer import Writer
from memdir.text.secrets.search import SecretFinding, find_secrets

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
BY = Provenance(actor="user", source="user", method="offline", session="s1", reason="asked")


def writer(tmp_path: Path, root: str, told: list[Operation]) -> Writer:
    memories = MemoryDir(str(tmp_path / "memory"), str(tmp_path / "state"), root=root)
    return Writer(memories, None, afterwards=told.append)


@pytest.mark.parametrize("known", [b"", b"/other\n", b"\xff\n"])
def test_a_project_whose_path_is_no_text_is_recorded_once(tmp_path: Path, known: bytes) -> None:
    record = tmp_path / "state" / "root"
    record.parent.mkdir()
    record.write_bytes(known)
    told: list[Operation] = []
    for number in range(2):
        writer(tmp_path, "/p/\udcff", told).save([Draft(f"{number}", name=f"n{number}")], BY, NOW)
    assert len(told) == 2
    assert record.read_bytes() == known + b"/p/\xff\n"


def test_a_mended_index_that_nobody_wrote_down_is_not_called_undoable(tmp_path: Path) -> None:
    one = writer(tmp_path, "", [])
    one.save([Draft("Use tabs.", name="tabs")], BY, NOW)
    index = tmp_path / "memory" / "MEMORY.md"
    index.write_text(index.read_text().replace("Use tabs", "in my words " * 30))
    (tmp_path / "state" / "journal").mkdir()
    assert one.mend_index(BY, NOW) == ""
    assert "in my words" not in index.read_text()


def test_a_save_searches_for_credentials_once_and_reads_its_header_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched, parsed = list[str](), list[str]()

    def count_headers(file: str, text: str, saved_at: datetime) -> Header:
        parsed.append(text)
        return header_from(file, text, saved_at)

    def count_search(text: str) -> list[SecretFinding]:
        searched.append(text)
        return find_secrets(text)

    for module in ("topic", "writer"):
        monkeypatch.setattr(f"memdir.memories.{module}.header_from", count_headers)
    for module in ("memdir.memories.refusals", "memdir.text.secrets.search"):
        monkeypatch.setattr(f"{module}.find_secrets", count_search)
    writer(tmp_path, "", []).save([Draft("We deploy on Fridays after the release.")], BY, NOW)
    assert len(parsed) == 1  # for the index; the catalog sees that the same text stands there
    assert len(searched) == 2  # before it is written, and, answered from the cache, before it is recorded
    assert len(set(searched)) == 1
