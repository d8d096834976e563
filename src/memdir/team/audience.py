"""Names of team memories as they are seen from private memory: `team/x` is x in the team's directory.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.memories.names import TEAM_FOLDER
from memdir.text.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

__all__ = ["as_team", "team_name"]


def as_team(value: "T") -> "T":
    """Return a header, memory or result of the team's directory with its file as private memory sees it."""
    fields: tuple[str, ...] = value.__match_args__  # type: ignore[attr-defined]  # each is a value class
    changes: dict[str, Any] = {}
    for name in fields:
        part = getattr(value, name)
        if name == "file":
            changes[name] = f"{TEAM_FOLDER}{part}"
        elif name == "files":
            changes[name] = type(part)(f"{TEAM_FOLDER}{file}" for file in part)
        elif name in _PARTS and part is not None:
            changes[name] = as_team(part)
    return replace(value, **changes)  # type: ignore[type-var]  # see above


_PARTS = frozenset({"header", "undid"})
"""Fields that hold such a value in turn."""


def team_name(name: str) -> str:
    """Return what a name of the form `team/x` is called in the team's directory; empty for any other."""
    return name[len(TEAM_FOLDER) :] if name.startswith(TEAM_FOLDER) else ""
