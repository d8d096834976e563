"""What recall lacks of meanings is said where there is a model for them, and only there."""

import shutil
from pathlib import Path

import pytest
from tests.conftest import NOW
from tests.unit.recall.small_model import VOCABULARY, weights

from memdir.memories.directory import MemoryDir
from memdir.recall.rank import Best
from memdir.recall.ranking import Ranking
from memdir.recall.semantic.meaning import Meaning
from memdir.recall.semantic.weights import ENCODER, pack
from memdir.recall.semantic.wordpiece import Vocabulary

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
        (models / ENCODER).write_bytes(pack({**weights(), **Vocabulary.tables(vocabulary)}))

    def meaning(self) -> Meaning:
        """Return what another process would have."""
        return Meaning(MemoryDir(str(self.place / "memory"), str(self.place / "state")), self.home)

    def lacks(self) -> list[str]:
        """Rank in another process, and return what it had to do without."""
        meaning = self.meaning()
        return meaning.limitations(ranked(meaning))


def ranked(meaning: Meaning) -> Best:
    return Ranking(meaning._memories, lambda: NOW, meaning.nearness_to).best("where did the cat sit")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_without_a_model_nothing_is_missing(store: Store) -> None:
    assert store.lacks() == []
    assert store.meaning().missing() == []
    assert store.meaning().learn() == 0


def test_memories_without_vectors_are_counted_whether_some_or_all(store: Store) -> None:
    store.give_model()
    assert store.lacks() == ["3 of 3 memories have no vectors yet"]
    assert store.meaning().learn(most=2) == 2
    assert store.lacks() == ["1 of 3 memories has no vectors yet"]
    assert store.meaning().learn() == 1
    assert store.lacks() == []


def test_a_model_that_cannot_be_used_is_named_and_nobody_fails_for_it(store: Store) -> None:
    store.give_model()
    store.meaning().learn()
    store.home += "-damaged"  # the loaded encoder is kept by path
    store.give_model(tuple(word for word in VOCABULARY if word != "[CLS]"))
    store.write("new")
    assert store.meaning().learn() == 0
    (said,) = store.lacks()
    assert said.startswith("meanings: ")


def test_what_is_only_taken_over_does_not_end_the_learning(tmp_path: Path) -> None:
    store = Store(tmp_path, 20)
    store.give_model()
    store.meaning().learn()
    for path in sorted((tmp_path / "memory").iterdir()):
        path.rename(path.with_name(f"moved-{path.name}"))
    store.write("new")
    assert len(store.meaning().missing()) == 21
    assert store.meaning().learn() == 1
    assert store.meaning().missing() == []


def test_what_was_computed_until_it_was_late_or_interrupted_is_kept(tmp_path: Path) -> None:
    store = Store(tmp_path, 6)
    store.give_model()
    asked: list[None] = []

    def third_time() -> bool:
        asked.append(None)
        return len(asked) == 3

    assert store.meaning().learn(late=third_time) == 2

    def interrupted() -> bool:
        if third_time():
            raise KeyboardInterrupt
        return False

    asked.clear()
    with pytest.raises(KeyboardInterrupt):
        store.meaning().learn(late=interrupted)
    assert len(store.meaning().missing()) == 2


def test_many_are_stored_on_the_way(tmp_path: Path) -> None:
    store = Store(tmp_path, 20)
    store.give_model()
    kept: list[int] = []

    def look() -> bool:
        kept.append(20 - len(store.meaning().missing()))
        return False

    store.meaning().learn(late=look)
    assert sorted(set(kept)) == [0, 16]
    shutil.rmtree(tmp_path / "state")
    assert len(store.meaning().missing()) == 20
