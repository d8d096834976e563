"""Recorded queries are answered from what existed at their time and scored as the benchmark defines it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.recall.small_model import encoder

from memdir.errors import Rejected
from memdir.recall.evaluation import Answer, answers, averages, measure, table, tasks_in

DOCUMENTS = [
    {"id": "d1", "group": "g", "text": "Deploys go out on Tuesdays.", "seq": 1},
    {"id": "d2", "group": "g", "text": "The cat sat on the mat.", "seq": 2},
    {"id": "d3", "group": "g", "text": "Deploys need two reviews on Tuesdays.", "seq": 5},
    {"id": "x1", "group": "other", "text": "Deploys, deploys, Tuesdays."},
]
QUERIES = [
    {"id": "q1", "group": "g", "text": "When do deploys go out?", "gold": ["d1"], "seq": 4},
    {"id": "q2", "group": "g", "text": "How many reviews do deploys need?", "gold": ["d3"], "seq": 9},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    task = tmp_path / "small"
    task.mkdir()
    for name, rows in (("corpus", DOCUMENTS), ("queries", QUERIES)):
        (task / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def answered(**about: Any) -> Answer:
    return Answer(**{"query": {"gold": ["a", "b"]}, "ranking": (), "selected": (), **about})


def test_a_query_sees_its_own_store_as_it_was_then(data: Path) -> None:
    (task,) = tasks_in(str(data))
    found = {answer.query["id"]: answer for answer in answers(task)}
    assert found["q1"].ranking == ("d1", "d2")
    assert found["q2"].ranking[0] == "d3"
    assert set(found["q2"].ranking) == {"d1", "d2", "d3"}


def test_a_task_may_be_named_itself_and_meaning_may_join_in(data: Path) -> None:
    (task,) = tasks_in(str(data / "small"))
    (first, _) = answers(task, encoder().encode)
    assert set(first.ranking) == {"d1", "d2"}


def test_measures_are_those_of_the_benchmark() -> None:
    one = measure(answered(ranking=tuple("xaxxxxxb"), selected=("x", "a")))
    assert one["R@5"] == 0.5
    assert one["R@10"] == 1.0
    assert one["MRR"] == 0.5
    assert one["nDCG@10"] == pytest.approx((0.63093 + 0.31546) / 1.63093, abs=1e-4)
    assert (one["Sel.P"], one["Sel.R"], one["Sel.n"]) == (0.5, 0.5, 2.0)


def test_tasks_count_the_same_in_a_mean_and_messages_apart() -> None:
    best, worst = answered(ranking=("a", "b")), answered()
    rows = averages({"one": [best], "two": [best, worst], "three-turn": [worst]})
    assert rows["MEAN memory-line tasks"]["R@5"] == 0.75
    assert rows["MEAN turn tasks"]["R@5"] == 0
    assert rows["MEAN all"]["R@5"] == 0.5
    assert table(rows).splitlines()[1].split()[:2] == ["one", "100.0"]


def test_a_folder_without_tasks_and_a_broken_row_are_refused(data: Path) -> None:
    with pytest.raises(Rejected, match=r"corpus\.jsonl"):
        tasks_in(str(data.parent))
    (data / "small" / "corpus.jsonl").write_text('{"id": "d1"}\n')
    with pytest.raises(Rejected, match=r"corpus\.jsonl:1"):
        tasks_in(str(data))
