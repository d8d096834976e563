"""The installation of memdir into a host, as `memdir init` does it."""

from memdir.hosts.setup import HostSetup

__all__ = ["install"]


def install(setup: HostSetup, host: str = "claude-code", *, shared: bool = False) -> None:
    """Set a host up."""
    setup.apply(host, setup.plan(host, shared=shared))
