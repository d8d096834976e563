"""How a host writes its events and reads answers; one small class for each host."""

from collections.abc import Mapping
from typing import Any, Protocol

from memdir.hosts.host import Call, HostAnswer

__all__ = ["Host"]


class Host(Protocol):
    """How one host writes events and reads answers."""

    @property
    def name(self) -> str:
        """Return what the user calls it."""

    def call(self, event: str, said: Mapping[str, Any], env: Mapping[str, str]) -> Call:
        """Return the event; an error of some kind when this is not what the host sends."""

    def render_answer(self, call: Call, answer: HostAnswer) -> str:
        """Return what goes to standard output; empty where the host must be told nothing."""
