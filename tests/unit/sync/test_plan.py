"""What a sync does with a file follows from three hashes; a change wins over a deletion."""

import pytest

from memdir.sync.local import LocalFile
from memdir.sync.plan import Action, plan_sync
from memdir.sync.remote import RemoteFile

CASES = [
    ("a", "a", "a", None),
    ("a", "b", "a", Action.PUSH),
    ("a", "a", "b", Action.PULL),
    ("a", "b", "c", Action.MERGE),
    ("a", "b", "b", None),
    ("a", None, "a", Action.DELETE_THERE),
    ("a", "a", None, Action.DELETE_HERE),
    ("a", None, None, None),
    ("a", None, "b", Action.PULL),
    ("a", "b", None, Action.PUSH),
    (None, "a", None, Action.PUSH),
    (None, None, "a", Action.PULL),
    (None, "a", "a", None),
    (None, "a", "b", Action.MERGE),
]


def there(content: str | None) -> dict[str, RemoteFile]:
    return {} if content is None else {"x.md": RemoteFile(content, f"version of {content}", 1)}


@pytest.mark.parametrize(("was", "here", "remote", "action"), CASES)
def test_each_case_has_one_action(
    was: str | None, here: str | None, remote: str | None, action: Action | None
) -> None:
    local = {} if here is None else {"x.md": LocalFile(here, 1)}
    plan = plan_sync(there(was), local, there(remote))
    assert plan.actions == ({} if action is None else {"x.md": action})
    assert bool(plan.kept) == ((was, here, remote) in {("a", None, "b"), ("a", "b", None)})


def test_files_that_agree_anew_get_a_new_base() -> None:
    assert plan_sync(there("a"), {"x.md": LocalFile("b", 1)}, there("b")).agreed == there("b")
    assert plan_sync(there("a"), {}, {}).agreed == {"x.md": None}
