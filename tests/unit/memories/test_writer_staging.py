"""New texts are durable before any of them has its name, few or many."""

import sys

import pytest

from memdir.disk import files
from memdir.memories.topic import Draft
from memdir.memory import Memory


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux syncs one file system at once")
def test_many_new_files_are_made_durable_at_once_before_any_has_its_name(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr(files, "on_step", steps.append)
    memory.transfer.remember_many(
        [Draft(f"Fact {n}.", "reference", f"fact {n}", f"About fact {n}") for n in range(60)]
    )
    topics = [step.split(" ")[0] for step in steps]
    first_rename = next(n for n, step in enumerate(steps) if step.startswith("rename reference_"))
    assert topics.index("syncfs") < first_rename
    assert "fsync .memdir-tmp-" not in "\n".join(steps[: topics.index("syncfs")])


def test_where_all_cannot_be_synced_at_once_each_file_is(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr(files, "on_step", steps.append)
    monkeypatch.setattr(files.Folder, "sync_everything", lambda _: False)
    memory.transfer.remember_many(
        [Draft(f"Fact {n}.", "reference", f"fact {n}", f"About fact {n}") for n in range(60)]
    )
    first_rename = next(n for n, step in enumerate(steps) if step.startswith("rename reference_"))
    assert sum(step.startswith("fsync .memdir-tmp-") for step in steps[:first_rename]) >= 60
