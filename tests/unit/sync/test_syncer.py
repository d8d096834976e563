"""What a sync does with a file follows from three hashes; a change wins over a deletion."""

from pathlib import Path

import pytest
from tests.conformance.remotes import Shared
from tests.conftest import Clock

from memdir.sync.remote import FileState
from memdir.sync.syncer import Action, plan_sync

CASES = [
    ("a", "a", "a", None),
    ("a", "b", "a", Action.PUSH),
    ("a", "a", "b", Action.PULL),
    ("a", "b", "c", Action.MERGE),
    ("a", "b", "b", Action.AGREE),
    ("a", None, "a", Action.DELETE_THERE),
    ("a", "a", None, Action.DELETE_HERE),
    ("a", None, None, Action.AGREE),
    ("a", None, "b", Action.PULL),
    ("a", "b", None, Action.PUSH),
    (None, "a", None, Action.PUSH),
    (None, None, "a", Action.PULL),
    (None, "a", "a", Action.AGREE),
    (None, "a", "b", Action.MERGE),
]


def state(content: str | None) -> dict[str, FileState]:
    return {} if content is None else {"x.md": FileState(content, f"version of {content}", 1)}


@pytest.mark.parametrize(("was", "here", "remote", "action"), CASES)
def test_each_case_has_one_action(
    was: str | None, here: str | None, remote: str | None, action: Action | None
) -> None:
    plan = plan_sync(state(was), state(here), state(remote))
    assert plan == ({} if action is None else {"x.md": action})


def test_a_file_that_is_here_is_taken_though_another_has_its_name_in_small_letters(
    tmp_path: Path, clock: Clock
) -> None:
    (tmp_path / "Case").touch()
    if (tmp_path / "case").exists():
        pytest.skip("this disk does not tell upper case from lower")
    shared = Shared("folder", tmp_path, clock)
    east, west = shared.machine("east"), shared.machine("west")
    east.write("Note.md", "one\n")
    for one in (east, west, west):  # once more, so that it is known there when the other comes
        one.syncer.sync()
    west.write("note.md", "ours\n")
    east.write("Note.md", "two\n")
    east.syncer.sync()
    west.syncer.sync()
    assert west.files()["Note.md"] == b"two\n"
