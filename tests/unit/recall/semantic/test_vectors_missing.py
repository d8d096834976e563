"""What recall lacks of meanings is said where there is a model for them, and only there."""

import shutil
from pathlib import Path

import pytest
from tests.conftest import NOW
from tests.unit.recall.small_model import VOCABULARY, weights
from training.weights_file import pack, vocabulary_tables

from memdir.memories.directory import MemoryDir
from memdir.recall.ranker import Ranker, rank_together
from memdir.recall.semantic.vectors import VectorStore
from memdir.recall.semantic.weights import ENCODER

TEXT = '---\nname: "{name}"\ndescription: "{name}"\ntype: "project"\n---\n\nthe cat sat on {name}\n'


class Store:
    """A few memories, and a home that has a model or has none."""

    def __init__(self, place: Path, count: int = 3) -> None:
        self.place, self.home = place, str(place / "home")
        (place / "memory").mkdir()
        for number in range(count):
            self.write(f"m{number}")

    def write(self, name: str) -> None:
        (self.place / "memory" / f"{name}.md").write_text(TEXT.format(name=name))

    def give_model(self, vocabulary: tuple[str, ...] = VOCABULARY) -> None:
        models = Path(self.home)
        models.mkdir(parents=True, exist_ok=True)
        (models / ENCODER).write_bytes(pack({**weights(), **vocabulary_tables(vocabulary)}))

    def vectors(self) -> VectorStore:
        """Return what another process would have."""
        return VectorStore(self.memories(), self.home)

    def memories(self) -> MemoryDir:
        return MemoryDir(str(self.place / "memory"), str(self.place / "state"))

    def lacks(self) -> list[str]:
        """Rank in another process, and return what it had to do without."""
        memories = self.memories()
        ranker = Ranker(memories, lambda: NOW, VectorStore(memories, self.home))
        return [*rank_together([ranker], "where did the cat sit", lambda: 0.0, None, 0.0).limitations]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_without_a_model_nothing_is_missing(store: Store) -> None:
    assert store.lacks() == []
    assert store.vectors().missing() == []
    assert store.vectors().learn() == 0


def test_memories_without_vectors_are_counted_whether_some_or_all(store: Store) -> None:
    store.give_model()
    assert store.lacks() == ["3 of 3 memories have no vectors yet"]
    assert store.vectors().learn(most=2) == 2
    assert store.lacks() == ["1 of 3 memories has no vectors yet"]
    assert store.vectors().learn() == 1
    assert store.lacks() == []


def test_a_model_that_cannot_be_used_is_named_and_nobody_fails_for_it(store: Store) -> None:
    store.give_model()
    store.vectors().learn()
    store.home += "-damaged"  # the loaded encoder is kept by path
    store.give_model(tuple(word for word in VOCABULARY if word != "[CLS]"))
    store.write("new")
    assert store.vectors().learn() == 0
    (said,) = store.lacks()
    assert said.startswith("meanings: ")


def test_what_is_only_taken_over_does_not_end_the_learning(tmp_path: Path) -> None:
    store = Store(tmp_path, 20)
    store.give_model()
    store.vectors().learn()
    for path in sorted((tmp_path / "memory").iterdir()):
        path.rename(path.with_name(f"moved-{path.name}"))
    store.write("new")
    assert len(store.vectors().missing()) == 21
    assert store.vectors().learn() == 1
    assert store.vectors().missing() == []


def test_what_was_computed_until_it_was_late_or_interrupted_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path, 6)
    store.give_model()
    asked: list[None] = []

    def third_time() -> bool:
        asked.append(None)
        return len(asked) == 3

    assert store.vectors().learn(late=third_time) == 2

    def interrupted() -> bool:
        if third_time():
            raise KeyboardInterrupt
        return False

    asked.clear()
    with pytest.raises(KeyboardInterrupt):
        store.vectors().learn(late=interrupted)
    assert len(store.vectors().missing()) == 2


def test_many_are_stored_on_the_way(tmp_path: Path) -> None:
    store = Store(tmp_path, 20)
    store.give_model()
    kept: list[int] = []

    def look() -> bool:
        kept.append(20 - len(store.vectors().missing()))
        return False

    store.vectors().learn(late=look)
    assert sorted(set(kept)) == [0, 16]
    shutil.rmtree(tmp_path / "state")
    assert len(store.vectors().missing()) == 20
