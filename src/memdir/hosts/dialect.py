"""How a host writes its events and reads answers; one small class for each host."""

from collections.abc import Mapping
from typing import Protocol

from memdir.hosts.host import Call, HostAnswer

__all__ = ["Host"]


class Host(Protocol):
    """How one host writes events and reads answers."""

    @property
    def name(self) -> str:
        """Return what the user calls it."""

    def call(self, event: str, data: bytes, env: Mapping[str, str]) -> Call:
        """Return the event, or raise `Rejected` when this is not what the host sends."""

    def written(self, call: Call, answer: HostAnswer) -> str:
        """Return what goes to standard output; empty where the host must be told nothing."""
