"""Long work tells how far it has come, to whoever watches and to nobody else."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memdir import Memory
from memdir.progress import ProgressWatch, count_progress, count_up_to
from memdir.recall.evaluation import answers, tasks_in

COUNT = 7


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.delenv("MEMDIR_WEIGHTS", raising=False)
    (folder := tmp_path / "memory").mkdir(mode=0o700)
    for number in range(COUNT):
        head = f"---\nname: m{number}\ndescription: Number {number}\ntype: project\n---\n\n"
        (folder / f"project_m{number}.md").write_text(f"{head}The lamp number {number} is green.\n")
    return Memory.at(folder, state=tmp_path / "state")


def told(work: Callable[[], object]) -> list[tuple[int, int]]:
    """Return what a watcher is told while something is done."""
    seen: list[tuple[int, int]] = []
    with ProgressWatch(lambda done, total: seen.append((done, total))):
        work()
    return seen


def test_a_watcher_is_told_each_step_until_it_leaves() -> None:
    assert told(lambda: list(count_progress("abc"))) == [(0, 3), (1, 3), (2, 3), (0, 0)]
    assert told(lambda: list(count_up_to(iter("ab"), 2))) == [(0, 2), (1, 2), (0, 0)]
    assert list(count_progress("abc")) == ["a", "b", "c"]


def test_what_nobody_watches_is_gone_through_as_it_is() -> None:
    things = [1, 2]
    assert count_progress(things) is things


def _imported(memory: Memory, folder: Path) -> None:
    other = Memory.at(folder / "other", state=folder / "other-state")
    other.transfer.apply(other.transfer.plan(memory.directory))


def _synced(memory: Memory, folder: Path) -> None:
    (folder / "remote").mkdir()
    memory.sync.init(str(folder / "remote"), folder="x", who="Ada")
    memory.sync.run()


def _scored(_: Memory, folder: Path) -> None:
    (task := folder / "task").mkdir()
    rows = [{"id": str(number), "group": "g", "text": f"lamp {number}"} for number in range(COUNT)]
    for name in ("corpus", "queries"):
        (task / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    list(count_up_to(answers(tasks_in(str(task))[0]), COUNT))


WORK: dict[str, Callable[[Memory, Path], object]] = {
    "list": lambda memory, _: memory.list(),
    "verify": lambda memory, _: memory.doctor.verify(),
    "doctor": lambda memory, _: memory.doctor.examine(),
    "import": _imported,
    "export": lambda memory, folder: memory.transfer.export(str(folder / "all.memdir")),
    "sync": _synced,
    "eval": _scored,
    "dream": lambda memory, _: memory.jobs.dream(now=True, dry_run=True),
    "vectors": lambda memory, _: memory.models.learn(),
}


@pytest.mark.parametrize("name", WORK)
def test_long_work_counts_its_steps(name: str, memory: Memory, tmp_path: Path) -> None:
    seen = told(lambda: WORK[name](memory, tmp_path))
    assert {total for _, total in seen} >= {COUNT}
    assert (COUNT - 1, COUNT) in seen
