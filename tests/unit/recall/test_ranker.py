"""Memories are ranked by what they say and by their state: expired and replaced ones step back."""

import os
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from memdir.memories.directory import MemoryDir
from memdir.recall.fusion import Ranked
from memdir.recall.limits import Limits
from memdir.recall.ranker import LONGEST_QUERY, Ranker, rank_together
from memdir.recall.selector import select
from memdir.recall.semantic.vectors import VectorStore

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
QUERY = "when do we deploy the shop"


def by_words(memories: MemoryDir, *, pins: bool = True) -> Ranker:
    return Ranker(memories, lambda: NOW, VectorStore(memories, "/nowhere"), pins=pins)


class Store:
    """A directory of memories with chosen headers and times."""

    def __init__(self, folder: Path) -> None:
        self.path, self.state = folder / "memory", folder / "state"
        self.path.mkdir()

    def save(self, name: str, body: str, days: int = 0, **metadata: str) -> None:
        lines = "".join(f'  {key}: "{value}"\n' for key, value in metadata.items())
        head = f'---\nname: "{name}"\ndescription: "{body}"\ntype: "project"\n'
        path = self.path / f"{name}.md"
        path.write_text(f"{head}metadata:\n{lines}---\n\n{body}\n")
        when = NOW.timestamp() - days * 86_400
        os.utime(path, (when, when))

    def ranked(self, query: str = QUERY) -> list[Ranked]:
        return by_words(MemoryDir(str(self.path), str(self.state))).rank(query).ranked

    def names(self, query: str = QUERY) -> list[str]:
        return [one.header.name for one in self.ranked(query)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    for number, word in enumerate(("grafana", "tabs", "lint", "schema", "invoice")):
        store.save(f"other-{word}", f"Something about {word} and more", days=100 + number)
    return store


def test_what_fits_comes_first_and_all_are_there(store: Store) -> None:
    store.save("deploy", "We deploy the shop on Tuesdays", days=50)
    assert store.names()[0] == "deploy"
    assert len(store.names()) == 6


@pytest.mark.parametrize("count", [1, 8, 30])
def test_words_that_every_memory_has_choose_none_of_them(tmp_path: Path, count: int) -> None:
    store = Store(tmp_path)
    said = ("go through the blue pipeline", "are on Tuesdays only", "need a sign-off by the captain")
    for number in range(count):
        what = said[number] if number < len(said) else f"of service {number} want window {number * 7}"
        store.save(f"rule-{number}", f"Deploys {what}.", days=number)
    for query in ("what should I know about deploys", "when can we deploy"):
        assert len(select(store.ranked(query)).certain) == (count == 1)
    assert [one.header.name for one in select(store.ranked("which pipeline do deploys take?")).certain] == [
        "rule-0"
    ]
    for query in ("write a haiku about the sea", "fix the failing test of the parser"):
        assert not select(store.ranked(query)).certain


def test_the_older_of_two_that_say_the_same_steps_back_without_vectors(store: Store) -> None:
    store.save("first", "We deploy the shop on Tuesdays after the stand-up, by the blue pipeline", days=30)
    store.save("again", "After the stand-up on Tuesdays we deploy the shop by the blue pipeline", days=40)
    ranked = store.ranked()
    assert [one.header.name for one in ranked[:2]] == ["first", "again"]
    assert [one.notes for one in ranked[:2]] == [(), ("near duplicate of first.md",)]


def test_an_expired_one_steps_back(store: Store) -> None:
    store.save("old", "We deploy the shop on Tuesdays", days=1, expires="2026-11-14")
    store.save("new", "We deploy the shop on Tuesdays now", days=2, expires="2026-11-15")
    ranked = store.ranked()
    assert [one.header.name for one in ranked[:2]] == ["new", "old"]
    assert ranked[1].notes == ("expired 2026-11-14",)


@pytest.mark.parametrize("expires", ["soon", "2026-99-99", "", "in the year 2000"])
def test_a_date_that_is_none_expires_nothing(store: Store, expires: str) -> None:
    store.save("deploy", "We deploy the shop on Tuesdays", expires=expires)
    assert store.ranked()[0].notes == ()


def test_a_replaced_one_steps_back_behind_what_replaces_it(store: Store) -> None:
    store.save("old", "We deploy the shop on Tuesdays", days=1)
    store.save("new", "We deploy the shop on Mondays, no longer on Tuesdays", days=30, supersedes="old")
    ranked = store.ranked()
    assert [one.header.name for one in ranked[:2]] == ["new", "old"]
    assert ranked[1].notes == ("superseded by new.md",)


def test_what_is_replaced_stands_behind_a_long_description_too(store: Store) -> None:
    store.save("old", "We deploy the shop on Tuesdays", days=1)
    store.save("new", "We deploy the shop on Mondays. " * 300, days=30, supersedes="old")
    assert {one.header.name: one.notes for one in store.ranked()}["old"] == ("superseded by new.md",)


def test_what_was_saved_with_the_best_comes_before_what_was_not(store: Store) -> None:
    store.save("deploy", "We deploy the shop on Tuesdays", days=200)
    store.save("beside", "Plants need water", days=200)
    store.save("apart", "Plants need light", days=210)
    names = store.names()
    assert names.index("beside") < names.index("apart")


def test_that_everything_was_saved_at_once_lifts_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save("deploy", "We deploy the shop on Tuesdays")
    for word in ("grafana", "tabs", "lint"):
        store.save(word, f"Something about {word} and more")
    best, second, *_ = store.ranked()
    assert best.header.name == "deploy"
    assert second.score < best.score / 2


def test_a_memory_does_not_replace_itself(store: Store) -> None:
    store.save("deploy", "We deploy the shop on Tuesdays", supersedes="deploy")
    assert store.ranked()[0].notes == ()


def test_an_empty_directory_has_no_ranking(tmp_path: Path) -> None:
    assert Store(tmp_path).ranked() == []


class AskedVectors(VectorStore):
    """Vectors that note what they are asked about."""

    def __init__(self, memories: MemoryDir, weights: str) -> None:
        super().__init__(memories, weights)
        self.asked: list[str] = []

    def nearness_to(self, query: str, _: object) -> None:
        self.asked.append(query)


def test_of_a_pasted_log_only_the_beginning_is_looked_at(store: Store) -> None:
    store.save("deploy", "We deploy the shop on Tuesdays")
    beginning = f"{QUERY}{' noise' * LONGEST_QUERY}"[:LONGEST_QUERY]
    assert store.ranked(f"{beginning} grafana") == store.ranked(beginning)
    assert store.names(beginning)[0] == "deploy"
    memories = MemoryDir(str(store.path), str(store.state))
    vectors = AskedVectors(memories, "/nowhere")
    Ranker(memories, lambda: NOW, vectors).rank(f"{beginning} grafana")
    assert vectors.asked == [beginning]


def test_meanings_that_there_was_no_time_for_are_told_where_there_are_any(store: Store) -> None:
    store.save("deploy", "We deploy the shop on Tuesdays")
    memories = MemoryDir(str(store.path), str(store.state))
    vectors = AskedVectors(memories, "/nowhere")
    ranker = Ranker(memories, lambda: NOW, vectors)
    found = ranker.rank("when do we deploy", lambda: 0.9)
    assert len(found.ranked) == len(memories.scan())
    assert (vectors.asked, found.limitations[-1:]) == (
        [],
        ("6 of 6 memories were ranked by their headers alone: no time was left",),
    )
    store.state.mkdir(exist_ok=True)
    (store.state / "vectors").touch()
    found = ranker.rank("when do we deploy", lambda: 0.9)
    assert found.limitations[-1] == "meanings: no time was left"
    found = ranker.rank("when do we deploy")
    assert (vectors.asked, found.limitations) == (["when do we deploy"], ())


def test_a_ranking_that_answered_before_answers_as_a_new_one(tmp_path: Path) -> None:
    store, dice = Store(tmp_path), Random(7)
    said = ("deploy", "shop", "lint", "schema", "tuesday", "queue", "captain", "invoice")
    kept = by_words(MemoryDir(str(store.path), str(store.state)))
    for step in range(40):
        more = {"supersedes": f"m{dice.randrange(25)}"} if dice.random() < 0.2 else {}
        more |= {"pinned": "true"} if dice.random() < 0.1 else {}
        store.save(f"m{step}", " ".join(dice.choices(said, k=6)), days=step, **more)
        query = " ".join(dice.choices(said, k=3))
        found = kept.rank(query)
        new = by_words(MemoryDir(str(store.path), str(tmp_path / f"state-{step}")))
        assert found == new.rank(query)
        assert kept.rank(query, most=3).ranked == found.ranked[:3]


def test_a_recent_look_is_not_repeated_unless_a_name_came_or_went(store: Store) -> None:
    ranker = by_words(MemoryDir(str(store.path), str(store.state)))
    assert ranker.rank(QUERY, recent=600).total == 5
    edited = store.path / "other-lint.md"
    edited.write_text(edited.read_text().replace("lint and more", "how we deploy the shop"))
    assert ranker.rank(QUERY, recent=600).ranked[0].lexical == 0
    assert ranker.rank(QUERY).ranked[0].header.name == "other-lint"
    store.save("deploy", "We deploy the shop on Tuesdays", days=50)
    assert ranker.rank(QUERY, recent=600).total == 6


class Both:
    """A private store and one of a team, ranked as one."""

    def __init__(self, folder: Path) -> None:
        for name in ("own", "team"):
            (folder / name).mkdir()
        self.own, self.team = Store(folder / "own"), Store(folder / "team")

    def ranked(self, query: str = QUERY) -> list[Ranked]:
        own, team = (MemoryDir(str(one.path), str(one.state)) for one in (self.own, self.team))
        rankers = [by_words(own), by_words(team, pins=False)]
        return rank_together(rankers, query, lambda: 0.0, None, 0.0).ranked


@pytest.fixture
def both(tmp_path: Path) -> Both:
    return Both(tmp_path)


def test_a_private_one_comes_first_where_both_are_as_probable(both: Both) -> None:
    both.own.save("mine", "We deploy the shop on Tuesdays", days=9)
    both.team.save("theirs", "We deploy the shop on Mondays", days=9)
    found = both.ranked()
    assert [one.header.file for one in found] == ["mine.md", "team/theirs.md"]
    assert found[0].score == found[1].score


def test_of_those_that_clearly_help_the_private_ones_are_shown_first(both: Both) -> None:
    both.own.save("mine", "We deploy the shop by hand", days=400)
    both.team.save("theirs", "When we deploy the shop is Tuesday")
    chosen = select(both.ranked(), Limits(files=1, certain=0.01)).certain
    assert [one.header.file for one in chosen] == ["mine.md"]


def test_what_the_team_only_repeats_is_left_out(both: Both) -> None:
    for store in (both.own, both.team):
        store.save("same", "We deploy the shop on Tuesdays")
    notes = {one.header.file: one.notes for one in both.ranked()}
    assert notes == {"same.md": (), "team/same.md": ("superseded by same.md",)}


def test_a_pin_of_the_team_counts_for_nothing(both: Both) -> None:
    both.team.save("pinned", "We deploy the shop on Tuesdays", pinned="true")
    assert [(one.header.pinned, one.notes) for one in both.ranked()] == [(False, ())]


def test_what_replaces_a_memory_of_the_team_is_named_by_its_folder(both: Both) -> None:
    both.team.save("old", "We deploy the shop on Mondays", days=9)
    both.team.save("new", "We deploy the shop on Tuesdays", supersedes="old")
    notes = {one.header.file: one.notes for one in both.ranked()}
    assert notes["team/old.md"][0] == "superseded by team/new.md"


def test_a_memory_of_the_team_replaces_no_private_one(both: Both) -> None:
    both.own.save("deploys", "We deploy the shop on Mondays", days=9)
    both.team.save("new", "We deploy the shop on Tuesdays", supersedes="deploys")
    assert all(not note.startswith("superseded") for one in both.ranked() for note in one.notes)
