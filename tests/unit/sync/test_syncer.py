"""What a sync does with a file follows from three hashes; a change wins over a deletion."""

import pytest

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
