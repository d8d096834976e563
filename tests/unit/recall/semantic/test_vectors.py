"""A directory keeps vectors of memories as they stand, and computes none while a prompt waits."""

from pathlib import Path

import pytest
from tests.unit.recall.small_model import weights
from training.weights_file import pack

from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header
from memdir.recall.semantic.vectors import VectorStore
from memdir.recall.semantic.weights import ENCODER

TEXT = '---\nname: "{name}"\ndescription: "{name}"\ntype: "project"\n---\n\n{body}\n'


@pytest.fixture
def home(tmp_path: Path) -> str:
    models = tmp_path / "home"
    models.mkdir(parents=True)
    (models / ENCODER).write_bytes(pack(weights()))
    for name in ("cat", "mat"):
        write(tmp_path, name, f"the {name} sat")
    return str(tmp_path / "home")


def write(place: Path, name: str, body: str) -> None:
    (place / "memory").mkdir(exist_ok=True)
    (place / "memory" / f"{name}.md").write_text(TEXT.format(name=name, body=body))


def opened(place: Path, home: str) -> tuple[VectorStore, list[Header]]:
    memories = MemoryDir(str(place / "memory"), str(place / "state"))
    return VectorStore(memories, home), sorted(memories.scan(), key=lambda header: header.file)


def test_nothing_is_computed_for_a_query(tmp_path: Path, home: str) -> None:
    library, headers = opened(tmp_path, home)
    assert library.nearness_to("the cat", headers) is None
    assert len(library.missing(headers)) == 2


def test_what_was_learned_is_there_for_the_next_process(tmp_path: Path, home: str) -> None:
    library, headers = opened(tmp_path, home)
    assert library.learn(headers) == 2
    other, headers = opened(tmp_path, home)
    assert other.missing(headers) == []
    near = other.nearness_to("cat: cat the cat sat", headers)
    assert near is not None
    cat, mat = (mean or 0.0 for mean in near.cosines)
    assert cat > mat


def test_a_few_at_a_time_are_learned_and_the_rest_waits(tmp_path: Path, home: str) -> None:
    library, headers = opened(tmp_path, home)
    assert library.learn(headers, most=1) == 1
    near = library.nearness_to("the cat", headers)
    assert near is not None
    assert [mean is None for mean in near.cosines].count(True) == 1
    assert library.learn(headers) == 1
    assert library.learn(headers) == 0


def test_an_edited_memory_is_learned_again_and_a_renamed_one_is_not(tmp_path: Path, home: str) -> None:
    library, headers = opened(tmp_path, home)
    library.learn(headers)
    write(tmp_path, "cat", "deploys go out on tuesday, not on any other day")
    (tmp_path / "memory" / "mat.md").rename(tmp_path / "memory" / "rug.md")
    library, headers = opened(tmp_path, home)
    assert {header.file for header in library.missing(headers)} == {"cat.md", "rug.md"}
    assert library.learn(headers) == 1
    assert library.missing(headers) == []


def test_without_a_model_there_is_no_nearness_and_nothing_to_learn(tmp_path: Path, home: str) -> None:
    library, headers = opened(tmp_path, f"{home}-elsewhere")
    assert library.learn(headers) == 0
    assert library.nearness_to("the cat", headers) is None
