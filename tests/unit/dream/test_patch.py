"""A dream that is killed at any step leaves the directory as before or completely after, once another ran."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tool_calls import calls
from tests.unit.dream.dream_run import NOW, USER, contents, dreamed, filled, leftover_files, memory

from memdir.disk import files
from memdir.dream.dreamer import APPLIED
from memdir.dream.lock import LOCK_NAME, DreamLock
from memdir.dream.patch import repair_torn_patch
from memdir.errors import StorageError

TEXTS = {
    "project_a.md": memory("Deploys go out on Tuesdays.", name="a"),
    "project_b.md": memory("Releases are cut on Mondays.", name="b"),
    "project_c.md": memory("Reviews take a day.", name="c"),
}
NEW = {
    "project_a.md": memory("Deploys go out on Tuesdays.\n\nReleases are cut on Mondays.", name="a"),
    "project_c.md": memory("Reviews take a day.\n\nDeploys go out on Tuesdays.", name="c"),
}
STEPS = calls(
    *(("write", {"path": file, "text": text}) for file, text in NEW.items()),
    ("forget", {"path": "project_b.md"}),
)
CHILD = """
import os, sys
from pathlib import Path
import memdir.disk.files as files
from tests.unit.dream.dream_run import dreamed
from tests.unit.dream.test_patch import STEPS
left = int(sys.argv[2])
def step(what):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), 9)
files.on_step = step
dreamed(Path(sys.argv[1]), STEPS)
"""


def killed_at(folder: Path, step: int) -> bool:
    """Dream in a process that is killed before its step of this number; tell whether it got that far."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder), str(step)], cwd=root, check=False, capture_output=True
    )
    assert done.returncode in (0, -9), done.stderr
    return done.returncode == -9


def whole_after(folder: Path, step: int) -> bool:
    """Check one kill; tell whether the process was killed at all."""
    folder.mkdir()
    filled(folder, TEXTS)
    killed = killed_at(folder, step)
    seen = contents(folder)
    assert all(
        seen.get(file) == TEXTS[file] for file in TEXTS if file in seen and "Tuesdays" not in seen[file]
    )
    lock = DreamLock(str(folder / "memory"), str(folder / "state"))
    if killed and (folder / "memory" / LOCK_NAME).exists():
        assert lock.holder(NOW, 3_600.0) == 0
    dreamed(folder)  # the next dream takes the lock over and mends what was torn
    after = contents(folder)
    complete = sorted(after) == sorted(NEW) and all("Tuesdays" in text for text in after.values())
    assert after == TEXTS or complete
    assert leftover_files(folder) == []
    return killed


@pytest.mark.parametrize("step", [0, 8, 16, 33, 34, 36, 52])
def test_a_kill_never_leaves_half_a_dream(tmp_path: Path, step: int) -> None:
    assert whole_after(tmp_path / "one", step)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_kill_at_any_step_never_leaves_half_a_dream(tmp_path: Path) -> None:
    step = 0
    while whole_after(tmp_path / str(step), step):
        step += 1
    assert step > 20
    print(f"{step} steps, each killed once")


def test_what_somebody_forgot_meanwhile_is_not_brought_back(tmp_path: Path) -> None:
    writer = filled(tmp_path, TEXTS)
    rows = [["project_b.md", TEXTS["project_b.md"], None], ["project_c.md", TEXTS["project_c.md"], None]]
    (tmp_path / "state" / "dream.patch").write_text(
        json.dumps(rows)
    )  # as a dream killed at its start leaves it
    writer.forget("project_b.md", USER, NOW)
    assert not repair_torn_patch(writer, NOW)
    assert sorted(contents(tmp_path)) == ["project_a.md", "project_c.md"]


def test_a_fault_of_the_disk_midway_is_taken_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path, TEXTS)
    left = [len(NEW) - 1]

    def step(what: str) -> None:
        if what.startswith("rename project_"):
            left[0] -= 1
            if left[0] < 0:
                monkeypatch.setattr(files, "on_step", None)
                raise OSError(5, "made up")

    monkeypatch.setattr(files, "on_step", step)
    with pytest.raises(StorageError):
        dreamed(tmp_path, STEPS)
    assert contents(tmp_path) == TEXTS
    assert not (tmp_path / "memory" / LOCK_NAME).exists()


def test_without_a_kill_it_is_applied(tmp_path: Path) -> None:
    filled(tmp_path, TEXTS)
    assert dreamed(tmp_path, STEPS).ended == APPLIED
    assert sorted(contents(tmp_path)) == sorted(NEW)
    assert not os.path.exists(tmp_path / "state" / "dream.patch")
