"""Decide for each file what a sync has to do: compare its base, this side and the remote."""

from collections.abc import Mapping
from enum import Enum

from memdir.sync.local import LocalFile
from memdir.sync.remote import RemoteFile
from memdir.text.value import value_class

__all__ = ["Action", "SyncPlan", "plan_sync"]


class Action(Enum):
    """What is to be done with one file."""

    PUSH = "push"
    PULL = "pull"
    MERGE = "merge"
    DELETE_HERE = "delete here"
    DELETE_THERE = "delete there"


@value_class(frozen=True, slots=True)
class SyncPlan:
    """What is to be done, the files that agree already, and where an edit wins over a deletion."""

    actions: dict[str, Action]
    agreed: dict[str, RemoteFile | None]
    """Their new base; None for a file that neither side has any more."""
    kept: dict[str, str]
    """Files that one side deleted and the other changed, with what is said about it."""

    def of(self, *wanted: Action) -> list[str]:
        """Return the files with one of these actions, sorted."""
        return sorted(file for file, action in self.actions.items() if action in wanted)


def plan_sync(
    base: Mapping[str, RemoteFile], local: Mapping[str, LocalFile], remote: Mapping[str, RemoteFile]
) -> SyncPlan:
    """Compare three states of all files."""
    actions, kept = dict[str, Action](), dict[str, str]()
    agreed: dict[str, RemoteFile | None] = {}
    for file in {**base, **local, **remote}:
        common, own, other = base.get(file), local.get(file), remote.get(file)
        if own and common and common is other and own.content == common.content:
            continue  # as nearly all are: nothing else is looked at
        was, here, there = _content(common), _content(own), _content(other)
        if here == there:
            if common != other:
                agreed[file] = other
            continue
        actions[file] = _action(was, here, there)
        if was is not None and here != was != there and (here is None or there is None):
            deleted, changed = ("here", "on the remote") if here is None else ("on the remote", "here")
            kept[file] = f"{file} was deleted {deleted} and changed {changed}: the change was kept."
    return SyncPlan(actions, agreed, kept)


def _content(one: LocalFile | RemoteFile | None) -> str | None:
    return one.content if one else None


def _action(was: str | None, here: str | None, there: str | None) -> Action:
    """Return what to do where both sides differ; a change wins over a deletion."""
    if there == was:
        return Action.DELETE_THERE if here is None else Action.PUSH
    if here == was:
        return Action.DELETE_HERE if there is None else Action.PULL
    if here is None:
        return Action.PULL
    return Action.PUSH if there is None else Action.MERGE
